# carat: core

class Socket
  # Connects to whichever address of a host answers first (RFC 8305): both families are looked up at once, and an address that
  # does not answer soon is joined by the next one.
  class Connector
    FAMILIES = [AF_INET6, AF_INET].freeze
    # Seconds that addresses of IPv4 wait for those of IPv6, and that an attempt has for itself.
    RESOLUTION_DELAY = 0.05
    ATTEMPT_DELAY = 0.25

    # Connections to addresses, one after the other; the block says how many seconds an attempt may take.
    def self.in_turn(infos, locals)
      error = nil
      infos.each do |info|
        local = locals&.find { |own| own.afamily == info.afamily }
        next if locals && !local

        return local ? info.connect_from(local, timeout: yield) : info.connect(timeout: yield)
      rescue SystemCallError, IO::TimeoutError => error
        next
      end
      raise error || SocketError.new("no appropriate local address")
    end

    # locals: addresses to connect from, if any. The block looks the addresses of a family up.
    def initialize(place, locals, connect_timeout: nil, resolv_timeout: nil, open_timeout: nil, &lookup)
      @place = place
      @locals = locals
      @lookup = lookup
      @connect_timeout = connect_timeout
      @lookup_ends = now + resolv_timeout if resolv_timeout
      @open_ends = now + open_timeout if open_timeout
      @infos = {}
      @attempts = {}
      @answers = Thread::Queue.new
    end

    def connect
      begin_lookups
      loop do
        connected = begin_attempts || take_attempts(wait)
        return connected if connected

        take_answers
        check_time
      end
    ensure
      @lookups.each_value(&:kill)
      @attempts.each_key(&:close)
      [@woken, @waker].each(&:close)
    end

    private

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    def is_past?(time) = time && time <= now

    def begin_lookups
      @woken, @waker = IO.pipe
      families = @locals ? @locals.map(&:afamily).uniq : FAMILIES
      @lookups = families.to_h { |family| [family, Thread.new { answer(family) }] }
    end

    def answer(family)
      @answers << [family, *look_up(family)]
      @waker.write("\0")
    rescue IOError
      # Nobody waits for the answer any more.
    end

    def look_up(family)
      [@lookup.call(family), nil]
    rescue StandardError => e
      [nil, e]
    end

    def take_answers
      until @answers.empty?
        family, infos, error = @answers.pop
        @woken.read(1)
        @lookups.delete(family)
        error ? note_error(error) : @infos[family] = infos
        @delay_ends = now + RESOLUTION_DELAY if family == AF_INET && infos && @lookups.key?(AF_INET6) && @attempts.empty?
        @delay_ends = nil if family == AF_INET6 && @attempts.empty?
      end
    end

    # The family that was found tells more.
    def note_error(error)
      return if error.is_a?(ResolutionError) && error.error_code == EAI_ADDRFAMILY

      @error = error if @infos.empty?
    end

    # The connection, if there is one at once.
    def begin_attempts
      until is_waiting? || (info = next_info).nil?
        begin
          socket = Socket.new(info.pfamily, info.socktype, info.protocol)
          local = @locals&.find { |own| own.afamily == info.afamily }
          socket.bind(local) if local
          return socket unless socket.connect_nonblock(info, exception: false) == :wait_writable

          @attempts[socket] = info
          @delay_ends = now + ATTEMPT_DELAY
          @connect_ends = now + @connect_timeout if @connect_timeout
        rescue SystemCallError => e
          socket&.close
          @error = e
        end
      end
    end

    def is_waiting?
      @delay_ends = nil if is_past?(@delay_ends)
      @delay_ends
    end

    # Families take turns.
    def next_info
      family = @infos.key?(@next_family) && @infos[@next_family].any? ? @next_family : FAMILIES.find { |other| @infos[other]&.any? }
      return unless family

      @next_family = FAMILIES.find { |other| other != family }
      @infos[family].shift
    end

    def is_exhausted? = @infos.each_value.all?(&:empty?)

    # Sockets whose attempt has ended.
    def wait
      return [] if is_exhausted? && @attempts.empty? && @lookups.empty?

      ends_at = is_exhausted? ? end_of_all : [@delay_ends, @open_ends].compact.min
      _, ended = IO.select([@woken], @attempts.keys, nil, ends_at && [ends_at - now, 0].max)
      ended || []
    end

    # Nil if something may take as long as it likes.
    def end_of_all
      return @open_ends if @open_ends

      times = [(@lookup_ends || Float::INFINITY unless @lookups.empty?), (@connect_ends || Float::INFINITY unless @attempts.empty?)]
      time = times.compact.max
      time unless time == Float::INFINITY
    end

    def take_attempts(ended)
      ended.each do |socket|
        info = @attempts.delete(socket)
        code = socket.getsockopt(:SOCKET, :ERROR).int
        return socket if code.zero?

        socket.close
        @error = SystemCallError.new("connect(2) for #{info.inspect_sockaddr}", code)
        @delay_ends = nil if @attempts.empty?
      end
      nil
    end

    def check_time
      raise_timeout if is_past?(@open_ends)
      return unless is_exhausted?

      raise @error if @attempts.empty? && @lookups.empty?

      raise_timeout if (@lookups.empty? || is_past?(@lookup_ends)) && (@attempts.empty? || is_past?(@connect_ends))
    end

    def raise_timeout = raise(IO::TimeoutError, "user specified timeout for #{@place}")
  end
  private_constant :Connector
end

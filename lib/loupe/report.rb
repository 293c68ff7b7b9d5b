# What was allocated and retained, by gem, file, line and class, in memory_profiler's layout.
module Loupe
  class Report
    # Objects of one class made at one line.
    Row = Struct.new(:file, :line, :class_name, :allocated_objects, :allocated_bytes, :retained_objects, :retained_bytes) do
      def location = "#{file}:#{line}"
      def gem = Report.gem_of(file)
    end

    # A text, how often it was made, and where: pairs of place and count.
    Text = Struct.new(:text, :count, :places)

    UNITS = %w[B kB MB GB TB PB].freeze
    RULE = ("-" * 35).freeze
    private_constant :UNITS, :RULE

    attr_reader :rows, :allocated_strings, :retained_strings

    def initialize(rows, allocated_strings, retained_strings, top: 50, ignore_files: nil, allow_files: nil)
      rows = rows.map { |row| Row.new(*row) }
      rows.reject! { |row| row.file.match?(ignore_files) } if ignore_files
      allowed = allow_files && Regexp.union(*allow_files)
      rows.select! { |row| row.file.match?(allowed) } if allowed
      @rows = rows.freeze
      @allocated_strings, @retained_strings = [allocated_strings, retained_strings].map do |list|
        list.map { |text| Text.new(*text) }.freeze
      end
      @top = top
    end

    # Sums over all rows, under memory_profiler's names and in plain ones.
    def allocated_objects = rows.sum(&:allocated_objects)
    def allocated_bytes = rows.sum(&:allocated_bytes)
    def retained_objects = rows.sum(&:retained_objects)
    def retained_bytes = rows.sum(&:retained_bytes)
    alias total_allocated allocated_objects
    alias total_allocated_memsize allocated_bytes
    alias total_retained retained_objects
    alias total_retained_memsize retained_bytes

    # The lines with the largest sums of +figure+ (such as :allocated_bytes), as pairs of place and sum.
    def largest(by, figure, top = @top)
      sums = Hash.new(0)
      rows.each { |row| sums[row.public_send(by)] += row.public_send(figure) }
      sums.delete_if { |_, sum| sum.zero? }
      sums.sort_by { |name, sum| [-sum, name] }.first(top)
    end

    # Writes the report. +to_file+ is a path; without it +io+ gets the text.
    def pretty_print(io = $stdout, scale_bytes: false, normalize_paths: false, to_file: nil, **)
      return File.write(to_file, text(scale_bytes:, normalize_paths:)) if to_file
      io.print(text(scale_bytes:, normalize_paths:))
    end

    def to_s = text

    # Everything that JSON or YAML can hold.
    def to_h
      { allocated: { objects: allocated_objects, bytes: allocated_bytes },
        retained: { objects: retained_objects, bytes: retained_bytes },
        rows: rows.map { |row| row.to_h.merge(gem: row.gem) } }
    end

    def inspect = "#<#{self.class}: #{allocated_bytes} bytes in #{allocated_objects} objects>"

    # Whose file it is, as memory_profiler guesses it from the path.
    def self.gem_of(path)
      case path
      when %r{.*/gems/([^/]+)/} then $1
      when %r{/rubygems[./]} then "rubygems"
      when %r{ruby/\d\.[^/]+/([^/.]+)} then $1
      when %r{([^/]+/(?:bin|app|lib))} then $1
      else "other"
      end
    end

    private

    def text(scale_bytes: false, normalize_paths: false)
      out = +""
      bytes = ->(amount) { scale_bytes ? scaled(amount) : "#{amount} bytes" }
      out << "Total allocated: #{bytes[allocated_bytes]} (#{allocated_objects} objects)\n"
      out << "Total retained:  #{bytes[retained_bytes]} (#{retained_objects} objects)\n"
      %w[allocated retained].each do |kind|
        { "memory" => "bytes", "objects" => "objects" }.each do |metric, figure|
          { "gem" => :gem, "file" => :file, "location" => :location, "class" => :class_name }.each do |name, by|
            out << "\n#{kind} #{metric} by #{name}\n#{RULE}\n"
            list = largest(by, :"#{kind}_#{figure}")
            out << "NO DATA\n" if list.empty?
            list.each do |label, sum|
              label = normalized(label) if normalize_paths && (by == :file || by == :location)
              sum = scaled(sum) if scale_bytes && metric == "memory"
              out << "#{sum.to_s.rjust(10)}  #{label}\n"
            end
          end
        end
      end
      out << "\n"
      strings(out, "Allocated", allocated_strings, normalize_paths)
      strings(out, "Retained", retained_strings, normalize_paths)
      out
    end

    def strings(out, title, list, normalize_paths)
      return if list.empty?
      out << "\n#{title} String Report\n#{RULE}\n"
      list.each do |string|
        out << "#{string.count.to_s.rjust(10)}  #{string.text}\n"
        string.places.each do |place, count|
          out << "#{count.to_s.rjust(10)}  #{normalize_paths ? normalized(place) : place}\n"
        end
        out << "\n"
      end
    end

    def scaled(bytes)
      return "0 B" if bytes.zero?
      step = [(bytes.digits.size - 1) / 3, UNITS.size - 1].min
      format("%.2f %s", bytes / 1000.0**step, UNITS[step])
    end

    def normalized(path)
      case path
      when %r{.*/gems/([^/]+/.*)} then $1
      when %r{ruby/\d\.[^/]+/([^/.]+.*)} then "ruby/lib/#{$1}"
      when %r{([^/]+/(?:bin|app|lib).*)} then $1
      else path
      end
    end
  end
end

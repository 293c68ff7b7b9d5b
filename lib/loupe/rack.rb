# A Rack middleware that answers a request with a report of what it allocated.
require "loupe/live"

module Loupe
  # use Loupe::Rack, secret: ENV["LOUPE_SECRET"]
  #
  # A request with the parameter +pp=profile-memory+, or the header +X-Loupe: profile-memory+, runs as always; its answer is the
  # report, in memory_profiler's layout, and not the page. +memory_profiler_top+ sets the lines of each list;
  # +memory_profiler_allow_files+ and +memory_profiler_ignore_files+ take a part of a path.
  #
  # Who asks has to know the secret, and sends it as the header +X-Loupe-Secret+. Without a secret there are answers in
  # development only (+RACK_ENV+ or +RAILS_ENV+), and only to this machine. Whoever may not ask gets the page.
  class Rack
    WANTED = "profile-memory".freeze
    LOCAL = ["127.0.0.1", "::1", "::ffff:127.0.0.1"].freeze
    private_constant :WANTED, :LOCAL

    def initialize(app, secret: nil)
      raise ArgumentError, "the secret is empty: set it, or leave it out" if secret && secret.empty?
      @app = app
      @secret = secret
    end

    def call(env)
      parameters = parameters_of(env)
      return @app.call(env) unless wants_report?(env, parameters) && may_ask?(env)
      top = Integer(parameters["memory_profiler_top"], exception: false)
      top = 50 unless top&.positive?
      files = { allow_files: parameters["memory_profiler_allow_files"], ignore_files: parameters["memory_profiler_ignore_files"] }
      status = nil
      report = Loupe.report(top:, **files.transform_values { |part| part && Regexp.new(Regexp.escape(part)) }) do
        status, _, body = @app.call(env)
        consume(body)
      end
      answer(200, "#{env["REQUEST_METHOD"]} #{env["PATH_INFO"]} answered with #{status}\n\n#{report}")
    rescue Busy
      answer(503, "another report is being made: ask again\n", "retry-after" => "1")
    end

    private

    def parameters_of(env)
      query = env["QUERY_STRING"].to_s
      return {} unless query.include?("pp=") || env["HTTP_X_LOUPE"]
      require "uri"
      URI.decode_www_form(query).to_h
    rescue ArgumentError
      {}
    end

    def wants_report?(env, parameters) = parameters["pp"] == WANTED || env["HTTP_X_LOUPE"] == WANTED

    def may_ask?(env)
      return is_same?(@secret, env["HTTP_X_LOUPE_SECRET"].to_s) if @secret
      environment = ENV["RAILS_ENV"] || ENV["RACK_ENV"]
      environment == "development" && LOCAL.include?(env["REMOTE_ADDR"]) && !env["HTTP_X_FORWARDED_FOR"]
    end

    # Takes as long however much of it is right.
    def is_same?(secret, given)
      return false unless secret.bytesize == given.bytesize
      secret.bytes.zip(given.bytes).sum { |a, b| a ^ b }.zero?
    end

    # The body is part of the work.
    def consume(body)
      body.each { |part| part } if body.respond_to?(:each)
    ensure
      body.close if body.respond_to?(:close)
    end

    def answer(status, text, headers = {})
      [status, { "content-type" => "text/plain; charset=utf-8", "cache-control" => "no-store", **headers }, [text]]
    end
  end
end

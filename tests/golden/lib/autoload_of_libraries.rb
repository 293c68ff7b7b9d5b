# oracle: native
# Libraries that an autoload constant loads in a thread: until the file has ended, only that thread sees the constant, and the
# halves of a library find one another nevertheless.
LIBRARIES = {
  StringIO: ["stringio", -> { StringIO.new("text").read(2) }],
  StringScanner: ["strscan", -> { StringScanner.new("text").scan(/t./) }],
  Etc: ["etc", -> { Etc.respond_to?(:getlogin) }],
  PTY: ["pty", -> { PTY.respond_to?(:open) }],
  Zlib: ["zlib", -> { Zlib::Inflate.inflate(Zlib::Deflate.deflate("text")) }],
  Digest: ["digest", -> { Digest::SHA256.hexdigest("text")[0, 8] }],
  JSON: ["json", -> { JSON.parse(JSON.generate([1, nil])) }],
  Psych: ["psych", -> { Psych.load(Psych.dump([1, "two"])) }],
  Ripper: ["ripper", -> { Ripper.sexp("1") }],
  Socket: ["socket", -> { Socket.sockaddr_in(80, "127.0.0.1").bytesize }],
  CGI: ["cgi/escape", -> { CGI.escapeHTML("<") }],
  ERB: ["erb", -> { ERB.new("<%= 1 + 1 %>").result }],
  Date: ["date", -> { Date.new(2001, 2, 3).to_s }],
  OpenSSL: ["openssl", -> { OpenSSL::Digest.hexdigest("SHA1", "text")[0, 8] }],
  BigDecimal: ["bigdecimal", -> { BigDecimal("1.5").to_s }],
}

LIBRARIES.each do |name, (feature, use)|
  reader, writer = IO.pipe
  child = fork do
    reader.close
    $stdout = writer
    Object.autoload(name, feature)
    begin
      Thread.new { Thread.current.report_on_exception = false; Object.const_get(name) }.join
      puts "#{name} #{use.call.inspect}"
    rescue Exception => error
      puts "#{name} #{error.class}: #{error.message}"
    end
    writer.flush
    exit!(0)
  end
  writer.close
  print reader.read
  Process.wait(child)
end

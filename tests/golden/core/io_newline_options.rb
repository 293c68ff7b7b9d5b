# oracle: native
# Options that say how line ends are not changed go with binary streams; those that change them do not.
require "tmpdir"
Dir.mktmpdir do |folder|
  path = File.join(folder, "lines")
  File.binwrite(path, "a\r\nb\n")
  options = [{ universal_newline: false }, { universal_newline: nil }, { universal_newline: true }, { crlf_newline: false }, { cr_newline: nil },
             { newline: nil }, { crlf_newline: true }, { crlf_newline: false, universal_newline: false }]
  options.each do |given|
    results = [["rb"], ["r"], ["rt"], ["rb:utf-8"], ["r", { binmode: true }], ["r", { textmode: true }]].map do |mode, more|
      File.open(path, mode, **given, **(more || {}), &:read)
    rescue ArgumentError => e
      e.message
    end
    p given.to_a, results
  end
  File.open(path, "wb", universal_newline: false) { |file| file.write("x\r\ny\n") }
  p File.binread(path)
  File.open(path, "rb") { |file| file.set_encoding("utf-8", universal_newline: false); p file.read }
end

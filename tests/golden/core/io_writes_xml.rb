# What xml: of a stream does to what is written, with and without an encoding.
require "tempfile"

def written(*mode, **options)
  path = File.join(Dir.tmpdir, "io_writes_xml_#{Process.pid}")
  File.open(path, *mode, **options) { |file| yield file }
  p File.binread(path)
ensure
  File.delete(path) if path
end

written("w", xml: :text) { |file| file.print "<a> & \"b\"", "é>" }
written("w", xml: :attr) { |file| file.print "<a> & \"b\"", "é>" }
written("w:ISO-8859-1", xml: :text) { |file| file.print "<é\u3042>" }
written("w:UTF-8", xml: :text) { |file| file.write "plain", "<", 1 }
written("w:UTF-16LE", xml: :text) { |file| file.write "<a>" }
written("wb", xml: :text) { |file| file.write "<a>".b }
written("w", xml: :text, crlf_newline: true) { |file| file.puts "<a>" }
written("w", crlf_newline: true) { |file| file.puts "<a>" }

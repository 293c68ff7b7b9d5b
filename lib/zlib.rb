# Compressed data: streams of zlib, and files of gzip. The codec is native.
module Zlib
  VERSION = "3.2.2".freeze
  ZLIB_VERSION = "1.3.1".freeze

  BINARY = 0
  ASCII = 1
  TEXT = 1
  UNKNOWN = 2

  NO_COMPRESSION = 0
  BEST_SPEED = 1
  BEST_COMPRESSION = 9
  DEFAULT_COMPRESSION = -1

  FILTERED = 1
  HUFFMAN_ONLY = 2
  RLE = 3
  FIXED = 4
  DEFAULT_STRATEGY = 0

  MAX_WBITS = 15
  DEF_MEM_LEVEL = 8
  MAX_MEM_LEVEL = 9

  NO_FLUSH = 0
  SYNC_FLUSH = 2
  FULL_FLUSH = 3
  FINISH = 4

  OS_MSDOS = 0
  OS_AMIGA = 1
  OS_VMS = 2
  OS_UNIX = 3
  OS_VMCMS = 4
  OS_ATARI = 5
  OS_OS2 = 6
  OS_MACOS = 7
  OS_ZSYSTEM = 8
  OS_CPM = 9
  OS_TOPS20 = 10
  OS_WIN32 = 11
  OS_QDOS = 12
  OS_RISCOS = 13
  OS_UNKNOWN = 255
  OS_CODE = OS_UNIX

  class Error < StandardError
  end

  class StreamEnd < Error
  end

  class NeedDict < Error
  end

  class DataError < Error
  end

  class StreamError < Error
  end

  class MemError < Error
  end

  class BufError < Error
  end

  class VersionError < Error
  end

  class InProgressError < Error
  end

  require "zlib.so"
  require "zlib/stream"
  require "zlib/gzip_file"
  require "zlib/gzip_writer"
  require "zlib/gzip_reader"

  class << self
    def zlib_version = ZLIB_VERSION

    def deflate(string, level = DEFAULT_COMPRESSION, &) = Deflate.deflate(string, level, &)

    def inflate(string) = Inflate.inflate(string)

    # A string as the contents of a gzip file.
    def gzip(string, level: nil, strategy: nil)
      codec = Codec.deflate(level || DEFAULT_COMPRESSION, -MAX_WBITS)
      GzipFile.header(level) << codec.run(string, FINISH) << [crc32(string), string.bytesize & 0xffff_ffff].pack("V2")
    end

    # What a gzip file contains.
    def gunzip(string)
      string = String.new(string, encoding: Encoding::BINARY)
      raise GzipFile::Error, "unexpected end of string" if string.bytesize < 10
      position = GzipFile.skip_header(string) or raise GzipFile::Error, "not in gzip format"
      codec = Codec.inflate(-MAX_WBITS)
      result = codec.run(string.byteslice(position..), NO_FLUSH)
      raise GzipFile::Error, "unexpected end of file" unless codec.finished?
      footer = string.byteslice(position + codec.consumed, 8)
      raise GzipFile::NoFooter, "footer is not found" if footer.empty?
      raise GzipFile::Error, "unexpected end of string" if footer.bytesize < 8
      GzipFile.check_footer(footer, crc32(result), result.bytesize)
      result
    end
  end
end

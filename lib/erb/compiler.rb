# frozen_string_literal: true

require "erb/scanners"

class ERB
  # Makes a Ruby program of a template.
  #
  # Texts are given to +put_cmd+, values of expressions to +insert_cmd+; +pre_cmd+ and +post_cmd+ stand around the whole. The
  # program's lines are those of the template.
  class Compiler
    # The program, statement by statement.
    class Buffer
      def initialize(compiler, encoding = nil, frozen = nil)
        @compiler = compiler
        @line = []
        @script = +""
        @script << "#coding:#{encoding}\n" if encoding
        @script << "#frozen-string-literal:#{frozen}\n" unless frozen.nil?
        @compiler.pre_cmd.each { |command| push(command) }
      end

      attr_reader :script

      def push(command) = @line << command

      def cr
        @script << @line.join("; ") << "\n"
        @line = []
      end

      def close
        return unless @line
        @compiler.post_cmd.each { |command| push(command) }
        @script << @line.join("; ")
        @line = nil
      end
    end

    attr_reader :percent, :trim_mode
    attr_accessor :put_cmd, :insert_cmd, :pre_cmd, :post_cmd

    def initialize(trim_mode)
      @percent, @trim_mode = prepare_trim_mode(trim_mode)
      @put_cmd = "print"
      @insert_cmd = "print"
      @pre_cmd = []
      @post_cmd = []
    end

    # Whether lines may begin with "%", and the rest of the mode.
    def prepare_trim_mode(mode)
      case mode
      when 1 then [false, ">"]
      when 2 then [false, "<>"]
      when 0, nil then [false, nil]
      when String
        warn_invalid_trim_mode(mode) unless mode.match?(/\A(?:%|-|>|<>){1,2}\z/)
        [mode.include?("%"), mode.include?("-") ? "-" : mode[/<?>/]]
      else
        warn_invalid_trim_mode(mode)
        [false, nil]
      end
    end

    def warn_invalid_trim_mode(mode)
      warn "Invalid ERB trim mode: #{mode.inspect} (trim_mode: nil, 0, 1, 2, or String composed of '%' and/or '-', '>', '<>')", uplevel: 5
    end
    private :warn_invalid_trim_mode

    # Cuts a template into tokens as the mode says. Classes that inherit know other tags.
    def make_scanner(text) = Scanner.make_scanner(text, @trim_mode, @percent)

    # The program, its encoding and whether it said that its literals are frozen.
    def compile(text)
      encoding = text.encoding
      raise ArgumentError, "#{encoding} is not ASCII compatible" if encoding.dummy?
      text = text.b
      encoding, frozen = detect_magic_comment(text, encoding)
      out = Buffer.new(self, encoding, frozen)
      @content = +""
      scanner = make_scanner(text)
      scanner.scan do |token|
        next if token.nil? || token == ""
        scanner.stag ? compile_etag(token, out, scanner) : compile_stag(token, out, scanner)
      end
      add_put_cmd(out, @content) unless @content.empty?
      @content = nil
      out.close
      [out.script.force_encoding(encoding), encoding, frozen]
    end

    def add_put_cmd(out, content) = out.push("#{@put_cmd} #{content_dump(content)}")

    def add_insert_cmd(out, content) = out.push("#{@insert_cmd}((#{content}).to_s)")

    # In a text: tags begin, everything else is put.
    def compile_stag(token, out, scanner)
      case token
      when PercentLine
        flush(out)
        out.push(token.to_s)
        out.cr
      when :cr then out.cr
      when "<%%" then @content << "<%"
      when "\n"
        @content << token
        flush(out)
      else
        return @content << token unless scanner.stags.include?(token)
        scanner.stag = token
        flush(out)
      end
    end

    # In a tag: everything is its content, up to its end.
    def compile_etag(token, out, scanner)
      case token
      when "%>"
        compile_content(scanner.stag, out)
        scanner.stag = nil
        @content = +""
      when "%%>" then @content << "%>"
      else @content << token
      end
    end

    def compile_content(tag, out)
      case tag
      when "<%"
        if @content.end_with?("\n")
          out.push(@content.chop)
          out.cr
        else
          out.push(@content)
        end
      when "<%=" then add_insert_cmd(out, @content)
      when "<%#" then out.push("\n" * @content.count("\n"))
      end
    end

    private

    # What stands in the text or in the tag that is read.
    attr_accessor :content

    def flush(out)
      add_put_cmd(out, @content) unless @content.empty?
      @content = +""
    end

    # Keeps the number of lines.
    def content_dump(text)
      lines = text.count("\n")
      lines > 0 ? text.dump << ".freeze" << "\n" * lines : text.dump << ".freeze"
    end

    def detect_magic_comment(text, encoding)
      frozen = nil
      return encoding, frozen unless text.include?("%#")
      text.scan(@percent ? /(?:\A|\n)%#(.*)$|<%#(.*?)%>/ : /<%#(.*?)%>/m) do |comments|
        comment = comments.compact.first.to_s
        comment = $1 if comment =~ /-\*-\s*([^\s].*?[^\s])\s*-\*-$/
        encoding = Encoding.find($1.sub(/-(?:mac|dos|unix)/i, "")) if comment =~ /coding\s*[=:]\s*([[:alnum:]\-_]+)/
        frozen = $1 if comment =~ /frozen[-_]string[-_]literal\s*:\s*([[:alnum:]]+)/
      end
      [encoding, frozen]
    end
  end
end

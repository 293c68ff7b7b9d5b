# frozen_string_literal: true

class ERB
  # Makes a Ruby program of a template.
  #
  # Texts are given to +put_cmd+, values of expressions to +insert_cmd+; +pre_cmd+ and +post_cmd+ stand around the whole. The
  # program's lines are those of the template.
  class Compiler
    # A line that begins with "%".
    class PercentLine
      def initialize(text)
        @value = text
      end

      attr_reader :value
      alias to_s value
    end

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
        return invalid_trim_mode(mode) unless mode.match?(/\A(?=.)(?:%?-?|%?<?>)\z/)
        [mode.include?("%"), mode.include?("-") ? "-" : mode[/<?>/]]
      else
        invalid_trim_mode(mode)
      end
    end

    def invalid_trim_mode(mode)
      warn "Invalid ERB trim mode: #{mode.inspect} (trim_mode: nil, 0, 1, 2, or String composed of '%' and/or '-', '>', '<>')", uplevel: 6
      [false, nil]
    end
    private :invalid_trim_mode

    # The program, its encoding and whether it said that its literals are frozen.
    def compile(text)
      encoding = text.encoding
      raise ArgumentError, "#{encoding} is not ASCII compatible" if encoding.dummy?
      text = text.b
      encoding, frozen = detect_magic_comment(text, encoding)
      out = Buffer.new(self, encoding, frozen)
      @content = +""
      scan(text) do |token, tag|
        next if token == ""
        tag ? compile_etag(token, out, tag) : compile_stag(token, out)
      end
      add_put_cmd(out, @content) unless @content.empty?
      @content = nil
      out.close
      [out.script.force_encoding(encoding), encoding, frozen]
    end

    def add_put_cmd(out, content) = out.push("#{@put_cmd} #{content_dump(content)}")

    def add_insert_cmd(out, content) = out.push("#{@insert_cmd}((#{content}).to_s)")

    private

    # Keeps the number of lines.
    def content_dump(text)
      lines = text.count("\n")
      lines > 0 ? text.dump << ".freeze" << "\n" * lines : text.dump << ".freeze"
    end

    def detect_magic_comment(text, encoding)
      frozen = nil
      text.scan(@percent ? /(?:\A|\n)%#(.*)$|<%#(.*?)%>/ : /<%#(.*?)%>/m) do |comments|
        comment = comments.compact.first.to_s
        comment = $1 if comment =~ /-\*-\s*([^\s].*?[^\s])\s*-\*-$/
        encoding = Encoding.find($1.sub(/-(?:mac|dos|unix)/i, "")) if comment =~ /coding\s*[=:]\s*([[:alnum:]\-_]+)/
        frozen = $1 if comment =~ /frozen[-_]string[-_]literal\s*:\s*([[:alnum:]]+)/
      end
      [encoding, frozen]
    end

    # In a text: tags begin, everything else is put.
    def compile_stag(token, out)
      case token
      when PercentLine
        flush(out)
        out.push(token.to_s)
        out.cr
      when "<%", "<%=", "<%#"
        @tag = token
        flush(out)
      when "\n"
        @content << token
        flush(out)
      when :cr then out.cr
      when "<%%" then @content << "<%"
      else @content << token
      end
    end

    def flush(out)
      add_put_cmd(out, @content) unless @content.empty?
      @content = +""
    end

    def compile_etag(token, out, tag)
      case token
      when "%>"
        compile_content(tag, out)
        @tag = nil
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

    START = {"-" => /^[ \t]*<%-|<%-|<%%|<%=|<%#|<%/, nil => /<%%|<%=|<%#|<%/}.freeze
    private_constant :START

    # Yields tokens, each with the tag that it stands in, if any.
    def scan(text, &block)
      @tag = nil
      return scan_part(text, &block) unless @percent
      part = +""
      text.each_line do |line|
        if @tag.nil? && line.start_with?("%")
          scan_part(part, &block)
          part = +""
          # What was scanned may have opened a tag.
          next part << line if @tag
          line.start_with?("%%") ? scan_part(line[1..], &block) : yield(PercentLine.new(line[1..].chomp), nil)
        else
          part << line
          # A tag that goes on over lines takes lines with "%" into itself.
          if part.include?("<%")
            scan_part(part, &block)
            part = +""
          end
        end
      end
      scan_part(part, &block)
    end

    def scan_part(text, &block)
      case @trim_mode
      when "<>", ">" then text.each_line { |line| scan_line(line, &block) }
      else scan_tokens(text, &block)
      end
    end

    # With ">", a line that ends with a tag loses its end; with "<>", if it begins with one too.
    def scan_line(line, &block)
      opened = @trim_mode == ">" || line.start_with?("<%")
      ended = line.end_with?("%>\n") || line.end_with?("%>\r\n")
      body = ended ? line.chomp : line
      last = nil
      scan_tokens(body) do |token, tag|
        last = token
        yield(token, tag)
      end
      return unless ended
      yield(opened && last == "%>" && @tag.nil? ? :cr : line[body.size..], @tag)
    end

    def scan_tokens(text, &block)
      position = 0
      size = text.bytesize
      while position < size
        position = @tag ? scan_end(text, position, &block) : scan_start(text, position, &block)
      end
    end

    def scan_start(text, position, &block)
      match = START[@trim_mode == "-" ? "-" : nil].match(text, position)
      stop = match ? match.begin(0) : text.bytesize
      yield_text(text.byteslice(position, stop - position), &block)
      return stop unless match
      yield(match[0].end_with?("<%-") ? "<%" : match[0], nil)
      match.end(0)
    end

    # Lines are put one by one where the template is read so.
    def yield_text(text)
      return yield(text, nil) unless @percent ? @trim_mode != "-" : @trim_mode && @trim_mode != "-"
      text.each_line do |line|
        yield(line.delete_suffix("\n"), nil)
        yield("\n", nil) if line.end_with?("\n")
      end
    end

    # The end of a tag: "-%>" takes the end of the line with it.
    def scan_end(text, position)
      match = (@trim_mode == "-" ? /%%>|-%>|%>/ : /%%>|%>/).match(text, position)
      stop = match ? match.begin(0) : text.bytesize
      yield(text.byteslice(position, stop - position), @tag) if stop > position
      return stop unless match
      finish = match.end(0)
      if match[0] == "-%>"
        yield("%>", @tag)
        if (line_end = text.byteslice(finish, 2)[/\A\r?\n/])
          finish += line_end.size
          yield(:cr, nil)
        end
      else
        yield(match[0], @tag)
      end
      finish
    end
  end
end

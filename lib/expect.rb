# Waiting for a pattern on a stream, as from a program that asks questions.
class IO
  # Reads until the pattern matches and returns what was read and the groups; nil at the end or after so many seconds. With a
  # block, yields that instead.
  def expect(pattern, timeout = 9_999_999)
    pattern = Regexp.new(Regexp.quote(pattern)) if pattern.is_a?(String)
    read = +""
    until (match = pattern.match(read))
      char = (getc if wait_readable(timeout))
      break unless char

      read << char
    end
    answer = [read, *match.captures] if match
    return answer unless block_given?

    yield answer
    nil
  end
end

# A literal whose fields are written warns, also where the code wrote fields of other strings before.
Warning[:deprecated] = true
module Warning
  def self.warn(message, **)
    puts message.sub(/\A.*?:(\d+): /, '\1: ')
  end
end

class String
  def note = @noted = 42
  def forget = remove_instance_variable(:@noted)
end

def note(text) = text.note

10.times { note("mutable".dup) }
3.times do
  note("frozen".freeze)
rescue FrozenError => error
  puts error.message
end
note("literal")
3.times { note("in a block") }
note(:symbol.to_s)
same = "same"
2.times { note(same) }
begin
  "never".forget
rescue NameError => error
  puts error.message
end
p note(+"unary")

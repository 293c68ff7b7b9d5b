# A hundred bodies with an ensure clause inside each other, whose clauses leave, or may leave: compiled in no time.
def nest(depth, body, clause)
  depth.times { body = "begin; #{body}; ensure; $n += 1; #{clause}; end" }
  body
end

{
  "return" => "return 2", "return or not" => "return 2 if $x", "break" => "break 3", "break or not" => "break 3 if $x",
  "next or not" => "next if $x", "redo or not" => "redo if $x", "raise or not" => "raise 'x' if $x",
  "an ensure clause of its own" => "begin; return 2 if $x; ensure; $n += 1; return 3 if $x; end",
}.each do |name, clause|
  ["7", "return 8", "raise 'y'"].each do |body|
    $n = 0
    eval("def m; begin; #{nest(100, body, clause)}; end while false; end")
    p [name, body, begin; m; rescue => e; e; end, $n]
  end
end

# flags: -W0
# Processes that are forked while Ractors work, wait for their turn and end.
answers = 60.times.map do |i|
  ractor = Ractor.new(i) { |j| 300.times { |k| "#{j}-#{k}" }; j }
  child = fork do
    GC.verify_internal_consistency
    exit!(Ractor.new { 3 }.value)
  end
  Process.wait(child)
  [$?.exitstatus, ractor.value == i]
end
p answers.uniq

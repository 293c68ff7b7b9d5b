# oracle: native
# `END` is a block in a block, as backtraces show it.
END { p caller_locations(0).map { [_1.lineno, _1.label] }; (raise "x" rescue p $!.backtrace.map { _1[/in .*/] }) }
def registers
  END { p caller_locations(0).map { [_1.lineno, _1.label] }; [1].each { p caller_locations(0)[0].label } }
end
registers
1.times { END { p caller_locations(0).map(&:label) } }
at_exit { p caller_locations(0).map { [_1.lineno, _1.label] } }

# Binding#irb loads IRB, whose own method goes on.
$LOAD_PATH.unshift(File.join(__dir__, "fixtures/own_irb"))
p $LOADED_FEATURES.grep(/own_irb/).size
place = "the first"
p binding.irb
place = "the second"
p binding.irb(show_code: false)
p $LOADED_FEATURES.grep(/own_irb/).size
p Binding.instance_method(:irb).parameters

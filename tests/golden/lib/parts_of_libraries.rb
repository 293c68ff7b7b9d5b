# Files that programs ask for by name though another file of the library brings what they have.
%w[
  did_you_mean/core_ext/name_error did_you_mean/formatter
  did_you_mean/spell_checkers/key_error_checker did_you_mean/spell_checkers/method_name_checker
  did_you_mean/spell_checkers/name_error_checkers did_you_mean/spell_checkers/name_error_checkers/class_name_checker
  did_you_mean/spell_checkers/null_checker did_you_mean/spell_checkers/require_path_checker did_you_mean/version
  error_highlight/base error_highlight/core_ext error_highlight/formatter error_highlight/version
  erb/version open3/version psych/exception psych/json/stream psych/nodes/alias
  psych/nodes/document psych/nodes/mapping psych/nodes/node psych/nodes/scalar psych/nodes/sequence psych/nodes/stream
  psych/set psych/streaming psych/syntax_error psych/tree_builder psych/versions psych/visitors psych/visitors/depth_first
  psych/visitors/to_ruby psych/visitors/yaml_tree ripper/core strscan/strscan uri/ldaps json/ext
].each do |feature|
  require feature.split("/").first
  require feature
end
p ERB::VERSION.class, Open3::VERSION.class, DidYouMean::VERSION.class, ErrorHighlight::SpotError rescue p $!.class
p Psych::Nodes::Alias.new("a").alias?, URI::LDAPS::DEFAULT_PORT

# A prompt has `y`; other programs do not, unless they ask for it.
p Kernel.private_method_defined?(:y)
require "psych/y"
y [1, 2], { "a" => nil }
p Kernel.private_method_defined?(:y)

begin
  require "did_you_mean/verbose"
  require "did_you_mean/experimental"
end

require "ripper/sexp"
p Ripper.sexp("1")

# A store of YAML is one of objects that has another form; the class it is made of comes with a gem.
class PStore
  CHECKSUM_ALGO = Struct.new(:name) { def digest(text) = "#{name} of #{text.bytesize}" }.new("sum")
  def initialize(file, thread_safe = false) = @arguments = [file, thread_safe]
  attr_reader :arguments
end
$LOADED_FEATURES << "pstore.rb"
require "yaml/store"
store = YAML::Store.new("f", true, indentation: 4)
p store.arguments, YAML::Store.superclass
puts store.dump({ "a" => { "b" => [1] } }), store.empty_marshal_data, store.empty_marshal_checksum
p store.load("a: :b"), store.load(""), store.load("--- false"), store.marshal_dump_supports_canonical_option?

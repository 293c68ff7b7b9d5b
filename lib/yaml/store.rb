require "yaml"
require "pstore"

# A PStore whose file is YAML.
#   YAML::Store.new("pebbles.yml").transaction { |store| store["count"] = 3 }
class YAML::Store < PStore
  # The last argument may be a hash of options for `to_yaml`.
  def initialize(*arguments)
    @opt = arguments.last.is_a?(Hash) ? arguments.pop.dup : {}
    super
  end

  def dump(table) = table.to_yaml(@opt)

  def load(content) = YAML.safe_load(content, permitted_classes: [Symbol]) || {}

  def marshal_dump_supports_canonical_option? = false

  def empty_marshal_data = {}.to_yaml(@opt)

  def empty_marshal_checksum = CHECKSUM_ALGO.digest(empty_marshal_data)
end

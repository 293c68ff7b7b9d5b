# How the generator writes: JSON::State.
class JSON::Ext::Generator::State
  # Options as a Hash.
  def self.options_of(object)
    return object if object.is_a?(Hash)
    return object.to_hash if object.respond_to?(:to_hash)
    return object.to_h if object.respond_to?(:to_h)

    raise TypeError, "can't convert #{object.class} into Hash"
  end

  # See #configure for the options.
  def initialize(opts = nil)
    configure(opts) if opts && !opts.empty?
  end

  # +indent+, +space+, +space_before+, +object_nl+, +array_nl+, +max_nesting+, +depth+, +allow_nan+, +ascii_only+, +script_safe+
  # (or +escape_slash+), +strict+, +as_json+, +allow_duplicate_key+.
  def configure(opts)
    _configure(self.class.options_of(opts))
  end
  alias merge configure

  alias escape_slash script_safe
  alias escape_slash? script_safe?
  alias escape_slash= script_safe=

  def to_h
    result = {
      indent:, space:, space_before:, object_nl:, array_nl:, as_json:, allow_nan: allow_nan?, ascii_only: ascii_only?,
      max_nesting:, script_safe: script_safe?, strict: strict?, depth:, buffer_initial_length:,
    }
    allowed = allow_duplicate_key?
    result[:allow_duplicate_key] = allowed unless allowed.nil?
    instance_variables.each { |name| result[name[1..].to_sym] = instance_variable_get(name) }
    result
  end
  alias to_hash to_h

  # Deprecated: an option, or what was set by #[]=.
  def [](name)
    ::JSON.deprecation_warning("JSON::State#[] is deprecated and will be removed in json 3.0.0")
    return __send__(name) if respond_to?(name)
    instance_variable_get("@#{name}") if instance_variable_defined?("@#{name}")
  end

  def []=(name, value)
    ::JSON.deprecation_warning("JSON::State#[]= is deprecated and will be removed in json 3.0.0")
    respond_to?("#{name}=") ? __send__("#{name}=", value) : instance_variable_set("@#{name}", value)
  end
end

# carat: core

module DidYouMean
  # Suggests nothing.
  class NullChecker
    def initialize(*)
    end

    def corrections = []
  end

  # Chooses by what a NameError says.
  module NameErrorCheckers
    def self.new(exception)
      checker =
        case exception.original_message
        when /uninitialized constant/ then ClassNameChecker
        when /undefined (?:local variable or )?method/, /uninitialized class variable/, /no member '.*' in struct/
          VariableNameChecker
        else NullChecker
        end
      checker.new(exception)
    end
  end

  # Constants of the scopes that the receiver's name goes through.
  class ClassNameChecker
    # A constant that knows where it is.
    class ScopedName < String
      attr_reader :namespace

      def initialize(name, namespace = "")
        super(name.to_s)
        @namespace = namespace
      end

      def full_name = self.class.new("#{namespace}#{self}")
    end
    private_constant :ScopedName

    attr_reader :class_name

    def initialize(exception)
      @class_name = exception.name
      @receiver = exception.receiver
      @message = exception.original_message
    end

    def corrections
      @corrections ||= begin
        similar = SpellChecker.new(dictionary: class_names).correct(class_name).map(&:full_name)
        similar.reject { |name| @message.include?(name) }
      end
    end

    def class_names
      scopes.flat_map do |scope|
        prefix = scope == Object ? "" : "#{scope}::"
        scope.constants.map { |name| ScopedName.new(name, prefix) }
      end
    end

    def scopes
      @scopes ||= @receiver.to_s.split("::").inject([Object]) { |found, name| found << found.last.const_get(name) }.uniq
    end
  end

  # Words, local variables, methods and variables of the receiver.
  class VariableNameChecker
    NAMES_TO_EXCLUDE = { "foo" => %i[fork for].freeze }.tap { |names| names.default = [].freeze }.freeze

    RB_RESERVED_WORDS = %i[
      BEGIN END alias and begin break case class def defined? do else elsif end ensure false for module next nil not redo
      rescue retry return self super then true undef unless until when while yield __LINE__ __FILE__ __ENCODING__
    ].freeze

    attr_reader :name, :method_names, :lvar_names, :ivar_names, :cvar_names

    def initialize(exception)
      @name = exception.name.to_s.tr("@", "")
      @lvar_names = exception.local_variables
      receiver = exception.receiver
      @method_names = receiver.methods + receiver.private_methods
      @ivar_names = receiver.instance_variables
      @cvar_names = receiver.class.class_variables
      @cvar_names += receiver.class_variables if receiver.is_a?(Module)
    end

    def corrections
      @corrections ||= begin
        dictionary = RB_RESERVED_WORDS + lvar_names + method_names + ivar_names + cvar_names
        SpellChecker.new(dictionary:).correct(name).uniq - NAMES_TO_EXCLUDE[name]
      end
    end
  end

  # Methods of the receiver: assignments for an assignment, and others for others.
  class MethodNameChecker
    NAMES_TO_EXCLUDE = { NilClass => nil.methods.freeze }.tap { |names| names.default = [].freeze }.freeze

    RB_RESERVED_WORDS = %i[
      alias case def defined? do else elsif end ensure for rescue super undef unless until when while yield
    ].freeze

    attr_reader :method_name, :receiver

    def initialize(exception)
      @method_name = exception.name
      @receiver = exception.receiver
      @private_call = exception.private_call?
    end

    def corrections
      @corrections ||= begin
        dictionary = @private_call ? RB_RESERVED_WORDS + method_names : method_names
        SpellChecker.new(dictionary:).correct(method_name) - names_to_exclude
      end
    end

    def method_names
      return [] unless Object === receiver

      names = receiver.methods + receiver.singleton_methods
      names += receiver.private_methods if @private_call
      is_assignment = method_name.end_with?("=")
      names.uniq.select { |name| name.end_with?("=") == is_assignment }
    end

    def names_to_exclude = Object === receiver ? NAMES_TO_EXCLUDE[receiver.class] : []
  end

  # Keys of a hash, of ENV or of whatever has keys: the very text as another class, or what is spelled alike.
  class KeyErrorChecker
    def initialize(key_error)
      @key = key_error.key
      @keys = key_error.receiver.keys
    end

    def corrections
      @corrections ||=
        if exact_matches.empty?
          SpellChecker.new(dictionary: @keys).correct(@key).map(&:inspect)
        else
          exact_matches
        end
    end

    private

    def exact_matches
      @exact_matches ||= @keys.select { |key| @key == key.to_s }.map { |key| key.is_a?(Symbol) ? ":#{key}" : key.to_s }
    end
  end

  # Keys of the hash that a pattern did not match.
  class PatternKeyNameChecker < KeyErrorChecker
    def initialize(error)
      @key = error.key
      @keys = error.matchee.keys
    end
  end

  # Files on the load path.
  class RequirePathChecker
    INITIAL_LOAD_PATH = $LOAD_PATH.map { |folder| folder.to_s.dup.freeze }.freeze
    private_constant :INITIAL_LOAD_PATH

    def self.requireables
      @requireables ||= INITIAL_LOAD_PATH.flat_map do |folder|
        Dir.glob("**/???*.rb", base: folder).map { |path| path.delete_suffix(".rb") }
      end
    end

    attr_reader :path

    def initialize(exception)
      @path = exception.path
    end

    def corrections
      @corrections ||= begin
        dictionary = self.class.requireables.reject { |feature| feature.size >= path.size * 2 }
        checker = path.include?("/") ? TreeSpellChecker : SpellChecker
        checker.new(dictionary:).correct(path).uniq
      end
    end
  end
end

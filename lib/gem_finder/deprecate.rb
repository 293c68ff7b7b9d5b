# frozen_string_literal: true

module Gem
  # For libraries: `extend Gem::Deprecate`, then `deprecate :old, :new, 2030, 1` makes a method say that it will go.
  module Deprecate
    def self.skip = @skip ||= false

    def self.skip=(value)
      @skip = value
    end

    # Says nothing while the block runs.
    def self.skip_during
      before = skip
      self.skip = true
      yield
    ensure
      self.skip = before
    end

    def self.next_rubygems_major_version = Version.new(Gem.rubygems_version.segments.first.succ.to_s)

    def deprecate(name, replacement, year, month)
      announce(name, replacement, format("It will be removed on or after %4d-%02d.", year, month))
    end
    module_function :deprecate

    def rubygems_deprecate(name, replacement = :none)
      announce(name, replacement, "It will be removed in Rubygems #{Deprecate.next_rubygems_major_version}")
    end
    module_function :rubygems_deprecate

    private

    def announce(name, replacement, removal)
      old = :"_deprecated_#{name}"
      alias_method old, name
      define_method(name) do |*args, **options, &block|
        Deprecate.tell(self, name, replacement, removal) unless Deprecate.skip
        __send__(old, *args, **options, &block)
      end
    end
    module_function :announce

    class << self
      def tell(receiver, name, replacement, removal)
        method = Module === receiver ? "#{receiver}.#{name}" : "#{receiver.class}##{name}"
        instead = replacement == :none ? " with no replacement" : "; use #{replacement} instead"
        place = caller_locations(2, 1).first
        warn "NOTE: #{method} is deprecated#{instead}. #{removal}\n#{method} called from #{place.path}:#{place.lineno}."
      end
    end
  end
end

# carat: core
# frozen_string_literal: true

class PP < PrettyPrint
  # What is being printed counts as being inspected: an +inspect+ that meets it again shows that it contains itself.
  module InspectKey # :nodoc:
    # Says whether the object was not being inspected before.
    def self.enter(object) = Primitive.recursion_enter(object, nil, :inspect)

    def self.leave(object) = Primitive.recursion_leave(object, nil, :inspect)
  end
  private_constant :InspectKey
end

# Kernel#p that says where its arguments were made: for looking at a program, never for one that is in use.
require "objspace"

module Kernel
  alias __p_without_allocation_site p
  remove_method :p

  # Prints each object and, where it is known, the place where it was made.
  def p(*objects)
    objects.each do |object|
      file = ObjectSpace.allocation_sourcefile(object)
      place = " @ #{file}:#{ObjectSpace.allocation_sourceline(object)}" if file
      puts "#{object.inspect}#{place}"
    end
    objects.size > 1 ? objects : objects.first
  end
end

ObjectSpace.trace_object_allocations_start
warn "objspace/trace is enabled"

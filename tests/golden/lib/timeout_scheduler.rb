# Timeout: by a fiber scheduler, and what is no time.
require "timeout"

scheduler = Object.new
def scheduler.timeout_after(*arguments) = p(arguments.map(&:class)) && yield(arguments[0])
Fiber.define_singleton_method(:current_scheduler) { scheduler }
p Timeout.timeout(5) { |seconds| seconds }
p Timeout.timeout(5, KeyError, "late") { 1 }
Fiber.define_singleton_method(:current_scheduler) { nil }

time = Object.new
def time.zero? = false
p (Timeout.timeout(time) {} rescue $!.class)
p (Timeout.timeout(-1) {} rescue $!)

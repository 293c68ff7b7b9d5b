# `using` in text that is evaluated in a binding lasts as long as the binding.
module Loud
  refine String do
    def shout = upcase + "!"
  end
end

def attempt
  puts yield
rescue NoMethodError => error
  puts error.message
end

def scope = binding

bound = scope
attempt { eval("'a'.shout", bound) }
attempt { eval("using Loud; 'a'.shout", bound) rescue $!.class }

class Holder
  BINDING = binding
end

bound = Holder::BINDING
attempt { eval("'a'.shout", bound) }
attempt { eval("using Loud; 'a'.shout", bound) }
attempt { eval("'b'.shout", bound) }
attempt { eval("local = 'c'; local.shout", bound) }
attempt { eval("local.shout", bound) }
attempt { bound.local_variable_get(:local) }
attempt { eval("[1].map { 'd'.shout }.first", bound) }
attempt { eval("def self.e = 'e'.shout; e", bound) }
attempt { eval("Module.used_modules", bound).inspect }
attempt { "f".shout }
attempt { eval("using Loud; 'g'.shout") }
attempt { eval("'h'.shout") }

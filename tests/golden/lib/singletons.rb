# One instance of a class: in the whole program, or in each Ractor.
require "singleton"

class Registry
  include RactorLocalSingleton
  attr_accessor :name
end
class Special < Registry; end

Registry.instance.name = "one"
p Registry.instance.equal?(Registry.instance), Special.instance.equal?(Registry.instance)
p Registry.instance.name
p Marshal.load(Marshal.dump(Registry.instance)).equal?(Registry.instance)
p Registry.clone.instance.equal?(Registry.instance)

class Plain
  include Singleton
end
[-> { Registry.new }, -> { Registry.instance.dup }, -> { Plain.instance.clone }, -> { Plain.allocate },
 -> { Object.new.extend(RactorLocalSingleton) }, -> { Module.new { include Singleton } },
 -> { Module.new { include RactorLocalSingleton } }].each do |step|
  step.call
  puts "nothing raised"
rescue NoMethodError => e
  puts "NoMethodError: #{e.message[/'\w+'/]}"
rescue => e
  puts "#{e.class}: #{e.message.gsub(/0x\h+/, "0x")}"
end
p Singleton::VERSION, Plain.instance.equal?(Plain.instance)

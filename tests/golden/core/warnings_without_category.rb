# A Warning.warn that takes the text alone is given no category, whoever warns.
Warning[:deprecated] = true
$VERBOSE = true

def shown(message) = puts(message.sub(/\A.*?:\d+: /, ""))

module Warning
  def self.warn(message) = shown(message)
end
"literal" << "!"
Kernel.warn("by hand", category: :deprecated)
Kernel.warn("by hand")
$undefined_so_far
"a".instance_variable_set(:@a, 1)

module Warning
  def self.warn(message, category: :none) = shown("#{category} #{message}")
end
"literal" << "!"
Kernel.warn("by hand", category: :deprecated)
$undefined_so_far_too

module Warning
  def self.warn(*all) = shown(all.inspect.gsub(/"[^"]*?:\d+: /, '"'))
end
"literal" << "!"

# JSON: text to values and back. The parser and the generator are native; here is what configures them.
require "json/common"
require "json/ext"

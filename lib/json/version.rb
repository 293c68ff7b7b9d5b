module JSON
  VERSION = "2.18.0".freeze
end

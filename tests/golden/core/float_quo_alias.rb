# `/` may be an alias of `quo`, which calls `/`.
def outcome
  yield
rescue NameError => error
  [error.class, error.message]
end

class Float
  alias divide /
  alias / quo
end

p outcome { 1.0 / 2.0 }, outcome { 1.0 / 2 }, outcome { 1.0.quo(2) }, outcome { 1.0.fdiv(2) }

class Float
  alias / divide
end

p 1.0.quo(2), 1.0 / 2

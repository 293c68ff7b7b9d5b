# A throw without a catch is an ordinary exception.
begin
  throw :nobody, 1
rescue UncaughtThrowError => error
  p error.message, error.tag, error.value
end
throw :still_nobody

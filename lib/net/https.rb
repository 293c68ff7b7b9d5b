# The name under which HTTP over TLS was kept once.
require "net/http"

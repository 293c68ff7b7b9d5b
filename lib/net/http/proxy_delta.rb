# Here `net/http` brings all that programs require this file for.
require "net/http"

# What this file has elsewhere, `net/http` brings.
require "net/http"

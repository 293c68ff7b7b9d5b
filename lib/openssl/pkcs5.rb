# What this file has elsewhere, `openssl` brings.
require "openssl"

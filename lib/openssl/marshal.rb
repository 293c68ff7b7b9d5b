# Here `openssl` brings all that programs require this file for.
require "openssl"

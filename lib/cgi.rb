# What is left of CGI: the escaping.
require "cgi/escape"

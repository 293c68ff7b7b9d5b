# What this file has elsewhere, `uri/ldap` brings.
require "uri/ldap"

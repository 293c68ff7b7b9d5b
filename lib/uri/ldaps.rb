# Here `uri/ldap` brings all that programs require this file for.
require "uri/ldap"

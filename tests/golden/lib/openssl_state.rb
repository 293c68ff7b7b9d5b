# oracle: native
# What programs ask before they use OpenSSL.
require "openssl"

p OpenSSL.errors, OpenSSL.fips_mode, OpenSSL::OPENSSL_FIPS, OpenSSL.debug
p OpenSSL::OPENSSL_VERSION.class, OpenSSL::OPENSSL_VERSION_NUMBER >= 0x10101000

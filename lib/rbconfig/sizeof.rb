# frozen_string_literal: true

# How large the platform's types are, and what fits into them. Carat runs where words have 64 bits.
module RbConfig
  signed = {
    "SCHAR" => 1, "CHAR" => 1, "SHRT" => 2, "INT" => 4, "LONG" => 8, "LLONG" => 8, "WCHAR" => 4, "INT8" => 1, "INT16" => 2,
    "INT32" => 4, "INT64" => 8, "INT_LEAST8" => 1, "INT_LEAST16" => 2, "INT_LEAST32" => 4, "INT_LEAST64" => 8,
    "INT_FAST8" => 1, "INT_FAST16" => 8, "INT_FAST32" => 8, "INT_FAST64" => 8, "INTMAX" => 8, "INTPTR" => 8, "PTRDIFF" => 8
  }
  unsigned = {
    "UCHAR" => 1, "USHRT" => 2, "UINT" => 4, "ULONG" => 8, "ULLONG" => 8, "UINT8" => 1, "UINT16" => 2, "UINT32" => 4,
    "UINT64" => 8, "UINT_LEAST8" => 1, "UINT_LEAST16" => 2, "UINT_LEAST32" => 4, "UINT_LEAST64" => 8, "UINT_FAST8" => 1,
    "UINT_FAST16" => 8, "UINT_FAST32" => 8, "UINT_FAST64" => 8, "UINTMAX" => 8, "UINTPTR" => 8, "SIZE" => 8
  }
  floats = {
    "FLT_RADIX" => 2, "FLT_MANT_DIG" => 24, "DBL_MANT_DIG" => Float::MANT_DIG, "FLT_DIG" => 6, "DBL_DIG" => Float::DIG,
    "FLT_MIN_EXP" => -125, "DBL_MIN_EXP" => Float::MIN_EXP, "FLT_MIN_10_EXP" => -37, "DBL_MIN_10_EXP" => Float::MIN_10_EXP,
    "FLT_MAX_EXP" => 128, "DBL_MAX_EXP" => Float::MAX_EXP, "FLT_MAX_10_EXP" => 38, "DBL_MAX_10_EXP" => Float::MAX_10_EXP,
    "FLT_DECIMAL_DIG" => 9, "DBL_DECIMAL_DIG" => 17, "FLT_HAS_SUBNORM" => 1, "DBL_HAS_SUBNORM" => 1,
    "FLT_MAX" => (2 - 2.0**-23) * 2.0**127, "DBL_MAX" => Float::MAX, "FLT_EPSILON" => 2.0**-23, "DBL_EPSILON" => Float::EPSILON,
    "FLT_MIN" => 2.0**-126, "DBL_MIN" => Float::MIN, "FLT_TRUE_MIN" => 2.0**-149, "DBL_TRUE_MIN" => 0.0.next_float
  }

  # Bytes of each type.
  SIZEOF = {
    "int" => 4, "short" => 2, "long" => 8, "long long" => 8, "__int128" => 16, "off_t" => 8, "void*" => 8, "float" => 4,
    "double" => 8, "time_t" => 8, "clock_t" => 8, "size_t" => 8, "ptrdiff_t" => 8, "dev_t" => 8, "int8_t" => 1, "uint8_t" => 1,
    "int16_t" => 2, "uint16_t" => 2, "int32_t" => 4, "uint32_t" => 4, "int64_t" => 8, "uint64_t" => 8, "int128_t" => 16,
    "uint128_t" => 16, "intptr_t" => 8, "uintptr_t" => 8, "ssize_t" => 8, "int_least8_t" => 1, "int_least16_t" => 2,
    "int_least32_t" => 4, "int_least64_t" => 8, "int_fast8_t" => 1, "int_fast16_t" => 8, "int_fast32_t" => 8,
    "int_fast64_t" => 8, "intmax_t" => 8, "sig_atomic_t" => 4, "wchar_t" => 4, "wint_t" => 4, "_Bool" => 1
  }.freeze

  # The least and the greatest value of each type, by the names that C has for them.
  LIMITS = {"FIXNUM_MAX" => 2**62 - 1, "FIXNUM_MIN" => -2**62}.merge(
    *signed.map { |name, bytes| {"#{name}_MAX" => 2**(bytes * 8 - 1) - 1, "#{name}_MIN" => -2**(bytes * 8 - 1)} },
    *unsigned.map { |name, bytes| {"#{name}_MAX" => 2**(bytes * 8) - 1} },
    floats
  ).freeze
end

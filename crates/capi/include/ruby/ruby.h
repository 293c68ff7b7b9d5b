/* The C interface of Carat, source-compatible with CRuby's ruby.h: extensions are compiled against it, and run by no other Ruby. */
#ifndef RUBY_RUBY_H
#define RUBY_RUBY_H 1
/* What extensions ask for to tell a Ruby after 1.8. */
#define RUBY_VM 1
#define RUBY_INTERN_H 1
#include "ruby/defines.h"
#include "ruby/st.h"
#include "carat/value.h"
#include "carat/memory.h"
#include "carat/class.h"
#include "carat/object.h"
#include "carat/number.h"
#include "carat/string.h"
#include "carat/collection.h"
#include "carat/data.h"
#include "carat/control.h"
#include "carat/system.h"
#include "carat/event.h"
#include "ruby/missing.h"
#endif

# Each of the functions that make objects is called until a collection comes; those are named under which none came.
require "./memory"

p Memory.uncollected

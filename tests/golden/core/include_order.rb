# Where modules stand that several included modules bring.
module F; end
module E2; include F; end
module D; include E2; end
module R; include F; end
class T; include D; include R; end
p T.ancestors.take(5)
class U; include R; include D; end
p U.ancestors.take(5)
module A; end; module B; end
module X; include A; include B; end
module Y; include B; include A; end
class V; include X; include Y; end
p V.ancestors.take(5)
class W; include A; include B; include Y; end
p W.ancestors.take(5)
class P0; include F; end
class Q < P0; include R; end
p Q.ancestors.take(5)
class S; include F; end
class S; include E2; end
p S.ancestors.take(4)

# What a module is given after it was included.
module M1; end
module M2; end
module M3; end
class Late; include M1; include M2; end
module M1; include M3; end
p Late.ancestors.take(4)
module M4; end
module M1; prepend M4; end
p Late.ancestors.take(5)
class Late; include M1; end
p Late.ancestors.take(5)

# Both in one call, and by extension.
class Both; include R, D; end
p Both.ancestors.take(5)
o = Object.new
o.extend(D)
o.extend(R)
p o.singleton_class.ancestors.take(5).drop(1)

# What is prepended to a prepended module stays in front of it, and what stands before the class already is not prepended again.
module Front; end
module Middle; prepend Front; end
module First; end
module Brought; end
module Brings; include Brought; end
class Around; include Middle; prepend Middle; end
p Around.ancestors.take(5)
class Around; prepend First; end
p Around.ancestors.take(6)
class Around; prepend Middle; end
p Around.ancestors.take(6)
class Again; include Brings; prepend Brings; end
p Again.ancestors.take(5)
class Again; prepend Brought; end
p Again.ancestors.take(5)

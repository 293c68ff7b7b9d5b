# oracle: native
def t = (yield rescue p [$!.class, $!.message])
t { Process.initgroups(1, 0) }
t { Process.initgroups("root") }
t { Process.initgroups("a\0b", 3) }
t { Process.initgroups("a", "no such group") }

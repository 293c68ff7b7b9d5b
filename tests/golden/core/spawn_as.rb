# oracle: native
# Users, groups and limits of spawned programs.
def run(*a, **o) = (r, w = IO.pipe; pid = spawn(*a, out: w, **o); w.close; Process.wait(pid); [r.read, $?.success?])
p run("id -u", uid: Process.uid)[0].to_i == Process.uid, run("id -g", gid: Process.gid)[0].to_i == Process.gid
p((spawn("true", uid: "no such user") rescue $!.class), (spawn("true", uid: nil) rescue $!.class), (spawn("true", gid: :a) rescue $!.class))
p run("ulimit -n;", rlimit_nofile: 50), run("ulimit -n; ulimit -Hn", rlimit_nofile: [40, 60]), (spawn("true", rlimit_foo: 1) rescue $!.class)
p Process.uid == 0 ? run("id -u; id -g", uid: 1234, gid: 2345) : ["1234\n2345\n", true]
p Process.uid == 0 ? run("id -un; id -gn", uid: "root", gid: "root") : ["root\nroot\n", true]

# oracle: native
# Dir.glob: dots, slashes, recursion and braces; Dir.chdir in blocks.
require "tmpdir"

Dir.mktmpdir do |folder|
  Dir.chdir(folder) do
    %w[nested/.dotsubir nested/sub .dots deeply/nested/directory/structure br].each do |path|
      path.split("/").inject("") { |base, name| (base + name).tap { |at| Dir.mkdir(at) unless Dir.exist?(at) } + "/" }
    end
    %w[nested/.dotsubir/.dotfile nested/.dotsubir/nondotfile .dotfile a.txt b.TXT nested/sub/x
       deeply/nested/directory/structure/f].each { |path| File.write(path, "") }
    dots = File::FNM_DOTMATCH
    [["*"], ["*", dots], [".*"], [".*", dots], ["**/.*"], ["**/.*", dots], ["**/*"], ["**/*", dots], ["nested/**/*", dots],
     ["nested/**/.*"], ["nested/.**/"], [".**"], [".**/"], [".**/*"], ["{,.}*"], ["**"], ["**/"], ["**/", dots],
     ["nested/.*"], ["./*"], ["./.*"], [".*/*"], [".*/"], ["*/."], ["*/.."], ["./"], ["."], [".."],
     ["deeply//nested/**/structure"], ["deeply//nested/*"], ["deeply//**/structure"], ["nested/**//x"], ["**/**/x"],
     ["*/"], ["*//"], ["a.txt/"], ["nested/{sub,.dotsubir}/*"], ["**/deeply/**/f"], ["nested/***/"], ["[ab]*"],
     ["\\a.txt"], ["x{a"], ["{a,b}.*"], ["deeply/*/*/"], ["nested/.", dots], ["nested/./*"], ["**/."], [""],
     ["[ab/]*"], ["[/n]ested/*"], ["[^a/d]*"], ["nested/[s/x]ub/x"], ["[ab/*"], ["\\[a/b"], ["nested\\/sub/*"], ["{nested/[s/]*,[d/]*}"],
    ].each { |pattern, flags| p [pattern, flags, Dir.glob(pattern, flags || 0)] }
    ["**/", "*", "**/*", ".", "", ".*"].each do |pattern|
      p [pattern, Dir.glob(pattern, base: "deeply/nested"), Dir.glob(pattern, base: "nope")]
    end
    p Dir.glob(["*.txt", "n*"]), Dir["*.txt", "n*"], Dir.glob("file".encode("EUC-JP")), Dir.glob("a*".encode("EUC-JP"))[0].encoding
    directory = Dir.new(".")
    p directory.children.sort == directory.children.sort, directory.each_child.to_a.size, directory.each.to_a.size
    directory.close
    p((Thread.new { Dir.chdir("/") rescue $!.class }).value)
    p Dir.chdir("nested") { |path| [path, File.basename(Dir.pwd)] }, File.realdirpath("br/../nope") == File.join(Dir.pwd, "nope")
  end
end

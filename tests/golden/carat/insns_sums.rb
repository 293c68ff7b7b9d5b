# flags: --dump=insns
def greet(name, other) = "Hello, " + name + " and " + other + "!"
def known?(word) = word == "carat"
def fields(line) = line.split(",")
def text(number) = "%05d" % number

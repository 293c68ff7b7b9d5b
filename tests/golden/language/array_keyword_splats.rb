# Keyword splats at the end of array literals add no element when there are no keywords.
p [1, **{}], [**{}], [1, **{}, **{}], [*[1], **{}], [1, a: 1, **{}]
h = {}
p [**h], [1, **h], [**h, **h], [*[1], **h], [1, **nil], [**nil], [*[], **h], [1, **h, 2=>3], [1, **{b: 1}], [[**h]]
def e = {}
p [1, **e], [**e], [1, *[2], **e]
def m(*a) = a
p m([**h]), m(1, **h), m([1, **nil])
x = [1, **h]; p x
[1, **h]

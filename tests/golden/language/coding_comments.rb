# What a magic comment says of a source's encoding, in all its forms.
[
  "# coding \t \v : ascii-8bit", "# coding \t \r  \v   :     \t \v    \r   ascii-8bit",
  "# -*- \s\t\v encoding \s\t\v : \s\t\v ascii \s\t\v -*-", "# coding\f: ascii", "# coding:\vascii", "# -*- coding = ascii -*-",
  "# coding = ascii", "# -*- encoding : 'ascii' -*-", "# xcoding: ascii", "# -*- xcoding: ascii -*-",
  "# -*- foo: bar; encoding: ascii -*-", "# -*- foo: \"a;b\"; coding: ascii; x: y -*-", "# -*- coding: ascii-unix -*-",
  "# coding:ascii-dos", "# -*- coding:   \n# encoding: ascii", "# -*- -*- coding: ascii", "# a -*- coding: ascii -*- b",
  "# -*-coding:ascii-*-", "# encoding ascii", "# ENCODING: ascii", "# -*- Coding: ascii -*-", "# -*- warn_indent: true -*- coding: ascii",
  "# coding:: ascii", "# coding: :ascii", "# -*- coding: ascii", "# -*-\tcoding:\tascii\t;-*-", "# coding: utf-8 coding: ascii",
  "# Encoding\t=\tascii", "# file_encoding: ascii", "# vim: set fileencoding=ascii", "# vim: fileencoding=us-ascii :", "#coding:ascii",
  "  # coding: ascii", "\v# coding: ascii", "\xEF\xBB\xBF# coding: utf-8", "a = 1 # coding: ascii", "# -*- coding: 'ascii'; -*-",
  "# -*- coding -*-", "# coding: utf8-mac", "#!ruby\n# coding: ascii", "# x\n# coding: ascii", "\n# coding: ascii",
  "#!ruby\n\n# coding: ascii", "# -*- x y coding: ascii -*-", "# -*- coding: ascii x: y -*-",
  "# -*- frozen-string-literal: true; en-coding: ascii -*-", "# -*- coding\v:\vascii\v-*-", "#!ruby -*- coding: ascii -*-",
  "#! coding: ascii\n# encoding: koi8-r", "# coding: utf-8-mac", "# vim: filetype=ruby, fileencoding=windows-31j, tabsize=3",
  "# coding : x coding: ascii", "# decoding: ascii", "# see coding = ascii", "# see coding ascii coding: koi8-r",
  "# -*- coding: \"ascii\"; a: b -*-", "# coding: ascii ", "# coding: ascii;", "# coding: ascii; x", "# coding: \"ascii\"",
  "# -*- a: \"x coding: ascii -*-", "# coding:ascii\r", "# -*- coding: koi8-r; coding: ascii -*-", "# codings coding:ascii", "#coding",
  "#", "# -*-", "# encoding: ascii-DOS", "# coding: ascii-8bit-unix", "# encoding : ascii # x", "# x: y z coding: ascii",
  "# coding:\tascii coding: koi8-r", "# coding - coding: ascii", "# cocoding: ascii x", "# a coding:ascii:b"
].each do |comment|
  p [comment, eval("#{comment}\n__ENCODING__".b).to_s]
rescue SyntaxError, ArgumentError => error
  p [comment, error.class, error.message[/unknown.*/]]
end

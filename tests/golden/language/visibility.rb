# public, private, protected, module_function and their uses with names, definitions and attributes.
class Base
  def pub = priv + self.priv
  def prot_of(other) = other.prot
  def priv_of(other) = other.priv
  def set_through_self = (self.writer = 5)
  private
  def priv = "p"
  attr_writer :writer
  protected
  def prot = "q"
  public
  def again = :public
  private def inline = 1
  def after_inline = :still_public
  %i[one two].each { |name| define_method(name) { name } }
  private :one, :two
  private(*[:again]) if false
  def self.factory = new.send(:priv)
  class << self
    private
    def hidden = :hidden
    public
    def shown = hidden
  end
end
def attempt = (yield rescue "#{$!.class}: #{$!.message}")
o = Base.new
p o.pub, o.prot_of(Base.new), attempt { o.priv_of(Base.new) }, attempt { o.priv }, attempt { o.prot }, o.set_through_self, attempt { o.writer = 1 }, attempt { o.inline }, o.after_inline, attempt { o.one }, Base.factory, Base.shown, attempt { Base.hidden }
class Sub < Base
  public :priv
  private :pub
  def call_pub = pub
  def prot = "sub" + super
end
s = Sub.new
p s.priv, attempt { s.pub }, s.call_pub, o.prot_of(s), attempt { s.prot }, Base.new.send(:priv), attempt { Base.new.public_send(:priv) }
p Base.public_instance_methods(false).sort, Base.private_instance_methods(false).sort, Base.protected_instance_methods(false), Sub.public_instance_methods(false).sort
p (private def top_level_private = 1), attempt { 5.top_level_private }, attempt { nil.puts }
def implicit_private = 2
p attempt { o.implicit_private }, implicit_private, self.implicit_private
module Tools
  module_function
  def helper = [:helper, other]
  def other = :other
end
class Uses
  include Tools
  def go = helper
end
p Tools.helper, Uses.new.go, attempt { Uses.new.helper }, Tools.respond_to?(:helper), Uses.new.respond_to?(:helper), Uses.new.respond_to?(:helper, true)
p (Class.new { private; def a = 1; public; def b = 2 }).new.then { |x| [attempt { x.a }.sub(/instance of .*/, "it"), x.b] }
class Attr
  private attr_accessor :secret, :other
  p(attr_accessor(:list))
  p(private attr_reader(:r1, :r2))
  p(def returned = 1)
  p(public)
  p(private :returned)
  p(define_method(:dm) { 1 })
  p(alias_method(:al, :dm))
end
p attempt { Attr.new.secret }, attempt { Attr.private_method_defined?(:secret) }, attempt { Base.send(:private, :nope) }, attempt { Base.public_class_method(:hidden).shown }, Base.hidden

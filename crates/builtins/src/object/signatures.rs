//! The parameters of those core methods that CRuby has in Ruby, and therefore tells by name.
//!
//! All other core methods tell how many parameters they have, whatever they are written in.

use carat_sync::OnceLock;
use carat_vm::method::MethodEntry;
use carat_vm::{Array, Ec, Value, sym};
use rustc_hash::FxHashSet;

/// A line is a method and its parameters: `name`, `name=` (optional), `*name`, `name:` (an optional keyword), `**name`, `&name`.
const SIGNATURES: &str = "
    Array#fetch_values *indexes &block
    Array#first n=
    Array#last n=
    Array#pack fmt buffer:
    Array#sample n= random:
    Array#shuffle random:
    Array#shuffle! random:
    Binding#irb * ** &
    Dir#initialize name encoding:
    Dir.[] *args base: sort:
    Dir.glob pattern _flags= flags: base: sort:
    Dir.open name encoding: &block
    Enumerable#to_set *args &block
    GC#garbage_collect full_mark: immediate_mark: immediate_sweep:
    GC.config hash=
    GC.latest_gc_info hash_or_key=
    GC.measure_total_time= flag
    GC.start full_mark: immediate_mark: immediate_sweep:
    GC.stat hash_or_key=
    GC.stat_heap heap_name= hash_or_key=
    GC.stress= flag
    Hash#initialize ifnone= capacity: &block
    IO#read_nonblock len buf= exception:
    IO#readline sep= limit= chomp:
    IO#write_nonblock buf exception:
    Integer#ceildiv other
    Kernel#Float arg exception:
    Kernel#Integer arg base= exception:
    Kernel#Pathname path
    Kernel#at_exit &block
    Kernel#clone freeze:
    Kernel#pp *objs
    Kernel#warn *msgs uplevel: category:
    Kernel.Float arg exception:
    Kernel.Integer arg base= exception:
    Kernel.Pathname path
    Kernel.warn *msgs uplevel: category:
    Marshal.load source proc= freeze:
    Marshal.restore source proc= freeze:
    NilClass#rationalize eps=
    ObjectSpace#garbage_collect full_mark: immediate_mark: immediate_sweep:
    ObjectSpace.garbage_collect full_mark: immediate_mark: immediate_sweep:
    Ractor#<< * ** &
    Ractor#[] sym
    Ractor#[]= sym val
    Ractor#monitor port
    Ractor#send * ** &
    Ractor#unmonitor port
    Ractor.[] sym
    Ractor.[]= sym val
    Ractor.make_shareable obj copy:
    Ractor.new *args name: &block
    Ractor.select *ports
    Ractor.shareable? obj
    Ractor.shareable_lambda self:
    Ractor.shareable_proc self:
    Ractor.store_if_absent sym
    Ractor::Port#<< obj move:
    Ractor::Port#send obj move:
    String#unpack fmt offset:
    String#unpack1 fmt offset:
    Thread::ConditionVariable#wait mutex timeout=
    Thread::Mutex#sleep timeout=
    Thread::Queue#deq non_block= timeout:
    Thread::Queue#pop non_block= timeout:
    Thread::Queue#shift non_block= timeout:
    Thread::SizedQueue#<< object non_block= timeout:
    Thread::SizedQueue#deq non_block= timeout:
    Thread::SizedQueue#enq object non_block= timeout:
    Thread::SizedQueue#pop non_block= timeout:
    Thread::SizedQueue#push object non_block= timeout:
    Thread::SizedQueue#shift non_block= timeout:
    Time#initialize year= mon= mday= hour= min= sec= zone= in: precision:
    Time.at time subsec= unit= in:
    Time.now in:
    TracePoint#enable target: target_line: target_thread:
    TracePoint.new *events
    TracePoint.trace *events
";

/// Names of the methods in the table: of most methods no more is asked.
static NAMES: OnceLock<FxHashSet<&'static [u8]>> = OnceLock::new();

fn names() -> FxHashSet<&'static [u8]> {
    let paths = SIGNATURES.lines().filter_map(|line| line.trim_start().split(' ').next());
    paths.filter_map(|path| path.rsplit(['#', '.']).next()).map(str::as_bytes).collect()
}

/// What the table says of a core method's definition.
pub(crate) fn signature(ec: &Ec, definition: &MethodEntry) -> Option<&'static str> {
    if !NAMES.get_or_init(names).contains(ec.vm().symbol_name(definition.original_name).bytes) {
        return None;
    }
    let owner = definition.owner(ec);
    let name = ec.vm().symbol_text(definition.original_name);
    let path = if owner.is_singleton() {
        let attached = carat_vm::Class::from_value(owner.attached())?;
        format!("    {}.{name} ", attached.to_text(ec))
    } else {
        format!("    {}#{name} ", owner.to_text(ec))
    };
    SIGNATURES.lines().find_map(|line| line.strip_prefix(path.as_str()))
}

/// `parameters`: pairs of kind and name.
pub(crate) fn parameters_of_signature(ec: &Ec, signature: &str) -> Array {
    let list = Array::new(ec, 4);
    for word in signature.split(' ') {
        let (kind, name) = kind_and_name(word);
        let name = ec.vm().intern(name);
        list.push(ec, Array::pair(ec, Value::symbol(kind), Value::symbol(name)).value());
    }
    list
}

fn kind_and_name(word: &str) -> (carat_vm::SymbolId, &str) {
    match word {
        "*" => (sym::REST, word),
        "**" => (sym::KEYREST, word),
        "&" => (sym::BLOCK, word),
        _ if word.starts_with("**") => (sym::KEYREST, &word[2..]),
        _ if word.starts_with('*') => (sym::REST, &word[1..]),
        _ if word.starts_with('&') => (sym::BLOCK, &word[1..]),
        _ => match word.as_bytes()[word.len() - 1] {
            b':' => (sym::KEY, &word[..word.len() - 1]),
            b'=' => (sym::OPT, &word[..word.len() - 1]),
            _ => (sym::REQ, word),
        },
    }
}

/// `arity`: the number of required parameters, or one less than its negative if there are others.
pub(crate) fn arity_of_signature(signature: &str) -> i64 {
    let kinds = || signature.split(' ').map(|word| kind_and_name(word).0);
    let required = kinds().filter(|kind| *kind == sym::REQ).count() as i64;
    let is_open = kinds().any(|kind| kind != sym::REQ && kind != sym::BLOCK);
    if is_open { -required - 1 } else { required }
}

//! The symbol table of a VM: names to numbers and back, read without a lock.
//!
//! # Invariants
//! Symbols are never freed: their number stands in `Value`s anywhere. A name that is all ASCII has one symbol whatever its
//! encoding; other names are told apart by encoding.

use crate::model::append_only::AppendOnly;
use crate::value::hash::keyed::BytesHash;
use carat_layout::SymbolId;
use carat_sync::Mutex;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

pub use carat_text::encoding::EncodingIndex;

/// The encoding that a symbol keeps: ASCII where all of the name is, unless its encoding does not contain that.
fn name_encoding(bytes: &[u8], encoding: EncodingIndex) -> EncodingIndex {
    if bytes.is_ascii() && encoding.is_ascii_compatible() { EncodingIndex::US_ASCII } else { encoding }
}

#[derive(Clone, Copy)]
pub struct SymbolName {
    pub bytes: &'static [u8],
    pub encoding: EncodingIndex,
    /// `@foo`
    pub is_instance_variable: bool,
}

/// Whether a name is made of letters, digits and underscores, and begins with no digit. Bytes beyond ASCII count as letters.
pub fn is_identifier(name: &[u8]) -> bool {
    name.first().is_some_and(|b| !b.is_ascii_digit())
        && name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_' || !b.is_ascii())
}

/// A table that a program fills is kept free for a part as large as this of what it holds.
const RESERVED_PART: usize = 64;

/// Names by number, and numbers by name.
pub(crate) struct SymbolTable {
    index: AtomicPtr<Index>,
    names: AppendOnly<SymbolName>,
    hash: BytesHash,
    /// Of names that are not the executable's.
    own_name_bytes: AtomicU64,
    /// Held while a symbol is added. The outgrown indexes are kept: a reader may be in one of them.
    #[allow(clippy::vec_box, reason = "readers hold references to what the boxes hold")]
    writer: Mutex<Writer>,
}

/// Open addressing over symbol numbers. A slot holds the upper half of the name's hash and, below it, the number plus one; a free slot is 0.
/// Slots are only ever filled, so a reader that misses the newest one has merely come before it.
struct Index {
    slots: Box<[AtomicU64]>,
}

impl Index {
    fn with_slots(count: usize) -> Box<Index> {
        Box::new(Index { slots: (0..count).map(|_| AtomicU64::new(0)).collect() })
    }

    fn is_full_with(&self, names: usize) -> bool {
        names * 4 > self.slots.len() * 3
    }

    /// The slots in which a name of this hash may stand, in order. Steps grow, so that no run of filled slots is long for all
    /// who meet it; of a power of two slots they miss none.
    fn probe(&self, hash: u64) -> impl Iterator<Item = &AtomicU64> {
        let mask = self.slots.len() - 1;
        (0..=mask).scan(hash as usize, move |slot, step| {
            *slot = slot.wrapping_add(step);
            Some(&self.slots[*slot & mask])
        })
    }

    fn find(&self, hash: u64, is_it: impl Fn(SymbolId) -> bool) -> Option<SymbolId> {
        self.probe(hash)
            .map(|slot| slot.load(Ordering::Acquire))
            .take_while(|&entry| entry != 0)
            .filter(|entry| entry >> 32 == hash >> 32)
            .map(|entry| SymbolId(entry as u32 - 1))
            .find(|&id| is_it(id))
    }

    /// Adds a symbol that is not there. Only the holder of the writer lock does this.
    fn insert(&self, hash: u64, id: SymbolId) {
        let entry = hash >> 32 << 32 | u64::from(id.0 + 1);
        if let Some(free) = self.probe(hash).find(|slot| slot.load(Ordering::Relaxed) == 0) {
            free.store(entry, Ordering::Release);
        }
    }
}

impl SymbolTable {
    pub(crate) fn new(hash: BytesHash) -> SymbolTable {
        let table = SymbolTable {
            index: AtomicPtr::new(Box::into_raw(Index::with_slots(4096))),
            names: AppendOnly::new(),
            hash,
            own_name_bytes: AtomicU64::new(0),
            writer: Mutex::default(),
        };
        for name in sym::NAMES {
            table.intern_static(name.as_bytes());
        }
        table
    }

    pub(crate) fn intern(&self, bytes: &[u8], encoding: EncodingIndex) -> SymbolId {
        self.intern_with(bytes, encoding, |names| {
            self.own_name_bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
            names.keep(bytes)
        })
    }

    /// As `intern`, for an ASCII or UTF-8 name that lives as long as the program and need not be copied.
    pub(crate) fn intern_static(&self, bytes: &'static [u8]) -> SymbolId {
        self.intern_with(bytes, EncodingIndex::UTF_8, |_| bytes)
    }

    fn intern_with(
        &self,
        bytes: &[u8],
        encoding: EncodingIndex,
        keep: impl FnOnce(&mut NameBytes) -> &'static [u8],
    ) -> SymbolId {
        let encoding = name_encoding(bytes, encoding);
        let hash = self.hash.of_name(bytes, encoding);
        match self.find_hashed(bytes, encoding, hash) {
            Some(id) => id,
            None => self.add(bytes, encoding, hash, keep),
        }
    }

    /// The symbol of a name, if there is one.
    pub(crate) fn find(&self, bytes: &[u8], encoding: EncodingIndex) -> Option<SymbolId> {
        let encoding = name_encoding(bytes, encoding);
        self.find_hashed(bytes, encoding, self.hash.of_name(bytes, encoding))
    }

    fn find_hashed(&self, bytes: &[u8], encoding: EncodingIndex, hash: u64) -> Option<SymbolId> {
        self.index().find(hash, |id| {
            let name = self.name(id);
            name.bytes == bytes && name.encoding == encoding
        })
    }

    fn index(&self) -> &Index {
        // SAFETY: an index is freed with the table only; replaced ones are kept.
        unsafe { &*self.index.load(Ordering::Acquire) }
    }

    #[cold]
    fn add(
        &self,
        bytes: &[u8],
        encoding: EncodingIndex,
        hash: u64,
        keep: impl FnOnce(&mut NameBytes) -> &'static [u8],
    ) -> SymbolId {
        let mut writer = self.writer.lock().unwrap_or_else(|e| e.into_inner());
        // Another thread may have added it since.
        if let Some(id) = self.find_hashed(bytes, encoding, hash) {
            return id;
        }
        if self.index().is_full_with(self.len() as usize + 1) {
            writer.outgrown.push(self.grow());
        }
        let is_instance_variable = bytes.strip_prefix(b"@").is_some_and(is_identifier);
        let number = self.names.push(SymbolName { bytes: keep(&mut writer.names), encoding, is_instance_variable });
        self.index().insert(hash, SymbolId(number));
        SymbolId(number)
    }

    /// Grows the tables before they are full, so that names which the VM itself needs find room when there is no memory left:
    /// `false` then.
    pub(crate) fn make_room(&self) -> bool {
        let wanted = self.len() as usize + 1 + self.len() as usize / RESERVED_PART;
        if !self.index().is_full_with(wanted) && self.names.has_room(wanted) {
            return true;
        }
        let mut writer = self.writer.lock().unwrap_or_else(|e| e.into_inner());
        if !self.names.make_room(wanted) {
            return false;
        }
        if self.index().is_full_with(wanted) {
            let slots = self.index().slots.len() * 2;
            if !carat_os::would_allocate(slots * size_of::<AtomicU64>()) {
                return false;
            }
            writer.outgrown.push(self.grow());
        }
        true
    }

    /// Puts an index of twice the size in place; returns the old one.
    fn grow(&self) -> Box<Index> {
        let bigger = Index::with_slots(self.index().slots.len() * 2);
        for number in 0..self.len() {
            let SymbolName { bytes, encoding, .. } = self.name(SymbolId(number));
            bigger.insert(self.hash.of_name(bytes, encoding), SymbolId(number));
        }
        let old = self.index.swap(Box::into_raw(bigger), Ordering::AcqRel);
        // SAFETY: it came from Box::into_raw and this table let go of it just now.
        unsafe { Box::from_raw(old) }
    }

    pub(crate) fn name(&self, id: SymbolId) -> SymbolName {
        *self.names.get(id.0)
    }

    pub(crate) fn len(&self) -> u32 {
        self.names.len()
    }

    /// Bytes of the tables, and of the names that came with the program.
    pub(crate) fn memsize(&self) -> usize {
        let writer = self.writer.lock().unwrap_or_else(|e| e.into_inner());
        let indexes = writer.outgrown.iter().map(|index| index.slots.len()).sum::<usize>() + self.index().slots.len();
        let own = self.own_name_bytes.load(Ordering::Relaxed) as usize;
        indexes * size_of::<AtomicU64>() + self.names.memsize() + own
    }
}

/// What whoever adds a symbol holds.
#[derive(Default)]
struct Writer {
    /// Indexes that somebody may still be reading.
    #[expect(clippy::vec_box, reason = "readers hold addresses of indexes")]
    outgrown: Vec<Box<Index>>,
    names: NameBytes,
}

/// Copies of names, one behind the other, which never move.
#[derive(Default)]
struct NameBytes(Vec<Vec<u8>>);

impl NameBytes {
    const CHUNK_BYTES: usize = 8 << 10;

    /// A copy that lives as long as the table. Names are handed out as if for ever: whoever asks for one hangs off the table's Vm.
    fn keep(&mut self, bytes: &[u8]) -> &'static [u8] {
        let has_room = self.0.last().is_some_and(|chunk| chunk.capacity() - chunk.len() >= bytes.len());
        if !has_room {
            self.0.push(Vec::with_capacity(bytes.len().max(Self::CHUNK_BYTES)));
        }
        let chunk = self.0.last_mut().expect("there is one with room");
        let start = chunk.len();
        chunk.extend_from_slice(bytes);
        // SAFETY: the chunk has room, so its bytes stay where they are until the table is dropped; nobody writes to those that were
        // handed out.
        unsafe { std::slice::from_raw_parts(chunk.as_ptr().add(start), bytes.len()) }
    }
}

impl Drop for SymbolTable {
    fn drop(&mut self) {
        // SAFETY: the table is borrowed mutably, so nobody reads the index; it came from Box::into_raw.
        drop(unsafe { Box::from_raw(*self.index.get_mut()) });
    }
}

macro_rules! well_known {
    ($($constant:ident $name:literal)+) => {
        /// Symbols that native code names, with numbers fixed at build time.
        pub mod sym {
            use carat_layout::SymbolId;
            #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "only counts the names")]
            #[repr(u32)]
            enum Index { $($constant),+ }
            pub(crate) const NAMES: &[&str] = &[$($name),+];
            $(pub const $constant: SymbolId = SymbolId(Index::$constant as u32);)+
        }
    };
}

well_known! {
    EMPTY "" INITIALIZE "initialize" INITIALIZE_COPY "initialize_copy" INITIALIZE_CLONE "initialize_clone" INITIALIZE_DUP "initialize_dup"
    NEW "new" ALLOCATE "allocate" CALL "call" EACH "each" TO_S "to_s" TO_STR "to_str" TO_SYM "to_sym" TO_A "to_a" TO_ARY "to_ary"
    TO_I "to_i" TO_INT "to_int" TO_F "to_f" TO_R "to_r" TO_C "to_c" TO_H "to_h" TO_HASH "to_hash" TO_PROC "to_proc" TO_IO "to_io" TO_PATH "to_path"
    USING "using" IS_A "is_a?" KIND_OF "kind_of?" INSPECT "inspect" HASH "hash" HASH_OF "hash_of" EQL "eql?" EQUAL "equal?" EQ "==" NEQ "!=" EQQ "===" MATCH_OP "=~" NOT_MATCH "!~" NOT "!"
    PLUS "+" MINUS "-" MULT "*" DIV "/" MOD "%" POW "**" LT "<" LE "<=" GT ">" GE ">=" CMP "<=>" AND "&" OR "|" XOR "^" LTLT "<<" GTGT ">>"
    AREF "[]" ASET "[]=" UPLUS "+@" UMINUS "-@" TILDE "~" BACKTICK "`" LENGTH "length" SIZE "size" EMPTY_P "empty?" NIL_P "nil?" SUCC "succ"
    COERCE "coerce" METHOD_MISSING "method_missing" RESPOND_TO "respond_to?" RESPOND_TO_MISSING "respond_to_missing?" CONST_MISSING "const_missing"
    INHERITED "inherited" INCLUDED "included" EXTENDED "extended" PREPENDED "prepended" METHOD_ADDED "method_added"
    SINGLETON_METHOD_ADDED "singleton_method_added" METHOD_REMOVED "method_removed" METHOD_UNDEFINED "method_undefined"
    SINGLETON_METHOD_REMOVED "singleton_method_removed" SINGLETON_METHOD_UNDEFINED "singleton_method_undefined" CONST_ADDED "const_added"
    APPEND_FEATURES "append_features" PREPEND_FEATURES "prepend_features" EXTEND_OBJECT "extend_object"
    BIGDECIMAL_MODES "__bigdecimal_modes"
    EXCEPTION "exception" MESSAGE "message" DETAILED_MESSAGE "detailed_message" FULL_MESSAGE "full_message" BACKTRACE "backtrace" SET_BACKTRACE "set_backtrace"
    BACKTRACE_LOCATIONS "backtrace_locations" CAUSE "cause" HIGHLIGHT "highlight" MESG "__mesg" BT "__bt" BT_LOCATIONS "__bt_locations" CAUSE_IVAR "__cause" IS_CAUSE_IVAR "__is_cause"
    NAME "name" KEY "key" RECEIVER "receiver" RESULT "result" ARGS "args" STATUS "status" REASON "reason" ERRNO "errno" TAG "tag" VALUE "value"
    NAME_IVAR "__name" KEY_IVAR "__key" RECEIVER_IVAR "__receiver" CREATED_IVAR "__created" METHOD_IVAR "__method" SORT "sort" REVERSE_EACH "reverse_each" TO_SET "to_set" RESULT_IVAR "__result" ARGS_IVAR "__args" CATCH_TAGS_IVAR "__catch_tags" STATUS_IVAR "__status" REASON_IVAR "__reason"
    DEFINED_AT_IVAR "__defined_at" REFINEMENTS_IVAR "__refinements" ERRNO_IVAR "__errno" TAG_IVAR "__tag" VALUE_IVAR "__value"
    MEMBERS_IVAR "__members" KEYWORD_INIT_IVAR "__keyword_init"
    LAMBDA "lambda" PROC "proc" RAISE "raise" BLOCK_GIVEN "block_given?" DIG "dig" DECONSTRUCT "deconstruct" DECONSTRUCT_KEYS "deconstruct_keys"
    WRITE "write" PUTS "puts" PRINT "print" P "p" BEGIN "begin" END "end" EXCLUDE_END "exclude_end?" FIRST "first" LAST "last" MIN "min" MAX "max" DUP "dup" CLONE "clone"
    FREEZE "freeze" FROZEN_P "frozen?" DEFAULT "default" KEYS "keys" VALUES "values" MATCH "match" MATCH_P "match?" ENCODING "encoding" JOIN "join" SEND "send" __SEND__ "__send__" __ID__ "__id__"
    PUBLIC_SEND "public_send" INSTANCE_EVAL "instance_eval" OBJECT_ID "object_id" CLASS "class" ID2NAME "id2name" CAPACITY "capacity" OFFSET "offset" BUFFER "buffer" HALF "half" CHOMP "chomp"
    LIST_SEPARATOR "$," FIELD_SEPARATOR "$;" RECORD_SEPARATOR "$/" OUTPUT_SEPARATOR "$\\"
    REQ "req" OPT "opt" REST "rest" KEYREQ "keyreq" KEYREST "keyrest" NOKEY "nokey" BLOCK "block" MAIN "main" OBJECT "Object" REFINE "refine"
    MARSHAL_DUMP "marshal_dump" MARSHAL_LOAD "marshal_load" _DUMP "_dump" _LOAD "_load" INCLUDE_P "include?" STEP "step" BY "by" TO "to" CLOSE "close" READ "read"
    FIELD_TABLE ".fields" ATTACHED "__attached__" REFINED_CLASS "__refined_class__" STDOUT "$stdout" STDERR "$stderr" STDIN "$stdin" WARN "warn" CATEGORY "category" UPLEVEL "uplevel"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::hash::keyed::BytesHash;

    #[test]
    fn names_of_instance_variables_are_told_apart() {
        let table = SymbolTable::new(BytesHash::new(7));
        let is = |name: &str| table.name(table.intern(name.as_bytes(), EncodingIndex::UTF_8)).is_instance_variable;
        assert!(is("@a1") && is("@\u{e4}") && is("@_"));
        assert!(!is("a") && !is("@") && !is("@1") && !is("@@a") && !is("@a?"));
    }
}

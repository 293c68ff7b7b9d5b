//! The symbol table of a VM: names to numbers and back, read without a lock.
//!
//! # Invariants
//! Symbols are never freed: their number stands in `Value`s anywhere. A name that is all ASCII has one symbol whatever its
//! encoding; other names are told apart by encoding.

use carat_layout::SymbolId;
use carat_sync::Mutex;
use papaya::HashMap;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

pub use carat_text::encoding::EncodingIndex;

const US_ASCII: EncodingIndex = EncodingIndex::US_ASCII;

#[derive(Clone, Copy)]
pub struct SymbolName {
    pub bytes: &'static [u8],
    pub encoding: EncodingIndex,
}

const CHUNK: usize = 4096;

/// Names by number, in chunks that never move once published.
pub(crate) struct SymbolTable {
    by_name: HashMap<(EncodingIndex, &'static [u8]), SymbolId, rustc_hash::FxBuildHasher>,
    chunks: Box<[AtomicPtr<SymbolName>]>,
    len: AtomicU32,
    writer: Mutex<()>,
}

impl SymbolTable {
    pub(crate) fn new() -> SymbolTable {
        let table = SymbolTable {
            by_name: HashMap::with_hasher(rustc_hash::FxBuildHasher),
            chunks: (0..CHUNK).map(|_| AtomicPtr::default()).collect(),
            len: AtomicU32::new(0),
            writer: Mutex::new(()),
        };
        for name in sym::NAMES {
            table.intern(name.as_bytes(), US_ASCII);
        }
        table
    }

    pub(crate) fn intern(&self, bytes: &[u8], encoding: EncodingIndex) -> SymbolId {
        let encoding = if bytes.is_ascii() { US_ASCII } else { encoding };
        match self.find(bytes, encoding) {
            Some(id) => id,
            None => self.intern_slow(bytes, encoding),
        }
    }

    /// The symbol of a name that is already known, under its normalised encoding.
    pub(crate) fn find(&self, bytes: &[u8], encoding: EncodingIndex) -> Option<SymbolId> {
        let encoding = if bytes.is_ascii() { US_ASCII } else { encoding };
        // SAFETY: the key is only compared and hashed during the call, never stored.
        let key: &'static [u8] = unsafe { std::mem::transmute::<&[u8], &'static [u8]>(bytes) };
        self.by_name.pin().get(&(encoding, key)).copied()
    }

    #[cold]
    fn intern_slow(&self, bytes: &[u8], encoding: EncodingIndex) -> SymbolId {
        let _writing = self.writer.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(id) = self.find(bytes, encoding) {
            return id;
        }
        let bytes: &'static [u8] = Box::leak(bytes.into());
        let index = self.len.load(Ordering::Relaxed) as usize;
        let chunk = &self.chunks[index / CHUNK];
        if chunk.load(Ordering::Acquire).is_null() {
            let names = vec![SymbolName { bytes: b"", encoding: US_ASCII }; CHUNK].into_boxed_slice();
            chunk.store(Box::leak(names).as_mut_ptr(), Ordering::Release);
        }
        // SAFETY: the chunk has CHUNK entries, and no reader looks at this one before its number is published.
        unsafe { *chunk.load(Ordering::Acquire).add(index % CHUNK) = SymbolName { bytes, encoding } };
        let id = SymbolId(index as u32);
        self.len.store(index as u32 + 1, Ordering::Release);
        self.by_name.pin().insert((encoding, bytes), id);
        id
    }

    pub(crate) fn name(&self, id: SymbolId) -> SymbolName {
        let index = id.0 as usize;
        let chunk = self.chunks[index / CHUNK].load(Ordering::Acquire);
        debug_assert!(!chunk.is_null());
        // SAFETY: a symbol's number is handed out after its chunk entry was written.
        unsafe { *chunk.add(index % CHUNK) }
    }

    pub(crate) fn len(&self) -> u32 {
        self.len.load(Ordering::Acquire)
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
    INSPECT "inspect" HASH "hash" HASH_OF "hash_of" EQL "eql?" EQUAL "equal?" EQ "==" NEQ "!=" EQQ "===" MATCH_OP "=~" NOT_MATCH "!~" NOT "!"
    PLUS "+" MINUS "-" MULT "*" DIV "/" MOD "%" POW "**" LT "<" LE "<=" GT ">" GE ">=" CMP "<=>" AND "&" OR "|" XOR "^" LTLT "<<" GTGT ">>"
    AREF "[]" ASET "[]=" UPLUS "+@" UMINUS "-@" TILDE "~" BACKTICK "`" LENGTH "length" SIZE "size" EMPTY_P "empty?" NIL_P "nil?" SUCC "succ"
    COERCE "coerce" METHOD_MISSING "method_missing" RESPOND_TO "respond_to?" RESPOND_TO_MISSING "respond_to_missing?" CONST_MISSING "const_missing"
    INHERITED "inherited" INCLUDED "included" EXTENDED "extended" PREPENDED "prepended" METHOD_ADDED "method_added"
    SINGLETON_METHOD_ADDED "singleton_method_added" METHOD_REMOVED "method_removed" METHOD_UNDEFINED "method_undefined"
    SINGLETON_METHOD_REMOVED "singleton_method_removed" SINGLETON_METHOD_UNDEFINED "singleton_method_undefined" CONST_ADDED "const_added"
    APPEND_FEATURES "append_features" PREPEND_FEATURES "prepend_features" EXTEND_OBJECT "extend_object"
    EXCEPTION "exception" MESSAGE "message" DETAILED_MESSAGE "detailed_message" FULL_MESSAGE "full_message" BACKTRACE "backtrace" SET_BACKTRACE "set_backtrace"
    BACKTRACE_LOCATIONS "backtrace_locations" CAUSE "cause" HIGHLIGHT "highlight" MESG "@__mesg" BT "@__bt" BT_LOCATIONS "@__bt_locations" CAUSE_IVAR "@__cause"
    NAME "name" KEY "key" RECEIVER "receiver" RESULT "result" ARGS "args" STATUS "status" REASON "reason" ERRNO "errno" TAG "tag" VALUE "value"
    NAME_IVAR "@__name" KEY_IVAR "@__key" RECEIVER_IVAR "@__receiver" RESULT_IVAR "@__result" ARGS_IVAR "@__args" STATUS_IVAR "@__status" REASON_IVAR "@__reason"
    DEFINED_AT_IVAR "@__defined_at" REFINEMENTS_IVAR "@__refinements" ERRNO_IVAR "@__errno" TAG_IVAR "@__tag" VALUE_IVAR "@__value"
    LAMBDA "lambda" PROC "proc" RAISE "raise" BLOCK_GIVEN "block_given?" DECONSTRUCT "deconstruct" DECONSTRUCT_KEYS "deconstruct_keys"
    WRITE "write" PUTS "puts" PRINT "print" P "p" BEGIN "begin" END "end" EXCLUDE_END "exclude_end?" FIRST "first" LAST "last" MIN "min" MAX "max" DUP "dup" CLONE "clone"
    FREEZE "freeze" FROZEN_P "frozen?" DEFAULT "default" KEYS "keys" VALUES "values" MATCH "match" MATCH_P "match?" ENCODING "encoding" JOIN "join" SEND "send" __SEND__ "__send__"
    PUBLIC_SEND "public_send" INSTANCE_EVAL "instance_eval" OBJECT_ID "object_id" CLASS "class" ID2NAME "id2name" CAPACITY "capacity" HALF "half" CHOMP "chomp"
    REQ "req" OPT "opt" REST "rest" KEYREQ "keyreq" KEYREST "keyrest" NOKEY "nokey" BLOCK "block" MAIN "main" OBJECT "Object" REFINE "refine"
    MARSHAL_DUMP "marshal_dump" MARSHAL_LOAD "marshal_load" _DUMP "_dump" _LOAD "_load" INCLUDE_P "include?" STEP "step" BY "by" TO "to" CLOSE "close" READ "read"
    ATTACHED "__attached__" REFINED_CLASS "__refined_class__" STDOUT "$stdout" STDERR "$stderr" STDIN "$stdin" WARN "warn" CATEGORY "category" UPLEVEL "uplevel"
}

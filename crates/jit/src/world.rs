//! What the compiler asks the VM.

use carat_iseq::{Iseq, Op};
use std::ops::Range;

/// The address of a `CodeData`: code that is made ready to run in one Ractor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CodeId(pub u64);

/// A value that was found where the code will find one: a guess at its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample(pub u64);

/// What the cell of an instance variable says: the field lies in the slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// `header & Layout::field_key`
    pub key: u64,
    pub offset: u32,
    /// The shape of the object afterwards, if a store adds the field.
    pub next_shape: u32,
}

/// What the cell of an instance variable says that lies outside of the slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Beside {
    /// As [`Field::key`].
    pub key: u64,
    pub at: BesideAt,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BesideAt {
    /// In a block of fields: where that is, a function answers; the field lies so many bytes behind.
    Block { find: Leaf, offset: u32 },
    /// There is none.
    Nowhere,
    /// A function reads it, which takes `place` behind the object, as a word; `store`, if it may be written to now, takes the value
    /// behind that.
    Leaf { place: u64, leaf: Leaf, store: Option<Leaf> },
}

/// What the cell of a constant says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Constant {
    pub value: u64,
    pub epoch: Epoch,
}

/// A counter that stands still as long as a name means what it meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Epoch {
    pub address: u64,
    pub value: u32,
}

/// What a call leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A method in Ruby whose parameters are the arguments as they stand.
    Method(Plain),
    /// One that takes keywords or a rest parameter as well, called with all that it needs and nothing that it does not take.
    Bound(Bound),
    /// A method in Ruby that is called with a list: the last of so many arguments.
    Splat(Splat),
    /// [`Target::Method`], called with `&` and what is in a register of the window. `undef` is that of a call with a block.
    Passing { method: Plain, block: u16 },
    /// An attribute in the slot.
    Reader { offset: u32 },
    /// One of a variable that objects of the shape do not have.
    ReaderAbsent,
    /// A writer of a field in the slot, which gives the object another shape if it adds the field.
    Writer { offset: u32, next_shape: u32 },
    /// An attribute outside of the slot, with what [`Layout::attribute_beside`] takes behind the object, as a word.
    ReaderBeside { place: u64 },
    /// A native method whose answer may be known ([`World::answer`]), or that has a function for this: [`World::leaf`].
    Native,
}

impl Target {
    /// Whether it is an attribute or a native method: calls of these have no frame.
    pub(crate) fn is_without_frame(self) -> bool {
        use Target::{Native, Reader, ReaderAbsent, ReaderBeside, Writer};
        matches!(self, Native | Reader { .. } | ReaderAbsent | ReaderBeside { .. } | Writer { .. })
    }
}

/// How a method begins whose parameters are the arguments as they stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plain {
    pub code: CodeId,
    /// The word where it begins: behind what optional parameters are otherwise.
    pub word: u32,
    /// First register that becomes nil.
    pub locals_from: u16,
    /// A register that becomes undef: that of a block parameter whose block is not made yet.
    pub undef: Option<u16>,
    /// Of a block that became a method: the address of the environment around.
    pub around: Option<u64>,
}

/// A call with a list. How the method begins, [`World::bound`] says when the number of arguments is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Splat {
    pub code: CodeId,
    /// The word where it begins, however many arguments there are.
    pub word: u32,
    /// The register of the window that has the list.
    pub list: u16,
    /// How many elements it has to have; `None`: the method has a rest parameter.
    pub count: Option<u16>,
    /// Behind the list is what is passed with `**`, and behind that what is passed with `&`.
    pub has_keywords: bool,
    pub has_block: bool,
}

impl Splat {
    /// The register of what is passed with `&`.
    pub(crate) fn block(self) -> Option<u16> {
        self.has_block.then(|| self.list + 1 + u16::from(self.has_keywords))
    }
}

/// How a method begins that takes keywords or a rest parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    pub code: CodeId,
    /// Of each parameter, which of the call's keywords it takes; [`Bound::NOT_GIVEN`]: none, and it becomes undef.
    pub sources: [u8; 8],
    pub count: u8,
    /// How many a call gives.
    pub given: u8,
    /// Register of the first parameter.
    pub first: u16,
    /// Register of the first value.
    pub values: u16,
    /// First register that becomes nil, unless it is that of a keyword, of the rest parameter or of the block.
    pub locals_from: u16,
    pub rest: Option<Rest>,
    /// A register that becomes undef if the call has a literal block: that of the block parameter.
    pub block: Option<u16>,
    /// Where the method begins.
    pub word: u32,
}

/// A rest parameter: an array of arguments that stand next to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rest {
    pub register: u16,
    pub from: u16,
    pub count: u16,
}

impl Bound {
    pub const NOT_GIVEN: u8 = u8::MAX;
}

/// What a call gives that need not be made, while some counters stand still.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    pub given: Given,
    pub epochs: Vec<Epoch>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    Receiver,
    Word(u64),
    InPlace(InPlace),
}

/// Native methods that units have code for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InPlace {
    // Of a fixnum, as far as the result is one.
    IsEven,
    IsOdd,
    IsZero,
    Next,
    Previous,
    Complement,
    Magnitude,
    // Of two fixnums; the last one gives an array.
    Quotient,
    Remainder,
    QuotientAndRemainder,
    /// Whether the receiver and the argument are one word.
    IsSame,
    /// An element of an array that has one.
    First,
    Last,
    /// Whether the method that calls was given a block.
    IsBlockGiven,
}

impl InPlace {
    /// How many arguments it takes.
    pub fn argument_count(self) -> usize {
        use InPlace::{IsSame, Quotient, QuotientAndRemainder, Remainder};
        usize::from(matches!(self, IsSame | Quotient | Remainder | QuotientAndRemainder))
    }
}

/// What is known of all values of a shape, while some counters stand still.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OfShape {
    pub shape: u32,
    pub word: u64,
    pub epochs: Vec<Epoch>,
}

/// A function that answers what an instruction asks, without a frame: called with up to three operands, it gives zero if the
/// instruction is to be run in another way, and then has done nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    pub function: u64,
    /// Operands that it takes.
    pub count: u8,
    /// It changes something, the storage of an array at most: no shape, and no flag of a header.
    pub has_effects: bool,
    /// It answers whatever the operands are, a receiver of the call's shape given.
    pub is_total: bool,
}

/// Primitives that units have code for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Primitive {
    IsUndef,
    Same,
    IsFixnum,
    RangeBegin,
    RangeEnd,
    RangeExcludesEnd,
}

/// What the cell of a call says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Call {
    pub shape: u32,
    pub epoch: Epoch,
    pub target: Target,
}

/// What `new` of a class does: makes an object, and calls a method in Ruby, `initialize`; or gives a struct its members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Construction {
    /// Shape of the class itself, and the counter of the name `new`.
    pub shape: u32,
    pub epoch: Epoch,
    /// The counter of the name `initialize`.
    pub initialize: Epoch,
    /// What objects begin with. Their slots have so much room for fields as it says.
    pub header: u64,
    /// [`Target::Method`] or [`Target::Bound`]; [`Target::Native`] if nobody initializes it.
    pub target: Target,
    pub members: Members,
}

/// The fields that an object has from its birth: those of a struct.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Members {
    /// Of each, which of the call's arguments it takes; [`Members::NOT_GIVEN`]: none, and it is nil.
    pub sources: [u8; 8],
    pub count: u8,
}

impl Members {
    pub const NOT_GIVEN: u8 = u8::MAX;
}

/// How an instruction is run that has no code in a unit: with the address of a *record* of it in rdi, and everything in the frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runner {
    /// There, which goes on behind the record.
    Jump { address: u64 },
    /// By a call, which comes back with the result in rax, or goes on behind the record. `operands` are registers whose values it
    /// wants in rax and r9.
    Call { address: u64, operands: [Operand; 2], has_result: bool },
}

/// What a called runner wants in a machine register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    None,
    Register(u16),
    Word(u64),
}

/// Where an exit goes on: a word to be run by the handler of its operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub address: u64,
    pub op: Op,
}

/// Numbers of the VM's layout.
#[derive(Clone, Debug)]
pub struct Layout {
    pub nil: u64,
    pub true_: u64,
    pub false_: u64,
    pub undef: u64,
    pub flonum_bias: u64,
    pub flonum_zero: u64,
    /// The lowest three bits of nil, true, false and symbols, which are equal to what they are identical with alone.
    pub special_tag: u8,
    /// The lowest byte of symbols.
    pub symbol_tag: u8,
    /// Shape of integers, symbols and floats, and of objects of class Array itself.
    pub integer_shape: u32,
    pub symbol_shape: u32,
    /// Those of nil, true and false, each with the only word that has it.
    pub special_shapes: [(u32, u64); 3],
    pub float_shape: u32,
    pub array_shape: u32,
    /// Those of objects of class Hash and String themselves.
    pub hash_shape: u32,
    pub string_shape: u32,
    // Offsets in the context.
    /// Of the routines of all instructions.
    pub handlers: i32,
    pub limit: i32,
    pub exits: i32,
    pub is_compiled_off: i32,
    /// Where the stack begins, and how many words it has.
    pub stack_base: i32,
    pub stack_words: i32,
    // Headers.
    pub field_key: u64,
    pub pool_mask: u32,
    pub pool_shift: u32,
    pub type_mask: u32,
    pub array_type: u32,
    pub range_type: u32,
    pub range_excludes_end: u32,
    pub hash_type: u32,
    /// How a hash is held that has its size elsewhere than in the header, and where others have it.
    pub hash_table: u32,
    pub hash_live_shift: u32,
    pub hash_live_mask: u32,
    /// The functions that tell the size of a hash, and whether two strings are the same. They always do.
    pub hash_size: u64,
    pub same_text: u64,
    pub float_type: u32,
    pub frozen: u32,
    pub old: u32,
    pub logged: u32,
    pub storage_mask: u32,
    pub storage_view: u32,
    pub storage_buf: u32,
    pub embedded_len_shift: u32,
    pub embedded_len_mask: u32,
    /// Where a Float on the heap has its double, and the function that makes one of the bits of a double, and always does.
    pub float_value: i32,
    pub new_float: u64,
    // Arrays.
    pub view_len: i32,
    pub view_ptr: i32,
    pub view_buf: i32,
    /// Of an array that has its buffer alone as well.
    pub buf_count: i32,
    pub buf_len: i32,
    pub buf_ptr: i32,
    /// Bytes that lie behind the head, and how large that is.
    pub buf_capacity: i32,
    pub buf_head: i32,
    pub embedded_elements: i32,
    /// Where a range begins and ends.
    pub range_parts: [i32; 2],
    // Strings in their slots; others are like arrays.
    pub embedded_string_len: i32,
    pub embedded_string_bytes: i32,
    // Code.
    pub code_caches: i32,
    /// The word FLAGS of a block that runs as a method.
    pub method_flags: u64,
    /// How far up in an `enter_compiled` word the address lies.
    pub address_shift: u8,
    /// The operation of such a word.
    pub enter_compiled: u8,
    /// The bit of RET_PC that says that the code for `leave` is behind such a word: with the result in rax, and the frame that is left in
    /// its register.
    pub code_behind: u8,
    /// The handler of an `enter_compiled` word whose code may not run.
    pub leave_compiled: u64,
    /// After so many times an exit asks [`Layout::exits_counted`], which gets the address of two words, the unit's code and word, and
    /// whether it is a loop's head.
    pub most_exits: u32,
    pub exits_counted: u64,
    /// Stubs that call the function in rax with operands in rdi, rcx and 128 bytes below the stack pointer: one keeps all
    /// registers but rax, rcx and rdi, the other loses r8 to r11 too.
    pub leaf: u64,
    pub leaf_bare: u64,
    /// The function that allocates an object with a header, and always does. Its fields are written next.
    pub allocate: u64,
    /// The function that reads an attribute outside of the slot.
    pub attribute_beside: u64,
    /// Units are refused that are not worth it.
    pub is_choosy: bool,
    /// There is more machine code than a processor has near at hand.
    pub is_crowded: bool,
    /// Addresses that machine code reaches by their distance.
    pub near: Range<u64>,
    /// Of so many guards that run one fails, for tests; 0: none.
    pub failing_period: u32,
}

/// What a `send` leads to, as long as the counters of both names stand still.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    pub shape: u32,
    pub epochs: [Epoch; 2],
    pub to: SentTo,
}

#[derive(Clone, Copy, Debug)]
pub enum SentTo {
    /// A function answers.
    Leaf(Leaf),
    /// An attribute, as [`Target::ReaderBeside`].
    Reader { place: u64 },
    /// A method in Ruby whose parameters are the arguments behind the name as they stand.
    Method(Plain),
}

/// The VM as the compiler sees it.
pub trait World {
    fn layout(&self) -> &Layout;
    fn iseq(&self, code: CodeId) -> &Iseq;
    /// Whether frames of the code have PARENT and FLAGS words.
    fn is_block(&self, code: CodeId) -> bool;
    fn caches(&self, code: CodeId) -> u64;
    fn literal(&self, code: CodeId, index: usize) -> u64;
    fn field(&self, code: CodeId, site: u16) -> Option<Field>;
    fn field_beside(&self, code: CodeId, site: u16) -> Option<Beside>;
    fn call(&self, code: CodeId, site: u16) -> Option<Call>;
    /// The same of a cell that knows some shapes of heap objects: what each leads to, all of one epoch. Nothing of any other cell.
    fn calls(&self, code: CodeId, site: u16) -> Vec<Call>;
    /// What an `opt_new` at a word does with a class.
    fn construction(&self, code: CodeId, word: u32, class: u64) -> Option<Construction>;
    /// What the array or range of plain contents begins with that an instruction at a word makes.
    fn literal_header(&self, code: CodeId, word: u32) -> Option<u64>;
    /// What an array of so many elements begins with, if that is few enough for one that is not made.
    fn array_header(&self, count: u16) -> Option<u64>;
    /// How a method begins that is called with so many plain arguments.
    fn bound(&self, code: CodeId, argc: u16) -> Option<Bound>;
    /// What `nil?` of a heap object says of all that have its shape, or `!`.
    fn is_nil_or_falsy(&self, op: Op, object: Sample) -> Option<OfShape>;
    /// Whether `==` or `!=` of an object, and of all that have its shape, asks whether the other one is the same.
    fn is_identity(&self, op: Op, object: Sample) -> Option<OfShape>;
    /// What `===` of a class or module says of all values that have the shape of one.
    fn class_match(&self, class: u64, value: Sample) -> Option<OfShape>;
    /// What the native method that a cell names gives, called with arguments of which some are known.
    fn answer(&self, code: CodeId, site: u16, arguments: &[Option<u64>]) -> Option<Answer>;
    /// The function for the instruction at a word: an operator, a primitive, or a call whose cell names a native method or one of the core
    /// library's. An operator's call is at the word behind it.
    fn leaf(&self, code: CodeId, word: u32) -> Option<Leaf>;
    /// What a name leads to that the cell's `send` is given.
    fn sent(&self, code: CodeId, site: u16, name: u64) -> Option<Sent>;
    /// What the primitive is that the instruction at a word runs.
    fn primitive(&self, code: CodeId, word: u32) -> Option<Primitive>;
    /// Whether the native method that a cell names is `String#getbyte`.
    fn reads_byte(&self, code: CodeId, site: u16) -> bool;
    /// Whether the native method that a cell names is `Module#===`.
    fn asks_class(&self, code: CodeId, site: u16) -> bool;
    /// The counter of `to_s`, while a number goes into a string as it is.
    fn text_of_numbers(&self) -> Option<Epoch>;
    /// The counter of `===`, while a symbol or a small number matches what is the same, as long as that stands.
    fn identity_match(&self) -> Option<Epoch>;
    /// Whether the function for `===` answers fast for a pattern: strings and ranges.
    fn is_plain_pattern(&self, pattern: u64) -> bool;
    fn constant(&self, code: CodeId, site: u16) -> Option<Constant>;
    /// The code of the literal block at a call site, if it was ever called with it.
    fn block(&self, code: CodeId, site: u16) -> Option<CodeId>;
    /// Whether a `yield` of `n` plain arguments to a literal block fills its parameters as they stand.
    fn yields_in_place(&self, block: CodeId, n: u8) -> bool;
    /// How the keywords that a `yield` names come into the parameters of a literal block, if it takes just what is given.
    fn yields_keywords(&self, code: CodeId, site: u16, block: CodeId) -> Option<Bound>;
    /// How many parameters one array is taken apart into that is yielded to a literal block.
    fn takes_apart(&self, block: CodeId) -> Option<u16>;
    /// Parameters that a call fills.
    fn lead(&self, code: CodeId) -> u16;
    /// Whether guesses at the operands of the instruction at a word were wrong too often.
    fn is_unlike(&self, code: CodeId, word: u32) -> bool;
    /// Whether they were wrong before, so that what is not known is not guessed in the same way.
    fn was_wrong(&self, code: CodeId, word: u32) -> bool;
    /// Whether they were wrong so often that a leaf is better.
    fn takes_leaf(&self, code: CodeId, word: u32) -> bool;
    /// The same of the variables of the loop whose head is there, too often.
    fn is_head_unlike(&self, code: CodeId, word: u32) -> bool;
    /// Whether the instruction at a word, whose cell is that of a site, never ran, as far as is known, or only for what is new.
    fn is_cold(&self, code: CodeId, word: u32, site: u16) -> bool;
    /// How the instruction at a word is run.
    fn runner(&self, code: CodeId, word: u32) -> Runner;
    /// What its runner finds in front of the record.
    fn in_front(&self, code: CodeId, word: u32) -> u64;
    /// Where machine code begins that calls of the code jump to, with the receiver in rax. The unit keeps it.
    fn entry(&self, code: CodeId) -> Option<u64>;
    /// The address of the word that tells where calls of the code begin.
    fn start(&self, code: CodeId) -> u64;
    /// Memory for so many words of records.
    fn records(&self, words: usize) -> u64;
    /// Where to go on before the instruction at a word: in the interpreter if that is wanted, otherwise in the first tier if
    /// that has code.
    fn place(&self, code: CodeId, word: u32, interprets: bool) -> Place;
    /// Where to go on behind the call at a word.
    fn place_behind(&self, code: CodeId, word: u32, interprets: bool) -> u64;

    /// What is in a register of the frame that is to run the unit.
    fn register(&self, register: u16) -> Sample;
    /// Whether that frame has its environment on the stack: no Proc, binding or the like was made of it.
    fn owns_environment(&self) -> bool;
    /// What is in a local of the environment so many levels above the one of that frame.
    fn outer(&self, depth: u16, register: u16) -> Sample;
    /// The literal block that the frame which is to run the unit was called with, unless that was guessed wrongly too often. The unit
    /// keeps it alive.
    fn own_block(&self) -> Option<CodeId>;
    /// What a frame has that is called with a literal block.
    fn block_word(&self, block: CodeId) -> u64;
    /// What is in a local of the environment so many levels above that of the block.
    fn outer_of_block(&self, depth: u16, register: u16) -> Sample;
    /// The same from the environment at an address, which a block that runs as a method has around it.
    fn around(&self, address: u64, depth: u16, register: u16) -> Sample;
    /// The number of the smallest pool whose slots have a field at an offset.
    fn pool_for(&self, offset: u32) -> Option<u32>;
    /// A field of an object that has it.
    fn field_sample(&self, object: Sample, field: Field) -> Option<Sample>;
    /// A field of an object that has it if it is of a shape.
    fn attribute_sample(&self, object: Sample, shape: u32, offset: u32) -> Option<Sample>;
    /// The same of one that lies outside of the slot.
    fn beside_sample(&self, object: Sample, beside: Beside) -> Option<Sample>;
    /// What a Float is.
    fn float(&self, sample: Sample) -> Option<f64>;
    /// An element of an array, which has so many in front of it.
    fn element_sample(&self, array: Sample, index: usize) -> Option<Sample>;
    /// The shape of a heap object.
    fn shape_of(&self, object: Sample) -> Option<u32>;
    /// Whether a sample is an object of class Array itself.
    fn is_plain_array(&self, sample: Sample) -> bool;
}

//! The instruction word and the instruction table.
//!
//! # Layout
//! Eight bytes: `op: u8, n: u8, a: u16, b: u16, c: u16`; `d` is `b` and `c` together as an `i32`. Registers are `u16`, so
//! there are no wide forms and no limit on locals or nesting that a program meets.
//! Branch offsets count words from the word *behind* the whole instruction.
//!
//! # Instructions of several words
//! Operators that may turn into a method call are followed by an `ext` word: `a` repeats the destination, `b` is the base
//! of a call window that is free at this point, `c` the call site. A fused compare-and-branch has a third word behind its
//! `ext`, a real `branchif` or `branchunless` on its own destination: the fast path takes the offset from it, a comparison
//! that became a method call returns to it. Its destination is the first dead register. A negative offset closes a loop:
//! there the fast path polls, and what a method call polled needs no other.
//!
//! # Literals that are only looked at
//! An operator's `n` says what the compiler knows of its operands ([`hint`]). A string literal among them is the shared,
//! frozen one: the fast path needs no other, and where a method is called it is copied first, unless that method is native
//! and only looks at it. `copyliterals` does the same for the window of a call.
//! `array_next` and `hash_next` are followed by the `jump_back` word that they go to, `opt_new` by its `new_result`.

/// One instruction word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Insn {
    pub op: Op,
    pub n: u8,
    pub a: u16,
    pub b: u16,
    pub c: u16,
}

const _: () = assert!(size_of::<Insn>() == 8);

/// What an operator's `n` says.
pub mod hint {
    /// `b` is a string literal that nothing else sees.
    pub const LEFT_LITERAL: u8 = 1;
    /// `c` is one.
    pub const RIGHT_LITERAL: u8 = 2;
    /// Copies of them are no chilled strings.
    pub const MUTABLE: u8 = 4;
    /// The result is the left operand of the `opt_plus` that comes next, and nothing else; between the two stands at most
    /// one `putobject` or `getlocal`, which makes the right one.
    pub const LINKED: u8 = 8;
    /// `b` is a string that was interpolated for this alone: nothing else sees it.
    pub const LEFT_FRESH: u8 = 16;
}

/// The methods of `opt_newarray_send`.
pub mod newarray_send {
    pub const MAX: u8 = 0;
    pub const MIN: u8 = 1;
    pub const HASH: u8 = 3;
    /// With an argument.
    pub const INCLUDE_P: u8 = 2;
    /// The same; the elements are string literals that nothing else sees.
    pub const LITERALS_INCLUDE_P: u8 = 4;

    pub fn has_argument(method: u8) -> bool {
        matches!(method, INCLUDE_P | LITERALS_INCLUDE_P)
    }
}

impl Insn {
    pub const fn abc(op: Op, a: u16, b: u16, c: u16) -> Insn {
        Insn { op, n: 0, a, b, c }
    }

    pub const fn nabc(op: Op, n: u8, a: u16, b: u16, c: u16) -> Insn {
        Insn { op, n, a, b, c }
    }

    pub const fn ad(op: Op, a: u16, d: i32) -> Insn {
        Insn { op, n: 0, a, b: d as u16, c: (d >> 16) as u16 }
    }

    /// The `ext` word of an operator.
    pub const fn ext(dst: u16, base: u16, site: u16) -> Insn {
        Insn::abc(Op::ext, dst, base, site)
    }

    pub const fn d(self) -> i32 {
        (self.b as u32 | (self.c as u32) << 16) as i32
    }

    pub fn set_d(&mut self, d: i32) {
        (self.b, self.c) = (d as u16, (d >> 16) as u16);
    }
}

/// How the disassembler prints the operands of an instruction, and how many words it takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpFormat {
    pub name: &'static str,
    /// One letter for each operand: `a b c` registers; `A B C` plain numbers; `i` d as immediate; `j` c as signed
    /// immediate; `o` d as branch offset; `L` literal d; `M` literal c; `S` symbol b; `T` symbol c; `s` site c; `K` child c; `n` the
    /// small number; `h` n as hints; `x` an ext word follows; `f` an ext word and a branch word follow; `k` a jump_back word follows; `r` a
    /// new_result word follows.
    pub operands: &'static str,
}

impl OpFormat {
    pub fn words(self) -> usize {
        match self.operands.as_bytes() {
            [.., b'f'] => 3,
            [.., b'x' | b'k' | b'r'] => 2,
            _ => 1,
        }
    }

    /// Whether an ext word follows.
    pub fn has_ext(self) -> bool {
        self.operands.ends_with(['x', 'f'])
    }

    /// Whether this is a comparison fused with the branch behind it.
    pub fn is_fused(self) -> bool {
        self.operands.ends_with('f')
    }

    /// The word, counted from the instruction's first, that holds the offset of where it may branch to.
    pub fn branch_word(self) -> Option<usize> {
        match self.operands.as_bytes() {
            [.., b'f'] => Some(2),
            [.., b'k'] => Some(1),
            operands => operands.contains(&b'o').then_some(0),
        }
    }

    /// The words in front of the one to which a method returns that the instruction calls.
    pub fn words_before_return(self) -> usize {
        match self.operands.as_bytes() {
            [.., b'x' | b'f'] => 2,
            _ => 1,
        }
    }
}

/// The registers among the operands: 1 for `a`, 2 for `b`, 4 for `c`.
const fn registers(operands: &str) -> u8 {
    let (letters, mut found, mut at) = (operands.as_bytes(), 0, 0);
    while at < letters.len() {
        found |= match letters[at] {
            b'a' => 1,
            b'b' => 2,
            b'c' => 4,
            _ => 0,
        };
        at += 1;
    }
    found
}

macro_rules! instructions {
    ($($(#[doc = $doc:literal])+ $name:ident $operands:literal;)+) => {
        /// The operations.
        #[allow(non_camel_case_types, reason = "instructions carry CRuby's names")]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum Op { $($(#[doc = $doc])+ $name),+ }

        impl Op {
            pub const ALL: &[Op] = &[$(Op::$name),+];

            pub const fn format(self) -> OpFormat {
                const FORMATS: &[OpFormat] = &[$(OpFormat { name: stringify!($name), operands: $operands }),+];
                FORMATS[self as usize]
            }

            /// The highest register that an instruction of this operation names as an operand.
            pub fn highest_register(self, insn: Insn) -> Option<u16> {
                const REGISTERS: &[u8] = &[$(registers($operands)),+];
                let named = REGISTERS[self as usize];
                let operand = |bit: u8, register: u16| (named & bit != 0).then_some(register);
                operand(1, insn.a).max(operand(2, insn.b)).max(operand(4, insn.c))
            }
        }

        /// Calls `$callback!` with every instruction's name, in the order of their numbers.
        #[macro_export]
        macro_rules! for_each_insn {
            ($callback:ident) => { $callback! { $($name)+ } };
        }
    };
}

instructions! {
    /// Second word of an operator; never executed.
    ext "aBs";
    /// Does nothing.
    nop "";
    /// a = b
    move_ "ab";
    /// a = nil
    putnil "a";
    /// a = true
    puttrue "a";
    /// a = false
    putfalse "a";
    /// a = undef, the mark of an argument that was not given
    putundef "a";
    /// a = the fixnum d
    putfixnum "ai";
    /// a = literal d, shared and immutable
    putobject "aL";
    /// a = a fresh, mutable copy of string literal d. The number is 1 where the program asks for one, by `+`
    putstring "aL";
    /// a = a fresh, chilled copy of string literal d
    putchilledstring "aL";
    /// a = the class that constants are defined in here (the cref), or undef if none can be
    putcbase "a";

    /// a = captured variable in register b of the environment c levels up (0: this frame's own)
    getlocal "abC";
    /// captured variable in register b, c levels up = a
    setlocal "abC";
    /// a = the block parameter in register b, c levels up, as a Proc or nil
    getblockparam "abC";
    /// as getblockparam, to be passed on with `&` at once: undef stands for a literal block that is no Proc yet
    getblockparamproxy "abC";
    /// a = instance variable of site c
    getinstancevariable "as";
    /// instance variable of site c = a
    setinstancevariable "as";
    /// a = instance variable of site c of the object in b (core code alone)
    getfield "abs";
    /// instance variable of site c of the object in b = a, though it be frozen (core code alone)
    setfield "abs";
    /// a = class variable of site c. n = 1: nil if there is none
    getclassvariable "asn";
    /// class variable of site c = a
    setclassvariable "as";
    /// a = global variable b
    getglobal "aS";
    /// global variable b = a
    setglobal "aS";
    /// a = the constant of site c
    getconstant "as";
    /// a = constant named by symbol c below the module in b (`b::C`)
    getconstantfrom "abT";
    /// constant named by symbol c of the module in b = a. n = 1: which must be shareable
    setconstant "abT";
    /// a = special variable: 0 `$~`, 1 `$&`, 2 ``$` ``, 3 `$'`, 4 `$+`, 5 `$_`, 16 + k `$k`
    getspecial "ai";
    /// special variable d (0 `$~`, 5 `$_`) = a
    setspecial "ai";
    /// a = the named capture (symbol b) of `$~`, or nil
    getnamedcapture "aS";

    /// a = b + c
    opt_plus "abchx";
    /// a = b - c
    opt_minus "abcx";
    /// a = b * c
    opt_mult "abchx";
    /// a = b / c
    opt_div "abcx";
    /// a = b % c
    opt_mod "abchx";
    /// a = b & c
    opt_and "abcx";
    /// a = b | c
    opt_or "abcx";
    /// a = b ^ c
    opt_xor "abcx";
    /// a = b << c
    opt_ltlt "abchx";
    /// a = b >> c
    opt_gtgt "abcx";
    /// a = b < c
    opt_lt "abcx";
    /// a = b <= c
    opt_le "abcx";
    /// a = b > c
    opt_gt "abcx";
    /// a = b >= c
    opt_ge "abcx";
    /// a = b == c
    opt_eq "abchx";
    /// a = b != c
    opt_neq "abchx";
    /// a = b[c]
    opt_aref "abcx";
    /// a = b[string literal c], which is copied only where a method is called: chilled, mutable with n = 1
    opt_aref_with "nabMx";
    /// a[b] = c; the ext word's a is a register to spoil
    opt_aset "abchx";
    /// a = b + the signed number c
    opt_plus_imm "abjx";
    /// a = b - the signed number c
    opt_minus_imm "abjx";
    /// a = b & the signed number c
    opt_and_imm "abjx";
    /// a = b == the signed number c
    opt_eq_imm "abjx";
    /// a = b < the signed number c
    opt_lt_imm "abjx";
    /// a = b[the signed number c]
    opt_aref_imm "abjx";
    /// a = !b
    opt_not "abx";
    /// a = -b
    opt_uminus "abx";
    /// a = b.length
    opt_length "abx";
    /// a = b.size
    opt_size "abx";
    /// a = b.empty?
    opt_empty_p "abx";
    /// a = b.nil?
    opt_nil_p "abx";
    /// a = b.succ
    opt_succ "abx";

    /// a = b < c, then the branch behind
    cmp_lt "abcf";
    /// a = b <= c, then the branch behind
    cmp_le "abcf";
    /// a = b > c, then the branch behind
    cmp_gt "abcf";
    /// a = b >= c, then the branch behind
    cmp_ge "abcf";
    /// a = b == c, then the branch behind
    cmp_eq "abchf";
    /// a = b != c, then the branch behind
    cmp_neq "abchf";
    /// a = b < the signed number c, then the branch behind
    cmp_lt_imm "abjf";
    /// a = b <= the signed number c, then the branch behind
    cmp_le_imm "abjf";
    /// a = b > the signed number c, then the branch behind
    cmp_gt_imm "abjf";
    /// a = b >= the signed number c, then the branch behind
    cmp_ge_imm "abjf";
    /// a = b == the signed number c, then the branch behind
    cmp_eq_imm "abjf";

    /// continue at offset d
    jump "o";
    /// continue at offset d, backwards; a is the first dead register: a collection may run here
    jump_back "Ao";
    /// continue at offset d if a is truthy
    branchif "ao";
    /// continue at offset d if a is falsy
    branchunless "ao";
    /// continue at offset d if a is nil
    branchnil "ao";
    /// continue at offset d if a is not nil
    branchnotnil "ao";
    /// continue at offset d if a is not undef: the optional keyword was given
    branchgiven "ao";

    /// continue at offset d if a is undef, the mark of a literal block, and Proc#call does what yielding to it does
    branchblock "ao";

    /// replaces the string literals in the window at b by copies, unless what site c leads to is native and only looks at
    /// them. Bit i of n: register b + i is one. A = 1: the copies are no chilled strings
    copyliterals "nABs";
    /// a = call in the window at b as site c says
    send "aBs";
    /// a = call with n plain arguments
    send_simple "naBs";
    /// a = call of a method of self with n plain arguments; the receiver's register is filled here
    send_self "naBs";
    /// a = call with plain arguments and a literal block
    send_block "naBs";
    /// call of `new` in the window at b as site c says. Where that is Class#new, the window's receiver becomes the new object,
    /// a is spoiled by the result of its initialize, and new_result comes next; otherwise the call's result goes to
    /// new_result's destination
    opt_new "aBsr";
    /// a = the object in the receiver's register of the window at b of the opt_new before it
    new_result "aBs";
    /// a = super
    invokesuper "aBs";
    /// a = yield with n plain arguments; n = 255: as the site says
    invokeblock "naBs";
    /// a = yield of register n alone
    invokeblock_one "naBs";
    /// a = primitive (symbol c) of n arguments in registers b and up
    invokeprimitive "naBT";
    /// a = number of elements of the array in b (core code alone)
    arraysize "ab";
    /// a = element c, a fixnum, of the array in b; nil outside (core code alone)
    arrayat "abc";
    /// if c is the number of an element of the array in b: a = that element, c += 1, and the jump_back word behind; otherwise
    /// that word is skipped (core code alone)
    array_next "abck";
    /// if an entry of the hash or set in b comes after position c: a = its key, a + 1 = its value, c = its position, and the
    /// jump_back word behind; otherwise that word is skipped (core code alone)
    hash_next "abck";
    /// a = lambda made of child c
    putlambda "aK";
    /// a = result of child c of site c, run at most once; window at b
    once "aBs";

    /// return a from this frame (`next` of a block, the end of anything)
    leave "a";
    /// `return a` inside a block: leaves the method, or the lambda
    return_from_block "a";
    /// `break a` inside a block: leaves the call that the block was given to
    break_from_block "a";
    /// continue at offset d, when the handlers have run that serve this word and not that one
    throw_jump "o";
    /// go on unwinding with what a catch entry left in a
    rethrow "a";
    /// `$!` = a
    seterrinfo "a";
    /// a = does b, a class or module, or an array of them with n = 1, match exception c (`===`); TypeError otherwise
    checkrescue "nabc";
    /// a = b === c as `case` asks it, for a branch to look at; n = 1: whether any element of the array b does
    checkmatch "nabcx";
    /// a = may b be `===` to a key of hash literal c, as far as that can be told by looking it up
    casehas "abM";
    /// a = whether b is an n: 0 Array, 1 Hash, 2 String, 3 Symbol
    checktype "nab";
    /// raise NoMatchingPatternError (n = 0) or NoMatchingPatternKeyError (n = 1; b is an array [matchee, key]) with message a
    raise_nomatch "nab";

    /// a = array of the c registers from b
    newarray "abC";
    /// a = result of method n, a `newarray_send`, of the array of the c registers from b; its argument is in the one behind them
    opt_newarray_send "nabCx";
    /// a = array or hash literal d, which is frozen
    opt_freeze "aLx";
    /// a = copy of array literal d
    duparray "aL";
    /// append element b to array a; n = 1 unless it is an empty hash
    pusharray "nab";
    /// append the elements of b (through to_a) to array a
    concatarray "ab";
    /// a = b as an array for a splat (to_a); n = 1 always a fresh one
    splatarray "nab";
    /// a = hash of the c registers from b, keys and values in turn, with room for n more pairs
    newhash "nabC";
    /// a = copy of hash literal d
    duphash "aL";
    /// a[b] = c for a hash being built; string keys are copied and frozen
    hashset "abc";
    /// merge hash b (nil, or through to_hash) into the hash a, for `**b`
    concathash "ab";
    /// a = range of b and c; n = 1 without its end
    newrange "nabc";
    /// take b apart (to_ary): the c leading elements into registers a and up, then with n & 1 the rest array, then the
    /// ext word's B trailing ones. n & 2: b came from a pattern and is an Array already.
    expandarray "nabCx";
    /// a = b as a string for interpolation, unless its class has an own fast form
    objtostring "abx";
    /// a = b if it is a string or a fast form, otherwise the default form of object c
    anytostring "abc";
    /// a = one string of the c registers from b. n = 1: a UTF-8 literal of one part, which bears that encoding if it can
    concatstrings "nabC";
    /// a = symbol of string b
    intern "ab";
    /// a = regexp of the c registers from b, options n
    toregexp "nabC";

    /// a = :name; defines method symbol b with child c in the cref's class
    definemethod "aSK";
    /// defines singleton method symbol b with child c on the object in a, which becomes :name
    definesmethod "aSK";
    /// a = value of the body, child c, of class symbol b. Register a holds the base module (nil: the cref), a + 1 the
    /// superclass (undef: none given). n: 0 class, 1 module, 2 singleton class of register a. The window starts at a + 2.
    defineclass "naSK";
    /// alias of method: new name (symbol) a, old name b
    aliasmethod "ab";
    /// undefine the method named by symbol a
    undefmethod "a";
    /// alias of global: new name symbol b, old name symbol c
    aliasglobal "ST";
    /// a = description of what is defined, or nil. n: 0 instance variable (site c), 1 global, 2 class variable, 3 constant (site c
    /// names the first part), 4 constant of the module in b, 5 method of object in b (symbol c), 6 method of self (symbol
    /// c), 7 yield, 8 super, 9 special variable number c, 10 private-callable method of self in b. Names are symbol c.
    defined "nabC";
    /// counts for `Coverage`: n 0 a run of line d, 1 one of branch d, 2 one of the method; compiled in while somebody asks
    coverage "ni";
    /// run child c at exit, once for this place (`END { }`); site c is a Once
    postexe "s";

    /// goes on in machine code; its address is the upper six bytes of the word. Of the VM's own making: no iseq has one
    enter_compiled "";
    /// counts a call, then runs the code. Of the VM's own making, too
    count_entry "";
}

impl Op {
    /// Whether it compares two operands and stores what it finds.
    pub fn compares(self) -> bool {
        use Op::*;
        matches!(self, opt_lt | opt_le | opt_gt | opt_ge | opt_eq | opt_neq | opt_lt_imm | opt_eq_imm)
    }

    /// Whether the cell that its third operand names is filled when it runs.
    pub fn fills_cell(self) -> bool {
        use Op::*;
        matches!(
            self,
            getconstant
                | getinstancevariable
                | opt_new
                | setinstancevariable
                | send
                | send_block
                | send_self
                | send_simple
        )
    }

    /// Whether `a` is an operand, not the destination.
    pub fn reads_first(self) -> bool {
        use Op::*;
        matches!(
            self,
            setinstancevariable
                | setclassvariable
                | setglobal
                | setconstant
                | setspecial
                | opt_aset
                | branchif
                | branchunless
                | branchnil
                | branchnotnil
                | branchgiven
                | branchblock
                | leave
                | return_from_block
                | break_from_block
                | rethrow
                | seterrinfo
                | pusharray
                | concatarray
                | hashset
                | concathash
                | aliasmethod
                | undefmethod
        )
    }
}

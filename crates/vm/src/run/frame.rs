//! Frames on the VM stack: the words below a frame pointer, and walking from one frame to the next.
//!
//! # Layout (words relative to the frame pointer)
//! ```text
//!  +1…  arguments, locals, temporaries
//!   0   self
//!  -1   CODE       *const CodeData of what runs here
//!  -2   ENV        this frame's environment: the frame pointer itself until a closure escapes, then the object of a heap copy
//!  -3   BLOCK      block given to this frame: 0, a Proc, or *const CodeData | 1 for a literal block
//!  -4   BLOCK_ENV  environment of that literal block's home
//!  -5   PARENT     environment of the enclosing scope (block frames only)
//!  -6   FLAGS      see `flags` (block frames only)
//!  -7   RET_PC     where the caller goes on; the word before it names the register for the result
//!  -8   CALLER     the caller's frame pointer
//! ```
//! An environment is a pointer to a `self` word with words from -1 down below it and the locals above, on the stack or in an
//! `REnv`, which has as many of the words as mean something: see [`env_header`]. Code reaches captured variables only through
//! environments.
//!
//! # Invariants
//! * When an environment moves to the heap, every word of every frame above that pointed to the old place is changed.
//! * A frame whose code is [`CodeKind::Boundary`](crate::run::code::CodeKind) separates two runs of the interpreter.

use crate::run::code::CodeData;
use carat_iseq::Insn;
use carat_layout::Value;

pub(crate) const CODE: isize = -1;
pub(crate) const ENV: isize = -2;
pub(crate) const BLOCK: isize = -3;
pub(crate) const BLOCK_ENV: isize = -4;
pub(crate) const PARENT: isize = -5;
pub(crate) const FLAGS: isize = -6;
pub(crate) const RET_PC: isize = -7;
pub(crate) const CALLER: isize = -8;

/// In RET_PC: behind the word that it leads to is code that `leave` of machine code goes on with.
pub(crate) const CODE_BEHIND: u64 = 1;

/// Words that an environment on the heap needs below `self`: those of a block have all, others BLOCK_ENV only beside a literal
/// block. Whoever reads a word that is missing sees another word of the same slot.
///
/// # Safety
/// The frame or environment is alive.
pub(crate) unsafe fn env_header(env: Fp) -> usize {
    // SAFETY: by contract.
    let (is_block, block) = unsafe { (env.code().kind.is_block(), env.word(BLOCK)) };
    match (is_block, block & 1 == 1) {
        (true, _) => -FLAGS as usize,
        (false, true) => -BLOCK_ENV as usize,
        (false, false) => -BLOCK as usize,
    }
}

pub(crate) const HEADER: usize = carat_iseq::FRAME_HEADER as usize;

pub(crate) mod flags {
    /// `return` and `break` leave this block frame only.
    pub(crate) const LAMBDA: u64 = 1;
    /// The block runs as a method (`define_method`): FLAGS >> 8 is the address of its method entry.
    pub(crate) const BMETHOD: u64 = 2;
}

/// A frame or environment pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub(crate) struct Fp(pub(crate) *mut Value);

/// Raw access to frame words.
///
/// # Safety of all methods
/// The pointer is a live frame or environment, and the word asked for is one that its kind of code stores.
impl Fp {
    pub(crate) const NULL: Fp = Fp(std::ptr::null_mut());

    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    #[inline(always)]
    pub(crate) unsafe fn word(self, index: isize) -> u64 {
        // SAFETY: see the impl.
        unsafe { *self.0.offset(index).cast::<u64>() }
    }

    #[inline(always)]
    pub(crate) unsafe fn set_word(self, index: isize, word: u64) {
        // SAFETY: see the impl.
        unsafe { *self.0.offset(index).cast::<u64>() = word }
    }

    #[inline(always)]
    pub(crate) unsafe fn reg(self, index: usize) -> Value {
        // SAFETY: see the impl.
        unsafe { *self.0.add(index) }
    }

    /// `count` registers from `first` on, for as long as nobody writes them.
    #[inline(always)]
    pub(crate) unsafe fn registers<'a>(self, first: usize, count: usize) -> &'a [Value] {
        // SAFETY: see the impl.
        unsafe { std::slice::from_raw_parts(self.0.add(first), count) }
    }

    #[inline(always)]
    pub(crate) unsafe fn set_reg(self, index: usize, value: Value) {
        // SAFETY: see the impl.
        unsafe { *self.0.add(index) = value }
    }

    #[inline(always)]
    pub(crate) unsafe fn code<'a>(self) -> &'a CodeData {
        // SAFETY: every frame and environment stores its code, which the frame keeps alive.
        unsafe { &*(self.word(CODE) as *const CodeData) }
    }

    #[inline(always)]
    pub(crate) unsafe fn env(self) -> Fp {
        // SAFETY: see the impl.
        Fp(unsafe { self.word(ENV) } as *mut Value)
    }

    #[inline(always)]
    pub(crate) unsafe fn parent(self) -> Fp {
        // SAFETY: see the impl.
        Fp(unsafe { self.word(PARENT) } as *mut Value)
    }

    #[inline(always)]
    pub(crate) unsafe fn caller(self) -> Fp {
        // SAFETY: see the impl.
        Fp(unsafe { self.word(CALLER) } as *mut Value)
    }

    #[inline(always)]
    pub(crate) unsafe fn ret_pc(self) -> *const Insn {
        // SAFETY: see the impl.
        unsafe { (self.word(RET_PC) & !CODE_BEHIND) as *const Insn }
    }

    /// The environment of the method, class body or script that encloses this environment.
    #[inline]
    pub(crate) unsafe fn method_env(self) -> Fp {
        let mut env = self;
        // SAFETY: environments of block code store their parent.
        unsafe {
            while env.code().kind.is_block() {
                env = env.parent();
            }
        }
        env
    }
}

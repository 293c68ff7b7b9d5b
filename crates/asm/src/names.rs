//! What both assemblers' callers name alike: operations, conditions, registers for doubles, places in memory and in the code.

/// A register for doubles, by its number: 0 to 15.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Xmm(pub u8);

/// A two-operand operation, by its number in x86-64's instruction set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Alu {
    Add = 0,
    Or = 1,
    And = 4,
    Sub = 5,
    Xor = 6,
    Cmp = 7,
}

/// An operation on doubles, by its opcode there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Sse {
    Add = 0x58,
    Multiply = 0x59,
    Subtract = 0x5C,
    Divide = 0x5E,
}

/// What a conditional jump asks, by its number in x86-64's instruction set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Condition {
    Overflow = 0,
    Below = 2,
    AboveOrEqual = 3,
    Equal = 4,
    NotEqual = 5,
    BelowOrEqual = 6,
    Above = 7,
    Sign = 8,
    NoSign = 9,
    Parity = 10,
    NoParity = 11,
    Less = 12,
    GreaterOrEqual = 13,
    LessOrEqual = 14,
    Greater = 15,
}

impl Condition {
    /// What holds where this does not.
    pub fn negated(self) -> Condition {
        match self {
            Condition::Overflow => unreachable!("nobody asks for the absence of overflow"),
            Condition::Below => Condition::AboveOrEqual,
            Condition::AboveOrEqual => Condition::Below,
            Condition::Equal => Condition::NotEqual,
            Condition::NotEqual => Condition::Equal,
            Condition::BelowOrEqual => Condition::Above,
            Condition::Above => Condition::BelowOrEqual,
            Condition::Sign => Condition::NoSign,
            Condition::NoSign => Condition::Sign,
            Condition::Parity => Condition::NoParity,
            Condition::NoParity => Condition::Parity,
            Condition::Less => Condition::GreaterOrEqual,
            Condition::GreaterOrEqual => Condition::Less,
            Condition::LessOrEqual => Condition::Greater,
            Condition::Greater => Condition::LessOrEqual,
        }
    }
}

/// A place in memory: `base + index * 8 + displacement`, in registers of one processor.
#[derive(Clone, Copy, Debug)]
pub struct Mem<Reg> {
    pub(crate) base: Reg,
    pub(crate) index: Option<(Reg, u8)>,
    pub(crate) displacement: i32,
}

impl<Reg> Mem<Reg> {
    pub fn at(base: Reg, displacement: i32) -> Mem<Reg> {
        Mem { base, index: None, displacement }
    }

    /// `base + index * 8 + displacement`
    pub fn word(base: Reg, index: Reg, displacement: i32) -> Mem<Reg> {
        Mem { base, index: Some((index, 3)), displacement }
    }

    /// `base + index + displacement`
    pub fn byte(base: Reg, index: Reg, displacement: i32) -> Mem<Reg> {
        Mem { base, index: Some((index, 0)), displacement }
    }
}

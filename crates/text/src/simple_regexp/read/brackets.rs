//! Bracket expressions.

use super::PatternReader;
use super::escapes::Member;
use crate::simple_regexp::set::{Foreign, Set};

impl PatternReader<'_> {
    /// Behind the opening bracket.
    pub(super) fn brackets(&mut self) -> Option<Set> {
        self.depth += 1;
        if self.depth > super::DEPTH {
            return None;
        }
        let is_negated = self.eat(b"^");
        if self.peek() == Some(b']') {
            return None;
        }
        let mut set = self.members()?;
        while self.eat(b"&&") {
            set = set.intersection(self.members()?);
        }
        self.depth -= 1;
        if !self.eat(b"]") {
            return None;
        }
        let ignores_case = self.options.ignores_case;
        let set = if ignores_case { self.in_all_cases(set) } else { set };
        let set = if is_negated { set.negated() } else { set };
        // Characters beyond ASCII that are not members may be the same as members.
        Some(if is_negated && ignores_case && !self.options.is_for_bytes {
            set.with_foreign(Foreign::unknown())
        } else {
            set
        })
    }

    fn members(&mut self) -> Option<Set> {
        let mut set = Set::empty();
        while !self.rest.starts_with(b"]") && !self.rest.starts_with(b"&&") {
            let member = self.member()?;
            set = self.with_member(member, set)?;
        }
        Some(set)
    }

    /// Adds a member, or the range that begins with it.
    fn with_member(&mut self, member: Member, set: Set) -> Option<Set> {
        let is_range = self.begins_range();
        match member {
            Member::Character(low) if is_range => {
                self.next()?;
                let Member::Character(high) = self.member()? else { return None };
                // `a-c-e` means different things to different engines.
                (low <= high && !self.begins_range()).then(|| set.with_range(low, high))
            }
            _ if is_range => None,
            Member::Character(code) => Some(set.with_range(code, code)),
            Member::Set(members) => Some(set.union(*members)),
        }
    }

    fn begins_range(&self) -> bool {
        self.peek() == Some(b'-') && self.rest.get(1) != Some(&b']')
    }

    fn member(&mut self) -> Option<Member> {
        match self.next()? {
            b'[' if self.peek() == Some(b':') => self.posix().map(Box::new).map(Member::Set),
            // What a set within regardless of case is negated for, the engine knows.
            b'[' if !self.options.ignores_case => self.brackets().map(Box::new).map(Member::Set),
            b'[' => None,
            b'\\' => {
                let letter = self.next()?;
                self.member_behind_backslash(letter).filter(|member| self.is_known(member))
            }
            first @ 0x80.. => self.foreign(first).map(Member::Character),
            byte => Some(Member::Character(byte.into())),
        }
    }

    fn is_known(&self, member: &Member) -> bool {
        !self.options.ignores_case || matches!(member, Member::Character(..0x80) | Member::Set(_))
    }

    /// A character beyond ASCII, whose first byte was read.
    fn foreign(&mut self, first: u8) -> Option<u32> {
        let bytes = self.foreign_bytes(first)?;
        std::str::from_utf8(&bytes).ok()?.chars().next().map(u32::from)
    }

    /// `[:alpha:]` or `[:^alpha:]`, whose bracket was read.
    fn posix(&mut self) -> Option<Set> {
        self.next()?;
        let is_negated = self.eat(b"^");
        let len = self.rest.iter().position(|byte| *byte == b':')?;
        let set = self.named(len)?;
        self.eat(b":]").then(|| if is_negated { set.negated() } else { set })
    }
}

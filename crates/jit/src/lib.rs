//! The optimizing compiler: machine code for a method or a loop with values in machine registers.
//!
//! # How
//! A *unit* is what can be reached from one place of a method, block or script: its start, or the head of a loop. [`compile`]
//! reads its instructions ([`flow`]), follows calls whose target the inline caches name, and builds a [`Graph`] of values in
//! SSA form ([`build`]); what nobody uses goes ([`clean`]), each value gets a machine register
//! ([`allocate`]), and [`emit`] writes the code.
//!
//! Types are guesses. A value that nothing is known of is looked at: [`World`] tells what the frame, an object's field or an array
//! holds at this moment, and a *guard* checks that later ones are alike. A guard that fails *exits*: the code stores what lives into the
//! registers of the frame, pushes the frames of inlined calls, and goes on in the interpreter at the instruction where the guard stands.
//!
//! # Invariants
//! * Between two calls nothing changes but by the code itself: polls leave it. So what was checked holds until the next call.
//! * An instruction that exits has done nothing yet that the interpreter would do a second time.
//! * An exit stores what the interpreter reads from there on, or what an error handler there reads; locals of inlined frames all.
//!
//! # Not here
//! What an object looks like, and what a cell says: [`World`]. Installing and leaving units: `vm`.
#![forbid(unsafe_code)]

mod allocate;
mod build;
mod clean;
mod emit;
mod flow;
mod graph;
mod hoist;
mod print;
mod tables;
mod verify;
mod world;

#[cfg(test)]
mod tests;

pub use emit::{GIVEN_UP, Machine};
pub use graph::Graph;
pub use world::{
    Answer, Beside, BesideAt, Bound, Call, CodeId, Constant, Construction, Epoch, Field, Given, InPlace, Layout, Leaf,
    Members, OfShape, Operand, Place, Plain, Primitive, Rest, Runner, Sample, Sent, SentTo, Splat, Target, World,
};

/// What to compile: the code, and the word where it is entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unit {
    pub code: CodeId,
    pub word: u32,
}

/// Why there is no machine code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// There is no loop around the word.
    NoLoop,
    /// A loop around the word can be entered elsewhere than at its head.
    SeveralEntries,
    /// Most of it would be run as the first tier runs it.
    NoGain,
    /// Too many instructions, values or registers.
    TooLarge,
}

/// A unit that takes more than one call of [`compile`].
pub struct Begun(build::Begun);

/// Machine code for a unit. `show` sees the graph as it is emitted. `None`: it takes long, and is to be asked for again with `begun`
/// as it is left.
pub fn compile(
    world: &dyn World,
    unit: Unit,
    begun: &mut Option<Begun>,
    show: &mut dyn FnMut(&Graph),
) -> Result<Option<Machine>, Refusal> {
    let Begun(begun) = begun.get_or_insert_with(|| Begun(build::Begun::new(false)));
    loop {
        let Some(mut graph) = build::build(world, unit, begun)? else { return Ok(None) };
        match finish(&mut graph, show) {
            Ok(allocation) => return Ok(Some(emit::emit(&graph, &allocation, world, unit))),
            Err(Refusal::TooLarge) => {
                *begun = begun.with_less_alive(&graph).ok_or(Refusal::TooLarge)?;
                if world.layout().is_choosy {
                    return Ok(None);
                }
            }
            Err(refusal) => return Err(refusal),
        }
    }
}

/// The last steps of a graph, and where its values are.
fn finish(graph: &mut Graph, show: &mut dyn FnMut(&Graph)) -> Result<allocate::Allocation, Refusal> {
    hoist::hoist(graph);
    clean::clean(graph);
    check(graph, || verify::verify(graph));
    show(graph);
    let allocation = allocate::allocate(graph)?;
    check(graph, || verify::verify_allocation(graph, &allocation));
    Ok(allocation)
}

fn check(graph: &Graph, verify: impl Fn() -> Result<(), String>) {
    if cfg!(debug_assertions)
        && let Err(what) = verify()
    {
        panic!("{what}\n{}", print::print(graph));
    }
}

/// The graph as text.
pub fn printed(graph: &Graph) -> String {
    print::print(graph)
}

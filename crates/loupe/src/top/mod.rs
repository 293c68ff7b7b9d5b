//! `loupe top`: what a running process allocates and holds, anew each second.
//!
//! # How
//! The process samples its allocations while somebody looks, and tells its memory and collections when it is asked. On a terminal the
//! picture is drawn over the last one, and keys choose what it shows; elsewhere pictures follow each other as text.
//!
//! # Code map
//! `view`: the picture as lines of text, of what was measured. `screen`: the terminal: its settings, its size, keys.

mod screen;
mod view;

use crate::arguments::TopOptions;
use crate::attach;
use crate::channel::Channel;
use crate::failure::Failure;
use carat::Ended;
use screen::{Key, Screen};
use std::io::IsTerminal;
use std::time::{Duration, Instant};
pub(crate) use view::View;
use view::{ClassRow, Figures, State, Status};

/// Classes that are asked for.
const CLASSES: usize = 500;

pub(crate) fn run(options: &TopOptions) -> Result<Ended, Failure> {
    let mut channel = Channel::to(options.process)?;
    let _: bool = channel.ask(&format!("watch {}", options.every))?;
    let mut state = State::new(options.view, options.interval);
    let is_screen = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    match is_screen {
        true => on_screen(&mut channel, &mut state, options),
        false => as_text(&mut channel, &mut state, options),
    }
}

/// A picture after each interval, until the process ends or there were as many as were asked for.
fn as_text(channel: &mut Channel, state: &mut State, options: &TopOptions) -> Result<Ended, Failure> {
    state.add(measure(channel, state.view)?);
    for number in 0..options.count.unwrap_or(u64::MAX) {
        std::thread::sleep(state.interval);
        state.add(measure(channel, state.view)?);
        let mut text = state.lines(PLAIN_WIDTH, options.top + view::HEAD_LINES).join("\n") + "\n";
        if number > 0 {
            text.insert(0, '\n');
        }
        crate::print(&text)?;
    }
    Ok(Ended::Code(0))
}

/// Columns where there is no terminal.
const PLAIN_WIDTH: usize = 120;

fn on_screen(channel: &mut Channel, state: &mut State, options: &TopOptions) -> Result<Ended, Failure> {
    let screen = Screen::open()?;
    state.add(measure(channel, state.view)?);
    let mut left = options.count.unwrap_or(u64::MAX);
    let mut next = Instant::now() + state.interval;
    while left > 0 {
        let (width, height) = screen.size();
        screen.draw(&state.lines(width, height))?;
        match screen.key(next.saturating_duration_since(Instant::now())) {
            Some(Key::Quit) => return Ok(Ended::Code(0)),
            Some(key) => {
                let before = state.view;
                state.press(key);
                if state.view != before && state.view == View::Classes {
                    next = Instant::now();
                }
            }
            None => {}
        }
        if Instant::now() >= next {
            if !state.is_paused {
                state.add(measure(channel, state.view)?);
                left -= 1;
            }
            next = Instant::now() + state.interval;
        }
    }
    Ok(Ended::Code(0))
}

fn measure(channel: &mut Channel, view: View) -> Result<Figures, Failure> {
    let status: Status = channel.ask("status")?;
    let text = channel.ask_text("take", Duration::ZERO)?;
    let samples = attach::report(channel, &text)?;
    // Classes are counted object by object: only while somebody looks at them.
    let classes: Vec<ClassRow> =
        if view == View::Classes { channel.ask(&format!("classes {CLASSES}"))? } else { Vec::new() };
    Ok(Figures { status, samples, classes })
}

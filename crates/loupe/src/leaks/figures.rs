//! The JSON of `loupe leaks`, which `docs/loupe-leaks.schema.json` describes.

use super::live::{Begun, Growth, Moment, Watched};
use super::show::Writer;
use super::source::Written;
use super::{Leak, Leaks, Stayed};
use crate::failure::Failure;
use crate::path::Step;
use crate::report::Amount;
use serde::Serialize;

/// Version of the JSON form.
const FORMAT: u32 = 1;

#[derive(Serialize)]
pub(super) struct Figures {
    loupe_leaks: u32,
    /// Missing where dumps were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    process: Option<Process>,
    total: Amount,
    leaks: Vec<LeakFigures>,
}

/// A process that ran while it was looked at.
#[derive(Serialize)]
struct Process {
    number: u32,
    program: String,
    seconds: f64,
    moments: Vec<MomentFigures>,
    /// What growth is told for: a call of the method, or else a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<String>,
}

#[derive(Serialize)]
struct MomentFigures {
    seconds: f64,
    requests: Option<u64>,
    collections: u64,
    resident_bytes: Option<u64>,
}

#[derive(Serialize)]
struct LeakFigures {
    total: Amount,
    /// Kind of the root, and the objects from there to the one that keeps what stayed.
    root: Option<String>,
    way: Vec<StepFigures>,
    written: Vec<WrittenFigures>,
    /// Entries of a collection that grew from one moment to the next.
    entries: Vec<u64>,
    stayed: Vec<StayedFigures>,
}

#[derive(Serialize)]
struct StepFigures {
    address: String,
    what: String,
}

#[derive(Serialize)]
struct WrittenFigures {
    file: String,
    line: i32,
    source: Option<String>,
    /// The frame, the core's method that was called there, and how often; nothing of these where the source alone tells.
    label: Option<String>,
    callee: Option<String>,
    stores: Option<u64>,
}

#[derive(Serialize)]
struct StayedFigures {
    class: String,
    file: Option<String>,
    line: Option<i32>,
    amount: Amount,
    growth: Option<GrowthFigures>,
}

#[derive(Serialize)]
struct GrowthFigures {
    bytes: f64,
    objects: f64,
    fit: f64,
}

impl Figures {
    pub(super) fn of(leaks: &Leaks) -> Figures {
        Figures { loupe_leaks: FORMAT, process: None, total: leaks.total, leaks: Vec::new() }
    }

    /// Says what process it was.
    pub(super) fn set_process(&mut self, number: u32, begun: &Begun, moments: &[Moment], has_requests: bool) {
        let start = moments.first().map_or(0.0, |moment| moment.time);
        let figures = |moment: &Moment| MomentFigures {
            seconds: moment.time - start,
            requests: moment.requests,
            collections: moment.collections,
            resident_bytes: moment.resident,
        };
        self.process = Some(Process {
            number,
            program: begun.program.clone(),
            seconds: moments.last().map_or(0.0, |moment| moment.time) - start,
            moments: moments.iter().map(figures).collect(),
            request: begun.request.clone().filter(|_| has_requests),
        });
    }

    /// Adds a leak; `growth` tells it of each kind of object that stayed.
    pub(super) fn add(
        &mut self,
        leak: &Leak,
        written: Option<&Written>,
        entries: Vec<u64>,
        growth: &dyn Fn(&Stayed) -> Option<Growth>,
    ) {
        let step = |step: &Step| StepFigures { address: format!("{:#x}", step.address), what: step.what.clone() };
        let stayed = |stayed: &Stayed| StayedFigures {
            class: stayed.class.clone(),
            file: stayed.place.as_ref().map(|(file, _)| file.clone()),
            line: stayed.place.as_ref().map(|(_, line)| *line),
            amount: stayed.amount,
            growth: growth(stayed).map(|Growth { bytes, objects, fit }| GrowthFigures { bytes, objects, fit }),
        };
        let told = |written: &Written| WrittenFigures {
            file: written.file.clone(),
            line: written.line,
            source: Some(written.text.clone()),
            label: None,
            callee: None,
            stores: None,
        };
        self.leaks.push(LeakFigures {
            total: leak.total,
            root: leak.way.as_ref().map(|way| way.category.clone()),
            way: leak.way.iter().flat_map(|way| way.steps.iter().map(step)).collect(),
            written: written.into_iter().map(told).collect(),
            entries,
            stayed: leak.stayed.iter().map(stayed).collect(),
        });
    }

    /// Of the last leak, who was seen storing something in its holder.
    pub(super) fn add_writers(&mut self, watched: &Watched) {
        let seen = |writer: &Writer| WrittenFigures {
            file: writer.0.clone(),
            line: writer.1,
            source: None,
            label: Some(writer.2.clone()),
            callee: writer.3.clone(),
            stores: Some(writer.4),
        };
        if let Some(leak) = self.leaks.last_mut() {
            leak.written.extend(watched.writers.iter().map(seen));
        }
    }

    pub(super) fn write(&self, path: &str) -> Result<(), Failure> {
        let mut json = serde_json::to_vec_pretty(self).map_err(|error| Failure::new(format!("{path}: {error}")))?;
        json.push(b'\n');
        crate::trial::write_file(path, &json)
    }
}

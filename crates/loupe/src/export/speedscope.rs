//! speedscope's file format: frames once, and a sampled profile for each of the sums that has anything.

use super::{Mode, Unit};
use crate::report::Stacks;
use serde_json::{Value, json};

const SCHEMA: &str = "https://www.speedscope.app/file-format-schema.json";

pub(crate) fn profile(program: &str, stacks: &Stacks) -> Value {
    let frames = stacks.frames.iter().map(|frame| match frame.file.is_empty() {
        true => json!({ "name": frame.name }),
        false => json!({ "name": frame.name, "file": frame.file, "line": frame.line }),
    });
    let each = Mode::ALL.into_iter().flat_map(|mode| Unit::ALL.map(|unit| (mode, unit)));
    let profiles: Vec<Value> = each.filter_map(|(mode, unit)| sampled(program, stacks, mode, unit)).collect();
    json!({
        "$schema": SCHEMA,
        "name": program,
        "exporter": concat!("loupe ", env!("CARGO_PKG_VERSION")),
        "activeProfileIndex": 0,
        "shared": { "frames": frames.collect::<Vec<_>>() },
        "profiles": profiles,
    })
}

fn sampled(program: &str, stacks: &Stacks, mode: Mode, unit: Unit) -> Option<Value> {
    let (mut samples, mut weights) = (Vec::new(), Vec::new());
    for (index, node) in stacks.nodes.iter().enumerate() {
        let weight = unit.of(node.amount(mode));
        if weight > 0 {
            samples.push(stacks.frames_of(index));
            weights.push(weight);
        }
    }
    let end: u64 = weights.iter().fold(0, |sum, weight| sum.saturating_add(*weight));
    (end > 0).then(|| {
        json!({
            "type": "sampled",
            "name": format!("{program}: {} {}", mode.name(), unit.name()),
            "unit": if unit == Unit::Bytes { "bytes" } else { "none" },
            "startValue": 0,
            "endValue": end,
            "samples": samples,
            "weights": weights,
        })
    })
}

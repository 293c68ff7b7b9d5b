//! The processed format of the Firefox profiler: tables of columns. Each of the sums is a thread with a sample for each stack,
//! whose weight is in bytes; categories are gems. Version 44 of the format; the profiler brings older ones up to date itself.

use super::Mode;
use crate::report::{Frame, Report, Stacks};
use serde_json::{Value, json};
use std::collections::HashMap;

const VERSION: u32 = 44;
/// The colours that the profiler knows, but for grey, which is for what has no gem.
const COLOURS: [&str; 8] = ["blue", "green", "orange", "purple", "yellow", "magenta", "lightblue", "red"];

pub(crate) fn profile(report: &Report, stacks: &Stacks) -> Value {
    let gems = Gems::of(stacks);
    let used = Mode::ALL.into_iter().filter(|mode| stacks.nodes.iter().any(|node| node.amount(*mode).bytes > 0));
    let threads: Vec<Value> =
        used.enumerate().map(|(number, mode)| thread(report, stacks, &gems, mode, number)).collect();
    json!({
        "meta": {
            "categories": gems.categories(),
            "debug": false,
            "extensions": { "length": 0, "baseURL": [], "id": [], "name": [] },
            "interval": 1.0,
            "preprocessedProfileVersion": VERSION,
            "processType": 0,
            "product": format!("loupe: {}", report.program),
            "sampleUnits": { "time": "ms", "eventDelay": "ms", "threadCPUDelta": "ns" },
            "startTime": 0.0,
            "stackwalk": 0,
            "symbolicated": true,
            "pausedRanges": [],
            "version": 24,
            "usesOnlyOneStackType": true,
            "doesNotUseFrameImplementation": true,
            "sourceCodeIsNotOnSearchfox": true,
            "markerSchema": [],
        },
        "libs": [],
        "pages": [],
        "counters": [],
        "profilerOverhead": [],
        "threads": threads,
    })
}

struct Gems<'a> {
    /// In the order of their categories; the first is for no gem.
    names: Vec<&'a str>,
    numbers: HashMap<&'a str, usize>,
}

impl<'a> Gems<'a> {
    fn of(stacks: &'a Stacks) -> Gems<'a> {
        let mut gems = Gems { names: vec!["core"], numbers: HashMap::from([("core", 0)]) };
        for frame in &stacks.frames {
            if !gems.numbers.contains_key(&*frame.gem) {
                gems.numbers.insert(&frame.gem, gems.names.len());
                gems.names.push(&frame.gem);
            }
        }
        gems
    }

    fn categories(&self) -> Vec<Value> {
        let colour = |index: usize| if index == 0 { "grey" } else { COLOURS[(index - 1) % COLOURS.len()] };
        let category =
            |(index, name): (usize, &&str)| json!({ "name": name, "color": colour(index), "subcategories": ["Other"] });
        self.names.iter().enumerate().map(category).collect()
    }
}

/// Texts, each once.
#[derive(Default)]
struct Texts<'a> {
    list: Vec<&'a str>,
    numbers: HashMap<&'a str, usize>,
}

impl<'a> Texts<'a> {
    fn number(&mut self, text: &'a str) -> usize {
        *self.numbers.entry(text).or_insert_with(|| {
            self.list.push(text);
            self.list.len() - 1
        })
    }
}

fn thread(report: &Report, stacks: &Stacks, gems: &Gems<'_>, mode: Mode, number: usize) -> Value {
    let mut texts = Texts::default();
    let frames = &stacks.frames;
    let count = frames.len();
    let all = |value: Value| vec![value; count];
    let names: Vec<usize> = frames.iter().map(|frame| texts.number(&frame.name)).collect();
    let has_file = |frame: &Frame| !frame.file.is_empty();
    let files: Vec<Option<usize>> =
        frames.iter().map(|frame| has_file(frame).then(|| texts.number(&frame.file))).collect();
    let lines: Vec<Option<i32>> = frames.iter().map(|frame| has_file(frame).then_some(frame.line)).collect();
    let categories: Vec<usize> = frames.iter().map(|frame| gems.numbers[&*frame.gem]).collect();
    let of_node: Vec<usize> = stacks.nodes.iter().map(|node| categories[node.frame as usize]).collect();
    let weighed = stacks.nodes.iter().enumerate().map(|(at, node)| (at, node.amount(mode).bytes));
    let sampled: Vec<(usize, u64)> = weighed.filter(|(_, bytes)| *bytes > 0).collect();
    json!({
        "name": format!("{} bytes", mode.name()),
        "isMainThread": number == 0,
        "processType": "default",
        "processName": report.program,
        "processStartupTime": 0,
        "processShutdownTime": null,
        "registerTime": 0,
        "unregisterTime": null,
        "pausedRanges": [],
        "pid": "1",
        "tid": number + 1,
        "stringArray": texts.list,
        "markers": { "length": 0, "category": [], "data": [], "endTime": [], "name": [], "phase": [], "startTime": [] },
        "nativeSymbols": { "length": 0, "address": [], "functionSize": [], "libIndex": [], "name": [] },
        "resourceTable": { "length": 0, "lib": [], "name": [], "host": [], "type": [] },
        "funcTable": {
            "length": count,
            "name": names,
            "isJS": all(json!(false)),
            "relevantForJS": all(json!(false)),
            "resource": all(json!(-1)),
            "fileName": files,
            "lineNumber": lines,
            "columnNumber": all(Value::Null),
        },
        "frameTable": {
            "length": count,
            "address": all(json!(-1)),
            "inlineDepth": all(json!(0)),
            "category": categories,
            "subcategory": all(json!(0)),
            "func": (0..count).collect::<Vec<_>>(),
            "nativeSymbol": all(Value::Null),
            "innerWindowID": all(json!(0)),
            "implementation": all(Value::Null),
            "line": lines,
            "column": all(Value::Null),
            "optimizations": all(Value::Null),
        },
        "stackTable": {
            "length": stacks.nodes.len(),
            "prefix": stacks.nodes.iter().map(|node| node.parent).collect::<Vec<_>>(),
            "frame": stacks.nodes.iter().map(|node| node.frame).collect::<Vec<_>>(),
            "category": of_node,
            "subcategory": vec![0; stacks.nodes.len()],
        },
        "samples": {
            "length": sampled.len(),
            "stack": sampled.iter().map(|(at, _)| *at).collect::<Vec<_>>(),
            "time": (0..sampled.len()).collect::<Vec<_>>(),
            "weight": sampled.iter().map(|(_, bytes)| *bytes).collect::<Vec<_>>(),
            "weightType": "bytes",
        },
    })
}

//! `loupe run`: a program with its allocations recorded, and the report of them, however it ends.

use crate::arguments::RunOptions;
use crate::failure::Failure;
use crate::report::Report;
use crate::text::{self, Style};
use crate::{html, record};
use carat::{Ended, Observer, OtherTexts};
use carat_vm::Ec;
use carat_vm::recorder::Detail;
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::{Duration, Instant};

pub(crate) fn run(options: &RunOptions) -> Result<Ended, Failure> {
    // What cannot be written is known before the program runs.
    for path in [&options.output, &options.json, &options.html].into_iter().flatten() {
        std::fs::OpenOptions::new().append(true).create(true).open(path).map_err(|e| Failure::of_file(path, &e))?;
    }
    let failed = Arc::new(AtomicI32::new(0));
    let observer = Observer {
        other_texts: other_texts(options)?,
        begin: &mut |ec| {
            if !options.unrecorded {
                ec.keep_ledger(Detail { stacks: !options.no_stacks });
                ec.start_recording();
            }
        },
        end: Box::new(end_of_run(options.clone(), failed.clone())),
    };
    let ended = carat::observed("loupe", &options.program, carat::stack_bytes(), observer).map_err(Failure::new)?;
    match failed.load(Ordering::Acquire) {
        0 => Ok(ended),
        status => Ok(Ended::Code(status)),
    }
}

fn other_texts(options: &RunOptions) -> Result<OtherTexts, Failure> {
    let read = |(file, text): &(String, String)| {
        let text = std::fs::read(text).map_err(|error| Failure::of_file(text, &error))?;
        Ok((file.clone(), text))
    };
    options.instead.iter().map(read).collect()
}

/// Stops recording and writes the report. What goes wrong is told at once, for a program that ends by `exit!` ends here; the
/// status it asks for is left in `failed`.
fn end_of_run(options: RunOptions, failed: Arc<AtomicI32>) -> impl FnOnce(&mut Ec) + Send {
    let (start, own_process) = (Instant::now(), std::process::id());
    let progress = Progress::start();
    move |ec| {
        ec.stop_recording();
        progress.stop();
        // A forked child ends here too, but the report is its parent's.
        if std::process::id() == own_process {
            let program = name_of(&options.program);
            let report = record::report(ec, &program, start.elapsed().as_secs_f64(), &options);
            if let Err(failure) = write(&report, &options) {
                failure.tell();
                failed.store(failure.status, Ordering::Release);
            }
        }
    }
}

/// The first word that is neither an option nor the value of one.
fn name_of(program: &[String]) -> String {
    let mut words = program.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-e" => return "-e".into(),
            "-I" | "-r" => drop(words.next()),
            _ if word.starts_with('-') && word != "-" => {}
            _ => return word.clone(),
        }
    }
    "-".into()
}

fn write(report: &Report, options: &RunOptions) -> Result<(), Failure> {
    if let Some(path) = &options.json {
        let mut json = serde_json::to_vec_pretty(report).map_err(|e| Failure::new(format!("{path}: {e}")))?;
        json.push(b'\n');
        std::fs::write(path, json).map_err(|e| Failure::of_file(path, &e))?;
    }
    if let Some(path) = &options.html {
        std::fs::write(path, html::page(report)?).map_err(|e| Failure::of_file(path, &e))?;
    }
    if options.quiet {
        return Ok(());
    }
    let style = Style { top: options.top, scale_bytes: options.scale_bytes, normalize_paths: options.normalize_paths };
    let text = text::render(report, style);
    match &options.output {
        Some(path) => std::fs::write(path, text).map_err(|e| Failure::of_file(path, &e)),
        None => crate::print(&text).map(drop),
    }
}

/// Tells a terminal, once a second, that the program still runs.
struct Progress {
    is_over: Arc<AtomicBool>,
}

impl Progress {
    fn start() -> Progress {
        let is_over = Arc::new(AtomicBool::new(!std::io::stderr().is_terminal()));
        let (watched, start) = (is_over.clone(), Instant::now());
        if !is_over.load(Ordering::Acquire) {
            std::thread::spawn(move || {
                while !watched.load(Ordering::Acquire) {
                    std::thread::sleep(Duration::from_secs(1));
                    if !watched.load(Ordering::Acquire) {
                        let _ = write!(std::io::stderr(), "\rloupe: {} s \r", start.elapsed().as_secs());
                    }
                }
            });
        }
        Progress { is_over }
    }

    /// Wipes what was told, before anybody else writes there.
    fn stop(&self) {
        if !self.is_over.swap(true, Ordering::AcqRel) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

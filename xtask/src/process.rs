//! Running a child with a time limit, its output captured and its peak memory watched.
//!
//! A child gets a process group of its own, so that a limit ends its descendants as well. Peak memory is the kernel's
//! high-water mark of the process (`VmHWM`), read while it runs: unlike `ru_maxrss` it starts afresh at `exec`, and it only
//! grows, so that the last sample misses what the last few milliseconds added and nothing else.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// How one child ended.
pub(crate) struct Outcome {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) timed_out: bool,
    pub(crate) elapsed: Duration,
    pub(crate) peak_kib: u64,
}

/// How long to wait between looks at a child: short beside the second that a benchmark runs.
const LOOK_EVERY: Duration = Duration::from_millis(1);
/// How long the output of a child that has ended may stay open in a descendant.
const LINGER: Duration = Duration::from_secs(2);

/// Runs `command` to its end or to the end of `limit`.
pub(crate) fn run(command: &mut Command, limit: Duration) -> Result<Outcome, String> {
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(|error| format!("cannot run {}: {error}", command.get_program().display()))?;
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let (status, timed_out, peak_kib) = watch(&mut child, start + limit)?;
    let elapsed = start.elapsed();
    let group = child.id();
    Ok(Outcome { status, stdout: collect(stdout, group), stderr: collect(stderr, group), timed_out, elapsed, peak_kib })
}

fn watch(child: &mut Child, deadline: Instant) -> Result<(ExitStatus, bool, u64), String> {
    let mut peak_kib = 0;
    let mut timed_out = false;
    loop {
        peak_kib = peak_kib.max(high_water_kib(child.id()));
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok((status, timed_out, peak_kib));
        }
        if !timed_out && Instant::now() > deadline {
            timed_out = true;
            kill_group(child.id());
        }
        thread::sleep(LOOK_EVERY);
    }
}

fn high_water_kib(pid: u32) -> u64 {
    let Ok(status) = std::fs::read_to_string(format!("/proc/{pid}/status")) else { return 0 };
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|value| value.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

/// The standard library signals single processes only; `kill` is in every POSIX system's path.
fn kill_group(leader: u32) {
    let group = format!("-{leader}");
    let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
}

fn drain(stream: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        let _ = sender.send(bytes);
    });
    receiver
}

fn collect(receiver: Receiver<Vec<u8>>, group: u32) -> Vec<u8> {
    receiver.recv_timeout(LINGER).unwrap_or_else(|_| {
        kill_group(group);
        receiver.recv_timeout(LINGER).unwrap_or_default()
    })
}

/// Applies `work` to every item on `jobs` threads; the results keep the items' order.
pub(crate) fn parallel<T: Sync, R: Send>(items: &[T], jobs: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = Mutex::new(0..items.len());
    let results = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let Some(index) = next.lock().expect("no worker panics with the lock").next() else { break };
                    let result = work(&items[index]);
                    results.lock().expect("no worker panics with the lock").push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no worker panics with the lock");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// As many jobs as the machine runs at once.
pub(crate) fn default_jobs() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Outcome {
        run(Command::new("sh").args(["-c", script]), limit).unwrap()
    }

    #[test]
    fn output_and_status_are_captured() {
        let outcome = shell("echo out; echo err >&2; exit 3", Duration::from_secs(10));
        assert_eq!((outcome.stdout.as_slice(), outcome.stderr.as_slice()), (&b"out\n"[..], &b"err\n"[..]));
        assert_eq!((outcome.status.code(), outcome.timed_out), (Some(3), false));
    }

    #[test]
    fn limit_ends_descendants_too() {
        let start = Instant::now();
        let outcome = shell("sleep 30 & sleep 30", Duration::from_millis(50));
        assert!(outcome.timed_out && !outcome.status.success());
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn peak_memory_is_seen() {
        assert!(shell("sleep 0.05", Duration::from_secs(10)).peak_kib > 100);
    }

    #[test]
    fn parallel_keeps_the_order() {
        let items: Vec<u32> = (0..100).collect();
        assert_eq!(parallel(&items, 4, |item| item * 2), items.iter().map(|item| item * 2).collect::<Vec<_>>());
    }
}

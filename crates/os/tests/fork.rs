//! Forks while other threads begin and end. The only test of its program, because those that run tests are started by somebody else.

use carat_os::process::{exit_now, fork, kill, wait};
use carat_os::thread::spawn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Builder;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: carat_os::Mimalloc = carat_os::Mimalloc;

const PATIENCE: Duration = Duration::from_secs(20);

/// Starts threads, one after the other.
fn come_and_go(is_over: &AtomicBool) {
    while !is_over.load(Ordering::Relaxed) {
        spawn(Builder::new(), || drop(vec![Box::new(1); 100])).expect("a thread").join().expect("it ends");
    }
}

fn live_as_child() -> ! {
    let begun = spawn(Builder::new(), || vec![1; 100]);
    let sum: i32 = begun.ok().and_then(|thread| thread.join().ok()).map_or(0, |list| list.iter().sum());
    exit_now(i32::from(sum != 100));
}

/// The status of a child, which is killed if it does not end.
fn status_of(pid: i32) -> i32 {
    let begun = Instant::now();
    loop {
        match wait(pid, carat_os::c::WNOHANG).expect("a status") {
            (0, _) if begun.elapsed() > PATIENCE => drop(kill(pid, carat_os::c::SIGKILL)),
            (0, _) => std::thread::sleep(Duration::from_millis(1)),
            (_, status) => return status,
        }
    }
}

#[test]
fn children_allocate_whatever_other_threads_did_at_the_fork() {
    let is_over = Arc::new(AtomicBool::new(false));
    let begin = |_| {
        let is_over = is_over.clone();
        spawn(Builder::new(), move || come_and_go(&is_over)).expect("a thread")
    };
    let others: Vec<_> = (0..2).map(begin).collect();
    let mut failed = None;
    for _ in 0..1_000 {
        let pid = fork(|fork| fork()).expect("a child");
        if pid == 0 {
            live_as_child();
        }
        failed = Some(status_of(pid)).filter(|status| *status != 0);
        if failed.is_some() {
            break;
        }
    }
    is_over.store(true, Ordering::Relaxed);
    others.into_iter().for_each(|thread| thread.join().expect("it ends"));
    assert_eq!(failed, None, "a child waited for ever, or failed");
}

//! Deflating and inflating: `Zlib::Codec`, which streams are made of.

use carat_vm::{Class, Data, Ec, NativeData, Result, Str, Unwind, Value, methods};
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

methods! {
    METHODS {
        static "deflate" => new_deflate;
        static "inflate" => new_inflate;
        "run" => run;
        "reset" => reset;
        "release" => release;
        "consumed" => consumed;
        "finished?" => is_finished;
        "total_in" => total_in;
        "total_out" => total_out;
        "set_dictionary" => set_dictionary;
        "level=" => set_level;
        "initialize_copy" => initialize_copy;
    }
}

enum Kind {
    Deflate(Compress),
    Inflate(Decompress),
}

/// What a stream is made of, at first and after `reset`.
#[derive(Clone, Copy)]
enum Settings {
    Deflate { level: i64, window_bits: i64 },
    Inflate { window_bits: i64 },
}

impl Settings {
    /// `None` for window bits or a level that do not exist.
    fn make(self) -> Option<Kind> {
        match self {
            Settings::Deflate { level, window_bits } => deflater(level, window_bits).map(Kind::Deflate),
            Settings::Inflate { window_bits } => inflater(window_bits).map(Kind::Inflate),
        }
    }

    /// What zlib says of itself with the usual window.
    fn bytes(self) -> usize {
        match self {
            Settings::Deflate { .. } => 256 << 10,
            Settings::Inflate { .. } => 40 << 10,
        }
    }
}

enum State {
    Ready(Kind),
    /// The codec is with who runs it.
    Running,
    /// What came last is out: the memory is given back, and how much went in and out is kept.
    Ended {
        total_in: u64,
        total_out: u64,
    },
}

struct Codec {
    settings: Settings,
    state: State,
    /// Bytes of the last input that were used.
    consumed: usize,
    is_finished: bool,
}

impl NativeData for Codec {
    const NAME: &'static str = "zlib";

    fn mark(&self, _mark: &mut dyn FnMut(Value)) {}

    fn memsize(&self) -> usize {
        size_of::<Codec>() + self.counted()
    }

    fn counted(&self) -> usize {
        if matches!(self.state, State::Ended { .. }) { 0 } else { self.settings.bytes() }
    }
}

/// The window that `Zlib::MAX_WBITS` names.
const MAX_WINDOW_BITS: i64 = 15;

pub(super) fn define(ec: &mut Ec, module: Class) {
    let class = ec.new_class(ec.vm().known().object);
    class.set_allocator(None);
    class.define_methods(ec, METHODS);
    module.set_constant(ec, ec.vm().intern("Codec"), class.value());
}

fn new_codec(ec: &mut Ec, class: Class, settings: Settings) -> Result {
    let Some(kind) = settings.make() else { return Err(error(ec, "StreamError", "stream error")) };
    let codec = Codec { settings, state: State::Ready(kind), consumed: 0, is_finished: false };
    Ok(Data::new(ec, class, codec).value())
}

fn error(ec: &mut Ec, name: &str, message: &str) -> Unwind {
    let zlib = ec.vm().known().object.nested(ec, "Zlib");
    let class = zlib.and_then(|zlib| zlib.nested(ec, name)).unwrap_or(ec.vm().known().standard_error);
    ec.error(class, message)
}

fn new_deflate(ec: &mut Ec, this: Class, level: i64, window_bits: i64) -> Result {
    new_codec(ec, this, Settings::Deflate { level, window_bits })
}

fn new_inflate(ec: &mut Ec, this: Class, window_bits: i64) -> Result {
    new_codec(ec, this, Settings::Inflate { window_bits })
}

/// Positive window bits are for the format of zlib, negative ones for none, those beyond 15 for gzip's.
fn deflater(level: i64, window_bits: i64) -> Option<Compress> {
    let level = match level {
        -1 => Compression::default(),
        0..=9 => Compression::new(level as u32),
        _ => return None,
    };
    Some(match window_bits {
        9..=MAX_WINDOW_BITS => Compress::new_with_window_bits(level, true, window_bits as u8),
        -15..=-9 => Compress::new_with_window_bits(level, false, (-window_bits) as u8),
        // A window of 256 bytes is what zlib takes for one of 512.
        8 | -8 => Compress::new_with_window_bits(level, window_bits > 0, 9),
        25..=31 => Compress::new_gzip(level, (window_bits - 16) as u8),
        _ => return None,
    })
}

fn inflater(window_bits: i64) -> Option<Decompress> {
    match window_bits {
        0 => Some(Decompress::new_with_window_bits(true, MAX_WINDOW_BITS as u8)),
        8..=MAX_WINDOW_BITS => Some(Decompress::new_with_window_bits(true, window_bits.max(9) as u8)),
        -15..=-8 => Some(Decompress::new_with_window_bits(false, (-window_bits).max(9) as u8)),
        25..=31 => Some(Decompress::new_gzip((window_bits - 16) as u8)),
        _ => None,
    }
}

/// How the input that there is ends: as in zlib's constants.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flush {
    None,
    Sync,
    Full,
    Finish,
}

impl Flush {
    fn of(number: i64) -> Flush {
        match number {
            2 => Flush::Sync,
            3 => Flush::Full,
            4 => Flush::Finish,
            _ => Flush::None,
        }
    }

    /// Whether it is a mistake to ask for this when nothing was written since.
    fn is_idle(self, kind: &Kind) -> bool {
        matches!((self, kind), (Flush::Sync | Flush::Full, Kind::Deflate(_)))
    }

    fn compressing(self) -> FlushCompress {
        match self {
            Flush::None => FlushCompress::None,
            Flush::Sync => FlushCompress::Sync,
            Flush::Full => FlushCompress::Full,
            Flush::Finish => FlushCompress::Finish,
        }
    }
}

/// What came of one step.
enum Outcome {
    /// There may be more to come of the same input.
    More,
    /// Input is wanted, or the end was reached.
    Done,
    /// Nothing was there to flush.
    Idle,
    NeedsDictionary,
    Failed(String),
}

/// Room that output is given at a time; between two polls not much more is written.
const ROOM: usize = 32 << 10;

/// `run(input, flush)`: what comes out.
fn run(ec: &mut Ec, this: Data<Codec>, input: Str, flush: i64) -> Result<Str> {
    let input = input.snapshot(ec);
    let flush = Flush::of(flush);
    if matches!(this.get(ec).state, State::Ended { .. }) {
        this.get_mut(ec).consumed = 0;
        return Ok(Str::new(ec, b"", carat_vm::EncodingIndex::ASCII_8BIT, carat_vm::CodeRange::Unknown));
    }
    let kind = match std::mem::replace(&mut this.get_mut(ec).state, State::Running) {
        State::Ready(kind) => Some(kind),
        State::Running | State::Ended { .. } => None,
    };
    let Some(mut kind) = kind else { return Err(error(ec, "InProgressError", "zstream in progress")) };
    let mut work = Work { consumed: 0, out: Vec::new(), is_finished: this.get(ec).is_finished };
    let result = work.all(ec, &mut kind, input, flush);
    let before = this.get(ec).counted();
    let codec = this.get_mut(ec);
    (codec.consumed, codec.is_finished) = (work.consumed, work.is_finished);
    codec.state = match work.is_finished {
        true => State::Ended { total_in: kind.total_in(), total_out: kind.total_out() },
        false => State::Ready(kind),
    };
    this.recount(ec, before);
    result?;
    Str::try_new(ec, &work.out, carat_vm::EncodingIndex::ASCII_8BIT, carat_vm::CodeRange::Unknown)
}

struct Work {
    consumed: usize,
    out: Vec<u8>,
    is_finished: bool,
}

impl Work {
    fn all(&mut self, ec: &mut Ec, kind: &mut Kind, input: Str, flush: Flush) -> Result<()> {
        while !self.is_finished {
            let room = if self.out.is_empty() { ROOM.min(input.len(ec) * 2 + 64) } else { ROOM };
            ec.make_room_in(&mut self.out, room)?;
            self.out.reserve(room);
            match self.step(kind, &input.bytes(ec)[self.consumed..], flush) {
                Outcome::More => ec.check_ints()?,
                Outcome::Done => break,
                Outcome::Idle => return Err(error(ec, "BufError", "buffer error")),
                Outcome::NeedsDictionary => return Err(error(ec, "NeedDict", "need dictionary")),
                Outcome::Failed(message) => return Err(error(ec, "DataError", &message)),
            }
        }
        Ok(())
    }

    fn step(&mut self, kind: &mut Kind, input: &[u8], flush: Flush) -> Outcome {
        let before = (kind.total_in(), self.out.len());
        let status = match kind {
            Kind::Deflate(codec) => codec
                .compress_vec(input, &mut self.out, flush.compressing())
                .map_err(|e| Outcome::Failed(e.to_string())),
            Kind::Inflate(codec) => {
                let status = codec.decompress_vec(input, &mut self.out, FlushDecompress::None);
                status.map_err(|e| match e.needs_dictionary() {
                    Some(_) => Outcome::NeedsDictionary,
                    None => Outcome::Failed(e.message().unwrap_or("data error").to_string()),
                })
            }
        };
        let used = (kind.total_in() - before.0) as usize;
        self.consumed += used;
        match status {
            Ok(Status::StreamEnd) => {
                self.is_finished = true;
                Outcome::Done
            }
            Ok(Status::BufError) if flush.is_idle(kind) && self.consumed == 0 && self.out.is_empty() => Outcome::Idle,
            Ok(_) if self.out.len() == self.out.capacity() || (used > 0 && used < input.len()) => Outcome::More,
            Ok(_) if flush == Flush::Finish && matches!(kind, Kind::Deflate(_)) && self.out.len() > before.1 => {
                Outcome::More
            }
            Ok(_) => Outcome::Done,
            Err(outcome) => outcome,
        }
    }
}

impl Kind {
    fn total_in(&self) -> u64 {
        match self {
            Kind::Deflate(codec) => codec.total_in(),
            Kind::Inflate(codec) => codec.total_in(),
        }
    }

    fn total_out(&self) -> u64 {
        match self {
            Kind::Deflate(codec) => codec.total_out(),
            Kind::Inflate(codec) => codec.total_out(),
        }
    }
}

fn reset(ec: &mut Ec, this: Data<Codec>) -> Result<()> {
    let before = this.get(ec).counted();
    let codec = this.get_mut(ec);
    match &mut codec.state {
        State::Running => return Err(error(ec, "InProgressError", "zstream in progress")),
        State::Ready(Kind::Deflate(inner)) => inner.reset(),
        State::Ready(Kind::Inflate(_)) | State::Ended { .. } => {
            let kind = codec.settings.make().expect("they were good once");
            codec.state = State::Ready(kind);
        }
    }
    codec.is_finished = false;
    codec.consumed = 0;
    this.recount(ec, before);
    Ok(())
}

/// Nobody will ask for more: gives the memory back.
fn release(ec: &mut Ec, this: Data<Codec>) {
    let before = this.get(ec).counted();
    let codec = this.get_mut(ec);
    if let State::Ready(kind) = &codec.state {
        codec.state = State::Ended { total_in: kind.total_in(), total_out: kind.total_out() };
    }
    this.recount(ec, before);
}

fn initialize_copy(ec: &mut Ec, _this: Value, _other: Value) -> Result {
    Err(ec.type_error("can't copy Zlib::Codec"))
}

/// Bytes of the last input that were used.
fn consumed(ec: &mut Ec, this: Data<Codec>) -> usize {
    this.get(ec).consumed
}

fn is_finished(ec: &mut Ec, this: Data<Codec>) -> bool {
    this.get(ec).is_finished
}

fn total_in(ec: &mut Ec, this: Data<Codec>) -> Value {
    let total = match &this.get(ec).state {
        State::Ready(kind) => kind.total_in(),
        State::Running => 0,
        State::Ended { total_in, .. } => *total_in,
    };
    ec.uint(total)
}

fn total_out(ec: &mut Ec, this: Data<Codec>) -> Value {
    let total = match &this.get(ec).state {
        State::Ready(kind) => kind.total_out(),
        State::Running => 0,
        State::Ended { total_out, .. } => *total_out,
    };
    ec.uint(total)
}

fn set_dictionary(ec: &mut Ec, this: Data<Codec>, dictionary: Str) -> Result {
    let bytes = dictionary.bytes(ec).to_vec();
    let done = match &mut this.get_mut(ec).state {
        State::Ready(Kind::Deflate(codec)) => codec.set_dictionary(&bytes).is_ok(),
        State::Ready(Kind::Inflate(codec)) => codec.set_dictionary(&bytes).is_ok(),
        State::Running => return Err(error(ec, "InProgressError", "zstream in progress")),
        State::Ended { .. } => false,
    };
    if done { Ok(dictionary.value()) } else { Err(error(ec, "StreamError", "stream error")) }
}

fn set_level(ec: &mut Ec, this: Data<Codec>, level: i64) -> Result<()> {
    let compression = if level < 0 { Compression::default() } else { Compression::new(level.min(9) as u32) };
    let codec = this.get_mut(ec);
    let done = match &mut codec.state {
        State::Ready(Kind::Deflate(inner)) => inner.set_level(compression).is_ok(),
        State::Ended { .. } => matches!(codec.settings, Settings::Deflate { .. }),
        _ => false,
    };
    if !done {
        return Err(error(ec, "StreamError", "stream error"));
    }
    if let Settings::Deflate { level: kept, .. } = &mut codec.settings {
        *kept = level.clamp(-1, 9);
    }
    Ok(())
}

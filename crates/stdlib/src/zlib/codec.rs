//! Deflating and inflating: `Zlib::Codec`, which streams are made of.

use carat_vm::{Class, Data, Ec, NativeData, Result, Str, Unwind, Value, methods};
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

methods! {
    METHODS {
        static "deflate" => new_deflate;
        static "inflate" => new_inflate;
        "run" => run;
        "reset" => reset;
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
    /// With its window bits, which a new beginning needs.
    Inflate(Decompress, i64),
}

struct Codec {
    /// `None` while it runs.
    kind: Option<Kind>,
    /// Bytes of the last input that were used.
    consumed: usize,
    is_finished: bool,
}

impl NativeData for Codec {
    const NAME: &'static str = "zlib";

    fn mark(&self, _mark: &mut dyn FnMut(Value)) {}

    fn memsize(&self) -> usize {
        // What zlib says of itself with the usual window.
        size_of::<Codec>() + if matches!(self.kind, Some(Kind::Deflate(_))) { 256 << 10 } else { 40 << 10 }
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

fn new_codec(ec: &Ec, class: Class, kind: Kind) -> Value {
    Data::new(ec, class, Codec { kind: Some(kind), consumed: 0, is_finished: false }).value()
}

fn error(ec: &mut Ec, name: &str, message: &str) -> Unwind {
    let object = ec.vm().known().object;
    let inside = |scope: Class, name: &str| {
        scope.own_constant(ec.vm().intern(name)).and_then(|constant| Class::from_value(constant.value))
    };
    let class = inside(object, "Zlib").and_then(|zlib| inside(zlib, name)).unwrap_or(ec.vm().known().standard_error);
    ec.error(class, message)
}

/// Positive window bits are for the format of zlib, negative ones for none, those beyond 15 for gzip's.
fn new_deflate(ec: &mut Ec, this: Class, level: i64, window_bits: i64) -> Result {
    let level = match level {
        -1 => Compression::default(),
        0..=9 => Compression::new(level as u32),
        _ => return Err(error(ec, "StreamError", "stream error")),
    };
    let codec = match window_bits {
        9..=MAX_WINDOW_BITS => Compress::new_with_window_bits(level, true, window_bits as u8),
        -15..=-9 => Compress::new_with_window_bits(level, false, (-window_bits) as u8),
        // A window of 256 bytes is what zlib takes for one of 512.
        8 | -8 => Compress::new_with_window_bits(level, window_bits > 0, 9),
        25..=31 => Compress::new_gzip(level, (window_bits - 16) as u8),
        _ => return Err(error(ec, "StreamError", "stream error")),
    };
    Ok(new_codec(ec, this, Kind::Deflate(codec)))
}

fn new_inflate(ec: &mut Ec, this: Class, window_bits: i64) -> Result {
    let Some(codec) = inflater(window_bits) else { return Err(error(ec, "StreamError", "stream error")) };
    Ok(new_codec(ec, this, Kind::Inflate(codec, window_bits)))
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
    let Some(mut kind) = this.get_mut(ec).kind.take() else {
        return Err(error(ec, "InProgressError", "zstream in progress"));
    };
    let mut work = Work { consumed: 0, out: Vec::new(), is_finished: this.get(ec).is_finished };
    let result = work.all(ec, &mut kind, input, flush);
    let codec = this.get_mut(ec);
    (codec.kind, codec.consumed, codec.is_finished) = (Some(kind), work.consumed, work.is_finished);
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
            Kind::Inflate(codec, _) => {
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
            Kind::Inflate(codec, _) => codec.total_in(),
        }
    }

    fn total_out(&self) -> u64 {
        match self {
            Kind::Deflate(codec) => codec.total_out(),
            Kind::Inflate(codec, _) => codec.total_out(),
        }
    }
}

fn reset(ec: &mut Ec, this: Data<Codec>) -> Result<()> {
    let codec = this.get_mut(ec);
    codec.is_finished = false;
    codec.consumed = 0;
    match &mut codec.kind {
        Some(Kind::Deflate(inner)) => inner.reset(),
        Some(Kind::Inflate(inner, window_bits)) => {
            if let Some(fresh) = inflater(*window_bits) {
                *inner = fresh;
            }
        }
        None => return Err(error(ec, "InProgressError", "zstream in progress")),
    }
    Ok(())
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
    let total = this.get(ec).kind.as_ref().map_or(0, Kind::total_in);
    ec.uint(total)
}

fn total_out(ec: &mut Ec, this: Data<Codec>) -> Value {
    let total = this.get(ec).kind.as_ref().map_or(0, Kind::total_out);
    ec.uint(total)
}

fn set_dictionary(ec: &mut Ec, this: Data<Codec>, dictionary: Str) -> Result {
    let bytes = dictionary.bytes(ec).to_vec();
    let done = match &mut this.get_mut(ec).kind {
        Some(Kind::Deflate(codec)) => codec.set_dictionary(&bytes).is_ok(),
        Some(Kind::Inflate(codec, _)) => codec.set_dictionary(&bytes).is_ok(),
        None => return Err(error(ec, "InProgressError", "zstream in progress")),
    };
    if done { Ok(dictionary.value()) } else { Err(error(ec, "StreamError", "stream error")) }
}

fn set_level(ec: &mut Ec, this: Data<Codec>, level: i64) -> Result<()> {
    let level = if level < 0 { Compression::default() } else { Compression::new(level.min(9) as u32) };
    let done = match &mut this.get_mut(ec).kind {
        Some(Kind::Deflate(codec)) => codec.set_level(level).is_ok(),
        _ => false,
    };
    if done { Ok(()) } else { Err(error(ec, "StreamError", "stream error")) }
}

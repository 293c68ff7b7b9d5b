//! Native halves of libraries that need little of the core classes' own: each is one module, whose `init` runs when the
//! library's Ruby file (`lib`) requires its name.
#![forbid(unsafe_code)]

mod cgi_escape;
mod digest;
mod json;
mod loupe;
mod msgpack;
mod oj;
mod openssl;
mod prism;
mod psych;
mod ripper;
mod socket;
mod zlib;

/// What a program can require once [`carat_builtins::register_features`] knows it.
pub const FEATURES: &[carat_builtins::Feature] = &[
    ("cgi/escape/html.so", cgi_escape::init),
    ("digest.so", digest::init),
    ("erb/escape.so", cgi_escape::init_erb),
    ("json/ext/generator.so", json::init_generator),
    ("json/ext/parser.so", json::init_parser),
    ("loupe.so", loupe::init),
    ("msgpack.so", msgpack::init),
    ("oj.so", oj::init),
    ("openssl.so", openssl::init),
    ("psych/scan.so", psych::init),
    ("prism/prism.so", prism::init),
    ("ripper.so", ripper::init),
    ("zlib.so", zlib::init),
];

/// Those that work on descriptors.
pub const FEATURES_OF_FILES: &[carat_builtins::Feature] = &[("socket.so", socket::init)];

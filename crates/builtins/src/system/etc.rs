//! The native half of the library etc: limits and texts of the system's configuration, and who logged in.

use crate::system::errno::errno;
use crate::system::io::{IoRef, check_open};
use carat_os::config;
use carat_vm::{CodeRange, Ec, Result, Str, Value, methods};

methods! {
    FUNCTIONS {
        static "sysconf" => sysconf;
        static "confstr" => confstr;
        static "login_name" => login_name;
    }
    IO_METHODS {
        "pathconf" => pathconf;
    }
}

pub(crate) fn init(ec: &mut Ec) {
    if let Some(module) = ec.vm().known().object.nested(ec, "Etc") {
        module.define_methods(ec, FUNCTIONS);
    }
    ec.vm().known().io.define_methods(ec, IO_METHODS);
}

/// Nil where there is no limit.
fn sysconf(ec: &mut Ec, _this: Value, name: i64) -> Result<Option<i64>> {
    config::sysconf(ec.to_c_int(name)?).map_err(|error| errno(ec, &error, b"sysconf"))
}

fn confstr(ec: &mut Ec, _this: Value, name: i64) -> Result<Option<Str>> {
    match config::confstr(ec.to_c_int(name)?) {
        Ok(text) => Ok(text.map(|text| Str::binary(ec, &text))),
        Err(error) => Err(errno(ec, &error, b"confstr")),
    }
}

fn pathconf(ec: &mut Ec, io: IoRef, name: i64) -> Result<Option<i64>> {
    check_open(ec, io)?;
    let limit = config::pathconf(io.get(ec).fd, ec.to_c_int(name)?);
    limit.map_err(|error| errno(ec, &error, b"fpathconf"))
}

fn login_name(ec: &mut Ec, _this: Value) -> Option<Str> {
    config::login_name().map(|name| Str::new(ec, &name, crate::text::encoding::locale(ec), CodeRange::Unknown))
}

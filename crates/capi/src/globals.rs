//! Variables that C code names: classes, modules, streams, separators. They are filled when the first extension loads.

use crate::boundary::{CValue, constant};
use carat_vm::{Ec, Result, Value};
use std::sync::atomic::{AtomicU64, Ordering};

macro_rules! classes {
    ($($name:ident $path:literal)*) => {
        $(
            #[unsafe(no_mangle)]
            #[allow(non_upper_case_globals, reason = "the name that C code has for it")]
            static $name: AtomicU64 = AtomicU64::new(0);
        )*

        fn fill(ec: &mut Ec) -> Result<()> {
            $(set(ec, &$name, $path)?;)*
            Ok(())
        }
    };
}

classes! {
    rb_cArithSeq "Enumerator::ArithmeticSequence" rb_mKernel "Kernel" rb_mComparable "Comparable" rb_mEnumerable "Enumerable" rb_mErrno "Errno" rb_mFileTest "FileTest" rb_mGC "GC"
    rb_mMath "Math" rb_mProcess "Process" rb_mWaitReadable "IO::WaitReadable" rb_mWaitWritable "IO::WaitWritable"
    rb_cBasicObject "BasicObject" rb_cObject "Object" rb_cArray "Array" rb_cBinding "Binding" rb_cClass "Class" rb_cDir "Dir"
    rb_cEncoding "Encoding" rb_cEnumerator "Enumerator" rb_cFalseClass "FalseClass" rb_cFiber "Fiber" rb_cFile "File"
    rb_cComplex "Complex"
    rb_cFloat "Float" rb_cHash "Hash" rb_cIO "IO" rb_cIOBuffer "IO::Buffer" rb_cInteger "Integer" rb_cMatch "MatchData"
    rb_cMethod "Method" rb_cModule "Module" rb_cRefinement "Refinement" rb_cNilClass "NilClass" rb_cNumeric "Numeric" rb_cProc "Proc"
    rb_cRandom "Random" rb_cRange "Range" rb_cRational "Rational" rb_cRegexp "Regexp" rb_cSet "Set" rb_cStat "File::Stat"
    rb_cString "String" rb_cStruct "Struct" rb_cSymbol "Symbol" rb_cThread "Thread" rb_cTime "Time" rb_cTrueClass "TrueClass"
    rb_cUnboundMethod "UnboundMethod" rb_cRactor "Ractor" rb_eException "Exception" rb_eStandardError "StandardError"
    rb_eSystemExit "SystemExit" rb_eInterrupt "Interrupt" rb_eSignal "SignalException" rb_eFatal "" rb_eArgError "ArgumentError"
    rb_eEOFError "EOFError" rb_eIndexError "IndexError" rb_eStopIteration "StopIteration" rb_eKeyError "KeyError"
    rb_eRangeError "RangeError" rb_eIOError "IOError" rb_eRuntimeError "RuntimeError" rb_eFrozenError "FrozenError"
    rb_eSecurityError "SecurityError" rb_eSystemCallError "SystemCallError" rb_eThreadError "ThreadError" rb_eTypeError "TypeError"
    rb_eZeroDivError "ZeroDivisionError" rb_eNotImpError "NotImplementedError" rb_eNoMemError "NoMemoryError"
    rb_eNoMethodError "NoMethodError" rb_eFloatDomainError "FloatDomainError" rb_eLocalJumpError "LocalJumpError"
    rb_eSysStackError "SystemStackError" rb_eRegexpError "RegexpError" rb_eEncodingError "EncodingError"
    rb_eEncCompatError "Encoding::CompatibilityError" rb_eNoMatchingPatternError "NoMatchingPatternError"
    rb_eNoMatchingPatternKeyError "NoMatchingPatternKeyError" rb_eScriptError "ScriptError" rb_eNameError "NameError"
    rb_eSyntaxError "SyntaxError" rb_eLoadError "LoadError" rb_eMathDomainError "Math::DomainError"
    rb_eIOTimeoutError "IO::TimeoutError" rb_eEAGAIN "Errno::EAGAIN" rb_eEWOULDBLOCK "Errno::EWOULDBLOCK"
    rb_eEINPROGRESS "Errno::EINPROGRESS"
}

macro_rules! words {
    ($($name:ident $global:literal)*) => {
        $(
            #[unsafe(no_mangle)]
            #[allow(non_upper_case_globals, reason = "the name that C code has for it")]
            static $name: AtomicU64 = AtomicU64::new(Value::NIL.bits());
        )*

        /// Copies what the variables of Ruby code hold, now and whenever they are assigned.
        fn fill_words(ec: &mut Ec) -> Result<()> {
            $(
                let value = ec.global(ec.vm().intern($global))?;
                keep(ec, &$name, value);
                if !stringify!($name).contains("default") {
                    let (name, follow) = (ec.vm().intern($global), crate::block::proc_of_word(ec, &$name));
                    crate::boundary::kernel_call(ec, name!(ec, "trace_var"), &[Value::symbol(name), follow.value()])?;
                }
            )*
            Ok(())
        }
    };
}

words! {
    rb_stdin "$stdin" rb_stdout "$stdout" rb_stderr "$stderr" rb_argv0 "$0" rb_fs "$;" rb_output_fs "$," rb_rs "$/" rb_default_rs "$/"
    rb_output_rs "$\\"
}

/// A class that has no name is `fatal`, which Ruby code cannot name.
fn set(ec: &mut Ec, place: &'static AtomicU64, path: &str) -> Result<()> {
    let value = if path.is_empty() { fatal(ec)? } else { constant(ec, path)? };
    keep(ec, place, value);
    Ok(())
}

fn fatal(ec: &mut Ec) -> Result {
    let exception = ec.vm().known().exception;
    let found = exception.subclasses().into_iter().find(|class| class.name().is_some_and(|name| &*name == "fatal"));
    Ok(found.unwrap_or(exception).value())
}

/// Stores a value in a variable of C, which is a root from now on.
fn keep(ec: &Ec, place: &'static AtomicU64, value: Value) {
    place.store(CValue::of(value).word(), Ordering::Relaxed);
    ec.add_foreign_root(place.as_ptr().addr());
}

/// Makes the variables what their names say.
pub(crate) fn init(ec: &mut Ec) -> Result<()> {
    crate::buffer::init();
    fill(ec)?;
    fill_words(ec)?;
    Ok(())
}

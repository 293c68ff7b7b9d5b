//! The `carat` executable.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let source = std::fs::read(&path).expect("readable");
    let marker = 0u8;
    let base = std::ptr::from_ref(&marker).addr();
    let mut vm = carat_builtins::boot(carat_vm::Config::default(), (base, 7 << 20));
    let program = carat_compile::compile(&source, &carat_compile::Options::file(&path)).expect("Ruby");
    let ec = vm.ec();
    if ec.run_script(program.iseq).is_err() {
        if let Some(e) = ec.pending_exception() {
            let t = carat_builtins::describe(ec, e);
            eprintln!("{t}");
        }
        std::process::exit(1);
    }
}

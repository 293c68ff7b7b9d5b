#!/usr/bin/env node
// Runs one Ruby program under CRuby 4.0, built for WebAssembly, as the reference that recorded the golden outputs.
//
//   npm install --prefix DIR @ruby/4.0-wasm-wasi@2.10.1 @ruby/wasm-wasi@2.10.1
//   ORACLE_MODULES=DIR node tests/golden/oracle.mjs FILE [ARG…]
//
// Run it from the project's root: the program sees that folder, and the temporary one, and nothing else. The package is
// a library rather than an executable, so the prelude below does what an executable's `main` would: `$0`, `DATA`,
// `at_exit`, the report of an uncaught exception and the exit status. ORACLE_DIRS (colon-separated) opens more folders.
// There are no threads, subprocesses or sockets in this build.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createRequire } from "node:module";
import { WASI } from "node:wasi";

process.removeAllListeners("warning");
const home = path.resolve(process.env.ORACLE_MODULES ?? ".");
const require = createRequire(path.join(home, "package.json"));
const { RubyVM } = require("@ruby/wasm-wasi");
const [file, ...args] = process.argv.slice(2);
if (!file) {
  console.error("usage: oracle.mjs FILE [ARG…]");
  process.exit(2);
}

const root = process.cwd();
const opened = [root, os.tmpdir(), ...(process.env.ORACLE_DIRS ?? "").split(":").filter(Boolean)];
const wasm = path.join(home, "node_modules/@ruby/4.0-wasm-wasi/dist/ruby+stdlib.wasm");
const wasi = new WASI({
  version: "preview1",
  returnOnExit: true,
  env: { PWD: root, TZ: "UTC", ...(process.env.ORACLE_ENV ? JSON.parse(process.env.ORACLE_ENV) : {}) },
  preopens: Object.fromEntries(opened.map((dir) => [dir, dir])),
});
const { vm } = await RubyVM.instantiateModule({
  module: await WebAssembly.compile(await fs.readFile(wasm)),
  wasip1: wasi,
});

const quote = (s) => JSON.stringify(s).replaceAll("#", "\\#");
const status = vm.eval(`
  Dir.chdir(${quote(root)})
  Warning[:experimental] = true
  ARGV.replace([${args.map(quote).join(", ")}])
  $0 = ${quote(file)}
  source = File.binread($0)
  if (position = source =~ /^__END__\\r?\\n/)
    Object.const_set(:DATA, File.open($0).tap { |io| io.seek(position + $~[0].bytesize) })
  end
  at_exit_blocks = []
  Kernel.define_method(:at_exit) { |&block| at_exit_blocks.push(block); block }
  Kernel.send(:private, :at_exit)
  # Frames below the program's own are the prelude's.
  trim = lambda do |error|
    while error
      trace = error.backtrace
      if trace
        below = trace.index { |frame| frame.end_with?("in 'RubyVM::InstructionSequence#eval'") }
        error.set_backtrace(trace[0...below]) if below && !error.frozen?
      end
      error = error.cause
    end
  end
  finish = lambda do |error, status|
    case error
    when SystemExit then error.status
    when nil then status
    else
      $stdout.flush
      trim.(error)
      $stderr.write(error.full_message(highlight: false))
      1
    end
  end
  run = lambda do |status, &body|
    body.call
    status
  rescue Exception => error
    finish.(error, status)
  end
  status = begin
    program = RubyVM::InstructionSequence.compile_file($0)
    run.(0) { program.eval }
  rescue SyntaxError => error
    finish.(error, 1)
  end
  while (block = at_exit_blocks.pop)
    status = run.(status, &block)
  end
  $stdout.flush
  $stderr.flush
  status
`);
process.exit(Number(status.toString()));

#!/usr/bin/env node
// Runs one Ruby program under CRuby 4.0, built for WebAssembly, as the reference that recorded the golden outputs.
//
//   npm install --prefix DIR @ruby/4.0-wasm-wasi@2.10.1 @ruby/wasm-wasi@2.10.1
//   ORACLE_MODULES=DIR node tests/golden/oracle.mjs FILE [ARG…]
//
// Run it from the project's root: the program sees that folder as /carat, the temporary one, and nothing else. The package
// is a library rather than an executable, so the prelude below does what an executable's `main` would: `$0`, `DATA`,
// `at_exit`, the report of an uncaught exception and the exit status. There are no threads, subprocesses or sockets.
import { spawn } from "node:child_process";
import { writeSync } from "node:fs";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createRequire } from "node:module";
import { WASI } from "node:wasi";

process.removeAllListeners("warning");

// Node crashes now and then while it runs a WebAssembly module as large as this, or when it is done. So a child runs the
// program and writes the status into a file as its last act; what a child printed that left none is forgotten, and another
// tries again. A program that no child survives is a failure of the oracle, shown as a signal.
const CALMER = ["--single-threaded", "--no-wasm-lazy-compilation"];
const reports = process.env.ORACLE_REPORTS;
if (!reports) {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "oracle-"));
  const env = { ...process.env, ORACLE_REPORTS: folder };
  let status;
  for (let attempt = 0; attempt < 6 && status === undefined; attempt++) {
    const files = await Promise.all(["stdout", "stderr"].map((name) => fs.open(path.join(folder, name), "w")));
    const stdio = ["ignore", ...files.map((file) => file.fd)];
    const child = spawn(process.execPath, [...CALMER, ...process.argv.slice(1)], { stdio, env });
    await new Promise((resolve) => child.on("close", resolve));
    await Promise.all(files.map((file) => file.close()));
    status = await fs.readFile(path.join(folder, "status"), "utf8").catch(() => undefined);
  }
  writeSync(1, await fs.readFile(path.join(folder, "stdout")));
  writeSync(2, await fs.readFile(path.join(folder, "stderr")));
  await fs.rm(folder, { recursive: true });
  if (status === undefined) process.kill(process.pid, "SIGABRT");
  process.exit(Number(status));
}

const home = path.resolve(process.env.ORACLE_MODULES ?? ".");
const require = createRequire(path.join(home, "package.json"));
const { RubyVM } = require("@ruby/wasm-wasi");
const [file, ...args] = process.argv.slice(2);
if (!file) {
  console.error("usage: oracle.mjs FILE [ARG…]");
  process.exit(2);
}

// One level deep, because File.realpath looks at every parent.
const root = "/carat";
const wasm = path.join(home, "node_modules/@ruby/4.0-wasm-wasi/dist/ruby+stdlib.wasm");
const wasi = new WASI({
  version: "preview1",
  returnOnExit: true,
  env: { PWD: root, TZ: "UTC", LC_ALL: "C.UTF-8" },
  preopens: { [root]: process.cwd(), "/tmp": os.tmpdir(), "/reports": reports },
});
const { vm } = await RubyVM.instantiateModule({
  module: await WebAssembly.compile(await fs.readFile(wasm)),
  wasip1: wasi,
});

const quote = (s) => JSON.stringify(s).replaceAll("#", "\\#");
vm.eval(`
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
        below = trace.index { |frame| frame.start_with?("eval:") }
        error.set_backtrace(trace[0...below]) if below && !error.frozen?
      end
      error = error.cause
    end
  end
  report = lambda do |error|
    $stdout.flush
    trim.(error)
    $stderr.write(error.full_message(highlight: false))
  end
  # $! is what ends the program while its at_exit blocks run.
  under = lambda do |error, &body|
    next body.call unless error
    begin
      raise error
    rescue Exception
      body.call
    end
  end
  status = 0
  ending = uncaught = nil
  run = lambda do |&body|
    under.(ending, &body)
    nil
  rescue Exception => error
    status = error.is_a?(SystemExit) ? error.status : 1
    ending = error
  end
  # An executable reads its file before anything runs; a syntax error in it has no frames.
  uncaught = run.() do
    RubyVM::InstructionSequence.compile_file_prism($0).eval
  rescue SyntaxError => error
    error.set_backtrace([]) if error.backtrace.first.include?("compile_file_prism")
    raise
  end
  while (block = at_exit_blocks.pop)
    error = run.(&block)
    report.(error) unless error.nil? || error.is_a?(SystemExit)
  end
  report.(uncaught) unless uncaught.nil? || uncaught.is_a?(SystemExit)
  $stdout.flush
  $stderr.flush
  File.write("/reports/status", status.to_s)
`);
process.exit();

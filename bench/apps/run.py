#!/usr/bin/env python3
"""Compares implementations of Ruby on the programs of this folder: processor time, peak memory, output.

usage: run.py [-r ROUNDS] [-o PROGRAM,...] NAME=COMMAND [NAME=COMMAND ...]
       run.py --needs        prints the Debian packages that the programs need

Implementations take turns, figures are medians, and ratios are to the first implementation. A program that fails, or prints
something else than under the first implementation, says so and leaves the means; the status is then 1."""
import argparse, math, pathlib, re, statistics, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).parent
# Where Debian puts gems: most in folders of their own, older ones together, those that come with Ruby in its folder.
GEMS = ["usr/share/rubygems-integration/all/gems/*/lib", "usr/share/rubygems-integration/all/gems/concurrent-ruby-*/lib/concurrent-ruby",
        "usr/lib/ruby/gems/*/gems/*/lib"]
TOGETHER = pathlib.Path("/usr/lib/ruby/vendor_ruby")


def needs():
    lines = [line for p in HERE.glob("*.rb") for line in p.read_text().splitlines() if line.startswith("# needs:")]
    return sorted(set(re.findall(r"ruby-[\w-]+", " ".join(lines))))


def load_path(scratch):
    """Options for all gems. RubyGems itself, and what belongs to Debian's Ruby, must not be found by another Ruby."""
    for entry in TOGETHER.glob("*"):
        if not re.match(r"rubygems|bundler|\d", entry.name):
            (scratch / entry.name).symlink_to(entry)
    folders = [str(f) for pattern in GEMS for f in sorted(pathlib.Path("/").glob(pattern))]
    return [word for folder in [*folders, str(scratch)] for word in ("-I", folder)]


def run(command, options, program):
    """Output, seconds and megabytes of a run; None for the figures if it failed."""
    with tempfile.NamedTemporaryFile() as figures:
        time = ["/usr/bin/time", "-q", "-o", figures.name, "-f", "%U %S %M"]
        words = [*time, *command.split(), "-W0", "--disable=gems", *options, str(program)]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        user, system, kilobytes = map(float, figures.read().split()[-3:])
    return done.stdout, None if done.returncode else (user + system, kilobytes / 1024)


def measure(program, implementations, options, rounds):
    """Medians by implementation, and what is wrong."""
    figures, wrong, expected = {name: [] for name, _ in implementations}, {}, None
    for _ in range(rounds):
        for name, command in implementations:
            output, figure = run(command, options, program)
            expected = output if expected is None else expected
            if figure is None:
                wrong[name] = "failed: " + output.decode(errors="replace").strip().split("\n")[0][:160]
            elif output != expected:
                wrong[name] = "prints something else"
            else:
                figures[name].append(figure)
    medians = {n: [statistics.median(column) for column in zip(*f)] for n, f in figures.items() if n not in wrong}
    return medians, wrong


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("-r", "--rounds", type=int, default=5)
    parser.add_argument("-o", "--only", type=lambda text: text.split(","))
    parser.add_argument("--needs", action="store_true")
    parser.add_argument("implementations", nargs="*", type=lambda text: text.split("=", 1))
    arguments = parser.parse_args()
    if arguments.needs:
        return print(*needs())
    names = [name for name, _ in arguments.implementations]
    print("| program |", *[f"{n} s | MB |" for n in names], *[f"time {n}/{names[0]} | memory |" for n in names[1:]])
    print("|---|" + "---:|" * (4 * len(names) - 2))
    logs, failures = {name: [] for name in names[1:]}, []
    with tempfile.TemporaryDirectory() as scratch:
        options = load_path(pathlib.Path(scratch))
        for program in sorted(HERE.glob("*.rb")):
            if arguments.only and program.stem not in arguments.only:
                continue
            medians, wrong = measure(program, arguments.implementations, options, arguments.rounds)
            failures += [f"{program.stem}: {name}: {why}" for name, why in wrong.items()]
            cells = ["{:.2f} | {:.1f} |".format(*medians[n]) if n in medians else "- | - |" for n in names]
            for name in names[1:]:
                if name not in medians or names[0] not in medians:
                    cells.append("- | - |")
                    continue
                ratios = [a / max(b, 0.001) for a, b in zip(medians[name], medians[names[0]])]
                logs[name].append([math.log(max(r, 0.001)) for r in ratios])
                cells.append("{:.2f} | {:.2f} |".format(*ratios))
            print("|", program.stem, "|", *cells, flush=True)
    for name, rows in logs.items():
        if rows:
            time, memory = [math.exp(statistics.mean(column)) for column in zip(*rows)]
            print(f"geometric mean {name}/{names[0]}: time {time:.2f}, memory {memory:.2f} over {len(rows)}")
    print(*failures, sep="\n")
    return 1 if failures else 0


sys.exit(main())

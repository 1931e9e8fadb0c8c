#!/usr/bin/env python3
"""Writes classifier/encoder/{product,floats}_arm64.s.

Go's assembler for arm64 lacks most of the vector instructions, so they are written as words.
This script assembles the templates of its folder with aarch64-linux-gnu-as (Debian:
binutils-aarch64-linux-gnu): a line that begins with @ is an instruction for that assembler,
a line "@for t in 0 1 2 3" repeats what follows up to "@end" with {expressions} filled in.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ARCHITECTURE = ".arch armv8.2-a+dotprod\n"


def fill(line, names):
    """The line with {expressions} worked out; {{ and }} stand for braces."""
    line = line.replace("{{", "\0").replace("}}}", "}\1").replace("}}", "\1")
    line = re.sub(r"\{([^}]*)\}", lambda m: str(eval(m[1], {}, names)), line)
    return line.replace("\0", "{").replace("\1", "}")


def unroll(lines, names):
    """The lines with loops written out."""
    out, at = [], 0
    while at < len(lines):
        loop = re.match(r"\s*@for (\w+) in (.+)", lines[at])
        if not loop:
            out.append(fill(lines[at], names))
            at += 1
            continue
        depth, end = 1, at + 1
        while depth:
            depth += bool(re.match(r"\s*@for ", lines[end])) - (lines[end].strip() == "@end")
            end += 1
        for value in loop[2].split():
            out += unroll(lines[at + 1 : end - 1], names | {loop[1]: int(value)})
        at = end
    return out


def assemble(instructions):
    """The words of instructions."""
    with tempfile.TemporaryDirectory() as folder:
        source, binary = (pathlib.Path(folder) / name for name in ("a.s", "a.o"))
        source.write_text(ARCHITECTURE + "\n".join(instructions) + "\n")
        subprocess.run(["aarch64-linux-gnu-as", "-o", binary, source], check=True)
        raw = pathlib.Path(folder) / "a.bin"
        subprocess.run(["aarch64-linux-gnu-objcopy", "-O", "binary", "-j", ".text", binary, raw], check=True)
        data = raw.read_bytes()
    return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]


def main():
    here, out = pathlib.Path(__file__).parent, pathlib.Path(sys.argv[1])
    for template in sorted(here.glob("*.in")):
        lines = unroll(template.read_text().splitlines(), {})
        marked = [i for i, line in enumerate(lines) if line.strip().startswith("@")]
        sources = [lines[i].strip()[1:].strip() for i in marked]
        for i, source, word in zip(marked, sources, assemble(sources), strict=True):
            lines[i] = f"\tWORD $0x{word:08x} // {source}"
        (out / (template.stem + ".s")).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

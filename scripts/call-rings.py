#!/usr/bin/env python3
"""Lists rings of calls between source files, as the object files of a build show them.

    scripts/call-rings.py [BUILD]

A file calls another if its code calls, or jumps to, a function that the other defines.  Addresses
of functions, such as callbacks, do not count.  Two files that call each other are two halves of one
part; a ring of more files cannot be read in any order.  Prints the rings of more than two files,
and for each the calls that close it.  The exit status is 1 if there is one, and 77 if the folder
BUILD (build) has no object files, or those of another processor."""

import collections
import glob
import os
import re
import subprocess
import sys

LARGEST = 2  # files in a ring
BATCH = 200  # object files that are read at a time
CALLS = {"R_X86_64_PLT32", "R_X86_64_PC32", "R_AARCH64_CALL26", "R_AARCH64_JUMP26"}


def source_of(path):
    """kernels/libvg-kernels.a.p/base_vg-image.c.o is kernels/base/vg-image.c."""
    folder, name = re.match(r"(?:.*/)?(\w+)/lib[\w-]+\.a\.p/(.*)\.o$", path).groups()
    return os.path.join(folder, name.replace("_", "/"))


def read_objects(build):
    """Returns which file defines a function, and which functions each file calls."""
    objects = [path for path in sorted(glob.glob(f"{build}/*/lib*.a.p/*.c.o"))
               if os.path.exists(source_of(path))]  # a build keeps those of files that are gone
    defines, calls = {}, collections.defaultdict(set)
    for first in range(0, len(objects), BATCH):
        text = subprocess.run(["readelf", "-rsW", *objects[first:first + BATCH]], check=True,
                              capture_output=True, text=True).stdout
        here = source_of(objects[first])
        for line in text.splitlines():
            words = line.split()
            if line.startswith("File: "):
                here = source_of(words[1])
            elif len(words) >= 5 and words[2] in CALLS:
                calls[here].add(words[4])
            elif len(words) == 8 and words[3] == "FUNC" and words[4] == "GLOBAL":
                if words[6] != "UND":
                    defines[words[7]] = here
    return defines, calls


def call_graph(defines, calls):
    """Returns for each file the files that it calls, each with the functions."""
    graph = collections.defaultdict(lambda: collections.defaultdict(set))
    for caller, functions in calls.items():
        for function in functions:
            callee = defines.get(function)
            if callee and callee != caller:
                graph[caller][callee].add(function)
    return graph


def rings_of(graph):
    """Returns sets of files that all reach each other (Tarjan 1972)."""
    order, low, stack, rings = {}, {}, [], []

    def visit(file):
        order[file] = low[file] = len(order)
        stack.append(file)
        for other in sorted(graph[file]):
            if other not in order:
                visit(other)
                low[file] = min(low[file], low[other])
            elif other in stack:
                low[file] = min(low[file], order[other])
        if low[file] == order[file]:
            ring = set(stack[stack.index(file):])
            del stack[stack.index(file):]
            rings.append(ring)

    sys.setrecursionlimit(10000)
    for file in sorted(graph):
        if file not in order:
            visit(file)
    return [ring for ring in rings if len(ring) > 1]


def main():
    build = sys.argv[1] if len(sys.argv) > 1 else "build"
    defines, calls = read_objects(build)
    if not defines or not any(calls.values()):
        print(f"call-rings: skipped: {build} has no object files with calls that this can read")
        return 77
    graph = call_graph(defines, calls)
    rings = [ring for ring in rings_of(graph) if len(ring) > LARGEST]
    for ring in sorted(rings, key=len):
        print(f"{len(ring)} files call each other in a ring:")
        for file in sorted(ring):
            for other in sorted(ring & set(graph[file])):
                print(f"  {file} -> {other}: {', '.join(sorted(graph[file][other]))}")
    return 1 if rings else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Checks how the files of the project include each other.

Prints nothing and exits with 0 when all of these hold:
  - an include in quotes names a file from the project's root, or a file that meson writes;
  - includes between folders run one way, so that each folder can be read before those that use it;
  - no file includes itself by way of others.
Otherwise it prints one line per problem and exits with 1.  Tests may include anything."""

import os
import re
import sys

PRODUCT = ("app", "bench", "io", "kernels", "lib", "render", "ui")
GENERATED = ("vg-build-commit.h", "vg-config.h", "vg-cuda-engines.h", "vg-shaders.h",
             "vivograph-resources.h")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include "([^"]+)"', re.M)


def sources():
    for top in PRODUCT:
        for folder, _, names in os.walk(top):
            for name in sorted(names):
                if name.endswith((".c", ".h", ".cu", ".cuh", ".cc")):
                    yield os.path.join(folder, name)


def rings(edges):
    """The strongly connected parts with more than one node, by Tarjan's algorithm."""
    order, low, stack, found = {}, {}, [], []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        for other in sorted(edges.get(node, ())):
            if other not in order:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], order[other])
        if low[node] == order[node]:
            part = []
            while not part or part[-1] != node:
                part.append(stack.pop())
            if len(part) > 1:
                found.append(part)

    for node in sorted(edges):
        if node not in order:
            visit(node)
    return found


def shortest_ring(part, edges):
    """The shortest way from a node of a ring back to itself, as a list of nodes."""
    best = None
    for start in sorted(part):
        ways, seen = [[start]], set()
        while ways:
            way = ways.pop(0)
            targets = edges.get(way[-1], ())
            if start in targets:
                if best is None or len(way) < len(best):
                    best = way
                break
            for other in sorted(targets):
                if other in part and other not in seen:
                    seen.add(other)
                    ways.append(way + [other])
    return best + [best[0]]


def main():
    os.chdir(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), ".."))
    sys.setrecursionlimit(10000)
    problems, files, folders, because = [], {}, {}, {}
    for source in sources():
        text = open(source, encoding="utf-8").read()
        for match in INCLUDE.finditer(text):
            target = match.group(1)
            if target in GENERATED:
                continue
            if not os.path.isfile(target):
                line = text.count("\n", 0, match.start()) + 1
                problems.append(f"{source}:{line}: no path from the project's root: {target}")
                continue
            files.setdefault(source, set()).add(target)
            here, there = os.path.dirname(source), os.path.dirname(target)
            if here != there:
                folders.setdefault(here, set()).add(there)
                because.setdefault((here, there), []).append((source, target))

    for part in rings(files):
        problems.append("files include each other: " + " -> ".join(shortest_ring(part, files)))
    for part in rings(folders):
        ring = shortest_ring(part, folders)
        problems.append(f"{len(part)} folders include each other, for example " + " -> ".join(ring))
        for here, there in zip(ring, ring[1:]):
            source, target = because[here, there][0]
            more = len(because[here, there]) - 1
            rest = f", and {more} more from {here} to {there}" if more else ""
            problems.append(f"  {source} includes {target}{rest}")
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

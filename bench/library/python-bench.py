#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How much longer a call takes in Python than in C, on the CPU with one thread.

    PYTHONPATH=python python3 bench/library/python-bench.py build/lib/library-bench [CALLS]

Times are the shortest of CALLS calls (1000).  "new" makes a work for each call, as
vivograph.lifetime and the others do; "kept" uses one again, as vivograph.Reusable does.
"""

import subprocess
import sys
import tempfile
import time

import numpy as np
import vivograph
from vivograph import _arrays

NOISE = np.random.default_rng(1)
#: packed samples, which neither copies
CASES = [("lifetime", (32, 8, 8), "BYX", {"bin_width_ns": 0.05}),
         ("lifetime", (64, 64, 64), "BYX", {"bin_width_ns": 0.05}),
         ("flow", (16, 16), "YX", {}),
         ("flow", (20, 32, 32), "TYX", {}),
         ("perfusion", (20, 8, 8), "TYX", {"artery": "rect:0,0,2,2", "portal": "rect:4,0,6,2"}),
         ("fluence", (), "", {"photons": 10})]


def shortest(function, calls):
    found = float("inf")
    for _ in range(calls):
        begin = time.perf_counter_ns()
        function()
        found = min(found, time.perf_counter_ns() - begin)
    return found / 1000


def in_c(program, name, array, axes, settings, calls, kept):
    """Like Python's call, the shortest of CALLS calls in us."""
    extents = ",".join(str(array.shape[axes.index(axis)]) if axis in axes else "0"
                       for axis in _arrays.AXES)
    words = [text for setting in settings.items() for text in map(str, setting)]
    with tempfile.NamedTemporaryFile() as file:
        order = sorted(range(len(axes)), key=lambda i: _arrays.AXES.index(axes[i]))
        file.write(array.transpose(order).tobytes() if axes else b"")
        file.flush()
        return float(subprocess.run(
            [program, name, str(_arrays.TYPES[array.dtype]), extents, file.name if axes else "-",
             str(calls), "kept" if kept else "new", *words],
            check=True, capture_output=True, text=True).stdout)


def main(program, calls=1000):
    print("operation  samples          work      Python us      C us   overhead us   allowed us")
    for name, shape, axes, settings in CASES:
        array = NOISE.poisson(50, shape or (1,)).astype(np.uint16)
        rest = {"axes": axes, "frame_interval_s": 2.0} if axes else {}
        data = [array] if axes else []
        for kept in (True, False):
            function = (vivograph.Reusable(name, backend="cpu", threads=1, **settings, **rest)
                        if kept else getattr(vivograph, name))
            options = {} if kept else {"backend": "cpu", "threads": 1, **settings, **rest}
            python = shortest(lambda: function(*data, **options), int(calls))
            c = in_c(program, name, array, axes, settings, int(calls), kept)
            print(f"{name:10} {'x'.join(map(str, shape)):16} {'kept' if kept else 'new':6}"
                  f"{python:13.1f} {c:9.1f} {python - c:13.1f} {50 + 0.02 * c:12.1f}")


if __name__ == "__main__":
    main(*sys.argv[1:])

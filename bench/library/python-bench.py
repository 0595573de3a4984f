#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How much longer a call takes in Python than in C, on the CPU with one thread.

    PYTHONPATH=python python3 bench/library/python-bench.py build/lib/library-bench [CALLS]

C and Python take turns, in ten rounds of CALLS calls (100; fewer of long ones).  "new" makes a work
for each call, as vivograph.lifetime and the others do; "kept" uses one again, as vivograph.Reusable
does.  Times are medians, except that "least" is that of the quickest calls; the overhead is the
median of the differences of the rounds.  On a busy machine the time of the processor says more than
the time that has passed, and the least says most.
"""

import os
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
import vivograph
from vivograph import _arrays

NOISE = np.random.default_rng(1)
ROUNDS = 10
#: packed samples, which neither copies
CASES = [("lifetime", (32, 8, 8), "BYX", {"bin_width_ns": 0.05}),
         ("lifetime", (64, 64, 64), "BYX", {"bin_width_ns": 0.05}),
         ("flow", (16, 16), "YX", {}),
         ("flow", (20, 32, 32), "TYX", {}),
         ("perfusion", (20, 8, 8), "TYX", {"artery": "rect:0,0,2,2", "portal": "rect:4,0,6,2"}),
         ("fluence", (), "", {"photons": 10})]


def summarize(times):
    times = times[len(times) // 10:]  # the first ones fill caches
    return (*np.median(times, axis=0), times[:, 1].min())


def in_python(function, calls):
    """The median time of CALLS calls, that of the processor, and the least of that, in us."""
    times = []
    for _ in range(calls):
        begin, used = time.perf_counter_ns(), time.process_time_ns()
        function()
        times.append((time.perf_counter_ns() - begin, time.process_time_ns() - used))
    return summarize(np.array(times) / 1000)


def in_c(command, calls):
    """The same of a program that does the same."""
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    times = [tuple(map(float, line.split())) for line in said.splitlines()]
    return summarize(np.array(times))


def command_of(program, name, array, axes, settings, file, calls, work):
    extents = ",".join(str(array.shape[axes.index(axis)]) if axis in axes else "0"
                       for axis in _arrays.AXES)
    words = [text for setting in settings.items() for text in map(str, setting)]
    order = sorted(range(len(axes)), key=lambda i: _arrays.AXES.index(axes[i]))
    file.write(array.transpose(order).tobytes() if axes else b"")
    file.flush()
    return [program, name, str(_arrays.TYPES[array.dtype]), extents, file.name if axes else "-",
            str(calls), work, *words]


def main(program, calls=100):
    calls = int(calls)
    # malloc now keeps freed memory for the next call, as in the C program: otherwise the time in
    # which the system gives memory would count as overhead
    np.empty(31 << 20, np.uint8)
    warnings.simplefilter("ignore", vivograph.ResultWarning)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, {ROUNDS} rounds of {calls}")
    print(31 * " " + "time that passed, us    of the processor, us   least, us")
    print("operation  samples    work    Python      C  overhead   Python      C  overhead"
          "  overhead  allowed")
    for name, shape, axes, settings in CASES:
        array = NOISE.poisson(50, shape or (1,)).astype(np.uint16)
        options = {"backend": "cpu", "threads": 1, **settings,
                   **({"axes": axes, "frame_interval_s": 2.0} if axes else {})}
        data = [array] if axes else []
        kept = vivograph.Reusable(name, **options)
        for work, function in (("kept", lambda: kept(*data)),
                               ("new", lambda: getattr(vivograph, name)(*data, **options))):
            once = in_python(function, 2)[0]
            few = max(4, min(calls, int(2e5 / once)))
            with tempfile.NamedTemporaryFile() as file:
                command = command_of(program, name, array, axes, settings, file, few, work)
                rounds = np.array([(in_c(command, few), in_python(function, few))
                                   for _ in range(ROUNDS)])
            (c, c_used, _), (python, used, _) = np.median(rounds, axis=0)
            over, over_used, _ = np.median(rounds[:, 1] - rounds[:, 0], axis=0)
            least, most = rounds[:, :, 2].min(axis=0)
            print(f"{name:10} {'x'.join(map(str, shape)):10} {work:5}{python:9.1f}{c:7.1f}"
                  f"{over:10.1f}{used:9.1f}{c_used:7.1f}{over_used:10.1f}{most - least:10.1f}"
                  f"{50 + 0.02 * least:9.1f}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

# SPDX-License-Identifier: MIT
"""Runs by two ranks give the bits of one process; a rank that dies ends the run.  Arguments: the
program, and mpirun with its options."""
import json
import os
import subprocess
import sys
import tempfile

PROGRAM, MPIRUN = sys.argv[1], sys.argv[2:]
SPEED = {'photons_per_ms', 'error_seconds', 'voxels_per_s'}  # metrics that depend on the machine


def run(folder, launcher, *words):
    return subprocess.run(
        [*launcher, PROGRAM, *words, '--backend', 'cpu', '--threads', '1', '--out', folder],
        capture_output=True, text=True, timeout=200)


def read(folder):
    found = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), 'rb') as file:
            found[name] = file.read()
    summary = json.loads(found.pop('summary.json'))
    found['results'] = {name: value for name, value in summary['results'].items()
                        if name not in SPEED and not name.endswith(('_s', 'seconds'))}
    return found


def compare(*words):
    with tempfile.TemporaryDirectory() as scratch:
        one, two = os.path.join(scratch, 'one'), os.path.join(scratch, 'two')
        done = run(one, [], *words)
        assert done.returncode == 0, (words, done)
        done = run(two, MPIRUN, *words)
        assert done.returncode == 0, (words, done)
        first, second = read(one), read(two)
        assert set(first) == set(second), set(first) ^ set(second)
        for name, content in first.items():
            assert content == second[name], (words, name)


compare('run', 'fluence', '--photons', '20000', '--layers', 'skin_600nm')
compare('run', 'fluence', '--photons', '1', '--layers', 'skin_600nm')
compare('run', 'fluence', '--photons', '1e6', '--stop', 'error', '--target-error', '5')
compare('demo', 'perfusion', '--size', '24x20x40')
compare('demo', 'flow', '--size', '40x30x4')   # not shared: the first rank computes all

with tempfile.TemporaryDirectory() as scratch:
    wrong = run(os.path.join(scratch, 'x'), MPIRUN, 'run', 'fluence', '--photons', '-1')
    # the second rank may find the mistake before the first one has reported it
    assert wrong.returncode != 0 and 1 <= wrong.stderr.count('photons') <= 2, wrong.stderr
    alone = subprocess.run([PROGRAM, 'demo', 'flow', '--out', os.path.join(scratch, 'x')],
                           env=os.environ | {'OMPI_COMM_WORLD_SIZE': '2',
                                             'VIVOGRAPH_MODULE_DIR': scratch},
                           capture_output=True, text=True)
    assert alone.returncode == 2 and 'libopenmpi-dev' in alone.stderr, alone

    # the second rank is killed while both compute
    out = os.path.join(scratch, 'killed')
    code = (f'if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then timeout -s KILL 3 "$0" "$@"; '
            f'else exec "$0" "$@"; fi')
    dead = run(out, [*MPIRUN, 'sh', '-c', code], 'run', 'fluence', '--photons', '1e11')
    assert dead.returncode != 0 and dead.stderr.strip(), dead
    assert not os.path.exists(os.path.join(out, 'summary.json'))

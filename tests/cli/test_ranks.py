# SPDX-License-Identifier: MIT
"""Runs by two ranks give the bits of one process; a rank that dies ends the run.  Arguments: the
program, the backend, and mpirun with its options.  On one GPU, both ranks use it."""
import json
import os
import socket
import subprocess
import sys
import tempfile

PROGRAM, BACKEND, MPIRUN = sys.argv[1], sys.argv[2], sys.argv[3:]
VERSION = subprocess.run([PROGRAM, '--version'], capture_output=True,
                         text=True).stdout.split()[-1]
SPEED = {'photons_per_ms', 'error_seconds', 'voxels_per_s'}  # metrics that depend on the machine


def run(folder, launcher, *words, backend=BACKEND):
    return subprocess.run(
        [*launcher, PROGRAM, *words, '--backend', backend, '--threads', '1', '--out', folder],
        capture_output=True, text=True, timeout=200)


def run_second(folder, shell, *words, **options):
    """The same, but the command of the second rank begins with SHELL."""
    code = f'if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then {shell} "$0" "$@"; else exec "$0" "$@"; fi'
    return run(folder, [*MPIRUN, 'sh', '-c', code], *words, **options)


def read(folder):
    found = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), 'rb') as file:
            found[name] = file.read()
    summary = json.loads(found.pop('summary.json'))
    found['results'] = {name: value for name, value in summary['results'].items()
                        if name not in SPEED and not name.endswith(('_s', 'seconds'))}
    return found


def compare(*words, launchers=(MPIRUN,)):
    with tempfile.TemporaryDirectory() as scratch:
        one = os.path.join(scratch, 'one')
        done = run(one, [], *words)
        assert done.returncode == 0, (words, done)
        first = read(one)
        for number, launcher in enumerate(launchers):
            shared = os.path.join(scratch, f'shared-{number}')
            done = run(shared, launcher, *words)
            assert done.returncode == 0 and 'CRITICAL' not in done.stderr, (words, done)
            second = read(shared)
            assert set(first) == set(second), set(first) ^ set(second)
            for name, content in first.items():
                assert content == second[name], (launcher, words, name)


if BACKEND == 'cuda':
    with tempfile.TemporaryDirectory() as scratch:
        alone = run(scratch, [], 'run', 'fluence', '--photons', '10')
        if 'cannot run on a GPU' in alone.stderr:
            print(alone.stderr)
            sys.exit(77)
launchers = (MPIRUN, [*MPIRUN[:-1], '4']) if BACKEND == 'cpu' else (MPIRUN,)
compare('run', 'fluence', '--photons', '20000', '--layers', 'skin_600nm', launchers=launchers)
compare('run', 'fluence', '--photons', '1', '--layers', 'skin_600nm')
# more than 16 batches of the largest size that the first ones have
compare('run', 'fluence', '--photons', '70001', '--reflectance-only', 'true')
compare('demo', 'perfusion', '--size', '24x20x40', launchers=launchers)
compare('demo', 'perfusion', '--size', '1x1x40')
if BACKEND == 'cpu':
    compare('run', 'fluence', '--photons', '1e6', '--stop', 'error', '--target-error', '5')
else:
    compare('run', 'fluence', '--photons', '2e8', '--layers', 'skin_600nm')
    compare('demo', 'perfusion', '--size', '64x50x40', '--model', 'exchange')
    with tempfile.TemporaryDirectory() as scratch:  # on a GPU the photons depend on the time
        done = run(scratch, MPIRUN, 'run', 'fluence', '--photons', '1e9', '--stop', 'error',
                   '--target-error', '1')
        found = read(scratch)['results']
        assert done.returncode == 0 and found['map_error'] <= 1, (done, found)
        assert found['photons'] < 1e8, found
        mixed = run_second(os.path.join(scratch, 'x'), 'CUDA_VISIBLE_DEVICES= exec', 'run',
                           'fluence', '--photons', '1e6', backend='auto')
        assert mixed.returncode != 0 and mixed.stderr.count('1 of 2 ranks') == 1, mixed
compare('demo', 'flow', '--size', '40x30x4')   # not shared: the first rank computes all

with tempfile.TemporaryDirectory() as scratch:
    for folder, *words in ((scratch, '--photons', '-1'), (scratch, '--layers', '1,2'),
                           ('/dev/null/x', '--photons', '1000')):
        wrong = run(folder, MPIRUN, 'run', 'fluence', *words)
        assert wrong.returncode != 0 and wrong.stderr.count('vivograph: ') == 1, (words, wrong)
    with socket.socket() as found:
        found.bind(('127.0.0.1', 0))
        port = found.getsockname()[1]
    received = os.path.join(scratch, 'received')
    shared = run(os.path.join(scratch, 'x'), MPIRUN, 'run', 'perfusion',
                 f'dicom-listen://{port}{received}')
    assert shared.returncode == 2 and 'only a single run' in shared.stderr, shared
    assert not os.path.exists(received)
    alone = subprocess.run([PROGRAM, 'demo', 'flow', '--out', os.path.join(scratch, 'x')],
                           env=os.environ | {'OMPI_COMM_WORLD_SIZE': '2',
                                             'VIVOGRAPH_MODULE_DIR': scratch},
                           capture_output=True, text=True)
    assert alone.returncode == 2 and 'libopenmpi-dev' in alone.stderr, alone

    # the second rank runs another version of the program
    other, start = os.path.join(scratch, 'other'), os.path.join(scratch, 'start')
    with open(PROGRAM, 'rb') as file:
        content = file.read()
    changed = content.replace(f'{VERSION}\0'.encode(), b'9' * len(VERSION) + b'\0')
    assert changed != content
    with open(other, 'wb') as file:
        file.write(changed)
    os.chmod(other, 0o755)
    with open(start, 'w', encoding='utf-8') as file:
        modules = os.path.join(os.path.dirname(os.path.abspath(PROGRAM)), 'kernels')
        file.write(f'shift; VIVOGRAPH_MODULE_DIR={modules} exec {other} "$@"')
    done = run_second(os.path.join(scratch, 'x'), f'exec sh {start}', 'run', 'fluence')
    assert done.returncode != 0 and 'different versions' in done.stderr, done
    assert 'CRITICAL' not in done.stderr and not os.path.exists(os.path.join(scratch, 'x')), done

    # the second rank is killed while both compute
    out = os.path.join(scratch, 'killed')
    dead = run_second(out, 'timeout -s KILL 3', 'run', 'fluence', '--photons', '1e11')
    assert dead.returncode != 0 and dead.stderr.strip(), dead
    assert not os.path.exists(os.path.join(out, 'summary.json'))

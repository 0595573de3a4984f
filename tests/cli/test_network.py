# SPDX-License-Identifier: MIT
"""The program uses the network only if the user gives an address: its commands run behind a filter
of system calls that ends a process which makes a socket for the internet.

    test_network.py PROGRAM DATA"""
import ctypes
import os
import platform
import signal
import struct
import subprocess
import sys
import tempfile

NO_NEW_PRIVS, SET_SECCOMP, FILTER = 38, 22, 2
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06       # BPF_LD | BPF_W | BPF_ABS, BPF_JMP | BPF_JEQ, BPF_RET
KILL, ALLOW = 0x80000000, 0x7fff0000
SOCKET = {'x86_64': 41, 'aarch64': 198}.get(platform.machine())
NUMBER, FIRST_ARGUMENT = 0, 16               # in struct seccomp_data
INET, INET6 = 2, 10
LIBC = ctypes.CDLL(None, use_errno=True)


def forbid():
    """Lets this process and its children make no socket of the families INET and INET6."""
    steps = [(LOAD, 0, 0, NUMBER), (EQUAL, 0, 4, SOCKET), (LOAD, 0, 0, FIRST_ARGUMENT),
             (EQUAL, 1, 0, INET), (EQUAL, 0, 1, INET6), (RETURN, 0, 0, KILL), (RETURN, 0, 0, ALLOW)]
    code = b''.join(struct.pack('=HBBI', *step) for step in steps)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = struct.pack('@HP', len(steps), ctypes.addressof(buffer))
    if (LIBC.prctl(NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or
            LIBC.prctl(SET_SECCOMP, FILTER, program, 0, 0) != 0):
        os._exit(77)


def count_faults(program, data, out):
    """The number of commands that end in a wrong way; None: the system refuses filters."""
    small = '--size 24x24 --backend cpu'
    quiet = [['--version'], ['describe', 'flow'],
             ['info', f'{data}/contour/dsb02.tif'],
             f'run contour {data}/contour/dsb02.tif --force classical --iterations 2 --backend cpu '
             f'--out {out}/contour'.split()]
    quiet += [f'demo {view} {small} --out {out}/{view}'.split()
              for view in ('flow', 'lifetime', 'perfusion')]
    asked = ['run', 'flow', 'igtl://127.0.0.1:1', '--max-frames', '1', '--out', f'{out}/asked']
    wrong = 0
    for words in quiet + [asked]:
        done = subprocess.run([program] + words, preexec_fn=forbid, capture_output=True,
                              timeout=120, check=False, text=True)
        if done.returncode == 77:
            return None
        # the first shows that the filter works
        expected = [-signal.SIGSYS] if words == asked else [0]
        if done.returncode not in expected:
            print(f'{words} ends with {done.returncode}: {done.stderr}')
            wrong += 1
    print(f'{len(quiet) + 1} commands, {wrong} wrong')
    return wrong


def main():
    with tempfile.TemporaryDirectory() as out:
        wrong = count_faults(*sys.argv[1:], out)
    if wrong is None:
        print('this system refuses filters of system calls')
    return 77 if wrong is None else int(wrong > 0)


if __name__ == '__main__':
    sys.exit(77 if SOCKET is None else main())

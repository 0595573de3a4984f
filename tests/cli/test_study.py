# SPDX-License-Identifier: MIT
"""A study: a table of small files, some of them broken; killed and resumed, in parts, and by
several ranks.  Arguments: the program, the numbers of files and of broken ones, perhaps mpirun."""
import csv
import errno
import hashlib
import json
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time

PROGRAM, FILES, BROKEN = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
MPIRUN = sys.argv[4:]
WIDTH, HEIGHT = 24, 20
chance = random.Random(1)


def write_tiff(path):
    samples = bytes(chance.randrange(40, 200) for _ in range(WIDTH * HEIGHT))
    tags = {256: WIDTH, 257: HEIGHT, 258: 8, 259: 1, 262: 1, 273: 8, 277: 1, 278: HEIGHT,
            279: len(samples)}
    entries = b''.join(struct.pack('<HHII', tag, 4, 1, value) for tag, value in tags.items())
    with open(path, 'wb') as file:
        file.write(b'II*\0' + struct.pack('<I', 8 + len(samples)) + samples
                   + struct.pack('<H', len(tags)) + entries + bytes(4))


def make_table(folder):
    """Rows with paths that are seen from the table's folder; the last BROKEN ones are broken."""
    os.mkdir(os.path.join(folder, 'data'))
    rows = [['file', 'exposure-ms', '# group']]
    for i in range(FILES):
        name = os.path.join('data', f'frame{i}.tif')
        rows.append([name, str(1 + i % 7), f'group {i % 2}'])
        if i < FILES - BROKEN:
            write_tiff(os.path.join(folder, name))
        elif i % 2:
            with open(os.path.join(folder, name), 'wb') as file:
                file.write(b'II*\0 and then nothing')
    with open(os.path.join(folder, 'study.csv'), 'w', encoding='utf-8') as file:
        csv.writer(file).writerows(rows)


def words(folder, out, *more):
    return [PROGRAM, 'run', 'flow', '--list', os.path.join(folder, 'study.csv'), '--out',
            os.path.join(folder, out), '--backend', 'cpu', '--threads', '1', *more]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=240)


def read(folder, out):
    """The content of all files; of a summary without what depends on the run."""
    found = {}
    for root, _, names in os.walk(os.path.join(folder, out)):
        for name in names:
            path = os.path.join(root, name)
            with open(path, 'rb') as file:
                content = file.read()
            if name == 'summary.json':
                summary = json.loads(content)
                del summary['seconds'], summary['provenance']['date']
                content = json.dumps(summary).replace(f'/{out}/', '/OUT/').encode()
            found[os.path.relpath(path, os.path.join(folder, out))] = hashlib.sha256(
                content).hexdigest()
    return found


def rows_of(folder, out):
    with open(os.path.join(folder, out, 'results.csv'), encoding='utf-8', newline='') as file:
        return list(csv.DictReader(file))


def check_whole(folder):
    done = run(*words(folder, 'whole'))
    assert done.returncode == 1, done
    lines = done.stderr.splitlines()
    assert len(lines) == BROKEN and all(line.startswith('vivograph: row ') for line in lines), lines
    rows = rows_of(folder, 'whole')
    assert len(rows) == FILES
    assert [row['status'] for row in rows] == ['done'] * (FILES - BROKEN) + ['failed'] * BROKEN
    assert all(row['message'] for row in rows[FILES - BROKEN:])
    assert rows[1]['# group'] == 'group 1' and float(rows[1]['contrast_mean']) > 0
    assert rows[1]['exposure-ms'] == '2'
    with open(os.path.join(folder, 'whole', 'frame1', 'summary.json'), encoding='utf-8') as file:
        assert json.load(file)['parameters']['exposure_ms'] == 2


def check_again(folder, expected, *launcher):
    """A finished study is not computed again unasked, neither as a whole nor in part."""
    def date():
        return os.stat(os.path.join(folder, 'whole', 'frame0', 'summary.json')).st_mtime_ns

    before = date()
    for more in ((), ('--part', '1/3')):
        done = run(*launcher, *words(folder, 'whole', *more))
        said = [line for line in done.stderr.splitlines() if line.startswith('vivograph: ')]
        assert done.returncode == 2 and len(said) == 1, done
        assert all(word in said[0] for word in ('whole', '--resume', '--force')), said
    other = os.path.join(folder, 'other.csv')
    with open(other, 'w', encoding='utf-8') as file:
        file.write('file,name\ndata/frame0.tif,other\n')
    done = run(PROGRAM, 'run', 'flow', '--list', other, '--out', os.path.join(folder, 'whole'))
    assert done.returncode == 2 and '--resume' in done.stderr, done
    done = run(*words(folder, 'whole', '--resume', '--force'))
    assert done.returncode == 2 and 'omit one' in done.stderr, done
    assert date() == before and read(folder, 'whole') == expected
    done = run(*launcher, *words(folder, 'whole', '--force'))
    assert done.returncode == 1 and date() > before, done
    assert read(folder, 'whole') == expected


def check_killed(folder, expected):
    """A study is killed before the first row is done, and when some, half and most rows are done.
    It is resumed each time, and the rows that were done stay as they were."""
    def list_done():
        """The time at which each row that is done was written."""
        found = {}
        for i in range(FILES):
            path = os.path.join(folder, 'again', f'frame{i}', 'summary.json')
            if os.path.exists(path):
                found[i] = os.stat(path).st_mtime_ns
        return found

    before = {}
    for rows in (0, *(int(FILES * part) for part in (0.1, 0.3, 0.5, 0.8))):
        with subprocess.Popen(words(folder, 'again', '--resume'), stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            while process.poll() is None and rows > 0 and len(list_done()) < rows:
                time.sleep(0.001)
            time.sleep(chance.uniform(0, 0.05))
            process.kill()
        after = list_done()
        assert len(after) >= rows and before.items() <= after.items(), (rows, before, after)
        before = after
    done = run(*words(folder, 'again', '--resume'))
    assert done.returncode == 1 and before.items() <= list_done().items(), done
    assert read(folder, 'again') == expected


def check_resume(folder, expected):
    """What is done stays, and what has changed is computed again."""
    def dates(*more):
        run(*words(folder, 'again', '--resume', *more))
        return [os.stat(os.path.join(folder, 'again', f'frame{i}', 'summary.json')).st_mtime_ns
                for i in range(3)]

    def replace(i, content):
        """Another file of the same size and date, as a copy that keeps its date."""
        path = os.path.join(folder, 'data', f'frame{i}.tif')
        with open(path, 'rb') as file:
            old = file.read()
        date = os.stat(path).st_mtime_ns
        with open(path, 'wb') as file:
            file.write(content or old[:8] + bytes(reversed(old[8:-150])) + old[-150:])
        os.utime(path, ns=(date, date))
        return old

    before = dates()
    old = replace(0, None)
    os.utime(os.path.join(folder, 'data', 'frame2.tif'))  # its content is the same
    with open(os.path.join(folder, 'again', 'frame1', 'contrast.tif'), 'ab') as file:
        file.write(b'!')
    after = dates()
    assert after[0] > before[0] and after[1] > before[1] and after[2] == before[2]
    assert read(folder, 'again') != expected
    replace(0, old)
    assert dates()[0] > after[0]
    assert read(folder, 'again') == expected
    assert dates('--radius', '2')[2] > after[2]


def check_runs(folder):
    """Each line of a settings file with several runs has the number and the values of its run."""
    if run(PROGRAM, 'describe', 'fluence').returncode != 0:
        return
    runs, path = 12, os.path.join(folder, 'runs.csv')
    with open(os.path.join(folder, 'many.mci'), 'w', encoding='utf-8') as file:
        file.write(f'1.0\n{runs}\n')
        for i in range(runs):
            file.write(f'run{i}.mco A\n{1000 + i}\n0.01 0.01\n20 10 10\n1\n1.0\n'
                       f'1.4 {1 + i} 10 0.9 1\n1.0\n')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('file,name,run\nmany.mci,all,\nmany.mci,second,2\n')
    done = run(PROGRAM, 'run', 'fluence', '--list', path, '--out', os.path.join(folder, 'runs'),
               '--backend', 'cpu')
    assert done.returncode == 0, done
    with open(os.path.join(folder, 'runs', 'results.csv'), encoding='utf-8') as file:
        assert file.readline().split(',').count('run') == 1
    rows = rows_of(folder, 'runs')
    assert [row['run'] for row in rows] == [str(1 + i) for i in range(runs)] + ['2'], rows
    names = [f'all/run-{1 + i}' for i in range(runs)] + ['second']
    for name, row in zip(names, rows):
        with open(os.path.join(folder, 'runs', name, 'summary.json'), encoding='utf-8') as file:
            maps = json.load(file)['outputs']
        told = {f'{key}_mean': values['mean'] for key, values in maps.items()
                if f'{key}_mean' in row and values.get('mean') is not None}
        assert told, maps
        for key, value in told.items():
            assert float(row[key]) == value, (name, key)


def check_switches(folder):
    """A switch is off or on by the words of a boolean parameter, and refuses others."""
    path = os.path.join(folder, 'switches.csv')
    one = 'data/frame0.tif'
    for text, on in (('FALSE', False), (' No ', False), ('0', False), ('TRUE', True)):
        with open(path, 'w', encoding='utf-8') as file:
            file.write(f'file,strict\n{one},{text}\n')
        out = os.path.join(folder, 'switches')
        done = run(PROGRAM, 'run', 'flow', '--list', path, '--out', out, '--backend', 'cpu',
                   '--force')
        assert done.returncode == 0, done
        with open(os.path.join(out, 'frame0', 'summary.json'), encoding='utf-8') as file:
            assert ('--strict' in json.load(file)['provenance']['command']) == on, text


def check_parts(folder, expected):
    for part in (2, 3, 1):
        done = run(*words(folder, 'parts', '--part', f'{part}/3'))
        assert done.returncode in (0, 1), done
    assert read(folder, 'parts') == expected
    for text in ('0/3', '4/3', '3', 'x', '1/3x'):
        done = run(*words(folder, 'parts', '--part', text))
        assert done.returncode == 2 and '--part' in done.stderr, done


def check_ranks(folder, expected):
    done = run(*MPIRUN, *words(folder, 'ranks'))
    assert done.returncode == 1, done
    assert done.stderr.count('vivograph: row') == BROKEN, done.stderr
    assert 'CRITICAL' not in done.stderr, done.stderr
    assert read(folder, 'ranks') == expected


def check_tables(folder):
    """Each wrong table is one line that says what to do, and nothing is written."""
    done = run(PROGRAM, 'run', 'flow', '--list', folder, '--out', os.path.join(folder, 'wrong'))
    assert done.returncode == 3 and os.strerror(errno.EISDIR) in done.stderr, done
    out = os.path.join(folder, 'wrong')
    done = run(PROGRAM, 'run', 'flow', '--list', '/dev/zero', '--out', out)
    assert done.returncode == 3 and 'more than 64 MiB' in done.stderr, done
    assert done.stderr.count('\n') == 1 and not os.path.exists(out), done
    path = os.path.join(folder, 'wrong.csv')
    one = 'data/frame0.tif'
    for text, says in (
            ('', 'names no column "file"'), ('a,b\n', 'names no column "file"'),
            ('file\n', 'no rows'), ('file\n\n,\n', 'no rows'), ('file\nx,y\n', 'has 2 cells'),
            (f'file\n{one}\n{one}\n', 'rows 2 and 3 both have the name "frame0"'),
            (f'file,file\n{one},\n', 'both named "file"'), (f'file,\n{one},\n', 'column 2'),
            (f'file,exposure\n{one},2\n', 'exposure'), (f'file,out\n{one},x\n', 'out'),
            (f'file,operation\n{one},flwo\n', 'row 2'), (f'file\n"{one}\n', 'quote'),
            (f'file,strict\n{one},maybe\n', 'neither true nor false'),
            (f'file,name\n{one},a/x\n', 'slash'), (f'file,name\n{one},.x\n', 'dot'),
            (f'file,name\n{one},results.csv\n', 'table of the study'),
            (f'file,name\n{one},notes.csv\n', 'table of the study'), ('file\n\udcff\n', 'UTF-8')):
        with open(path, 'w', encoding='utf-8', errors='surrogateescape') as file:
            file.write(text)
        done = run(PROGRAM, 'run', 'flow', '--list', path, '--out', os.path.join(folder, 'wrong'))
        assert done.returncode in (2, 3), (text, done)
        assert says in done.stderr and done.stderr.count('\n') == 1, (text, done.stderr)
        assert not os.path.exists(os.path.join(folder, 'wrong')), text
    for lacking in ('name\nx\n', f'file,name\n{one},x\n,y\n'):
        with open(path, 'w', encoding='utf-8') as file:
            file.write(lacking)
        done = run(PROGRAM, 'run', 'flow', '--list', path, '--out', os.path.join(folder, 'wrong'))
        assert done.returncode == 2 and 'column "file"' in done.stderr, done
        assert not os.path.exists(os.path.join(folder, 'wrong'))
    with open(path, 'w', encoding='utf-8') as file:
        file.write(f'file\n{one}\n')
    done = run(PROGRAM, 'run', 'flow', '--list', path, '--out', os.path.join(path, 'within'))
    assert done.returncode == 1 and 'cannot create the folder' in done.stderr, done
    assert done.stderr.count('\n') == 1, done
    with open(path, 'w', encoding='utf-8') as file:
        file.write(f'file;radius\r\n{one};99\r\n{one};3\r\n'.replace(f'{one};3', 'x.tif;3'))
    for more, says in (((), 'names no operation'), (('flow',), 'radius'),
                       (('flow', one), 'not expected'), (('flow', '--resume'), 'radius')):
        done = run(PROGRAM, 'run', *more, '--list', path, '--out', os.path.join(folder, 'few'))
        assert done.returncode in (1, 2) and says in done.stderr, done
    done = run('env', '-u', 'SLURM_STEP_NUM_TASKS', 'PMIX_RANK=0', *words(folder, 'wrong'))
    assert done.returncode == 2 and 'PMIx' in done.stderr and done.stderr.count('\n') == 1, done
    done = run('env', 'SLURM_STEP_NUM_TASKS=1', 'PMIX_RANK=0', *words(folder, 'whole', '--resume'))
    assert done.returncode == 1 and 'PMIx' not in done.stderr, done
    for option in ('--resume', '--force'):
        done = run(PROGRAM, 'run', 'flow', one, option, '--out', os.path.join(folder, 'few'))
        assert done.returncode == 2 and '--list' in done.stderr, done


def check_cancelled(folder):
    """The broken files are the last rows.  If they have failed, the run had ended before the signal
    came, so it is tried again."""
    for attempt in range(20):
        out = f'cancelled{attempt}'
        with subprocess.Popen(words(folder, out), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as process:
            while not os.path.exists(os.path.join(folder, out, 'frame0', 'summary.json')):
                time.sleep(0.001)
            process.send_signal(signal.SIGINT)
            errors = process.communicate()[1]
        states = {row['status'] for row in rows_of(folder, out)}
        if 'failed' not in states:
            break
    assert process.returncode == 130 and '--resume' in errors, (process.returncode, errors)
    assert states == {'done', 'not run'}


with tempfile.TemporaryDirectory() as scratch:
    make_table(scratch)
    check_whole(scratch)
    whole = read(scratch, 'whole')
    check_again(scratch, whole, *MPIRUN)
    if MPIRUN:
        check_ranks(scratch, whole)
    else:
        check_killed(scratch, whole)
        check_resume(scratch, whole)
        check_runs(scratch)
        check_switches(scratch)
        check_parts(scratch, whole)
        check_tables(scratch)
        check_cancelled(scratch)

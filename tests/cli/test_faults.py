# SPDX-License-Identifier: MIT
"""Each job runs many times: the first, the second and so on of its calls of one kind fails, or the
job is killed at this call.  In each case the test checks:

  - Each folder holds all of the old results or all of the new ones, never a mixture.
  - A job that fails says so in one line, ends with the exit status in the manual, and leaves no
    temporary file.  The same holds for a job that follows a killed one.
  - No signal ends a job, and no job hangs.

    test_faults.py PROGRAM INJECT SAVER DATA [--runs N] [--calls malloc,read,...] [--workers N]
                   [--part I/N] [--gpu MODULE] [--like] [JOB...]

INJECT is the library of tests/support/inject.c, SAVER the program of tests/support/save-session.c,
DATA the folder tests/data.  --runs N: N calls of each kind fail, chosen at random but the same in
each run of the test (0: all).  --part I/N: of N processes that share these calls, this is number I.

--gpu MODULE: the calls that fail are those of a GPU.  MODULE takes the place of the CUDA module; it
is that of tests/support/fake-gpu.c, or, with --like, of tests/support/cuda-faults.cu on a GPU,
whose maps are those of the CPU but for the last bits.  With --backend auto the job must give its
new results, by the CPU if need be; with --backend cuda it may fail."""
import argparse
import csv
import gzip
import hashlib
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor

KILLED, NEVER, PATIENCE_S, LEAST_FREE = -9, 1000000, 240, 1 << 29
KINDS = ('malloc', 'read', 'write', 'fsync', 'rename', 'open', 'close')
# The disk changes only at these calls, so a kill at any other call gives the same files.
DEADLY = ('write', 'fsync', 'rename', 'open', 'close')
GPU_KINDS = ('cuda-memory', 'cuda-launch', 'cuda-lost')


# --- inputs of the jobs ---

def write_tiff(path, width, height, frames, kind):
    """A stack of TIFF pages, with grey values of KIND 'B' or 'H' from a fixed seed."""
    chance, size = random.Random(width), struct.calcsize(kind)
    with open(path, 'wb') as file:
        file.write(b'II*\0' + struct.pack('<I', 8))
        for i in range(frames):
            tags = {256: width, 257: height, 258: 8 * size, 259: 1, 262: 1, 273: 0, 277: 1,
                    278: height, 279: width * height * size}
            tags[273] = file.tell() + 6 + 12 * len(tags)
            end = tags[273] + tags[279]
            file.write(struct.pack('<H', len(tags)))
            for tag, value in tags.items():
                file.write(struct.pack('<HHII', tag, 4, 1, value))
            file.write(struct.pack('<I', end if i + 1 < frames else 0))
            file.write(struct.pack(f'<{width * height}{kind}',
                                   *(chance.randrange(40, 200) for _ in range(width * height))))


def write_spc(path, side, scans, photons):
    """A photon stream of SCANS of SIDE x SIDE pixels with PHOTONS each, and its settings: a record
    each 250 ns, first the markers of a pixel (1), line (2) and scan (4)."""
    chance, records, time = random.Random(side), [0x90000000 | 250], 0
    for i in range(scans * side * side):
        markers = 1 | 2 * (i % side == 0) | 4 * (i % (side * side) == 0)
        for bits in [0x90000000 | markers << 12] + [
                4095 - int(chance.expovariate(1 / 1000)) % 4096 << 16 for _ in range(photons)]:
            records.append(bits | (time % 4096 + 10 > 4095) << 30 | (time + 10) % 4096)
            time += 10
    with open(path, 'wb') as file:
        file.write(struct.pack(f'<{len(records)}I', *records))
    with open(path.replace('.spc', '.set'), 'w', encoding='utf-8') as file:
        file.write('[SP_TAC_R,F,5e-8]\n[SP_TAC_G,I,4]\n')


def write_nifti(path, size, frames):
    """A series of volumes with a placement: voxels of 2 mm whose axes are those of the patient."""
    chance, voxels = random.Random(size[0]), frames * size[0] * size[1] * size[2]
    header = bytearray(352)
    struct.pack_into('<i', header, 0, 348)
    struct.pack_into('<8h', header, 40, 4, *size, frames, 1, 1, 1)
    struct.pack_into('<2h', header, 70, 512, 16)  # 16 bits without a sign
    struct.pack_into('<8f', header, 76, 1, 2, 2, 2, 3, 0, 0, 0)
    struct.pack_into('<f', header, 108, 352)
    header[123] = 2 | 8  # mm and s
    struct.pack_into('<h', header, 254, 1)
    struct.pack_into('<12f', header, 280, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0)
    header[344:348] = b'n+1\0'
    with open(path, 'wb') as file:
        file.write(header + struct.pack(f'<{voxels}H',
                                        *(chance.randrange(40, 200) for _ in range(voxels))))


def write_nrrd(path, size, frames):
    """The same as NRRD, in gzip, with the samples of all frames at a voxel after each other."""
    chance, voxels = random.Random(size[0]), frames * size[0] * size[1] * size[2]
    header = ('NRRD0004\ntype: ushort\ndimension: 4\n'
              f'sizes: {frames} {size[0]} {size[1]} {size[2]}\nspace: left-posterior-superior\n'
              'space directions: none (2,0,0) (0,2,0) (0,0,2)\nspace origin: (0,0,0)\n'
              'kinds: list domain domain domain\nendian: little\nencoding: gzip\n\n')
    with open(path, 'wb') as file:
        file.write(header.encode() + gzip.compress(struct.pack(
            f'<{voxels}H', *(chance.randrange(40, 200) for _ in range(voxels))), mtime=0))


def make_inputs(folder, data):
    write_tiff(f'{folder}/frames.tif', 160, 128, 4, 'H')
    write_tiff(f'{folder}/decays.tif', 160, 128, 16, 'H')
    write_tiff(f'{folder}/series.tif', 128, 130, 12, 'H')
    write_spc(f'{folder}/photons.spc', 32, 2, 15)
    write_nifti(f'{folder}/series.nii', (96, 90, 2), 6)
    write_nrrd(f'{folder}/series.nrrd', (96, 90, 2), 6)
    with open(f'{folder}/frames.raw', 'wb') as file:
        file.write(random.Random(1).randbytes(256 * 160 * 2 * 6))
    for name in ('contour/dsb02.tif', 'fluence/inputs/two_layer.mci'):
        shutil.copy(f'{data}/{name}', folder)
    with open(f'{folder}/study.csv', 'w', encoding='utf-8') as file:
        file.write('file,name,radius\nframes.tif,one,\nframes.tif,two,3\n')


# --- jobs: commands with inputs {i} and output folder {o}; {s} differs between old and new ---

ONE = '--backend cpu --threads 1'
JOBS = {
    'flow': f'run flow {{i}}/frames.tif --strict --exposure-ms {{s}} --out {{o}} {ONE}',
    'lifetime': f'run lifetime {{i}}/decays.tif --strict --pages bins --method rld '
                f'--pixel-um {{s}} --out {{o}} {ONE}',
    'photons': f'run lifetime {{i}}/photons.spc --strict --method rld --pixel-um {{s}} '
               f'--out {{o}} {ONE}',
    'fluence': f'run fluence {{i}}/two_layer.mci --photons 2000 --seed {{s}} --out {{o}} {ONE}',
    'perfusion': f'run perfusion {{i}}/series.tif --strict --frame-interval-ms {{s}}000 '
                 f'--out {{o}} {ONE}',
    'nrrd': f'run perfusion {{i}}/series.nrrd --strict --model patlak --inputs artery '
            f'--frame-interval-ms {{s}}000 --format nrrd --out {{o}} {ONE}',
    'dicom': f'run perfusion {{i}}/series.nii --strict --model patlak --inputs artery '
             f'--frame-interval-ms {{s}}000 --format dicom --out {{o}} {ONE}',
    'contour': f'run contour {{i}}/dsb02.tif --strict --force classical --iterations 5 '
               f'--pixel-um {{s}} --out {{o}} {ONE}',
    'demo': f'demo perfusion --size 24x24 --seed {{s}} --out {{o}} {ONE}',
    'record': 'record - --force --geometry 256x160:u16 --max-frames {s} --out {o}/frames.tif',
    'session': '{saver} {o}/work.vivograph {s}',
    'movie': f'run flow {{i}}/frames.tif --strict --exposure-ms {{s}} --movie {{o}}/flow.avi '
             f'--movie-width 320 --figure png,svg,pdf --report --out {{o}}/maps {ONE}',
    'resume': f'run flow --list {{i}}/study.csv --strict --exposure-ms {{s}} --resume '
              f'--out {{o}} {ONE}',
    'rois': f'run flow {{i}}/frames.tif --strict --exposure-ms {{s}} --format tiff,png --gzip '
            f'--rois "rect:10,20,30,40 a" --profile 10,20,80,20,3 --out {{o}} {ONE}',
    'kymograph': f'run flow {{i}}/frames.tif --strict --exposure-ms {{s}} '
                 f'--kymograph 10,20,80,20,3 --out {{o}} {ONE}',
}
GPU_JOBS = ('flow', 'lifetime', 'fluence', 'perfusion', 'contour', 'demo', 'resume', 'rois')
INPUTS = {'record': 'frames.raw'}  # files for standard input
# If these functions get no memory for a longer string or list, GLib ends the process.  So do the
# libraries of these jobs: GStreamer allocates the frames of a movie in this way.
GROWS = ('g_realloc', '_IO_str_overflow')
ENDED_BY_GLIB = ('session', 'movie')
FONTS = '/etc/fonts/'  # without one of these files, text is drawn in another font
SMALL = 'vivograph: there is not enough memory; close other programs, or process less data'


class Wrong(Exception):
    """A job left wrong files or gave a wrong message; the text describes the error."""


# --- files that a job left ---

def crc_of(path):
    with open(path, 'rb') as file:
        return zlib.crc32(file.read())


def read_pages(path):
    """Checksums of the samples of each page of a recording.  The directories of the pages are left
    out, because they hold the time of day."""
    with open(path, 'rb') as file:
        data = file.read()
    if not data:
        return []
    if data[:4] != b'II+\0':
        raise Wrong(f'{path} is not a BigTIFF')
    pages, at = [], struct.unpack_from('<Q', data, 8)[0]
    while at:
        n = struct.unpack_from('<Q', data, at)[0]
        tags = {}
        for i in range(n):
            tag, kind, count = struct.unpack_from('<HHQ', data, at + 8 + 20 * i)
            tags[tag] = struct.unpack_from({3: '<H', 4: '<I', 16: '<Q'}.get(kind, '<B'),
                                           data, at + 20 + 20 * i)[0]
        samples = data[tags[273]:tags[273] + tags[279]]
        if len(samples) != tags[279]:
            raise Wrong(f'{path} has a page without its samples')
        pages.append(hashlib.sha256(samples).hexdigest())
        at = struct.unpack_from('<Q', data, at + 8 + 20 * n)[0]
    return pages


LIKE = []      # not empty: files with maps are like those of a run without a fault, not the same


class Maps:
    """The maps in a summary.  Those of CPU and GPU are alike: in size, and in the median and the
    number of missing values within a tenth."""

    def __init__(self, summary):
        self.maps = {name: [map_[key] for key in ('width', 'height', 'pages')] + [
            map_['median'], map_['invalid']] for name, map_ in summary['outputs'].items()
            if 'median' in map_}

    def __eq__(self, other):
        return isinstance(other, Maps) and set(self.maps) == set(other.maps) and all(
            a[:3] == b[:3] and all(x == y or (
                x is not None and y is not None and abs(x - y) <= 0.1 * max(abs(x), abs(y), 1e-6))
                for x, y in zip(a[3:], b[3:]))
            for a, b in ((self.maps[name], other.maps[name]) for name in self.maps))

    __hash__ = None


def read_folder(path):
    """The contents of the visible files in one folder, by name.  Files that hold the time of day
    are reduced to the parts that do not change.  None: the summary does not match the files."""
    found, summary = {}, None
    for name in sorted(os.listdir(path)):
        file = os.path.join(path, name)
        if name.startswith('.') or os.path.isdir(file):
            continue
        if name == 'summary.json':
            with open(file, encoding='utf-8') as text:
                summary = json.load(text)
            found[name] = summary['parameters'], (
                Maps(summary) if LIKE else summary['results'].get('mean_contrast'))
        elif name in ('frames.tif', 'frames.part.tif'):
            found[name] = read_pages(file)
        elif name == 'failed.txt':
            continue  # why a row of a study failed
        elif name == 'results.csv':
            with open(file, encoding='utf-8', newline='') as text:
                found[name] = list(csv.reader(text))
        elif LIKE or name.endswith(('.dcm', '.pdf', '.svg', '.html')) or name == 'figure.png':
            found[name] = 'from the run of the summary'  # checked by the checksum in the summary
        else:
            found[name] = crc_of(file)
    for name, listed in (summary or {'files': {}})['files'].items():
        file = os.path.join(path, name)
        if not os.path.exists(file) or crc_of(file) != int(listed['crc32'], 16):
            return None
    return found


def check_table(found):
    """The table of a study is complete: it has all rows, whether they failed or not."""
    rows = found['results.csv']
    if [row[1] for row in rows] != ['name', 'one', 'two'] or len({len(row) for row in rows}) != 1:
        raise Wrong(f'the table of the study is not whole: {rows}')


def read_tree(path):
    """The folders below PATH with their contents."""
    return {os.path.relpath(folder, path): read_folder(folder)
            for folder, folders, _ in os.walk(path)
            if '/.' not in os.path.relpath(folder, os.path.dirname(path))}


def hidden_in(path):
    """Hidden files and folders."""
    return [os.path.join(folder, name) for folder, folders, files in os.walk(path)
            for name in folders + files if name.startswith('.')]


# --- runs ---

class Run:
    """One run of a job, in its own folder, which begins as a copy of BEFORE."""

    def __init__(self, bench, before=None):
        self.bench = bench
        self.folder = tempfile.mkdtemp(dir=bench.folder)
        self.out = os.path.join(self.folder, 'out')
        self.log = os.path.join(self.folder, 'log')
        for name in ('home', 'tmp'):
            os.mkdir(os.path.join(self.folder, name))
        if before is None:
            os.mkdir(self.out)
        else:
            shutil.copytree(before, self.out, symlinks=True)

    def start(self, seed, kind=None, at=NEVER, kill=False, plain=False):
        """Runs the job; PLAIN: with a plain disk, or on the GPU alone.  Returns its exit status,
        the lines of its error messages, the place of the failed call (None: no call failed) and
        the number of calls."""
        bench, home = self.bench, os.path.join(self.folder, 'home')
        env = dict(os.environ, HOME=home, XDG_STATE_HOME=home + '/state',
                   XDG_CACHE_HOME=bench.folder + '/cache', XDG_CONFIG_HOME=home + '/config',
                   TMPDIR=os.path.join(self.folder, 'tmp'), LC_ALL='C.UTF-8', LANGUAGE='en')
        words = bench.words(self.out, seed)
        if kind in GPU_KINDS:
            env.update(VIVOGRAPH_MODULE_DIR=bench.modules, VG_FAULT_CALL=kind,
                       VG_FAULT_AT=str(at), VG_FAULT_LOG=self.log)
            words[words.index('--backend') + 1] = 'cuda' if plain else 'auto'
        elif kind is not None:
            env.update(LD_PRELOAD=bench.options.inject, VG_FAULT_CALL=kind, VG_FAULT_AT=str(at),
                       VG_FAULT_LOG=self.log, GST_REGISTRY_UPDATE='no')
        env.update({'VG_FAULT_KILL': '1'} if kill else {},
                   **({'VG_FAULT_PLAIN': '1'} if plain else {}))
        if os.path.exists(self.log):
            os.unlink(self.log)
        try:
            done = subprocess.run(words, input=bench.input, env=env,
                                  capture_output=True, timeout=PATIENCE_S, check=False)
        except subprocess.TimeoutExpired as error:
            raise Wrong(f'still runs after {PATIENCE_S} s') from error
        where, count = None, 0
        if os.path.exists(self.log):
            with open(self.log, encoding='utf-8', errors='replace') as file:
                for word, _, text in (line.rstrip('\n').partition(' ') for line in file):
                    if word == 'at':
                        where = text
                    else:
                        count = int(text)
        return (done.returncode, done.stderr.decode(errors='replace').splitlines(), where, count)

    def end(self):
        shutil.rmtree(self.folder)


class Bench:
    """All runs of one job."""

    def __init__(self, name, options, folder):
        self.name, self.options, self.folder = name, options, folder
        self.inputs = os.path.join(folder, 'inputs')
        self.input = b''
        if name in INPUTS:
            with open(os.path.join(self.inputs, INPUTS[name]), 'rb') as file:
                self.input = file.read()
        self.modules = os.path.join(folder, 'modules')
        self.kept = []
        self.old, self.old_out, self.old_says = self.make(3)
        self.new, self.new_out, self.new_says = self.make(4)
        if any(self.old[part] == self.new.get(part) for part in self.old):
            raise Wrong('old and new results are the same')

    def words(self, out, seed):
        text = JOBS[self.name].format(i=self.inputs, o=out, s=seed, saver=self.options.saver)
        words = [word.strip('"') for word in
                 ' '.join(text.split()).replace('"rect:10,20,30,40 a"', '"rect:10,20,30,40\0a"')
                 .split(' ')]
        words = [word.replace('\0', ' ') for word in words]
        return words if words[0] == self.options.saver else [self.options.program] + words

    def make(self, seed):
        """The results of a run without a fault in an empty folder."""
        run = Run(self)
        self.kept.append(run)
        status, says, _, _ = run.start(seed)
        if status != 0:
            raise Wrong(f'without a fault it ends with {status}: {says}')
        return read_tree(run.out), run.out, says

    # --- checks ---

    def check_recording(self, run, told):
        """The folder holds the old recording, or the new one up to its last complete frame, which
        may have the name of an unfinished recording.  TOLD: after a kill it may have no frame."""
        found, kinds = read_folder(run.out), set()
        old, new = self.old['.']['frames.tif'], self.new['.']['frames.tif']
        for name, pages in found.items():
            if name == 'frames.tif' and pages == old:
                kinds.add('old')
            elif (pages or told) and pages == new[:len(pages)]:
                kinds.add('new' if pages == new and name == 'frames.tif' else 'part')
            else:
                raise Wrong(f'{name} has other frames, {len(pages)} of {len(new)}')
        if 'frames.tif' not in found:
            raise Wrong('the old recording is gone')
        return kinds

    def check_state(self, run, told, other_fonts=False):
        """Every folder is old or new.  TOLD: a folder may also be a mixture if its summary is
        missing or does not match.  OTHER_FONTS: a movie may have other pictures.  Returns which of
        these kinds were found."""
        if self.name == 'record':
            return self.check_recording(run, told)
        found, kinds = read_tree(run.out), set()
        if other_fonts and 'flow.avi' in found.get('.', {}):
            found['.']['flow.avi'] = self.new['.']['flow.avi']
        for part in sorted(set(found) | set(self.old) | set(self.new)):
            if part in found and found[part] == self.new.get(part):
                kinds.add('new')
            elif part in found and found[part] == self.old.get(part):
                kinds.add('old')
            elif self.name == 'resume' and part == '.':
                check_table(found[part])
            elif not (told and 'summary.json' not in (found.get(part) or {})):
                new, this = self.new.get(part) or {}, found.get(part) or {}
                differ = [name for name in set(new) | set(this) if new.get(name) != this.get(name)]
                raise Wrong(f'folder {part} is neither old nor new: in {sorted(differ)} not new')
        return kinds

    def check_clean(self, run):
        left = hidden_in(run.out) + hidden_in(os.path.join(run.folder, 'tmp')) + [
            os.path.join(folder, name) for folder, _, files in os.walk(run.folder + '/tmp')
            for name in files] + [name for name in os.listdir(run.folder)
                                  if name not in ('out', 'home', 'tmp', 'log')]
        if left:
            raise Wrong(f'left behind: {left}')

    def check_says(self, says, kind, where):
        """The job prints the messages of a run without a fault, and one line more."""
        lines = list(says)
        for line in self.old_says + self.new_says:
            if line in lines:
                lines.remove(line)
        most = 5 if self.name == 'resume' else 1  # a study: one per row, one for the table
        if not 1 <= len(lines) <= most or not all(l.startswith('vivograph: ') for l in lines):
            raise Wrong(f'not one line of error: {says}')
        if kind == 'malloc' and lines[0] == SMALL and where not in GROWS and \
                self.name not in ENDED_BY_GLIB:
            raise Wrong('an allocation was not checked')

    def check(self, run, kind, kill, plain, done):
        status, says, where, _ = done
        if where is None and status == 0:
            self.check_state(run, False)
        elif kind in GPU_KINDS and not plain:
            if status != 0 or self.check_state(run, False) != {'new'}:
                raise Wrong(f'the CPU does not take over, it ends with {status}: {says}')
            if says != self.new_says:
                self.check_says(says, kind, where)
        elif kill and status == KILLED:
            self.check_state(run, plain or self.name == 'record')
            # the next run fails at once, but still removes the temporary files
            again = run.start(4, 'write', 1, plain=plain)
            if again[0] != 1:
                raise Wrong(f'the next one ends with {again[0]}: {again[1]}')
            self.check_says(again[1], 'write', again[2])
            self.check_state(run, False)
        elif kill or status not in (0, 1, 3):
            raise Wrong(f'ends with {status}: {says}')
        elif status == 0:
            if self.check_state(run, False, (where or '').startswith(FONTS)) != {'new'}:
                raise Wrong(f'ends with 0, and old results: {says}')
        else:
            self.check_says(says, kind, where)
            if not self.check_state(run, False) & {'old', 'part'}:
                raise Wrong(f'ends with {status}, and new results: {says}')
            # of a recording, what is read from a pipe; a session is read before it is saved; a row
            # of a study that fails ends with 1
            of_input = bool(where) and kind == 'read' and (
                where.startswith(self.inputs) or self.name == 'session') and not (
                    self.name == 'resume' and where.endswith('.tif'))
            if kind != 'malloc' and (status == 3) != of_input:
                raise Wrong(f'ends with {status}: {says}')
        self.check_clean(run)
        if self.name == 'resume' and status != 0:
            again = run.start(4)
            if again[0] != 0 or self.check_state(run, False) != {'new'}:
                raise Wrong(f'it cannot be resumed: {again[0]}: {again[1]}')

    def try_one(self, kind, at, kill, plain):
        """Returns a description of the error (None: there is none), and whether a call failed."""
        run = Run(self, self.old_out)
        done = (None, [], None, 0)
        try:
            done = run.start(4, kind, at, kill, plain)
            self.check(run, kind, kill, plain, done)
            return None, done[2] is not None
        except (Wrong, OSError, ValueError, KeyError, struct.error) as error:
            return (f'{self.name} {kind} {at}{" killed" if kill else ""}{" plain" if plain else ""}'
                    f' (at {done[2]}): {error or type(error)}'), True
        finally:
            run.end()

    def sweep(self, kind, kill, plain, pool):
        """Returns the errors that were found, and the number of runs."""
        run = Run(self, self.old_out)
        count = run.start(4, kind, NEVER, plain=plain)[3]
        run.end()
        numbers = range(1, count + 1)
        if self.options.runs and count > self.options.runs:
            # the first is always reached; of the last there may be fewer in the next run
            numbers = [1] + sorted(random.Random(f'{self.name} {kind} {kill}').sample(
                numbers[1:], self.options.runs - 1))
        first, parts = self.options.part
        numbers = list(numbers)[first::parts]
        found = list(pool.map(lambda at: self.try_one(kind, at, kill, plain), numbers))
        if not count and kind in DEADLY:
            return [f'{self.name} {kind}: there is no such call'], 0
        if found and not any(hit for _, hit in found):
            return [f'{self.name} {kind}: no call failed'], len(found)
        return [wrong for wrong, _ in found if wrong], len(found)

    def all(self, pool):
        found, runs = [], 0
        for kind in self.options.calls.split(','):
            for kill in (False, True) if kind in DEADLY else (False,):
                for plain in (False, True) if kind in ('rename', *GPU_KINDS) else (False,):
                    wrong, n = self.sweep(kind, kill, plain, pool)
                    found, runs = found + wrong, runs + n
        for run in self.kept:
            run.end()
        return found, runs


def read_part(parser, text):
    """I and N of the text I/N, with I from 0."""
    number, slash, parts = text.partition('/')
    if not (slash and number.isdecimal() and parts.isdecimal() and 1 <= int(number) <= int(parts)):
        parser.error(f'--part is {text}; give I/N, such as 2/3')
    return int(number) - 1, int(parts)


def main():
    parser = argparse.ArgumentParser()
    for name in ('program', 'inject', 'saver', 'data'):
        parser.add_argument(name, type=os.path.abspath)
    parser.add_argument('jobs', nargs='*', metavar='JOB')
    parser.add_argument('--runs', type=int, default=0)
    parser.add_argument('--calls')
    parser.add_argument('--gpu', type=os.path.abspath)
    parser.add_argument('--like', action='store_true')
    parser.add_argument('--workers', type=int, default=1)
    parser.add_argument('--part', default='1/1')
    options = parser.parse_intermixed_args()
    options.part = read_part(parser, options.part)
    unknown = [name for name in options.jobs if name not in JOBS]
    if unknown:
        parser.error(f'no job {unknown[0]}; there are {", ".join(JOBS)}')
    LIKE.extend([True] if options.like else [])
    options.calls = options.calls or ','.join(GPU_KINDS if options.gpu else KINDS)
    found, runs = [], 0
    shm = '/dev/shm'  # fsync takes no time there
    if not os.access(shm, os.W_OK) or shutil.disk_usage(shm).free < LEAST_FREE:
        shm = None
    with tempfile.TemporaryDirectory(dir=shm) as folder, \
            ThreadPoolExecutor(options.workers) as pool:
        os.mkdir(os.path.join(folder, 'inputs'))
        make_inputs(os.path.join(folder, 'inputs'), options.data)
        if options.gpu:
            os.mkdir(os.path.join(folder, 'modules'))
            os.symlink(options.gpu, os.path.join(folder, 'modules', 'vivograph-cuda.so'))
        # the names of the files and the settings in the summary must tell old from new results
        gpu_jobs = [name for name in GPU_JOBS
                    if not LIKE or name in ('flow', 'fluence', 'perfusion', 'rois')]
        for name in options.jobs or (gpu_jobs if options.gpu else JOBS):
            try:
                wrong, n = Bench(name, options, folder).all(pool)
            except Wrong as error:
                wrong, n = [f'{name}: {error}'], 0
            print('\n'.join(wrong + [f'{name}: {n} runs, {len(wrong)} wrong']), flush=True)
            found, runs = found + wrong, runs + n
    print(f'{runs} runs, {len(found)} wrong')
    return 1 if found or not (runs or options.part[1] > 1) else 0


if __name__ == '__main__':
    sys.exit(main())

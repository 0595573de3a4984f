# SPDX-License-Identifier: MIT
"""Series that DCMTK's storescu sends are received, and give the same maps as their folder; so do
other programs of DCMTK with what is refused.  Arguments: the program, and the script that writes
series as scanners do."""
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

try:
    import pydicom
    from pydicom.uid import generate_uid
except ImportError as missing:
    print(f'{missing}: apt install python3-pydicom')
    sys.exit(77)

PROGRAM, SCRIPT = sys.argv[1:]
SETTINGS = ['--delays', 'none', '--signal', 'concentration', '--baseline-last', '1', '--backend',
            'cpu', '--artery', 'rect:1,1,3,3@2', '--portal', 'rect:6,6,3,3@1', '--format', 'tiff']
TIMES, SLICES = 4, 5
WAIT_S = 60


def free_port():
    with socket.socket() as found:
        found.bind(('127.0.0.1', 0))
        return found.getsockname()[1]


class Listener:
    """The program while it receives; it is killed if the block of its `with` fails."""

    def __init__(self, folder, *more):
        self.port, self.folder, self.out = free_port(), folder / 'received', folder / 'out'
        self.process = subprocess.Popen(
            [PROGRAM, 'run', 'perfusion', f'dicom-listen://{self.port}{self.folder}', '--out',
             str(self.out), *SETTINGS, *more], stderr=subprocess.PIPE, text=True)

    def __enter__(self):
        end = time.monotonic() + WAIT_S
        try:
            while self.call('echoscu') != 0:
                assert time.monotonic() < end and self.process.poll() is None, self.process.poll()
                time.sleep(0.1)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def call(self, name, *more):
        """The exit status of a program of DCMTK that connects."""
        return subprocess.run([name, *more[:-1], '127.0.0.1', str(self.port), *more[-1:]],
                              capture_output=True, text=True, timeout=WAIT_S).returncode

    def send(self, *paths, options=()):
        return subprocess.run(['storescu', *options, '127.0.0.1', str(self.port),
                               *map(str, paths)], capture_output=True, text=True,
                              timeout=WAIT_S)

    def finish(self):
        errors = self.process.communicate(timeout=2 * WAIT_S)[1]
        return self.process.returncode, errors


def run(folder, out):
    result = subprocess.run([PROGRAM, 'run', 'perfusion', str(folder), '--out', str(out),
                             *SETTINGS], capture_output=True, text=True, timeout=WAIT_S)
    assert result.returncode == 0, result
    return out


def check_same(one, other):
    names = sorted(path.name for path in one.glob('*.tif'))
    assert len(names) > 10 and names == sorted(path.name for path in other.glob('*.tif')), names
    for name in names:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


def check_series(folder, name, options=()):
    """All images of a series are stored and read; each has its own bytes."""
    work = folder / f'work-{name}{len(options)}'
    work.mkdir()
    paths = sorted((folder / name).iterdir())
    with Listener(work, '--max-frames', str(TIMES)) as listener:
        result = listener.send(*paths, options=options)
        assert result.returncode == 0, result
        status, errors = listener.finish()
    assert status == 0, errors
    assert f'{len(paths)} image{"s" if len(paths) > 1 else ""} received' in errors, errors
    assert 'only programs on this computer can send' in errors, errors
    stored = {pydicom.dcmread(path).SOPInstanceUID: path for path in listener.folder.iterdir()}
    assert len(stored) == len(paths)
    for path in paths:
        data = pydicom.dcmread(path)
        found = pydicom.dcmread(stored[data.SOPInstanceUID])
        assert stored[data.SOPInstanceUID].name == f'{data.SOPInstanceUID}.dcm'
        assert (found.pixel_array == data.pixel_array).all()
        assert found.PatientName == data.PatientName
    check_same(run(folder / name, work / 'direct'), listener.out)
    summary = json.loads((listener.out / 'summary.json').read_text())
    command = summary['provenance']['command']
    assert 'dicom-listen' not in command and '--max-frames' not in command, command
    assert str(listener.folder) in command, command


def check_refused(folder, name):
    """Objects of another class and an image that is sent twice do not disturb the others."""
    work = folder / 'work-refused'
    work.mkdir()
    paths = sorted((folder / name).iterdir())
    other = pydicom.dcmread(paths[0])
    other.SOPClassUID = other.file_meta.MediaStorageSOPClassUID = '1.2.840.10008.5.1.4.1.1.7'
    other.SOPInstanceUID = other.file_meta.MediaStorageSOPInstanceUID = generate_uid()
    other.save_as(work / 'other.dcm')
    with Listener(work, '--max-frames', str(TIMES)) as listener:
        assert listener.send(work / 'other.dcm', options=('--required',)).returncode != 0
        with socket.create_connection(('127.0.0.1', listener.port), timeout=WAIT_S) as stopped:
            # and then nothing, until all others are sent
            stopped.sendall(b'\1\0\0\0\1\0\0')
            assert listener.send(*paths[:3]).returncode == 0
            assert listener.send(*paths).returncode == 0
            status, errors = listener.finish()
    assert status == 0, errors
    assert f'{len(paths)} images received, 3 already in the folder, 1 refused' in errors, errors
    assert errors.count('not MR or CT images') == 1, errors
    assert len(list(listener.folder.iterdir())) == len(paths)
    check_same(run(folder / name, work / 'direct'), listener.out)


def add_stored(paths, folder):
    """Puts images into FOLDER as if they had been received before."""
    folder.mkdir(exist_ok=True)
    for path in paths:
        shutil.copy(path, folder / f'{pydicom.dcmread(path).SOPInstanceUID}.dcm')


def add_larger(folder, name, received):
    """Puts another series with more images than it has to into the folder RECEIVED."""
    paths = sorted((folder / name).iterdir())
    add_stored(paths, received)
    for path in paths[:3]:
        data = pydicom.dcmread(path)
        data.SOPInstanceUID = data.file_meta.MediaStorageSOPInstanceUID = generate_uid()
        data.save_as(received / f'{data.SOPInstanceUID}.dcm')


def check_beside_larger(folder, name, other):
    """The series that arrives is computed, although the folder has one with more images, and
    although it comes slice by slice with pauses."""
    work = folder / 'work-beside'
    work.mkdir()
    add_larger(folder, other, work / 'received')
    slices = {}
    for path in (folder / name).iterdir():
        place = str(pydicom.dcmread(path).ImagePositionPatient)
        slices.setdefault(place, []).append(path)
    assert len(slices) == SLICES and all(len(paths) == TIMES for paths in slices.values()), slices
    with Listener(work, '--max-frames', str(TIMES)) as listener:
        for paths in slices.values():
            assert listener.send(*paths).returncode == 0
            time.sleep(0.8)
        status, errors = listener.finish()
    assert status == 0 and f'{TIMES * SLICES} images received' in errors, errors
    check_same(run(folder / name, work / 'direct'), listener.out)


def check_repeated(folder, name):
    """A series that the folder already has is computed when it is sent again."""
    work = folder / 'work-repeated'
    work.mkdir()
    paths = sorted((folder / name).iterdir())
    add_stored(paths, work / 'received')
    with Listener(work, '--max-frames', str(TIMES)) as listener:
        assert listener.send(*paths).returncode == 0
        status, errors = listener.finish()
    assert status == 0, errors
    assert f'0 images received, {len(paths)} already in the folder' in errors, errors
    check_same(run(folder / name, work / 'direct'), listener.out)


def send_incomplete(listener, folder, name):
    """Sends all but one image; the reception ends after a minute, which check_incomplete awaits."""
    paths = sorted((folder / name).iterdir())
    assert listener.send(*paths[1:]).returncode == 0


def check_incomplete(listener):
    status, errors = listener.finish()
    assert status == 3, errors
    assert f'{TIMES - 1} of {TIMES} time points were received' in errors, errors
    assert not listener.out.exists()


def check_messages(folder):
    """What ends without images, and addresses that are none."""
    work = folder / 'work-none'
    work.mkdir()
    for address, more, status, text in [
            ('dicom-listen://x', [], 2, 'dicom-listen://PORT/FOLDER'),
            (f'dicom-listen://{free_port()}{work}/in', ['--seconds', '1'], 3, '0 images received')]:
        result = subprocess.run([PROGRAM, 'run', 'perfusion', address, '--out', str(work / 'out'),
                                 *SETTINGS, *more], capture_output=True, text=True,
                                timeout=WAIT_S)
        assert result.returncode == status and text in result.stderr, result
        assert not (work / 'out').exists()


def check_early(folder):
    """Nothing is received for a command with a mistake."""
    work = folder / 'work-early'
    work.mkdir()
    address = f'dicom-listen://{free_port()}{work}/in'
    settings = SETTINGS[:SETTINGS.index('--format')]
    for more, text in [(['--format', 'tif2'], 'tif2'), (['--tile', 'x'], '--tile'),
                       (['--overlap', '0'], '--overlap'),
                       (['--rois', 'rect:1,2,3,4\nrect:5'], 'line 2'),
                       (['--rois', str(work / 'none.txt')], 'none.txt'),
                       (['--movie', str(work / 'a.txt')], 'a.txt'),
                       (['--movie-fps', '3'], '--movie'), (['--alarm', '3'], '--rois'),
                       (['--geometry', ''], '--geometry')]:
        result = subprocess.run([PROGRAM, 'run', 'perfusion', address, '--out', str(work / 'out'),
                                 *settings, *more], capture_output=True, text=True,
                                timeout=WAIT_S)
        assert result.returncode in (2, 3) and text in result.stderr, result
        assert 'received' not in result.stderr and not (work / 'in').exists(), result


def check_nothing(folder, name):
    """What is in the folder is not computed if nothing is received."""
    work = folder / 'work-nothing'
    work.mkdir()
    add_stored((folder / name).iterdir(), work / 'received')
    with Listener(work, '--seconds', '2') as listener:
        status, errors = listener.finish()
    assert status == 3 and 'no image was received' in errors, errors
    assert not listener.out.exists()


def main():
    for name in 'storescu', 'echoscu':
        if not shutil.which(name):
            print(f'{name} is not installed: apt install dcmtk')
            return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.executable, SCRIPT, name], check=True, timeout=2 * WAIT_S)
        check_messages(folder)
        check_early(folder)
        incomplete = folder / 'work-incomplete'
        incomplete.mkdir()
        with Listener(incomplete, '--max-frames', str(TIMES)) as listener:
            send_incomplete(listener, folder, 'siemens-axial')
            check_series(folder, 'siemens-axial')
            check_series(folder, 'siemens-axial', ('--propose-implicit',))
            check_series(folder, 'philips-enhanced')
            check_series(folder, 'siemens-ct-1024', ('--propose-big',))
            check_refused(folder, 'ge-trigger')
            check_beside_larger(folder, 'siemens-axial', 'ge-trigger')
            check_repeated(folder, 'siemens-axial')
            check_nothing(folder, 'siemens-axial')
            check_incomplete(listener)
    print('series that are sent give the maps of their folders')
    return 0


if __name__ == '__main__':
    sys.exit(main())

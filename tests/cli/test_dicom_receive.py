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
    """The program while it receives."""

    def __init__(self, folder, *more):
        self.port, self.folder, self.out = free_port(), folder / 'received', folder / 'out'
        self.process = subprocess.Popen(
            [PROGRAM, 'run', 'perfusion', f'dicom-listen://{self.port}{self.folder}', '--out',
             str(self.out), *SETTINGS, *more], stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + WAIT_S
        while self.call('echoscu') != 0:
            assert time.monotonic() < end and self.process.poll() is None, self.process.poll()
            time.sleep(0.1)

    def call(self, name, *more):
        """The exit status of a program of DCMTK that connects."""
        return subprocess.run([name, *more[:-1], '127.0.0.1', str(self.port), *more[-1:]],
                              capture_output=True, text=True, timeout=WAIT_S).returncode

    def send(self, *paths, options=()):
        return subprocess.run(['storescu', *options, '127.0.0.1', str(self.port),
                               *map(str, paths)], capture_output=True, text=True,
                              timeout=WAIT_S)

    def finish(self):
        errors = self.process.communicate(timeout=WAIT_S)[1]
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
    listener = Listener(work, '--max-frames', str(TIMES))
    paths = sorted((folder / name).iterdir())
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
    return listener


def check_refused(folder, name):
    """Objects of another class and an image that is sent twice do not disturb the others."""
    work = folder / 'work-refused'
    work.mkdir()
    paths = sorted((folder / name).iterdir())
    other = pydicom.dcmread(paths[0])
    other.SOPClassUID = other.file_meta.MediaStorageSOPClassUID = '1.2.840.10008.5.1.4.1.1.7'
    other.SOPInstanceUID = other.file_meta.MediaStorageSOPInstanceUID = generate_uid()
    other.save_as(work / 'other.dcm')
    listener = Listener(work, '--max-frames', str(TIMES))
    assert listener.send(work / 'other.dcm', options=('--required',)).returncode != 0
    with socket.create_connection(('127.0.0.1', listener.port)) as stopped:
        stopped.sendall(b'\1\0\0\0\1\0\0')      # and then nothing, until all others are sent
        assert listener.send(*paths[:3]).returncode == 0
        assert listener.send(*paths).returncode == 0
        status, errors = listener.finish()
    assert status == 0, errors
    assert f'{len(paths)} images received, 3 were there before, 1 refused' in errors, errors
    assert errors.count('not MR or CT images') == 1, errors
    assert len(list(listener.folder.iterdir())) == len(paths)
    check_same(run(folder / name, work / 'direct'), listener.out)


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
                       (['--overlap', '0'], '--overlap'), (['--rois', 'rect:1,2'], 'line 1'),
                       (['--rois', str(work / 'none.txt')], 'none.txt'),
                       (['--movie', str(work / 'a.txt')], 'a.txt'),
                       (['--movie-fps', '3'], '--movie'), (['--alarm', '3'], '--rois'),
                       (['--geometry', ''], '--geometry')]:
        result = subprocess.run([PROGRAM, 'run', 'perfusion', address, '--out', str(work / 'out'),
                                 *settings, *more], capture_output=True, text=True,
                                timeout=WAIT_S)
        assert result.returncode in (2, 3) and text in result.stderr, result
        assert 'received' not in result.stderr and not (work / 'in').exists(), result


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
        check_series(folder, 'siemens-axial')
        check_series(folder, 'siemens-axial', ('--propose-implicit',))
        check_series(folder, 'philips-enhanced')
        check_series(folder, 'siemens-ct-1024', ('--propose-big',))
        check_refused(folder, 'ge-trigger')
    print('series that are sent give the maps of their folders')
    return 0


if __name__ == '__main__':
    sys.exit(main())

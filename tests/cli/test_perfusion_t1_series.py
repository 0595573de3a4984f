# SPDX-License-Identifier: MIT
"""T1 maps from inversion recovery by run: from NIfTI files with .json beside them, from one 4D
file, from a DICOM folder, and with times from the option; files whose axes have other directions
than those of the series; and a lesion in several slices, which has one row of regions.csv.
Argument: the program."""
import csv
import gzip
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import pydicom
    from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
    from pydicom.uid import ExplicitVRLittleEndian, generate_uid
except ImportError as missing:
    print(f'{missing}: apt install python3-pydicom')
    sys.exit(77)

PROGRAM = sys.argv[1]
WIDE, HIGH, SLICES, FRAMES = 8, 6, 3, 20
TIMES = [0.05, 0.2, 0.4, 0.8, 1.5, 3.0, 5.0]  # s
CLASSIC_MR = '1.2.840.10008.5.1.4.1.1.4'

z, y, x = np.mgrid[:SLICES, :HIGH, :WIDE]
T1 = 0.4 + 0.1 * x + 0.05 * y + 0.02 * z  # s


def write_nifti(path, values, step=0.0, matrix=None):
    """VALUES by (time,) slice, row and column, as 32-bit floats; voxels of 2 x 2 x 5 mm, at the
    positions that MATRIX gives."""
    size = values.shape[::-1]
    head = bytearray(352)
    struct.pack_into('<i', head, 0, 348)
    struct.pack_into('<8h', head, 40, len(size), *size, *[1] * (7 - len(size)))
    struct.pack_into('<2h', head, 70, 16, 32)
    struct.pack_into('<8f', head, 76, 1, 2, 2, 5, step, 0, 0, 0)
    struct.pack_into('<f', head, 108, 352)
    head[123] = 2 | 8  # mm, s
    if matrix is not None:
        struct.pack_into('<h12f', head, 254, 1, *[0] * 12)
        struct.pack_into('<12f', head, 280, *np.ravel(matrix))
    head[344:348] = b'n+1\0'
    path.write_bytes(bytes(head) + values.astype('<f4').tobytes())


def read_nifti(path):
    data = gzip.decompress(path.read_bytes())
    size = np.frombuffer(data, '<i2', 4, 40)[1:]
    return np.frombuffer(data, '<f4', int(np.prod(size)), 352).reshape(size[::-1])


def inversion(t, t1=T1):
    """Magnitude after an incomplete inversion."""
    return np.abs(1000 * (1 - 1.9 * np.exp(-t / t1)))


def write_dicom(folder, order):
    """One file for each slice and inversion time, in ORDER of acquisition."""
    study, series, frame = generate_uid(), generate_uid(), generate_uid()
    folder.mkdir()
    for k, t in enumerate(order):
        values = inversion(t)
        for s in range(SLICES):
            meta = FileMetaDataset()
            meta.MediaStorageSOPClassUID = CLASSIC_MR
            meta.MediaStorageSOPInstanceUID = generate_uid()
            meta.TransferSyntaxUID = ExplicitVRLittleEndian
            data = FileDataset(None, {}, file_meta=meta, preamble=b'\0' * 128)
            data.is_little_endian, data.is_implicit_VR = True, False
            data.SOPClassUID, data.SOPInstanceUID = CLASSIC_MR, meta.MediaStorageSOPInstanceUID
            data.StudyInstanceUID, data.SeriesInstanceUID, data.FrameOfReferenceUID = \
                study, series, frame
            data.Modality, data.Manufacturer, data.SeriesDescription = 'MR', 'Made', 'IR'
            data.ImageType = ['ORIGINAL', 'PRIMARY', 'M']
            data.SeriesNumber, data.InstanceNumber = 1, k * SLICES + s + 1
            data.AcquisitionDate, data.AcquisitionTime = '20250306', f'1000{8 * k:02d}.000000'
            data.ImagePositionPatient = [0, 0, 5 * s]
            data.ImageOrientationPatient = [1, 0, 0, 0, 1, 0]
            data.PixelSpacing, data.SliceThickness, data.SpacingBetweenSlices = [2, 2], 5, 5
            data.RepetitionTime, data.EchoTime, data.InversionTime = 8000, 10, 1000 * t
            data.SamplesPerPixel, data.PhotometricInterpretation = 1, 'MONOCHROME2'
            data.Rows, data.Columns = HIGH, WIDE
            data.BitsAllocated, data.BitsStored, data.HighBit = 16, 16, 15
            data.PixelRepresentation = 0
            data.RescaleSlope, data.RescaleIntercept = 0.02, 0
            data.PixelData = np.round(values[s] / 0.02).astype('<u2').tobytes()
            data.save_as(folder / f'{k}-{s}.dcm', write_like_original=False)


def run(folder, *more):
    out = folder / 'out'
    done = subprocess.run([PROGRAM, 'run', 'perfusion', str(folder / 'contrast.nii'), '--signal',
                           'linear', '--inputs', 'artery', '--delays', 'none', '--artery',
                           'rect:0,0,1,1', '--backend', 'cpu', '--out', str(out),
                           *more], capture_output=True, text=True, timeout=120)
    return done, out


def check_t1(folder, tolerance, *more, t1=T1):
    done, out = run(folder, '--format', 'nifti', *more)
    assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(read_nifti(out / 't1.nii.gz'), 1000 * t1, rtol=tolerance)
    error = read_nifti(out / 't1_error.nii.gz')
    assert np.all(error < 10 * tolerance * 1000 * t1) and np.all(error >= 0)
    metrics = json.loads((out / 'summary.json').read_text())
    assert 't1_unknown' in json.dumps(metrics)


def check_refused(folder, text, *more):
    done, _ = run(folder, *more)
    assert done.returncode == 3 and text in done.stderr, (done.returncode, done.stderr)


def make_contrast(folder, matrix=None):
    times = 3.0 * np.arange(FRAMES)[:, None, None, None]
    rise = np.maximum(times - 12, 0)
    artery = rise / 6 * np.exp(1 - rise / 6)
    tissue = (0.2 + 0.02 * (x + y))[None] * rise / 20 * np.exp(1 - rise / 20)
    values = np.where(((x == 0) & (y == 0) & (z == 0))[None], 5 * artery, tissue)
    signal = 100 * (1 + 4.5 * 0.7 * values)
    signal[5, :2, 5, 7] = np.nan
    write_nifti(folder / 'contrast.nii', signal, 3, matrix)


def test_series(folder):
    names = []
    for k, t in enumerate(TIMES):
        names.append(folder / f'ti{k}.nii')
        write_nifti(names[-1], inversion(t))
        sidecar = json.dumps({'InversionTime': t, 'EchoTime': 0.01})
        names[-1].with_suffix('.json').write_text(sidecar)
    check_t1(folder, 1e-4, '--t1-series', ';'.join(map(str, reversed(names))))
    write_nifti(folder / 'all.nii', np.stack([inversion(t) for t in TIMES]))
    check_refused(folder, 'gives neither flip angles nor inversion times', '--t1-series',
                  str(folder / 'all.nii'))
    check_refused(folder, 'set T1 times', '--t1-series', str(folder / 'all.nii'), '--t1-method',
                  'inversion')
    check_t1(folder, 1e-4, '--t1-series', str(folder / 'all.nii'), '--t1-times',
             ';'.join(str(1000 * t) for t in TIMES))
    (folder / 'all.json').write_text(json.dumps({'InversionTime': TIMES}))
    check_t1(folder, 1e-4, '--t1-series', str(folder / 'all.nii'))
    check_t1(folder, 1e-4, '--t1-series', str(folder / 'all.nii'), '--t1-method', 'look_locker',
             t1=0.9 * T1)
    for odd in ([0.1] * 6, TIMES[:-1] + ['x'], TIMES[:-1] + [-1], {}, TIMES[:-1] + [None]):
        (folder / 'all.json').write_text(json.dumps({'InversionTime': odd}))
        check_refused(folder, 'gives neither', '--t1-series', str(folder / 'all.nii'))
    (folder / 'all.json').write_text(json.dumps({'FlipAngle': [2, 5, 8, 11, 14, 17, 181]}))
    check_refused(folder, 'gives neither', '--t1-series', str(folder / 'all.nii'))


def test_dicom(folder):
    write_dicom(folder / 'ir', [TIMES[i] for i in (3, 0, 6, 1, 5, 2, 4)])
    check_t1(folder, 1e-3, '--t1-series', str(folder / 'ir'))


def test_placed(folder):
    """Masks and T1 series with other axes than the series, as after dcm2niix, lie where their
    positions say; those that lie between its voxels are refused."""
    plain = np.array([[2.0, 0, 0, 0], [0, 2, 0, 0], [0, 0, 5, 0]])
    turned = np.array([[2.0, 0, 0, 0], [0, -2, 0, 2 * (HIGH - 1)], [0, 0, 5, 0]])
    mask = ((x > 1) & (y < 2) & (z == 1)).astype(float)
    series = np.stack([inversion(t) for t in TIMES])
    sidecar = json.dumps({'InversionTime': TIMES})
    make_contrast(folder, plain)
    write_nifti(folder / 'mask.nii', mask[:, ::-1], matrix=turned)
    write_nifti(folder / 'ir.nii', series[:, :, ::-1], matrix=turned)
    (folder / 'ir.json').write_text(sidecar)
    check_t1(folder, 1e-4, '--t1-series', str(folder / 'ir.nii'))
    done, out = run(folder, '--format', 'nifti', '--mask', str(folder / 'mask.nii'), '--rois',
                    str(folder / 'mask.nii'))
    assert done.returncode == 0, done.stderr
    np.testing.assert_array_equal(read_nifti(out / 'status.nii.gz') > 0, mask > 0)
    voxels = {row['region']: row['voxels'] for row in csv.DictReader((out / 'regions.csv').open())}
    assert voxels == {'Artery': '1', 'Liver': f'{mask.sum():g}', 'mask': f'{mask.sum():g}'}, voxels
    names = []
    for k, t in enumerate(TIMES):  # each file lies where it says
        names.append(folder / f'placed{k}.nii')
        values = inversion(t)
        write_nifti(names[-1], values[:, ::-1] if k % 2 else values,
                    matrix=turned if k % 2 else plain)
        names[-1].with_suffix('.json').write_text(json.dumps({'InversionTime': t}))
    check_t1(folder, 1e-4, '--t1-series', ';'.join(map(str, names)))
    between, beside = plain.copy(), plain.copy()
    between[0, 3] = 1.2
    beside[0, 3] = 2
    write_nifti(folder / 'mask.nii', mask, matrix=between)
    write_nifti(folder / 'ir.nii', series, matrix=beside)
    for option in '--mask', '--rois', '--artery':
        done, _ = run(folder, option, str(folder / 'mask.nii'))
        assert done.returncode != 0 and 'do not coincide with those of' in done.stderr, done
    check_refused(folder, 'do not coincide with those of', '--t1-series', str(folder / 'ir.nii'))
    make_contrast(folder)


def read_regions(out):
    """The report from its table of regions on."""
    return (out / 'report.html').read_text().partition('>Regions<')[2]


def test_lesion(folder):
    """The row of a lesion in three slices has all its voxels; other regions have no such row."""
    (folder / 'rois.txt').write_text('rect:1,1,3,2 Lesion\nrect:2,1,4,3@1 Lesion\n'
                                     'rect:2,2,2,2@2 Lesion\nrect:5,4,2,2@1 Liver\n'
                                     'rect:7,5,1,1 Lost\nrect:7,5,1,1@1 Lost\n')
    done, out = run(folder, '--format', 'nifti', '--report', '--rois',
                    str(folder / 'rois.txt'))
    assert done.returncode == 0, done.stderr
    rows = list(csv.reader((out / 'regions.csv').open()))
    table = [dict(zip(rows[0], row)) for row in rows[1:]]
    assert [row['region'] for row in table] == ['Artery', 'Lesion (slice 1)',
                                                'Lesion (slice 2)', 'Lesion (slice 3)', 'Liver',
                                                'Lost (slice 1)', 'Lost (slice 2)', 'Lesion',
                                                'Lost'], table
    mask = np.zeros(T1.shape, bool)
    mask[0, 1:3, 1:4] = mask[1, 1:4, 2:6] = mask[2, 2:4, 2:4] = True
    whole = table[-2]
    assert float(whole['voxels']) == mask.sum() == 22
    np.testing.assert_allclose(float(whole['volume_ml']), 22 * 0.02, rtol=1e-6)
    for name in 'ka', 'ka_error', 'residual':
        values = read_nifti(out / f'{name}.nii.gz')[mask].astype(float)
        values = values[np.isfinite(values)]
        heading = next(h for h in rows[0] if h.startswith(f'{name} mean of pixels'))
        np.testing.assert_allclose(float(whole[heading]), values.mean(), rtol=1e-5)
        np.testing.assert_allclose(float(whole[heading.replace('mean', 'SD')]), values.std(ddof=1),
                                   rtol=1e-4)
        assert int(whole[f'{name} pixels']) == values.size
    heading = next(h for h in rows[0] if h.startswith('ka of the sum'))
    parts = [float(row[heading]) for row in table[1:4]]
    assert min(parts) < float(whole[heading]) < max(parts), (parts, whole[heading])
    # a lesion whose mean curve cannot be fitted is in the report, without values
    assert table[-1]['voxels'] == '2' and table[-1][heading] == ''
    assert 'Lost' in read_regions(out).partition('</tr>')[0]
    (folder / 'rois.txt').write_text('rect:7,5,1,1 Lost\n')
    done, out = run(folder, '--report', '--artery', '', '--rois', str(folder / 'rois.txt'))
    assert done.returncode == 0, done.stderr
    assert 'mean over the region' in read_regions(out) and 'objects' not in read_regions(out)


def test_mask_regions(folder):
    """A mask whose outlines are too long for a region is outlined with a note that tells by how
    much; the report shows the slice of the lesion, not all that the mask lies in."""
    mask = ((x + y) % 2 == 1).astype(float)
    write_nifti(folder / 'mask.nii', mask)
    (folder / 'rois.txt').write_text('rect:1,1,3,2@1 Lesion\n')
    done, out = run(folder, '--format', 'none', '--report', '--mask', str(folder / 'mask.nii'),
                    '--rois', str(folder / 'rois.txt'))
    assert done.returncode == 0, done.stderr
    table = csv.DictReader((out / 'regions.csv').open())
    rows = {row['region']: int(row['voxels']) for row in table}
    voxels = sum(rows[f'Liver (slice {k + 1})'] for k in range(SLICES))
    assert 0.9 * mask.sum() < voxels < mask.sum(), rows
    notes = json.loads((out / 'summary.json').read_text())['notes']
    said = f'hold {voxels} voxels instead of {mask.sum():.0f}'
    assert sum(said in note for note in notes) == 1, (said, notes, rows)
    assert '"Liver": 3 outlines need' in done.stderr, done
    pictures = (out / 'report.html').read_text()
    assert 'Slice 2 of 3.' in pictures, pictures
    assert 'Slice 1 of 3.' not in pictures and 'Slice 3 of 3.' not in pictures
    (folder / 'rois.txt').unlink()
    done, out = run(folder, '--format', 'none', '--report', '--mask', str(folder / 'mask.nii'))
    assert done.returncode == 0, done.stderr
    pictures = (out / 'report.html').read_text()
    assert all(f'Slice {k + 1} of 3.' in pictures for k in range(SLICES))


with tempfile.TemporaryDirectory() as name:
    make_contrast(pathlib.Path(name))
    for test in test_series, test_dicom, test_placed, test_lesion, test_mask_regions:
        test(pathlib.Path(name))
        print('ok', test.__name__)

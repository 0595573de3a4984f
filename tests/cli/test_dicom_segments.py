# SPDX-License-Identifier: MIT
"""Regions that are written as a DICOM segmentation are read with pydicom and compared voxel by
voxel; segmentations that pydicom writes are read as masks and as regions, and damaged ones give one
sentence.  The validators dciodvfy and dcmftest check what is written if they are installed.
Arguments: the program, and the script that writes series as scanners do."""
import csv
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import pydicom
    from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
    from pydicom.sequence import Sequence
    from pydicom.uid import ExplicitVRLittleEndian, RLELossless, generate_uid
except ImportError as missing:
    print(f'{missing}: apt install python3-pydicom')
    sys.exit(77)

PROGRAM, SCRIPT = sys.argv[1:]
SEGMENTATION = '1.2.840.10008.5.1.4.1.1.66.4'
WIDE, HIGH, SLICES = 18, 14, 5
SETTINGS = ['--delays', 'none', '--signal', 'concentration', '--baseline-last', '1', '--backend',
            'cpu']


def run(path, out, *more):
    return subprocess.run([PROGRAM, 'run', 'perfusion', str(path), '--out', str(out), *SETTINGS,
                           *map(str, more)], capture_output=True, text=True, timeout=120)


def box(x, y, width, height, *slices):
    mask = np.zeros((SLICES, HIGH, WIDE), bool)
    for z in slices:
        mask[z, y:y + height, x:x + width] = True
    return mask


ARTERY, PORTAL, LIVER = box(1, 1, 3, 3, 2), box(6, 6, 3, 3, 1), box(0, 0, 15, 12, *range(SLICES))
AORTA, THING = box(2, 3, 4, 5, 1) | box(3, 3, 4, 6, 2), box(16, 2, 1, 3, 0)
REGIONS = '''rect:2,3,4,5@1 Aorta
rect:3,3,4,6@2 Aorta
rect:16,2,1,3 Thing\\here
rect:100,100,3,3 Elsewhere
rect:4,8,2,2@3 Liver lesion
'''
GIVEN = ['--artery', 'rect:1,1,3,3@2', '--portal', 'rect:6,6,3,3@1', '--mask', 'rect:0,0,15,12']
# label, voxels, category, type
EXPECTED = [('Artery', ARTERY, '123037004', '51114001'),
            ('Portal vein', PORTAL, '123037004', '32764006'),
            ('Liver', LIVER, '123037004', '10200004'),
            ('Aorta', AORTA, '123037004', '15825003'),
            ('Thing/here', THING, '309825002', '111099'),
            ('Liver lesion', box(4, 8, 2, 2, 3), '49755003', '52988006')]


def check_valid(path):
    for name in 'dcmftest', 'dciodvfy', 'dcmdump':
        if shutil.which(name):
            result = subprocess.run([name, str(path)], capture_output=True, text=True, timeout=60)
            assert result.returncode == 0, result
            assert 'Error' not in result.stderr + result.stdout, result


def list_planes(path):
    """The positions of the slices of a parametric map, in order."""
    return [tuple(map(float, item.PlanePositionSequence[0].ImagePositionPatient))
            for item in pydicom.dcmread(path).PerFrameFunctionalGroupsSequence]


def read_segments(path, planes):
    """The voxels of each segment, from positions and segment numbers alone."""
    data = pydicom.dcmread(path)
    pixels = data.pixel_array.reshape(-1, data.Rows, data.Columns)
    masks = {item.SegmentNumber: np.zeros((SLICES, HIGH, WIDE), bool)
             for item in data.SegmentSequence}
    for item, frame in zip(data.PerFrameFunctionalGroupsSequence, pixels):
        at = tuple(map(float, item.PlanePositionSequence[0].ImagePositionPatient))
        number = item.SegmentIdentificationSequence[0].ReferencedSegmentNumber
        z = planes.index(at)
        assert list(item.FrameContentSequence[0].DimensionIndexValues) == [number, z + 1]
        assert frame.any() and not masks[number][z].any()
        masks[number][z] = frame
    return data, masks


def check_written(folder, series):
    source = pydicom.dcmread(next(iter((folder / series).iterdir())))
    uids = {pydicom.dcmread(path).SOPInstanceUID for path in (folder / series).iterdir()}
    rois = folder / 'rois.txt'
    rois.write_text(REGIONS)
    out = folder / 'out' / series
    result = run(folder / series, out, *GIVEN, '--rois', rois, '--format', 'dicom,nifti')
    assert result.returncode == 0, result
    check_valid(out / 'regions.dcm')
    data, masks = read_segments(out / 'regions.dcm', list_planes(out / 'ka.dcm'))
    assert data.SOPClassUID == SEGMENTATION and data.Modality == 'SEG'
    assert (data.SegmentationType, data.BitsAllocated) == ('BINARY', 1)
    for key in ('PatientName', 'PatientID', 'StudyInstanceUID', 'StudyDate', 'StudyTime',
                'FrameOfReferenceUID'):
        assert data[key].value == source[key].value, key
    maps = [pydicom.dcmread(path) for path in out.glob('*.dcm')]
    for key in 'SOPInstanceUID', 'SeriesInstanceUID', 'SeriesNumber':
        assert len({item[key].value for item in maps} | {source[key].value}) == len(maps) + 1, key
    derivation = data.SharedFunctionalGroupsSequence[0].DerivationImageSequence[0]
    assert {item.ReferencedSOPInstanceUID for item in derivation.SourceImageSequence} == uids
    assert data.ReferencedSeriesSequence[0].SeriesInstanceUID == source.SeriesInstanceUID
    found = [(item.SegmentLabel, masks[item.SegmentNumber],
              item.SegmentedPropertyCategoryCodeSequence[0].CodeValue,
              item.SegmentedPropertyTypeCodeSequence[0].CodeValue)
             for item in data.SegmentSequence]
    assert len(found) == len(EXPECTED), [item[0] for item in found]
    for one, other in zip(found, EXPECTED):
        assert (one[0], *one[2:]) == (other[0], *other[2:]), one
        np.testing.assert_array_equal(one[1], other[1], one[0])
    for item in data.SegmentSequence:
        assert item.SegmentAlgorithmType == 'MANUAL' and 'SegmentAlgorithmName' not in item, item
    lesion = data.SegmentSequence[-1]
    assert lesion.AnatomicRegionSequence[0].CodeValue == '10200004', lesion
    return out


def list_rows(out):
    """The voxels of each region in regions.csv."""
    with open(out / 'regions.csv', newline='') as table:
        return {row['region']: int(row['voxels']) for row in csv.DictReader(table)}


def check_settings(folder, series, out):
    """Inputs and liver are rows of the table and of the report without --rois too, whatever gave
    them; a region with the name of a setting and other voxels leaves that another name."""
    file, table = out / 'regions.dcm', folder / 'settings'
    result = run(folder / series, table, '--artery', file, '--portal', GIVEN[3], '--mask', file,
                 '--report', '--format', 'none')
    assert result.returncode == 0, result
    rows = list_rows(table)
    tissue = LIVER & ~ARTERY & ~PORTAL
    assert rows == {'Artery': 9, 'Portal vein': 9, 'Liver': tissue.sum(),
                    **{f'Liver (slice {z + 1})': tissue[z].sum() for z in range(SLICES)}}, rows
    drawn = folder / 'drawn'
    result = run(folder / series, drawn, *GIVEN, '--report', '--format', 'none')
    assert result.returncode == 0, result
    assert list_rows(drawn) == {'Artery': 9, 'Portal vein': 9, 'Liver': tissue.sum()}, drawn
    regions = (table / 'report.html').read_text().partition('>Regions<')[2].partition('</tr>')[0]
    # the inputs are not fitted, so the answer begins with the tissue
    assert re.findall('<th>([^<]*)', regions) == ['Quantity', 'Liver', 'Artery', 'Portal vein'], \
        regions
    curves = re.findall('>Region ([^<]*)<', (table / 'report.html').read_text())
    assert curves == ['Liver', 'Artery', 'Portal vein'], curves
    rois = folder / 'same-name.txt'
    rois.write_text('rect:7,7,2,2@1 Portal vein\n')
    result = run(folder / series, folder / 'same-name', *GIVEN, '--rois', rois, '--format', 'dicom')
    assert result.returncode == 0, result
    rows = list_rows(folder / 'same-name')
    assert (rows['Portal vein (setting)'], rows['Portal vein']) == (9, 4), rows
    labels = [item.SegmentLabel for item in
              pydicom.dcmread(folder / 'same-name' / 'regions.dcm').SegmentSequence]
    assert labels == ['Artery', 'Portal vein (setting)', 'Liver', 'Portal vein'], labels


def check_found(folder):
    """Regions that were found in the data are not called manual; one that was drawn is.  All are
    rows of the table."""
    data = pathlib.Path(SCRIPT).parents[1] / 'data/perfusion/synth_liver'
    out = folder / 'found'
    result = subprocess.run([PROGRAM, 'run', 'perfusion', data / 'conc_4d.nii.gz', '--out', out,
                             '--find-regions', '--portal', data / 'mask_portal.nii.gz', '--delays',
                             'none', '--signal', 'concentration', '--backend', 'cpu', '--format',
                             'dicom'], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result
    check_valid(out / 'regions.dcm')
    segments = pydicom.dcmread(out / 'regions.dcm').SegmentSequence
    assert [(item.SegmentLabel, item.SegmentAlgorithmType) for item in segments] == [
        ('Artery', 'AUTOMATIC'), ('Portal vein', 'MANUAL'), ('Liver', 'AUTOMATIC')], segments
    assert [item.get('SegmentAlgorithmName', '') for item in segments] == [
        'Vivograph: Find Vessels and Liver', '', 'Vivograph: Find Vessels and Liver'], segments
    rows = list_rows(out)
    assert list(rows) == ['Artery', 'Portal vein (slice 1)', 'Portal vein (slice 2)',
                          'Liver (slice 1)', 'Liver (slice 2)', 'Portal vein', 'Liver'], rows
    assert rows['Liver'] == rows['Liver (slice 1)'] + rows['Liver (slice 2)'], rows
    voxels = json.loads((out / 'summary.json').read_text())['results']['voxels']
    assert rows['Liver'] <= voxels <= rows['Liver'] + 100, (rows, voxels)


def check_compared(folder):
    """The regions of two runs side by side, by their names."""
    data = pathlib.Path(SCRIPT).parents[1] / 'data/perfusion/synth_liver'
    before, now = folder / 'found', folder / 'compared'

    def compare(other):
        return subprocess.run([PROGRAM, 'run', 'perfusion', data / 'conc_4d.nii.gz', '--out', now,
                               '--portal', data / 'mask_portal.nii.gz', '--artery',
                               data / 'mask_aorta.nii.gz', '--mask', 'ellipse:32,28,9,9',
                               '--delays', 'none', '--signal', 'concentration', '--backend', 'cpu',
                               '--format', 'none', '--compare', other], capture_output=True,
                              text=True, timeout=120)
    result = compare(before)
    assert result.returncode == 0, result
    values = [{item['name']: item['values'] for item in
               json.loads((out / 'summary.json').read_text())['regions']}['Liver']['ka']
              for out in (before, now)]
    with open(now / 'comparison.csv', newline='') as table:
        rows = [row for row in csv.DictReader(table) if row['quantity'] == 'Arterial inflow']
    assert [row['region'] for row in rows] == ['Liver'] and rows[0]['unit'] == 'ml/100g/min', rows
    row = {key: float(rows[0][key]) for key in ('before', 'before_error', 'now', 'now_error',
                                                'change', 'change_error')}
    np.testing.assert_allclose(
        [row['before'], row['before_error'], row['now'], row['now_error']],
        [values[0]['value'], values[0]['error'], values[1]['value'], values[1]['error']])
    np.testing.assert_allclose(row['change'], row['now'] - row['before'])
    np.testing.assert_allclose(row['change_error'],
                               np.hypot(row['before_error'], row['now_error']))
    assert row['change'] != 0, row
    for other, words in ((data, 'is not the summary.json of a run'),
                         (write_summary(folder, 'flow', []), 'is of a run of flow'),
                         (write_summary(folder, 'perfusion', None), 'has no fits of regions')):
        result = compare(other)
        assert result.returncode in (1, 3) and words in result.stderr, result
    # what does not fit costs no results, and is said
    assert 'has other settings' not in compare(before).stderr
    summary = json.loads((before / 'summary.json').read_text())
    summary['parameters']['haematocrit'] = 0.3
    summary['regions'] = []
    other = folder / 'other.json'
    other.write_text(json.dumps(summary))
    result = compare(other)
    assert result.returncode == 0, result
    assert (now / 'comparison.csv').read_text().startswith('region,')
    assert len((now / 'comparison.csv').read_text().splitlines()) == 1
    notes = json.loads((now / 'summary.json').read_text())['notes']
    for words in ('No region of this run has the name', 'other settings'):
        assert any(words in note for note in notes) and words in result.stderr, (words, result)
    assert any('aematocrit 0.3, now ' in note for note in notes), notes


def write_summary(folder, operation, regions):
    path = folder / f'{operation}-{regions is None}.json'
    path.write_text(json.dumps({'operation': operation, **({} if regions is None else
                                                          {'regions': regions})}))
    return path


def check_again(folder, series, out):
    """The file gives the same inputs, maps, regions and segments as the regions that it is of."""
    file, again = out / 'regions.dcm', folder / 'again' / series
    result = run(folder / series, again, '--artery', file, '--mask', f'{file}#segment=3',
                 '--portal', f'{file}#segment=portal VEIN', '--rois', file, '--format',
                 'dicom,nifti')
    assert result.returncode == 0, result
    for name in 'input_curves.csv', 'ka.nii.gz', 'status.nii.gz':
        assert (out / name).read_bytes() == (again / name).read_bytes(), name
    planes = list_planes(out / 'ka.dcm')
    data, masks = read_segments(again / 'regions.dcm', planes)
    assert [item.SegmentLabel for item in data.SegmentSequence] == [item[0] for item in EXPECTED]
    for mask, expected in zip(masks.values(), EXPECTED):
        np.testing.assert_array_equal(mask, expected[1], expected[0])
    with open(again / 'regions.csv', newline='') as table:
        names = [row['region'] for row in csv.DictReader(table)]
    assert names == ['Artery', 'Portal vein'] + [f'Liver (slice {z + 1})' for z in range(SLICES)] \
        + ['Aorta (slice 2)', 'Aorta (slice 3)', 'Thing/here', 'Liver lesion', 'Liver', 'Aorta'], \
        names


def check_anonymous(folder, series):
    source = pydicom.dcmread(next(iter((folder / series).iterdir())))
    out = folder / 'anonymous'
    result = run(folder / series, out, *GIVEN, '--format', 'dicom', '--dicom-anonymous')
    assert result.returncode == 0, result
    check_valid(out / 'regions.dcm')
    content = (out / 'regions.dcm').read_bytes()
    for text in ('Phantom', '20250306', source.StudyInstanceUID, source.SeriesInstanceUID,
                 source.FrameOfReferenceUID, source.SOPInstanceUID):
        assert text.encode() not in content, text
    assert pydicom.dcmread(out / 'regions.dcm').StudyInstanceUID == \
        pydicom.dcmread(out / 'ka.dcm').StudyInstanceUID


def item(**elements):
    data = Dataset()
    for key, value in elements.items():
        setattr(data, key, value)
    return Sequence([data])


def write_foreign(path, like, segments, kind='BINARY', turned=False, compressed=False):
    """Writes the masks SEGMENTS (number, label, mask) on the grid of LIKE, a segmentation that the
    program wrote, as another program may: the last slice first, without a distance between slices,
    and TURNED: with rows and columns exchanged, so that the slices also count the other way."""
    shared = like.SharedFunctionalGroupsSequence[0]
    turn = list(map(float, shared.PlaneOrientationSequence[0].ImageOrientationPatient))
    spacing = list(map(float, shared.PixelMeasuresSequence[0].PixelSpacing))
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID = SEGMENTATION, generate_uid()
    meta.TransferSyntaxUID = ExplicitVRLittleEndian
    data = FileDataset(None, {}, file_meta=meta, preamble=b'\0' * 128)
    data.is_little_endian, data.is_implicit_VR = True, False
    data.SOPClassUID, data.SOPInstanceUID = SEGMENTATION, meta.MediaStorageSOPInstanceUID
    data.SeriesInstanceUID, data.StudyInstanceUID = generate_uid(), like.StudyInstanceUID
    data.Modality, data.SegmentationType = 'SEG', kind
    data.SamplesPerPixel, data.PhotometricInterpretation = 1, 'MONOCHROME2'
    data.PixelRepresentation = 0
    data.BitsAllocated = data.BitsStored = 1 if kind == 'BINARY' else 8
    data.HighBit = data.BitsStored - 1
    if kind != 'BINARY':
        data.MaximumFractionalValue, data.SegmentationFractionalType = 200, 'PROBABILITY'
    data.Rows, data.Columns = (WIDE, HIGH) if turned else (HIGH, WIDE)
    data.SegmentSequence = Sequence([item(SegmentNumber=number, SegmentLabel=label)[0]
                                     for number, label, _ in segments])
    data.SharedFunctionalGroupsSequence = item(
        PixelMeasuresSequence=item(PixelSpacing=spacing[::-1] if turned else spacing,
                                   SliceThickness=1),
        PlaneOrientationSequence=item(
            ImageOrientationPatient=turn[3:] + turn[:3] if turned else turn))
    groups, frames = [], []
    for number, _, mask in segments:
        for z in reversed(range(SLICES)):
            if mask[z].any():
                groups.append(item(
                    PlanePositionSequence=item(ImagePositionPatient=list(PLANES[z])),
                    SegmentIdentificationSequence=item(ReferencedSegmentNumber=number))[0])
                frames.append(mask[z].T if turned else mask[z])
    data.PerFrameFunctionalGroupsSequence, data.NumberOfFrames = Sequence(groups), len(groups)
    frames = np.array(frames)
    if kind == 'BINARY':
        bits = np.packbits(frames.ravel(), bitorder='little').tobytes()
    else:
        bits = np.where(frames, 100, 99).astype('u1').tobytes()  # from half of 200 on
    data.PixelData = bits + b'\0' * (len(bits) % 2)
    data['PixelData'].VR = 'OB'
    if compressed:
        data.compress(RLELossless, np.frombuffer(bits, 'u1').reshape(frames.shape))
    data.save_as(path, write_like_original=False)
    return data


def check_foreign(folder, series, out):
    like = pydicom.dcmread(out / 'regions.dcm')
    segments = [(7, 'hepatic', LIVER), (3, 'vena portae', PORTAL | box(5, 5, 2, 2, 3)),
                (40, 'x', box(1, 1, 4, 3, 0, 3))]
    for number, variant in enumerate([{}, {'turned': True}, {'kind': 'FRACTIONAL'},
                                      {'kind': 'FRACTIONAL', 'turned': True, 'compressed': True}]):
        file, found = folder / f'foreign-{number}.dcm', folder / 'foreign' / str(number)
        write_foreign(file, like, segments, **variant)
        result = run(folder / series, found, '--artery', f'{file}#segment=40', '--portal',
                     f'{file}#segment=Vena portae', '--mask', f'{file}#segment=7', '--format',
                     'dicom,csv')
        assert result.returncode == 0, result
        _, masks = read_segments(found / 'regions.dcm', PLANES)
        np.testing.assert_array_equal(masks[1], segments[2][2])
        np.testing.assert_array_equal(masks[2], segments[1][2])
        np.testing.assert_array_equal(masks[3], LIVER)
    write_foreign(folder / 'one.dcm', like, segments[:1])
    result = run(folder / series, folder / 'one', '--mask', folder / 'one.dcm', '--format', 'dicom')
    assert result.returncode == 0, result
    _, masks = read_segments(folder / 'one' / 'regions.dcm', PLANES)
    np.testing.assert_array_equal(masks[1], LIVER)


def shift(data):
    for group in data.PerFrameFunctionalGroupsSequence:
        group.PlanePositionSequence[0].ImagePositionPatient[0] += 0.6


def scale(data):
    data.SharedFunctionalGroupsSequence[0].PixelMeasuresSequence[0].PixelSpacing = [2, 2]


def unequal(data):
    groups = data.PerFrameFunctionalGroupsSequence
    a, b = (np.array(groups[i].PlanePositionSequence[0].ImagePositionPatient, float)
            for i in (0, 1))
    groups[1].PlanePositionSequence[0].ImagePositionPatient = list(b + 0.15 * (a - b))


def same_place(data):
    groups = data.PerFrameFunctionalGroupsSequence
    groups[1].PlanePositionSequence = groups[0].PlanePositionSequence


def far_away(data):
    groups = data.PerFrameFunctionalGroupsSequence
    groups[0].PlanePositionSequence[0].ImagePositionPatient = [9e5, 9e5, 9e5]


def unknown(data):
    group = data.PerFrameFunctionalGroupsSequence[1]
    group.SegmentIdentificationSequence[0].ReferencedSegmentNumber = 9


def no_place(data):
    for group in data.PerFrameFunctionalGroupsSequence:
        del group.PlanePositionSequence


def huge(data):
    data.Rows = data.Columns = 65535


def change(**elements):
    return lambda data: [setattr(data, key, value) for key, value in elements.items()]


def remove(key):
    return lambda data: delattr(data, key)


WRONG = [(shift, 'do not coincide with those of the data'),
         (scale, 'do not coincide with those of the data'),
         (unequal, 'unequal distances'), (same_place, 'two frames at one position'),
         (far_away, 'no position in the patient'), (unknown, 'segment 9, which it does not list'),
         (no_place, 'no position in the patient'), (huge, 'ends inside'),
         (change(NumberOfFrames=4), 'describes 5'), (change(NumberOfFrames=10 ** 8), 'impossible'),
         (change(SegmentationType='LABELMAP'), 'LABELMAP'), (change(BitsAllocated=8), '8 bits'),
         (change(SegmentSequence=Sequence()), 'no segment'),
         (change(PixelData=b'\xff' * 10), 'ends inside'), (remove('PixelData'), 'no image'),
         (remove('SegmentSequence'), 'no segment'), (remove('SegmentationType'), 'BINARY'),
         (remove('PerFrameFunctionalGroupsSequence'), 'describes 0'),
         (remove('SharedFunctionalGroupsSequence'), 'position in the patient')]


def check_refused(folder, series, out):
    like, file = pydicom.dcmread(out / 'regions.dcm'), folder / 'wrong.dcm'
    for number, (damage, words) in enumerate(WRONG):
        data = write_foreign(file, like, [(1, 'Liver', LIVER)])
        damage(data)
        data.save_as(file, write_like_original=False)
        for option in '--mask', '--rois':
            refused = folder / 'refused'
            result = run(folder / series, refused, option, file)
            assert result.returncode in (1, 2, 3, 4), (number, result)
            last = result.stderr.strip().splitlines()
            assert len(last) == 1 and words in last[0], (number, result)
            assert not refused.exists() or not list(refused.iterdir())
    data = write_foreign(file, like, [(1, 'a', ARTERY), (2, 'b', PORTAL)])
    for option, words in (('--mask', 'has 2 segments'), ):
        result = run(folder / series, folder / 'refused', option, file)
        assert result.returncode != 0 and words in result.stderr, result
    for text, words in (('#segment=c', 'does not have this segment'),
                        ('#segment=0', 'does not have this segment')):
        for option in '--mask', '--rois':
            result = run(folder / series, folder / 'refused', option, f'{file}{text}')
            assert result.returncode != 0 and words in result.stderr, result
    write_foreign(file, like, [(1, 'Liver', ARTERY), (2, 'Liver', LIVER)])
    for text in '', '#segment=liver':
        result = run(folder / series, folder / 'refused', '--mask', f'{file}{text}')
        assert result.returncode != 0 and 'several segments with the label' in result.stderr, result
    result = run(folder / series, folder / 'second', '--mask', f'{file}#segment=2')
    assert result.returncode == 0, result
    for option in '--mask', '--rois':  # it would replace the file that it reads
        before = (out / 'regions.dcm').read_bytes()
        result = run(folder / series, out, option, f"{out / 'regions.dcm'}#segment=1", '--format',
                     'dicom')
        assert result.returncode != 0 and 'regions.dcm' in result.stderr, result
        assert (out / 'regions.dcm').read_bytes() == before
    result = run(folder / series, folder / 'refused', '--mask', f"{out / 'ka.dcm'}#segment=1")
    assert result.returncode != 0 and 'does not have this segment' in result.stderr, result
    result = run(folder / series, folder / 'refused', '--mask', f"{out / 'ka.nii.gz'}#segment=1")
    assert result.returncode != 0 and 'not a DICOM segmentation' in result.stderr, result


with tempfile.TemporaryDirectory() as name:
    place = pathlib.Path(name)
    subprocess.run([sys.executable, SCRIPT, name], check=True, timeout=120)
    for made in 'canon-ct', 'philips-enhanced', 'siemens-oblique':
        written = check_written(place, made)
        check_again(place, made, written)
    check_anonymous(place, 'canon-ct')
    check_found(place)
    check_compared(place)
    check_settings(place, made, written)
    PLANES = list_planes(written / 'ka.dcm')
    check_foreign(place, made, written)
    check_refused(place, made, written)

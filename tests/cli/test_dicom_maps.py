# SPDX-License-Identifier: MIT
"""Maps written as DICOM are read with pydicom, and compared with the same maps as NIfTI and with
the series from which they were computed.  The validators dciodvfy and dcmftest check them if they
are installed.  Arguments: the program, and the script that writes series as scanners do."""
import gzip
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import pydicom
except ImportError as missing:
    print(f'{missing}: apt install python3-pydicom')
    sys.exit(77)

PROGRAM, SCRIPT = sys.argv[1:]
SETTINGS = ['--inputs', 'artery', '--signal', 'concentration', '--baseline-last', '1',
            '--backend', 'cpu']


def run(operation, path, out, *more):
    return subprocess.run([PROGRAM, 'run', operation, str(path), '--out', str(out), *more],
                          capture_output=True, text=True, timeout=120)


def read_nifti(path):
    """The values by slice, row and column, and the matrix from sample numbers to mm."""
    data = gzip.decompress(path.read_bytes())
    size = np.frombuffer(data, '<i2', 4, 40)[1:]
    values = np.frombuffer(data, '<f4', int(np.prod(size)), 352).reshape(size[::-1])
    return values, np.frombuffer(data, '<f4', 12, 280).reshape(3, 4).astype(float)


def place(item, shared, column, row):
    """The position of a sample in the DICOM file, in the directions of NIfTI."""
    turn = np.array(shared.PlaneOrientationSequence[0].ImageOrientationPatient, float)
    down, right = map(float, shared.PixelMeasuresSequence[0].PixelSpacing)
    begin = np.array(item.PlanePositionSequence[0].ImagePositionPatient, float)
    return (begin + column * right * turn[:3] + row * down * turn[3:]) * [-1, -1, 1]


def check_values(data, path):
    values, matrix = read_nifti(path)
    shared = data.SharedFunctionalGroupsSequence[0]
    found = np.frombuffer(data.FloatPixelData, '<f4').reshape(values.shape)
    np.testing.assert_array_equal(found, values)
    assert (data.NumberOfFrames, data.Rows, data.Columns) == values.shape
    for z, item in enumerate(data.PerFrameFunctionalGroupsSequence):
        for x, y in (0, 0), (data.Columns - 1, data.Rows - 1):
            np.testing.assert_allclose(place(item, shared, x, y), matrix @ [x, y, z, 1], atol=1e-3)
    mapping = shared.RealWorldValueMappingSequence[0]
    finite = values[np.isfinite(values)]
    if finite.size:
        assert mapping.DoubleFloatRealWorldValueFirstValueMapped == finite.min()
        assert mapping.DoubleFloatRealWorldValueLastValueMapped == finite.max()
    assert (mapping.RealWorldValueSlope, mapping.RealWorldValueIntercept) == (1, 0)


def list_references(data):
    """The images that the shared functional group names, and those that the common instance
    reference names."""
    derivation = data.SharedFunctionalGroupsSequence[0].DerivationImageSequence[0]
    text = derivation.DerivationDescription      # how the map was computed
    assert 'Model: One compartment; Inputs: Artery alone; ' in text and len(text) <= 1024, text
    return ({item.ReferencedSOPInstanceUID for item in derivation.SourceImageSequence},
            {item.ReferencedSOPInstanceUID for series in data.ReferencedSeriesSequence
             for item in series.ReferencedInstanceSequence})


def check_valid(path):
    for name in 'dcmftest', 'dciodvfy':
        if shutil.which(name):
            result = subprocess.run([name, str(path)], capture_output=True, text=True, timeout=60)
            assert result.returncode == 0, result
            assert 'Error' not in result.stderr + result.stdout, result


# what a scanner examined, and its code; other names are the whole body
PARTS = {'siemens-oblique': ('ABDOMEN', '818981001'), 'ge-trigger': ('LIVER', '10200004'),
         'philips-enhanced': ('ELBOW', '38266002')}


def set_part(folder, name):
    for path in (folder / name).iterdir():
        data = pydicom.dcmread(path)
        data.BodyPartExamined = PARTS[name][0]
        data.save_as(path)


def check_series(folder, name):
    if name in PARTS:
        set_part(folder, name)
    sources = [pydicom.dcmread(path) for path in (folder / name).iterdir()]
    out = folder / 'out' / name
    result = run('perfusion', folder / name, out, *SETTINGS, '--format', 'dicom,nifti')
    assert result.returncode == 0, result
    maps = {path.stem: pydicom.dcmread(path) for path in out.glob('*.dcm')}
    assert 'ka' in maps and 'status' in maps and len(maps) > 10, maps.keys()
    uids = {data.SOPInstanceUID for data in sources}
    for id, data in maps.items():
        assert data.SOPClassUID == '1.2.840.10008.5.1.4.1.1.30'
        check_values(data, out / f'{id}.nii.gz')
        for key in ('PatientName', 'PatientID', 'StudyInstanceUID', 'StudyDate', 'StudyTime',
                    'FrameOfReferenceUID', 'Modality'):
            assert data[key].value == sources[0][key].value, key
        assert list_references(data) == (uids, uids)
        anatomy = data.SharedFunctionalGroupsSequence[0].FrameAnatomySequence[0]
        assert anatomy.AnatomicRegionSequence[0].CodeValue == \
            PARTS.get(name, ('', '38266002'))[1], anatomy
        check_valid(out / f'{id}.dcm')
    for key in 'SOPInstanceUID', 'SeriesInstanceUID', 'SeriesNumber':
        assert len({data[key].value for data in maps.values()} | {sources[0][key].value}) == \
            len(maps) + 1, key
    mapping = maps['ka'].SharedFunctionalGroupsSequence[0].RealWorldValueMappingSequence[0]
    assert mapping.MeasurementUnitsCodeSequence[0].CodeValue == 'mL/min/(100.g)'
    return sources


def check_anonymous(folder, name, sources):
    out = folder / 'anonymous'
    result = run('perfusion', folder / name, out, *SETTINGS, '--format', 'dicom',
                 '--dicom-anonymous')
    assert result.returncode == 0, result
    secret = [b'Phantom', b'20250306', sources[0].StudyInstanceUID.encode(),
              sources[0].SeriesInstanceUID.encode(), sources[0].FrameOfReferenceUID.encode()]
    secret += [data.SOPInstanceUID.encode() for data in sources]
    studies = set()
    for path in out.glob('*.dcm'):
        content = path.read_bytes()
        assert not [text for text in secret if text in content], path
        data = pydicom.dcmread(path)
        assert sources[0].PatientSex == 'F' and data.PatientSex == '', data.PatientSex
        assert 'SeriesDate' not in data and 'SeriesTime' not in data
        assert (data.ContentDate, data.ContentTime) == ('19000101', '000000')
        assert data.SeriesNumber < 100, data.SeriesNumber
        studies.add(data.StudyInstanceUID)
        check_valid(path)
    assert len(studies) == 1, studies


def check_report(folder, name):
    """The report begins with patient and study, and has the regions side by side; an anonymous one
    names neither them nor a file."""
    regions = 'rect:1,1,4,4@1 Aorta\nrect:8,6,5,5@3 Lesion\n'
    for anonymous in False, True:
        out = folder / f'report-{anonymous}'
        result = run('perfusion', folder / name, out, *SETTINGS, '--delays', 'none', '--rois',
                     regions, '--format', 'none', '--report', '--artery', 'rect:1,1,4,4@1',
                     *(['--dicom-anonymous'] if anonymous else []))
        assert result.returncode == 0, result
        report = (out / 'report.html').read_text()
        found = [text for text in ('Patient: Phantom, Made, ID made, F', 'Study: 2025-03-06',
                                   f'Perfusion: {name}', str(folder), 'vivograph run perfusion')
                 if text in report]
        assert len(found) == (0 if anonymous else 5), found
        assert ('Phantom' in report) != anonymous and (name in report) != anonymous
        assert '<th>Aorta</th>' in report and '<th>Lesion</th>' in report
        assert ' ± ' in report and 'ml/100g/min' in report
        # the first map in the slices of both regions, the others in one of them
        assert report.count('Slice 2 of 5.') > 5 and report.count('Slice 4 of 5.') == 1, report
        assert report.count('and 8 more files') == (0 if anonymous else 1)


def check_info(folder, name):
    """Patient, study and time are told; of two examinations that are alike, that there are two."""
    told = subprocess.run([PROGRAM, 'info', str(folder / name)], capture_output=True, text=True,
                          timeout=60).stdout
    for text in ('Patient: Phantom, Made, ID made, F', 'Study: 2025-03-06', 'Acquired: 2025-03-06 ',
                 ' images, patient made, 2025-03-06 '):
        assert text in told, (text, told)
    both = folder / 'both'
    both.mkdir()
    for path in (folder / name).iterdir():
        shutil.copy(path, both / f'a-{path.name}')
        data = pydicom.dcmread(path)
        data.StudyInstanceUID += '.9'
        data.SeriesInstanceUID += '.9'
        data.SOPInstanceUID += '.9'
        data.file_meta.MediaStorageSOPInstanceUID = data.SOPInstanceUID
        data.PatientID = 'other'
        data.save_as(both / f'b-{path.name}')
    done = run('perfusion', both, folder / 'of-both', *SETTINGS, '--delays', 'none', '--artery',
               'rect:1,1,4,4@1')
    assert done.returncode == 0, done
    assert 'has 2 series, and 2 of them have the most images; number 1 is read' in done.stderr, done
    listed = subprocess.run([PROGRAM, 'info', str(both)], capture_output=True, text=True,
                            timeout=60).stdout
    assert ' images, patient made, ' in listed and ' images, patient other, ' in listed, listed


def write_mask(path, shape):
    """One label in the middle of two slices."""
    head = bytearray(352)
    head[0:4] = np.array([348], '<i4').tobytes()
    head[40:56] = np.array([3, *shape[::-1], 1, 1, 1, 1], '<i2').tobytes()
    head[70:74] = np.array([2, 8], '<i2').tobytes()
    head[76:108] = np.ones(8, '<f4').tobytes()
    head[108:116] = np.array([352, 1], '<f4').tobytes()
    head[344:348] = b'n+1\0'
    mask = np.zeros(shape, np.uint8)
    mask[1:3, 3:9, 4:12] = 1
    path.write_bytes(bytes(head) + mask.tobytes())


def check_names(folder, name, source):
    """An anonymous report and anonymous segments have neither the names of masks, nor regions that
    are named after them, nor the date of the run; others have them."""
    masks = folder / 'Doe Jane'
    masks.mkdir()
    for mask in 'Doe_Jane rois.nii', 'Doe_Jane liver.nii':
        write_mask(masks / mask, (5, source.Rows, source.Columns))
    for anonymous in False, True:
        out = folder / f'names-{anonymous}'
        result = run('perfusion', folder / name, out, *SETTINGS, '--delays', 'none', '--format',
                     'dicom', '--report', '--rois', str(masks / 'Doe_Jane rois.nii'), '--mask',
                     str(masks / 'Doe_Jane liver.nii'),
                     *(['--dicom-anonymous'] if anonymous else []))
        assert result.returncode == 0, result
        date = json.loads((out / 'summary.json').read_text())['provenance']['date']
        report = (out / 'report.html').read_text()
        segments = (out / 'regions.dcm').read_bytes()
        shown = [text for text in ('Doe_Jane', 'Doe Jane', 'rois.nii', 'liver.nii', date[:10])
                 if text in report]
        assert len(shown) == (0 if anonymous else 5), shown
        assert (b'Doe_Jane' in segments) != anonymous
        region = 'Region 1' if anonymous else 'Doe_Jane rois'
        # of both slices, in the table of values and in the appendix
        assert report.count(f'<th>{region}</th>') == 2, report
        assert region.encode() in segments
        assert ('<td>a file</td>' in report) == anonymous


def check_nifti(folder, path):
    """The maps of a volume without a patient are in one new study."""
    out = folder / 'from-nifti'
    result = run('perfusion', path, out, *SETTINGS, '--frame-interval-s', '2', '--format',
                 'dicom,nifti')
    assert result.returncode == 0, result
    maps = [(file, pydicom.dcmread(file)) for file in out.glob('*.dcm')]
    assert len({data.StudyInstanceUID for _, data in maps}) == 1
    for file, data in maps:
        check_values(data, file.with_suffix('.nii.gz'))
        assert data.PatientName == '' and 'ReferencedSeriesSequence' not in data
        check_valid(file)


def check_refused(folder, image):
    """An image without a placement, a stream of several frames and contradictory options give one
    sentence and no files."""
    stream = folder / 'stream.nii'
    write_nifti(stream, slices=1)
    for path, more, status, words in ((image, ['--format', 'dicom'], 2, 'position in the patient'),
                                      (stream, ['--format', 'dicom,csv'], 2, 'for each frame'),
                                      (image, ['--dicom-anonymous'], 2, 'no effect'),
                                      (image, ['--format', 'dicom,none'], 2, 'none')):
        out = folder / 'refused'
        result = run('flow', path, out, *more)
        assert result.returncode == status and words in result.stderr, result
        assert not out.exists() or not list(out.iterdir()), list(out.iterdir())


def write_nifti(path, slices=3):
    """Four frames of SLICES slices with 6 x 5 pixels, turned about two axes."""
    head = bytearray(352)
    matrix = [[-2, 0.3, 0, 10], [0.4, 1.5, 0, -20], [0, 0, 3, 30]]
    matrix[1][0] = 2 * 0.3 / 1.5
    head[0:4] = np.array([348], '<i4').tobytes()
    head[40:56] = np.array([4, 6, 5, slices, 4, 1, 1, 1], '<i2').tobytes()
    head[70:74] = np.array([16, 32], '<i2').tobytes()
    head[76:108] = np.array([1, 2, 1.5, 3, 2, 0, 0, 0], '<f4').tobytes()
    head[108:116] = np.array([352, 1], '<f4').tobytes()
    head[123] = 2 | 8
    head[254:256] = np.array([1], '<i2').tobytes()
    head[280:328] = np.array(matrix, '<f4').tobytes()
    head[344:348] = b'n+1\0'
    levels = np.array([0, 1, 3, 2]).reshape(4, 1, 1, 1)
    values = np.random.default_rng(1).random((4, slices, 5, 6)) * levels
    path.write_bytes(bytes(head) + values.astype('<f4').tobytes())


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.executable, SCRIPT, name], check=True, timeout=120)
        for series in 'siemens-oblique', 'ge-trigger', 'philips-enhanced', 'canon-ct':
            sources = check_series(folder, series)
        check_anonymous(folder, 'canon-ct', sources)
        check_report(folder, 'canon-ct')
        check_info(folder, 'canon-ct')
        check_names(folder, 'canon-ct', sources[0])
        write_nifti(folder / 'volume.nii')
        check_nifti(folder, folder / 'volume.nii')
        check_refused(folder, pathlib.Path(SCRIPT).parents[1] / 'data/flow/pylsci_spatial.tif')


main()

# SPDX-License-Identifier: MIT
"""Several regions of one slide in one run: the joined table, outlines and results are those of the
runs of each region alone.  Arguments: the program and the folder tests/data."""
import csv
import gzip
import json
import math
import os
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
SLIDE = os.path.join(os.path.abspath(sys.argv[2]), 'contour', 'CMU-1-Small-Region.svs')
# Of the second one only the part inside the slide, which is 2967 pixels high, is read.
REGIONS = ['700,2200,256,256', '700,2800,300,400']
SETTINGS = ['--backend', 'cpu', '--threads', '1', '--force', 'classical', '--radius-px', '8']


def run(folder, *words):
    return subprocess.run([PROGRAM, 'run', 'contour', SLIDE, '--out', folder, *SETTINGS, *words],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


def done(folder, *words):
    ended = run(folder, *words)
    assert ended.returncode == 0, ended.stderr


def rows_of(path):
    opener = gzip.open if path.endswith('.gz') else open
    with opener(path, 'rt', encoding='utf-8', newline='') as file:
        return list(csv.DictReader(file))


def json_of(path):
    opener = gzip.open if path.endswith('.gz') else open
    with opener(path, 'rt', encoding='utf-8') as file:
        return json.load(file)


def check_joined(joined, alone, ending):
    """The texts: the rows and the features of each region, in their order."""
    rows = rows_of(os.path.join(joined, 'objects.csv' + ending))
    expected = []
    features = []
    for k, folder in enumerate(alone):
        own = rows_of(os.path.join(folder, 'objects.csv'))
        assert len(own) > 5, own
        expected += [{'region': str(k + 1), **row} for row in own]
        features += json_of(os.path.join(folder, 'contours.geojson'))['features']
    assert rows == expected
    assert json_of(os.path.join(joined, 'contours.geojson' + ending)) == {
        'type': 'FeatureCollection', 'features': features}
    assert len({feature['id'] for feature in features}) == len(rows)


def check_results(joined, alone):
    lines = rows_of(os.path.join(joined, 'results.csv'))
    each = [json_of(os.path.join(folder, 'summary.json'))['results'] for folder in alone]
    whole = json_of(os.path.join(joined, 'summary.json'))['results']
    assert [line['region'] for line in lines] == ['1', '2', 'all'], lines
    assert [[line[key] for key in ('x', 'y', 'width', 'height')] for line in lines] == [
        ['700', '2200', '256', '256'], ['700', '2800', '300', '167'], [''] * 4], lines
    for key in ('objects', 'seeds', 'faint', 'tissue_area', 'ink_area', 'nuclei_negative'):
        assert [float(line[key]) for line in lines] == [each[0][key], each[1][key], whole[key]], key
        assert whole[key] == each[0][key] + each[1][key], key
    areas = [float(row['area_px2']) for row in rows_of(os.path.join(joined, 'objects.csv'))]
    assert math.isclose(whole['mean_area'], sum(areas) / len(areas), rel_tol=1e-5), whole
    assert whole['radius_px'] == 8, whole
    for ending, number in (('', whole['objects']), ('_error', math.sqrt(whole['objects']))):
        assert math.isclose(whole['nuclei_per_tissue_mm2' + ending] * whole['tissue_area_mm2'],
                            number, rel_tol=1e-5), whole
    positive = sum(row['class'] != 'Negative'
                   for row in rows_of(os.path.join(joined, 'objects.csv')))
    assert math.isclose(whole['positive_percent'], 100 * positive / len(areas)), whole


def check_files(joined):
    frames = json_of(os.path.join(joined, 'regions.geojson'))['features']
    assert [frame['geometry']['coordinates'][0][2] for frame in frames] == [[956, 2456],
                                                                            [1000, 2967]], frames
    for folder, names in (('', 'objects.csv contours.geojson results.csv regions.geojson'),
                          ('run-2', 'objects.csv contours.geojson labels.tif overlap.tif '
                                    'artefacts.tif preview.png')):
        listed = json_of(os.path.join(joined, folder, 'summary.json'))['files']
        assert sorted(listed) == sorted(names.split()), listed
        for name in listed:
            size = os.path.getsize(os.path.join(joined, folder, name))
            assert listed[name]['bytes'] == size, name
    info = subprocess.run([PROGRAM, 'info', joined], stdout=subprocess.PIPE, text=True, check=True)
    assert info.stdout.count('belong to this run') == 3, info.stdout


def check_each_region(folder, joined):
    """Regions as the window saves them: in pixels of the slide region that it shows, which the
    session names, or which is known from the view alone."""
    session, target = os.path.join(folder, 'slide.vivograph'), os.path.join(folder, 'each')
    for reading, view in (('reading=region=rect:600,2000,600,967\n', ''),
                          ('', '[contour view]\npart_x=600\npart_y=2000\npart_scale=1\n')):
        with open(session, 'w', encoding='utf-8') as file:
            file.write(f'[session]\nversion=1\noperation=contour\n\n[contour]\ninputs={SLIDE};\n'
                       f'{reading}\n[contour region 1]\nname=First\nshape=rect:100,200,256,256\n\n'
                       '[contour region 2]\nname=Second\n'
                       f'shape=polygon:100,800;400,800;400,967;100,967\n\n{view}')
        ended = subprocess.run([PROGRAM, 'run', '--session', session, '--each-region', '--out',
                                target, *SETTINGS, '--positivity'], stderr=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True, check=False)
        assert ended.returncode == 0, ended.stderr
        assert rows_of(os.path.join(target, 'objects.csv')) == rows_of(
            os.path.join(joined, 'objects.csv'))


def check_named_regions(folder):
    """Tiles have the regions of --rois in the table of nuclei and in regions.geojson, as a slide
    region in one piece does."""
    rois = 'rect:0,0,150,256 Left, "upper"; ellipse:128,128,60,60; polygon:200,0;250,0;250,250'
    tiles, whole = os.path.join(folder, 'tiles'), os.path.join(folder, 'whole')
    done(tiles, '--region', REGIONS[0], '--rois', rois)
    done(whole, '--region', REGIONS[0], '--rois', rois, '--in-one-piece')
    rows = rows_of(os.path.join(tiles, 'objects.csv'))
    named = [{key: float(row[key]) for key in 'xy'} | {'region': row['region']} for row in rows]
    x0, y0 = (float(number) for number in REGIONS[0].split(',')[:2])
    assert any(row['region'] == 'Left, "upper"' for row in named), named
    for row in named:
        x, y = row['x'] - x0, row['y'] - y0
        assert ('Left, "upper"' in row['region']) == (x < 150), row
        assert ('Region 2' in row['region']) == ((x - 128) ** 2 + (y - 128) ** 2 <= 3600), row
    shapes = [json_of(os.path.join(path, 'regions.geojson')) for path in (tiles, whole)]
    assert shapes[0] == shapes[1] and len(shapes[0]['features']) == 3, shapes
    assert 'regions.geojson' in json_of(os.path.join(tiles, 'summary.json'))['files']


def check_mistakes(folder):
    two = ['--region', REGIONS[0], '--region']
    for words, text in ((two + ['900,2400,100,100'], 'slide regions 1 and 2 overlap'),
                        (two + [REGIONS[1], '--in-one-piece'], 'omit --in-one-piece'),
                        (two + [REGIONS[1], '--added', '5,5'], 'in pixels of one slide region'),
                        (['--region', REGIONS[0], '--each-region'], 'omit one of them'),
                        (['--each-region'], '--each-region needs regions'),
                        (two + ['5000,5000,10,10'], '')):
        ended = run(os.path.join(folder, 'wrong'), *words)
        assert ended.returncode != 0 and text in ended.stderr, (words, ended.stderr)
        assert not os.path.exists(os.path.join(folder, 'wrong', 'summary.json')), words


with tempfile.TemporaryDirectory(prefix='vivograph-regions-') as top:
    apart = [os.path.join(top, f'alone-{k}') for k in range(2)]
    together, packed = os.path.join(top, 'together'), os.path.join(top, 'packed')
    both = [word for region in REGIONS for word in ('--region', region)]
    for target, area in zip(apart, REGIONS):
        done(target, '--region', area, '--positivity')
    done(together, *both, '--positivity')
    check_joined(together, apart, '')
    check_results(together, apart)
    check_files(together)
    done(packed, *both, '--positivity', '--gzip')
    check_joined(packed, apart, '.gz')
    check_each_region(top, together)
    check_named_regions(top)
    check_mistakes(top)

# SPDX-License-Identifier: MIT
"""DAB positivity of nuclei on a made section with haematoxylin and DAB, whose densities are known:
the table, GeoJSON, the results, regions, tiles, other thresholds and a grey image.
Arguments: the program, whether it reads slides, and whether it has sanitizers, which make the
network too slow (1 or 0)."""
import csv
import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile

PROGRAM, SLIDES, SANITIZED = sys.argv[1], sys.argv[2] == '1', sys.argv[3] == '1'
WIDTH, HEIGHT, PITCH, RADIUS, TILE = 480, 360, 40, 9.5, 128
# Mean densities of haematoxylin and of DAB in a nucleus, to base 10, and its class by the defaults.
KINDS = [(0.50, 0.03, 'Negative'), (0.42, 0.12, 'Negative'), (0.30, 0.29, '1+'), (0.25, 0.50, '2+'),
         (0.22, 0.80, '3+')]
GROUND = (0.03, 0.02)
NO_BROWN = 'No brown stain was found'
chance = random.Random(11)


def unit(x, y, z):
    length = math.sqrt(x * x + y * y + z * z)
    return x / length, y / length, z / length


HAEMATOXYLIN, DAB = unit(0.65, 0.70, 0.29), unit(0.27, 0.57, 0.78)


class Nucleus:
    def __init__(self, column, row, kind):
        self.x = (column + 0.5) * PITCH + chance.uniform(-4, 4)
        self.y = (row + 0.5) * PITCH + chance.uniform(-4, 4)
        stretch = chance.uniform(1.0, 1.25)
        self.a, self.b = RADIUS * stretch, RADIUS / stretch
        self.angle = chance.uniform(0, math.pi)
        self.haematoxylin, self.dab, self.word = KINDS[kind]

    def has(self, x, y):
        dx, dy = x - self.x, y - self.y
        u = math.cos(self.angle) * dx + math.sin(self.angle) * dy
        v = math.cos(self.angle) * dy - math.sin(self.angle) * dx
        return (u / self.a) ** 2 + (v / self.b) ** 2 <= 1


# more negative nuclei on the left than on the right
NUCLEI = [Nucleus(i, j, chance.choice([0, 0, 1, 2] if i < 6 else [1, 2, 3, 4, 4]))
          for j in range(HEIGHT // PITCH) for i in range(WIDTH // PITCH)]


def shade(haematoxylin, dab):
    """The colour of 8 bits: the samples plus one are the light, of 256."""
    light = [256 * 10 ** -(haematoxylin * h + dab * d) + chance.gauss(0, 3)
             for h, d in zip(HAEMATOXYLIN, DAB)]
    return [min(max(int(value - 0.5), 0), 255) for value in light]


def write_tiff(path, samples, channels):
    data = bytes(samples)
    bits = struct.pack('<HHH', 8, 8, 8)
    tags = {256: WIDTH, 257: HEIGHT, 259: 1, 262: 2 if channels == 3 else 1, 273: 14, 277: channels,
            278: HEIGHT, 279: len(data)}
    entries = [struct.pack('<HHII', tag, 4, 1, value) for tag, value in tags.items()]
    entries.insert(2, struct.pack('<HHII', 258, 3, 3, 8) if channels == 3
                   else struct.pack('<HHII', 258, 3, 1, 8))
    with open(path, 'wb') as file:
        file.write(b'II*\0' + struct.pack('<I', 14 + len(data) + len(data) % 2) + bits + data
                   + bytes(len(data) % 2) + struct.pack('<H', len(entries)) + b''.join(entries)
                   + bytes(4))


def write_slide(path, samples):
    """The same in tiles and on two levels, as slides are stored."""
    out = bytearray(b'II*\0' + bytes(4))
    link = 4   # where the place of the next directory is written
    for level in (1, 2):
        width, height = WIDTH // level, HEIGHT // level
        across, down = -(-width // TILE), -(-height // TILE)
        size, n = TILE * TILE * 3, across * down
        data = bytearray(n * size)
        for y in range(height):
            for x in range(width):
                at = (y // TILE * across + x // TILE) * size + 3 * (y % TILE * TILE + x % TILE)
                start = 3 * level * (y * WIDTH + x)
                data[at:at + 3] = bytes(samples[start:start + 3])
        lists = len(out) + len(data)
        first = len(out)
        out += data + struct.pack('<HHHH', 8, 8, 8, 0) \
            + struct.pack(f'<{n}I', *[first + i * size for i in range(n)]) \
            + struct.pack(f'<{n}I', *[size] * n)
        entries = [(254, 4, 1, level - 1), (256, 4, 1, width), (257, 4, 1, height),
                   (258, 3, 3, lists), (259, 4, 1, 1), (262, 4, 1, 2), (277, 4, 1, 3),
                   (322, 4, 1, TILE), (323, 4, 1, TILE), (324, 4, n, lists + 8),
                   (325, 4, n, lists + 8 + 4 * n)]
        out[link:link + 4] = struct.pack('<I', len(out))
        out += struct.pack('<H', len(entries)) + b''.join(struct.pack('<HHII', *e) for e in entries)
        link = len(out)
        out += bytes(4)
    with open(path, 'wb') as file:
        file.write(out)


def make(folder):
    colours = []
    columns = WIDTH // PITCH
    for y in range(HEIGHT):
        for x in range(WIDTH):
            # nuclei reach at most 16 px from the middle of cells that are 40 px wide
            cells = [(x + dx) // PITCH + (y + dy) // PITCH * columns
                     for dx in (-6, 6) for dy in (-6, 6)
                     if 0 <= x + dx < WIDTH and 0 <= y + dy < HEIGHT]
            inside = next((NUCLEI[c] for c in cells if NUCLEI[c].has(x + 0.5, y + 0.5)), None)
            colours += shade(inside.haematoxylin, inside.dab) if inside else shade(*GROUND)
    write_tiff(os.path.join(folder, 'section.tif'), colours, 3)
    write_slide(os.path.join(folder, 'slide.tif'), colours)
    write_tiff(os.path.join(folder, 'grey.tif'), colours[1::3], 1)
    # the same with haematoxylin only, which as on real slides reads as some DAB too
    plain = [shade(0.03, 0.01) for _ in range(WIDTH * HEIGHT)]
    for nucleus in NUCLEI:
        for y in range(int(nucleus.y) - 16, int(nucleus.y) + 17):
            for x in range(int(nucleus.x) - 16, int(nucleus.x) + 17):
                if nucleus.has(x + 0.5, y + 0.5):
                    plain[y * WIDTH + x] = shade(0.85, 0.28)
    write_tiff(os.path.join(folder, 'blue.tif'), [c for pixel in plain for c in pixel], 3)


def run(folder, out, *options, name='section.tif'):
    out = os.path.join(folder, out)
    done = subprocess.run([PROGRAM, 'run', 'contour', os.path.join(folder, name), '--out', out,
                           '--backend', 'cpu', '--positivity', '1', *options],
                          capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    with open(os.path.join(out, 'summary.json'), encoding='utf-8') as file:
        text = file.read()
    return out, json.loads(text)['results'], text


def read_table(path):
    with open(path, encoding='utf-8') as file:
        return list(csv.DictReader(file))


def expect(nuclei):
    """Counts by class, percentage of positive nuclei, and H-score."""
    counts = [sum(n.word == word for n in nuclei) for word in ('Negative', '1+', '2+', '3+')]
    return counts, 100 * (1 - counts[0] / len(nuclei)), \
        100 * sum(k * n for k, n in enumerate(counts)) / len(nuclei)


def close(value, wanted, tolerance, what):
    assert abs(value - wanted) <= tolerance, f'{what}: {value}, expected {wanted} +- {tolerance}'


def check_nuclei(out, least):
    """Each true nucleus is in the table with its densities and class."""
    rows = read_table(os.path.join(out, 'objects.csv'))
    with open(os.path.join(out, 'contours.geojson'), encoding='utf-8') as file:
        features = json.load(file)['features']
    found = []
    assert len(rows) == len(features)
    for nucleus in NUCLEI:
        near = [(math.dist((float(r['x']), float(r['y'])), (nucleus.x, nucleus.y)), i)
                for i, r in enumerate(rows)]
        distance, i = min(near)
        if distance > 3:
            continue
        row, properties = rows[i], features[i]['properties']
        found.append(nucleus)
        close(float(row['dab_od']), nucleus.dab, 0.03 + 0.05 * nucleus.dab, 'DAB')
        close(float(row['haematoxylin_od']), nucleus.haematoxylin, 0.05, 'haematoxylin')
        assert row['class'] == nucleus.word, (row, nucleus.__dict__)
        assert properties['classification']['name'] == nucleus.word
        assert properties['measurements']['DAB OD mean'] == float(row['dab_od'])
        assert properties['measurements']['Doubt'] == float(row['doubt'])
        assert properties['measurements']['Hematoxylin OD mean'] == float(row['haematoxylin_od'])
    assert len(found) >= least * len(NUCLEI), (len(found), len(NUCLEI))
    return rows


def check_results(results, nuclei, what):
    counts, percent, score = expect(nuclei)
    found = [results[k] for k in ('nuclei_negative', 'nuclei_1', 'nuclei_2', 'nuclei_3')]
    print(what, 'found', found, results['h_score'], 'true', counts, percent, score)
    close(results['positive_percent'], percent, 1.5, what)
    close(results['h_score'], score, 4, what)
    share = results['positive_percent'] / 100
    n = sum(found)
    close(results['positive_percent_error'], 100 * math.sqrt(share * (1 - share) / n), 1e-9, what)
    assert n == results['objects']


def test(folder):
    make(folder)
    left = os.path.join(folder, 'regions.txt')
    with open(left, 'w', encoding='utf-8') as file:
        file.write(f'rect:0,0,{WIDTH // 2},{HEIGHT} Left\n'
                   f'rect:{WIDTH // 2},0,{WIDTH // 2},{HEIGHT} Right\nrect:0,0,3,3 Empty\n')
    for force in ('classical',) if SANITIZED else ('learned', 'classical'):
        out, results, text = run(folder, force, '--force', force, '--rois', left)
        check_nuclei(out, 0.98)
        check_results(results, NUCLEI, force)
        assert NO_BROWN not in text
        regions = read_table(os.path.join(out, 'regions.csv'))
        assert [r['region'] for r in regions] == ['Left', 'Right', 'Empty']
        for row, side in zip(regions, (0, 1)):
            inside = [n for n in NUCLEI if (n.x >= WIDTH / 2) == side]
            counts, percent, score = expect(inside)
            close(float(row['nuclei']), len(inside), 1, 'nuclei of ' + row['region'])
            close(float(row['positive_percent']), percent, 3, row['region'])
            close(float(row['h_score']), score, 8, row['region'])
        assert regions[2]['nuclei'] == '0' and regions[2]['h_score'] == ''
    # in tiles, the whole slide has the same numbers
    if SLIDES and not SANITIZED:
        out, results, text = run(folder, 'tiles', '--tile', '256', name='slide.tif')
        assert results['tiles'] == 4, results
        check_nuclei(out, 0.98)
        check_results(results, NUCLEI, 'tiles')
    # a threshold below the palest nuclei makes all positive; the order does not matter
    out, results, text = run(folder, 'low', '--force', 'classical', '--weak-od', '0.6',
                             '--moderate-od', '0.4', '--strong-od', '0.01')
    close(results['positive_percent'], 100, 0, 'low threshold')
    words = [r['class'] for r in read_table(os.path.join(out, 'objects.csv'))]
    assert 'Negative' not in words and '3+' in words and '1+' in words
    # without the setting there is nothing of it
    out, results, text = run(folder, 'off', '--force', 'classical', '--positivity', '0')
    rows = read_table(os.path.join(out, 'objects.csv'))
    assert 'h_score' not in results and 'class' not in rows[0]
    # a section without DAB is told
    out, results, text = run(folder, 'blue', '--force', 'classical', name='blue.tif')
    assert results['positive_percent'] > 90, results
    assert NO_BROWN in text
    # a grey image is told
    out, results, text = run(folder, 'grey', '--force', 'classical', name='grey.tif')
    assert 'h_score' not in results and results['colourless'] == 1
    assert 'DAB positivity needs a colour image' in text


with tempfile.TemporaryDirectory() as place:
    test(place)

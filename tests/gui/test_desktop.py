# SPDX-License-Identifier: MIT
"""The desktop file names the types that the MIME package defines, and the validators accept it, the
metadata for software centres and the manifest for Flatpak."""
import configparser
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

MIME = '{http://www.freedesktop.org/standards/shared-mime-info}'
name = os.path.join(sys.argv[1], 'org.vivograph.Vivograph')

desktop = configparser.ConfigParser(interpolation=None)
desktop.optionxform = str
desktop.read(name + '.desktop')
entry = desktop['Desktop Entry']
types = [t for t in entry['MimeType'].split(';') if t]
assert len(types) == len(set(types)), types
assert '%F' in entry['Exec'], entry['Exec']

package = xml.etree.ElementTree.parse(name + '.xml').getroot()
defined = {t.get('type'): [g.get('pattern') for g in t.findall(MIME + 'glob')] for t in package}
assert set(types) == set(defined) | {'image/tiff'}, set(types) ^ set(defined)
for kind, patterns in defined.items():
    assert patterns, kind

if shutil.which('update-mime-database'):
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, 'packages'))
        shutil.copy(name + '.xml', os.path.join(folder, 'packages'))
        run = subprocess.run(['update-mime-database', folder], capture_output=True, text=True)
        assert run.returncode == 0 and not re.search('error|warning', run.stderr, re.I), run.stderr
        with open(os.path.join(folder, 'globs2'), encoding='utf-8') as file:
            globs = file.read()
        assert all(f'{kind}:{pattern}\n' in globs for kind, patterns in defined.items()
                   for pattern in patterns), globs
if shutil.which('desktop-file-validate'):
    subprocess.run(['desktop-file-validate', name + '.desktop'], check=True)
if shutil.which('appstreamcli'):
    subprocess.run(['appstreamcli', 'validate', '--no-net', name + '.metainfo.xml'], check=True)
metadata = xml.etree.ElementTree.parse(name + '.metainfo.xml').getroot()
for image in metadata.iter('image'):
    picture = os.path.join(sys.argv[1], '..', 'docs', 'images', os.path.basename(image.text))
    with open(picture, 'rb') as file:
        header = file.read(24)
    assert header.startswith(b'\x89PNG'), picture
    assert [int.from_bytes(header[16:20], 'big'), int.from_bytes(header[20:], 'big')] == [
        int(image.get('width')), int(image.get('height'))], picture

manifest = os.path.abspath(
    os.path.join(sys.argv[1], '..', 'flatpak', 'org.vivograph.Vivograph.yml'))
if shutil.which('flatpak-builder'):
    with tempfile.TemporaryDirectory() as folder:   # where it leaves a folder of its own
        subprocess.run(['flatpak-builder', '--show-manifest', manifest], check=True, cwd=folder,
                       stdout=subprocess.DEVNULL)

# SPDX-License-Identifier: MIT
"""The desktop file names the types that the MIME package defines, and desktop-file-validate accepts
it."""
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

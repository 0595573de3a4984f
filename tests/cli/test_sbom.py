# SPDX-License-Identifier: MIT
"""scripts/sbom lists each library of this build once, in the CycloneDX format.  Arguments: the
script, the build folder, the version of the program, and the libraries that every build has."""
import json
import re
import subprocess
import sys

SCRIPT, BUILD, VERSION, NEEDED = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]


def write():
    return subprocess.run([sys.executable, SCRIPT, BUILD], check=True, text=True,
                          capture_output=True, timeout=120).stdout


text = write()
bom = json.loads(text)
assert (bom['bomFormat'], bom['specVersion'], bom['version']) == ('CycloneDX', '1.5', 1)
assert re.fullmatch(r'urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}', bom['serialNumber'])
program, parts = bom['metadata']['component'], bom['components']
assert (program['type'], program['version']) == ('application', VERSION), program
for part in [program] + parts:
    assert part['type'] in ('application', 'library') and part['name'] and part['version'], part
    assert re.fullmatch(r'pkg:generic/[A-Za-z0-9.+_-]+(@[A-Za-z0-9.+_~-]+)?', part['purl']), part
names, refs = [part['name'] for part in parts], [part['bom-ref'] for part in parts]
assert len(set(names)) == len(names) and len(set(refs)) == len(refs), names
assert set(NEEDED) <= set(names), set(NEEDED) - set(names)
graph = {entry['ref']: entry.get('dependsOn', []) for entry in bom['dependencies']}
assert sorted(graph) == sorted(refs + [program['bom-ref']])
assert sorted(graph[program['bom-ref']]) == sorted(refs)
assert write() == text, 'the same build gives another text'
done = subprocess.run([sys.executable, SCRIPT, '/nowhere'], text=True, capture_output=True,
                      timeout=120, check=False)
assert done.returncode == 1 and done.stdout == '' and len(done.stderr.splitlines()) == 1, done
print(f'{len(parts)} libraries')

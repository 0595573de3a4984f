# SPDX-License-Identifier: MIT
"""The programs of docs/library.md compile without a warning, and say what the page says.
Arguments: the page, and the build folder."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

page, build = Path(sys.argv[1]).read_text(encoding='utf-8'), Path(sys.argv[2])
if not (shutil.which('gcc') and shutil.which('pkg-config')):
    print('skipped: gcc or pkg-config is missing')
    sys.exit(77)
flags = subprocess.run(['pkg-config', '--cflags', '--libs', 'libvivograph'], check=True, text=True,
                       capture_output=True, env={**os.environ, 'PKG_CONFIG_PATH':
                                                 str(build / 'meson-uninstalled')}).stdout.split()
programs = [text for text in re.findall(r'```c\n(.*?)```', page, re.S) if 'main (void)' in text]
assert len(programs) == 2, len(programs)
for text, says in zip(programs, (r'contrast in the middle: 0\.\d+\n',
                                 r'lifetime in the middle: 2\.[12]\d* ns\n')):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, 'program.c')
        path.write_text(text, encoding='utf-8')
        subprocess.run(['gcc', '-Wall', '-Wextra', '-Werror', path, '-o', path.with_suffix(''),
                        *flags, '-lm'], check=True)
        done = subprocess.run([path.with_suffix('')], text=True, capture_output=True, timeout=60,
                              env={**os.environ, 'LD_LIBRARY_PATH': str(build / 'lib')})
        assert done.returncode == 0 and re.search(says, done.stdout), done

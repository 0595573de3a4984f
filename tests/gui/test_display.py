# SPDX-License-Identifier: MIT
"""The tests' X server: if it fails to start, another one is started; if it is late, the tests wait
for it; if it ends, it is replaced."""
import os
import shutil
import signal
import stat
import sys
import tempfile
import vg_gui

# ends at once the first time, and takes longer than other starters wait the second time
LATE = """#!/bin/sh
if [ -e "$0.once" ]; then sleep 5; exec %s "$@"; fi
touch "$0.once"
exit 1
"""


def answers(program):
    seen = os.environ["VG_GUI_INSIDE"] + "/seen"
    assert "screen" in vg_gui.sh("xdpyinfo")
    if not os.path.exists(seen):      # the first display goes
        open(seen, "w").close()
        os.kill(int(os.environ["VG_GUI_SERVER"]), signal.SIGKILL)
        vg_gui.wait_for(
            "the display to go",
            lambda: vg_gui.subprocess.run(["xdpyinfo"], capture_output=True).returncode != 0)
        raise AssertionError("without a display")


if __name__ == "__main__":
    if not os.environ.get("VG_GUI_INSIDE"):
        real = shutil.which("Xvfb")
        if real is None or shutil.which("xdpyinfo") is None:
            sys.exit(vg_gui.SKIP)
        folder = tempfile.mkdtemp(prefix="vivograph-display-")
        with open(folder + "/Xvfb", "w") as file:
            file.write(LATE % real)
        os.chmod(folder + "/Xvfb", stat.S_IRWXU)
        os.environ["PATH"] = folder + ":" + os.environ["PATH"]
    vg_gui.enter()
    vg_gui.run(answers)

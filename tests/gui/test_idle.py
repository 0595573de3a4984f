# SPDX-License-Identifier: MIT
"""A paused window takes next to no processor time, in each view with its sample data."""
import os
import time
import vg_gui

WATCH = 3       # s
MOST = 0.15     # s of processor time in WATCH; making paused frames took 0.6 s
TRIES = 20      # what was begun before may still end


def used(app):
    """Processor time of the program so far, in seconds."""
    with open("/proc/%d/stat" % app.process.pid) as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def watch(app):
    before = used(app)
    time.sleep(WATCH)
    return used(app) - before


def rests(program):
    # a sample at its full rate: the tests' slow one would hide what a frame takes
    rate = os.environ.pop("VIVOGRAPH_SAMPLE_RATE")
    for view in ("lifetime", "flow", "fluence", "perfusion", "contour"):
        app = vg_gui.App(program, "--operation", view, "--backend", "cpu")
        app.get("image", "Result picture")
        app.pause()
        taken = []
        while len(taken) < TRIES and (len(taken) < 2 or max(taken[-2:]) > MOST):
            taken.append(watch(app))
        print(view, " ".join("%.2f" % seconds for seconds in taken), flush=True)
        assert max(taken[-2:]) <= MOST, (view, taken)
        app.close()
    os.environ["VIVOGRAPH_SAMPLE_RATE"] = rate


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(rests)

# SPDX-License-Identifier: MIT
"""A recording of the window begins with the seconds before the start, raw with an index: no frame
is doubled or missing where the frames from memory end.  A camera whose trigger never comes is
waited for."""
import json
import os
import re
import vg_gui
from test_past import live_time

SECONDS = 2


def recorded(path):
    """The line about the file, and the lines of its frames."""
    with open(path + ".jsonl") as file:
        lines = [json.loads(line) for line in file]
    return lines[0], lines[1:]


def lost(app):
    """The frames that the camera lost because the machine was busy."""
    app.click(app.get("push button", "Performance"))
    told = vg_gui.wait_for("the counts", lambda: app.has_label("sent ="))
    app.keys("Escape")
    return int((re.search(r"(\d+) lost", vg_gui.ungroup(told)) or [0, 0])[1])


def enter_replaces_nothing(app, path):
    """The question whether to replace PATH proposes not to."""
    size = os.path.getsize(path)
    app.keys("ctrl+r")
    app.dialog_path(path)
    vg_gui.wait_for("the question", lambda: app.find("label", "Replace"))
    app.keys("Return")
    vg_gui.wait_for("no question", lambda: not app.find("label", "Replace"))
    app.keys("Escape")
    app.wait_for_main_window()
    assert os.path.getsize(path) == size


def before_the_start(program):
    path = os.environ["HOME"] + "/before.raw"
    app = vg_gui.App(program, "--backend", "cpu", "test:speckle#Region=400,400,128,96")
    vg_gui.wait_for("the time line", lambda: live_time(app) > 4)
    app.set_value("spin button", "Seconds before the start", SECONDS)
    app.pick("File format of recordings", "Raw with index (.raw)")
    at = live_time(app)
    app.keys("ctrl+r")
    app.dialog_path(path)
    vg_gui.wait_for("the recording", lambda: app.has_label("from memory"))
    seen = live_time(app)
    vg_gui.wait_for("frames after it", lambda: live_time(app) > seen + 0.5)
    app.keys("ctrl+r")
    vg_gui.wait_for("the end", lambda: os.path.exists(path))
    enter_replaces_nothing(app, path)
    about, frames = recorded(path)
    size = about["shape"][0] * about["shape"][1]
    numbers = [frame["frame"] for frame in frames]
    assert os.path.getsize(path) == size * len(frames), (size, len(frames))
    missing = numbers[-1] - numbers[0] + 1 - len(numbers)
    assert numbers == sorted(set(numbers)) and missing <= lost(app), numbers
    for key in ("time_s", "utc", "device_ns"):
        values = [frame[key] for frame in frames]
        assert values == sorted(set(values)), key
    # the seconds end when Record is chosen, at AT or a little later on a busy machine
    assert at - SECONDS - 0.5 < frames[0]["time_s"] < seen - SECONDS + 0.5, (
        at, seen, frames[0]["time_s"])
    assert frames[-1]["time_s"] > seen
    app.keys("ctrl+o")
    app.dialog_path(path)
    vg_gui.wait_for("the recording", lambda: app.has_label(" of %d" % len(frames)))
    app.close()


def no_trigger(program):
    """The window says what it waits for, and goes on when the trigger is turned off."""
    app = vg_gui.App(program, "--backend", "cpu",
                     "test:speckle#Region=400,400,128,96 Trigger=Line0")
    vg_gui.wait_for("its state", lambda: app.has_label("Waiting for the source"))
    vg_gui.wait_for("the reason", lambda: any(
        "sent no frame for 5 s" in node.name for node in app.walk()
        if node.getRoleName() in ("alert", "label")))
    app.pick("Camera: Trigger source", "Off")
    vg_gui.wait_for("frames", lambda: app.has_label("Connected") and live_time(app) > 0.5)
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(before_the_start, no_trigger)

# SPDX-License-Identifier: MIT
"""The user looks back in a live source while it is recorded, and marks a moment."""
import os
import re
import time
import vg_gui
from test_read_options import picture


def live_time(app):
    """Seconds that the clock beside Live shows."""
    clock = next((text for text in app.labels() if re.fullmatch(r"\d\d:\d\d\.\d", text)), "00:00.0")
    return 60 * int(clock[:2]) + float(clock[3:])


def focus_picture(app):
    x, y, width, height = app.box(picture(app))
    vg_gui.sh("xdotool", "mousemove", str(x + width - 5), str(y + 5), "click", "1")


def recording(path):
    """The descriptions of a recording's pages."""
    with open(path, "rb") as file:
        return re.findall(rb'\{"recorded_by".*\}', file.read())


def past_and_marks(program):
    """The time line leads into the past while frames are recorded, Live leads back; a mark with
    words is in the recording, with the settings of the camera."""
    path = os.environ["HOME"] + "/marks.tif"
    app = vg_gui.App(program, "--backend", "cpu", "test:speckle#Region=400,400,128,96")
    vg_gui.wait_for("the time line", lambda: live_time(app) > 3)
    app.keys("ctrl+r")
    app.dialog_path(path)
    vg_gui.wait_for("the recording", lambda: app.has_label("Recording marks"))
    before = app.value("slider", "Look back")
    app.set_value("slider", "Look back", before - 2)
    vg_gui.wait_for("the past", lambda: app.has_label("s ago"))
    vg_gui.wait_for("an earlier frame", lambda: abs(live_time(app) - (before - 2)) < 1)
    app.press("push button", "Go to Live")
    vg_gui.wait_for("the newest frames",
                    lambda: app.has_label("Live") and live_time(app) > before)
    focus_picture(app)
    app.keys("m")
    vg_gui.wait_for("the entry", lambda: app.find("text", "Text of the mark"))
    app.type("cuff on \u201cleft\u201d")
    app.keys("Return")
    seen = live_time(app)
    vg_gui.wait_for("frames after it", lambda: live_time(app) > seen + 0.5)
    app.keys("ctrl+r")
    vg_gui.wait_for("the end", lambda: os.path.exists(path))
    pages = recording(path)
    marks = [page for page in pages if b'"marks"' in page]
    assert len(marks) == 1 and "cuff on".encode() in marks[0], marks
    assert [b"ExposureTime=5000" in page for page in pages] == [True] + [False] * (len(pages) - 1)
    # the mark is on the time line of the live source, and on that of the recording
    words = app.get("slider", "Look back").description
    assert words.startswith("Marks: cuff on"), words
    app.keys("ctrl+o")
    app.dialog_path(path)
    vg_gui.wait_for("the recording", lambda: app.find("slider", "Frame"))
    vg_gui.wait_for("its mark", lambda: app.get("slider", "Frame").description == words)
    assert app.value("spin button", "Playback speed, frames/s") == 8, "it is played in real time"
    vg_gui.wait_for("a time of the recording", lambda: live_time(app) > 1)
    app.keys("space")
    told = tooltips(app)
    assert any("cuff on" in text for text in told) and any(
        "cuff on" not in text for text in told), told
    app.close()


def tooltips(app):
    """The tooltips along the time line."""
    x, y, width, height = app.box(app.get("slider", "Frame"))
    told = []
    for at in range(4, width - 4, 5):
        for step in (0, 1):         # the first move ends the previous tooltip
            vg_gui.sh("xdotool", "mousemove", str(x + at + step), str(y + height // 2))
        time.sleep(0.8)
        told.append(app.tooltip())
    return told


def tick_column(app):
    """Where the tick of the only mark is on the time line, 0 to 1; negative: nowhere."""
    x, y, width, height = app.box(app.get("slider", "Look back"))
    green = vg_gui.pixels(x, y, width, 8)[1::3]
    columns = [sum(green[at::width]) / 8 for at in range(width)]
    darkest = min(range(width), key=lambda at: columns[at])
    return darkest / width if columns[darkest] < sorted(columns)[width // 2] - 20 else -1


def ticks_follow(program):
    """The tick of a mark moves with the time line, also while the user looks back, and a drag to it
    shows its moment. The time line keeps its width."""
    app = vg_gui.App(program, "--backend", "cpu", "test:speckle#Region=400,400,128,96")
    vg_gui.wait_for("the time line", lambda: live_time(app) > 6)
    live = app.box(app.get("slider", "Look back"))
    app.set_value("slider", "Look back", 5)
    marked = vg_gui.steady("the past", lambda: app.has_label("s ago") and live_time(app))
    focus_picture(app)
    app.keys("ctrl+m")
    app.set_value("slider", "Look back", 2)
    vg_gui.wait_for("the tick", lambda: tick_column(app) > 0)
    time.sleep(1)
    before = tick_column(app)
    time.sleep(4)
    after = tick_column(app)
    assert 0 < after < before - 0.04, (before, after)
    x, y, width, height = app.box(app.get("slider", "Look back"))
    assert (x, width) == (live[0], live[2]), (live, x, width)
    tick = x + tick_column(app) * width
    vg_gui.sh("xdotool", "mousemove", str(int(tick + 30)), str(y + height // 2), "mousedown", "1")
    for step in (20, 10, 8, 6):  # px: the handle snaps to the tick
        time.sleep(0.1)
        vg_gui.sh("xdotool", "mousemove", str(int(tick + step)), str(y + height // 2))
    vg_gui.sh("xdotool", "mouseup", "1")
    vg_gui.wait_for("the mark's moment", lambda: abs(live_time(app) - marked) < 0.2)
    app.close()


def keyboard_after_mark(program):
    """It is the image's again: Space pauses, and does not ask for another mark."""
    app = vg_gui.App(program, "--backend", "cpu", "test:speckle#Region=400,400,128,96")
    vg_gui.wait_for("the time line", lambda: live_time(app) > 1)
    for how in ("m", "click"):
        if how == "m":
            app.keys("m")
        else:
            app.click(next(node for node in app.walk()
                           if node.name == "Mark" and "button" in node.getRoleName()))
        vg_gui.wait_for("the entry", lambda: app.find("text", "Text of the mark"))
        app.type("cuff")
        app.keys("Return")
        vg_gui.wait_for("the message", lambda: not app.find("text", "Text of the mark"))
        app.keys("space")
        app.get("push button", "Run")
        app.keys("space")
        app.get("push button", "Pause")
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(keyboard_after_mark, ticks_follow, past_and_marks)

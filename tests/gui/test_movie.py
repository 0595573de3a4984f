# SPDX-License-Identifier: MIT
"""A movie from the export dialog: its progress is shown, a cancelled one leaves nothing, and the
next one is whole."""
import os
import subprocess
import sys
import vg_gui
from test_export import HOME, open_dialog, says, toggle


def open_export(name, *program):
    """Opens the export dialog and turns *Movie* on."""
    stack = "%s/%s.tif" % (HOME, name)
    vg_gui.write_tiff(stack, 48, 32, 45,
                      lambda page, x, y: 200 + (x * 37 + y * 91 + page * 7) % 900)
    app = vg_gui.App(*program, "--backend", "cpu", stack)
    vg_gui.wait_for("a picture", lambda: app.colors(app.get("image", "Result picture"))[3] > 0.02)
    open_dialog(app)
    toggle(app, "Movie")
    return app, stack.replace(".tif", "-maps")


def is_whole(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x1a\x45\xdf\xa3" and os.path.getsize(path) > 1000


def a_movie_is_cancelled(program):
    """The movie's file does not open before the test has cancelled it."""
    go = HOME + "/go"
    app, folder = open_export("held", "env", "LD_PRELOAD=" + os.path.abspath(sys.argv[2]),
                              "VG_FAULT_HOLD=movie.webm", "VG_FAULT_GO=" + go, program)
    command = vg_gui.wait_for("the movie in the command", lambda: next(
        (node.name for node in app.walk() if "--movie " in node.name), None))
    # 45 frames at 10/s, because their interval is not known
    assert says(app, "4.5 s long, about "), app.labels()
    assert folder + "/movie.webm --movie-limits=" in command, command
    app.set_value("spin button", "Frames per second of the movie", 9)
    vg_gui.wait_for("the other length", lambda: says(app, "5 s long, about "))
    vg_gui.wait_for("the frame rate in the command", lambda: next(
        (True for node in app.walk() if "/movie.webm --movie-fps 9 --movie-limits=" in node.name),
        None))
    app.set_value("spin button", "Frames per second of the movie", 10)
    app.press("push button", "Export")
    vg_gui.wait_for("its progress", lambda: says(app, "Making the movie…"))
    app.keys("Escape", "F9")
    # keys come in their order
    vg_gui.wait_for("no side pane", lambda: not app.find("page tab", "Settings"))
    vg_gui.wait_for("the movie to be held", lambda: says(app, "Making the movie…"))
    open(go, "w").close()
    vg_gui.wait_for("the words about it", lambda: says(app, "The movie was cancelled."))
    assert os.path.exists(folder + "/summary.json")
    assert not [name for name in os.listdir(folder) if "movie" in name]
    app.close()


def open_recording(program, name, frames, **environment):
    """Records frames of the simulated camera and opens the export dialog of the recording."""
    path = "%s/%s.tif" % (HOME, name)
    subprocess.run([program, "record", "test:speckle", "--camera-set", "Region=320,272,64,48",
                    "--max-frames", str(frames), "--out", path], check=True,
                   stdout=subprocess.DEVNULL, env=dict(os.environ, **environment))
    app = vg_gui.App(program, "--backend", "cpu", path)
    vg_gui.wait_for("a picture", lambda: app.colors(app.get("image", "Result picture"))[3] > 0.02)
    open_dialog(app)
    toggle(app, "Movie")
    return app


def slow_frames_play_in_real_time(program):
    """The frame rate is no whole number, and may be less than 1."""
    app = open_recording(program, "slow", 5, VIVOGRAPH_SAMPLE_RATE="2.5")
    assert app.value("spin button", "Frames per second of the movie") == 2.5
    vg_gui.wait_for("real time", lambda: says(app, "2 s long, in real time, about "))
    assert not any("--movie-fps" in node.name for node in app.walk())
    app.set_value("spin button", "Frames per second of the movie", 0.5)
    vg_gui.wait_for("slower", lambda: says(
        app, "10 s long, 0.2 times as fast as recorded, about "))
    app.keys("Escape")
    app.close()


def a_recording_plays_in_real_time(program):
    app = open_recording(program, "own", 20)
    assert app.value("spin button", "Frames per second of the movie") == vg_gui.RATE
    vg_gui.wait_for("real time", lambda: says(app, "2.5 s long, in real time, about "))
    app.set_value("spin button", "Frames per second of the movie", 2 * vg_gui.RATE)
    vg_gui.wait_for("twice as fast", lambda: says(
        app, "1.25 s long, 2 times as fast as recorded, about "))
    app.keys("Escape")
    app.close()


def a_movie_is_made(program):
    app, folder = open_export("frames", program)
    app.press("push button", "Export")
    vg_gui.wait_for("the words about it", lambda: says(app, "Made the movie in “frames-maps”."))
    assert is_whole(folder + "/movie.webm")
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(a_recording_plays_in_real_time, slow_frames_play_in_real_time,
               a_movie_is_cancelled, a_movie_is_made)

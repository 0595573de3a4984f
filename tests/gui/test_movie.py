# SPDX-License-Identifier: MIT
"""A movie from the export dialog: its progress is shown, a cancelled one leaves nothing, and the
next one is whole."""
import os
import vg_gui
from test_export import HOME, open_dialog, says, toggle

STACK = HOME + "/frames.tif"


def open_frames(program, pages):
    vg_gui.write_tiff(STACK, 48, 32, pages,
                      lambda page, x, y: 200 + (x * 37 + y * 91 + page * 7) % 900)
    app = vg_gui.App(program, "--backend", "cpu", STACK)
    vg_gui.wait_for("a picture", lambda: app.colors(app.get("image", "Result picture"))[3] > 0.02)
    return app


def is_whole(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x1a\x45\xdf\xa3" and os.path.getsize(path) > 1000


def a_movie_is_cancelled_and_made(program):
    app = open_frames(program, 45)
    folder = HOME + "/frames-maps"
    open_dialog(app)
    toggle(app, "Movie")
    command = vg_gui.wait_for("the movie in the command", lambda: next(
        (node.name for node in app.walk() if "--movie " in node.name), None))
    assert folder + "/movie.webm --movie-fps 10 --movie-limits=" in command, command
    app.press("push button", "Export")
    vg_gui.wait_for("its progress", lambda: says(app, "Making the movie…"))
    app.keys("Escape")
    vg_gui.wait_for("the words about it", lambda: says(app, "The movie was cancelled."))
    assert os.path.exists(folder + "/summary.json")
    assert not [name for name in os.listdir(folder) if "movie" in name]
    open_dialog(app)
    toggle(app, "Movie")
    app.press("push button", "Export")
    vg_gui.wait_for("the words about it", lambda: says(app, "Made the movie in “frames-maps-2”."))
    assert is_whole(folder + "-2/movie.webm")
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(a_movie_is_cancelled_and_made)

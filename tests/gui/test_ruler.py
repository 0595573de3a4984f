# SPDX-License-Identifier: MIT
"""The ruler measures in the image, and Set Scale gives a file without a scale its pixel size."""
import os
import vg_gui
from test_finder import find
from test_read_options import HOME, picture

FILE = HOME + "/plain.tif"
SIDE = 128


def ruler(app):
    """What the ruler tells: its length."""
    node = next((node for node in app.walk() if node.name.startswith("Ruler: ")), None)
    return node.name if node else ""


def set_scale(app, text):
    find(app, "set scale calibrate", "Set Scale\u2026")
    entry = app.get("text", "True length")
    vg_gui.wait_for("its focus", lambda: entry.getState().contains(app.atspi.STATE_FOCUSED))
    app.type(text)
    app.keys("Return")


def a_line_of_known_length(program):
    """A line by keyboard; bad lengths are refused in words; a good one gives micrometres, and undo
    takes them back."""
    vg_gui.write_tiff(FILE, SIDE, SIDE, 2, lambda page, x, y: 40 + (x * 7 + y * 13) % 50)
    app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu", FILE)
    vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.01)
    app.choose_tool("Ruler tool")
    x, y, width, height = app.box(picture(app))
    app.drag(x + width // 2 - 60, y + height // 2, x + width // 2 + 60, y + height // 2)
    vg_gui.wait_for("its length in pixels", lambda: ruler(app).endswith(" px"))
    assert "(" not in ruler(app), "there is no scale yet: " + ruler(app)
    set_scale(app, "0")
    vg_gui.wait_for("what is wrong", lambda: app.has_label("greater than 0"))
    app.keys("ctrl+a")
    app.type("long")
    app.keys("Return")
    vg_gui.wait_for("what is wrong", lambda: app.has_label("is not a number"))
    app.keys("ctrl+a")
    app.type("250")
    app.keys("Return")
    vg_gui.wait_for("the true length", lambda: ruler(app).startswith("Ruler: 250 µm"))
    app.keys("ctrl+z")
    vg_gui.wait_for("pixels again", lambda: "(" not in ruler(app) and " px" in ruler(app))
    set_scale(app, "2500")
    vg_gui.wait_for("millimetres", lambda: ruler(app).startswith("Ruler: 2.5 mm"))
    os.remove(FILE)
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(a_line_of_known_length)

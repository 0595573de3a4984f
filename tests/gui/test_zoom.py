# SPDX-License-Identifier: MIT
"""The image stays fitted until it is zoomed, the button shows it, and theatre mode fits it."""
import os
import re
import test_theatre
import vg_gui

WIDE = os.environ.get("VG_GUI_INSIDE", "/tmp") + "/wide.mci"


def fitted(app):
    return "fits" in app.get("push button", "Fit the window").description


def zoom(program):
    """Arrow keys keep the fit.  Theatre mode fits the image, and restores the zoom when it ends."""
    app = test_theatre.begin(program)
    vg_gui.wait_for("the fit", lambda: fitted(app))
    app.keys("Left", "Down")
    app.keys("plus", "plus")
    vg_gui.wait_for("a zoom", lambda: not fitted(app))
    before = vg_gui.steady("the zoom", lambda: percent(app))
    app.keys("F11")
    test_theatre.number(app, "Flow index, median")
    x, y, _, height = vg_gui.steady("the image", lambda: app.box(test_theatre.picture(app)))
    vg_gui.wait_for("nothing beside the image",
                    lambda: test_theatre.spread(x + int(0.3 * height), y + int(0.8 * height),
                                                60) < 0.01)
    app.keys("F11")
    vg_gui.wait_for("the zoom from before", lambda: percent(app) == before)
    assert not fitted(app)
    app.keys("minus", "minus")
    vg_gui.wait_for("the fit, back", lambda: fitted(app))
    app.keys("Left", "Up")
    app.keys("plus")
    vg_gui.wait_for("a zoom", lambda: not fitted(app))
    app.keys("0")
    vg_gui.wait_for("the fit of the key", lambda: fitted(app))
    app.close()


def part_with_light(program):
    """A map whose bins reach far beyond the light opens at the part that has light.  The fit
    changes between this part and all of the map."""
    with open(WIDE, "w") as file:
        file.write("1.0\n1\nwide.mco A\n2000\n0.01 0.01\n50 250 10\n"
                   "1\n1.0\n1.37 1 100 0.9 0.2\n1.0\n")
    app = vg_gui.App(program, "--operation", "fluence", "--backend", "cpu", WIDE)
    vg_gui.wait_for("the map", lambda: percent(app))
    part = vg_gui.steady("the part", lambda: share(app), 1)
    assert fitted(app)
    app.keys("0")
    vg_gui.wait_for("all of the map", lambda: share(app) < part / 2)
    assert fitted(app)
    app.keys("0")
    vg_gui.wait_for("the part again", lambda: share(app) == part)
    app.close()


def share(app):
    return int(percent(app).split()[0])


def percent(app):
    """The text of the zoom in the toolbar."""
    return next((node.name for node in app.walk()
                 if node.getRoleName() == "label" and re.fullmatch(r"\d+ %", node.name)), None)


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(zoom, part_with_light)

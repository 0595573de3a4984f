# SPDX-License-Identifier: MIT
"""The input under a map, with its opacity and its time point."""
import vg_gui


def start(program):
    app = vg_gui.App(program, "--operation", "perfusion", "--sample", "ellipse", "--backend", "cpu")
    vg_gui.wait_for("the maps", lambda: app.find("push button", "Run"))
    return app


def picture(app):
    return app.get("image", "Result picture")


def redness(app):
    """How far the picture is from grey: its maps are, the anatomy is not."""
    red, _, blue, _ = app.colors(picture(app))
    return red - blue


def lay_over(program):
    app = start(program)
    app.click(app.get("page tab", "Display"))
    assert app.value("slider", "Opacity of the map, %") == 70
    vg_gui.wait_for("the colours of the map", lambda: redness(app) > 0.01)
    app.still(picture(app))
    seen = redness(app)
    app.set_value("slider", "Opacity of the map, %", 0)
    vg_gui.wait_for("the anatomy alone", lambda: redness(app) < 0.7 * seen)
    alone = app.still(picture(app))
    app.set_value("slider", "Time point under the map", 1)
    vg_gui.wait_for("the first time point",
                    lambda: abs(app.colors(picture(app))[0] - alone[0]) > 0.005)
    app.click(app.get("check box", "Overlay the map on the input"))
    vg_gui.wait_for("the map alone", lambda: redness(app) > seen)
    app.keys("ctrl+z", "ctrl+z")
    vg_gui.wait_for("the opacity of before",
                    lambda: app.value("slider", "Opacity of the map, %") == 70)
    assert app.value("slider", "Time point under the map") == 1      # part of the view: not undone
    app.close()


def drive_frames(program):
    """The bar of frames moves the input under the map, and nothing is computed for it."""
    app = start(program)
    alone = app.still(picture(app))
    assert app.value("slider", "Frame") == 0                         # the mean
    app.set_value("slider", "Frame", 1)
    vg_gui.wait_for("the first time point",
                    lambda: abs(app.colors(picture(app))[0] - alone[0]) > 0.001)
    app.click(app.get("push button", "One frame forward"))
    vg_gui.wait_for("the second", lambda: app.value("slider", "Frame") == 2)
    assert app.find("push button", "Run")
    app.click(app.get("page tab", "Display"))
    assert app.value("slider", "Time point under the map") == 2
    app.click(app.get("push button", "Play or pause"))
    vg_gui.wait_for("later time points", lambda: app.value("slider", "Frame") > 3)
    assert app.find("push button", "Run")                            # no fit runs
    app.close()


def under(program, motion, corrected):
    """The mean colours of the eighth time point under the map, with a motion correction."""
    app = vg_gui.App(program, "--operation", "perfusion", "--sample", "breathing", "--backend",
                     "cpu", "--motion", motion)
    vg_gui.wait_for("the maps", lambda: app.find("push button", "Run"))
    app.click(app.get("page tab", "Display"))
    app.set_value("slider", "Opacity of the map, %", 0)
    app.set_value("slider", "Time point under the map", 8)
    vg_gui.wait_for("what is said of the series",
                    lambda: bool(app.has_label("corrected for motion")) == corrected)
    colors = app.still(picture(app))
    app.close()
    return colors


def follows_motion_correction(program):
    """The corrected frames lie under a map that is computed from them, and the page says so."""
    recorded, moved = under(program, "off", False), under(program, "slices", True)
    assert max(abs(a - b) for a, b in zip(recorded, moved)) > 0.0005, (recorded, moved)


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(lay_over, drive_frames, follows_motion_correction)

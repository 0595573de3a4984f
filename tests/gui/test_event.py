# SPDX-License-Identifier: MIT
"""A button over live sample data closes a vessel: the flow behind it falls, and comes back."""
import re

import vg_gui

BEGIN = "Press on the Vessel"
END = "Release the Vessel"


def flow(app):
    """The relative flow of the region, in per cent: theatre mode's number."""
    for node in app.walk():
        found = re.search(r"Relative flow, Region 1: (\d+) %", vg_gui.ungroup(node.name or ""))
        if found and node.getRoleName() == "image":
            return int(found.group(1))
    return None


def maps(app):
    """The number of maps in the status bar."""
    found = re.match(r"Frames (\d+)$", vg_gui.ungroup(app.has_label("Frames ") or ""))
    return int(found.group(1)) if found else 0


def press(app, name):
    """Presses the button, which fades in theatre mode until a key is pressed."""
    def found():
        app.keys("Shift_L")
        return app.find("push button", name).queryAction().doAction(0)

    vg_gui.wait_for("the button " + name, found)


def occlusion(program):
    app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu")
    app.get("push button", BEGIN)
    picture = app.get("image", "Result picture")
    vg_gui.wait_for("a live picture", lambda: app.colors(picture)[3] > 0.05)
    x, y, width, height = app.box(picture)
    app.keys("r")
    # behind the clamp, as the tree of the sample grows
    left, top = x + width // 2 - 40, y + height * 3 // 4
    app.drag(left, top, left + 80, top + 60)
    app.keys("h", "ctrl+b")
    before = vg_gui.wait_for("the maps", lambda: maps(app))
    vg_gui.wait_for("all of the baseline", lambda: maps(app) > before + 10)
    app.keys("F11")
    vg_gui.wait_for("the number", lambda: (flow(app) or 0) > 60)
    press(app, BEGIN)
    vg_gui.wait_for("the flow to fall", lambda: (flow(app) or 100) < 50)
    press(app, END)
    vg_gui.wait_for("the flow to return", lambda: (flow(app) or 0) > 75)
    app.keys("F11")
    app.get("push button", BEGIN)
    app.close()


def calibration(program):
    """The flow index of the region, with the vessel open and closed, becomes the calibration."""
    app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu")
    picture = app.get("image", "Result picture")
    vg_gui.wait_for("a live picture", lambda: app.colors(picture)[3] > 0.05)
    app.press("check box", "Calibrated perfusion")
    zero, reference = "Zero flow index, 1/s", "Reference flow index, 1/s"
    vg_gui.wait_for("the settings", lambda: app.find("spin button", zero))

    def take(label):
        app.press("push button", "Set %s to the mean of the selected region over the last second, "
                  "or over the last 25 frames if their times are unknown" % label)

    take("Zero flow index")
    vg_gui.wait_for("the reason", lambda: any(
        "draw a region" in (node.name or "") for node in app.walk()))
    assert app.value("spin button", zero) == 0
    x, y, width, height = app.box(picture)
    app.keys("r")
    left, top = x + width // 2 - 40, y + height * 3 // 4
    app.drag(left, top, left + 80, top + 60)
    app.keys("h")

    def taken():
        take("Reference flow index")
        return app.value("spin button", reference) != 1000

    vg_gui.wait_for("the reference", taken)
    app.press("push button", BEGIN)

    def fallen():
        take("Zero flow index")
        return 0 < app.value("spin button", zero) < 0.5 * app.value("spin button", reference)

    vg_gui.wait_for("the zero", fallen)
    app.close()


def elsewhere(program):
    """No button where nothing can happen."""
    app = vg_gui.App(program, "--operation", "contour", "--backend", "cpu")
    app.get("image", "Result picture")
    assert not app.find("push button", BEGIN)
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(occlusion, calibration, elsewhere)

# SPDX-License-Identifier: MIT
"""A mask painted in the three planes of a volume, used as the liver, and computed with again."""
import json
import os
import re
import vg_gui
from test_planes import plane, start

HOME = os.environ.get("VG_GUI_INSIDE", "/tmp")


def inside(app):
    """How many voxels the mask has, as the window tells."""
    found = [re.match(r"(\d+) voxels?\b", vg_gui.ungroup(text)) for text in app.labels()]
    return next((int(match.group(1)) for match in found if match), None)


def counted(app, what, condition):
    return vg_gui.wait_for(what, lambda: condition(inside(app)) and inside(app))


def at(app, name, dx=0, dy=0):
    x, y, width, height = app.box(plane(app, name))
    return x + width // 2 + dx, y + height // 2 + dy


def click(app, name, dx=0, dy=0):
    x, y = at(app, name, dx, dy)
    vg_gui.sh("xdotool", "mousemove", str(x), str(y), "click", "1")


def fitted(app):
    """How many voxels were fitted, in the status bar."""
    found = [re.match(r"Voxels (\d+)$", vg_gui.ungroup(text)) for text in app.labels()]
    return next((int(match.group(1)) for match in found if match), None)


def paint(program):
    app = start(program)
    everything = vg_gui.wait_for("the maps", lambda: fitted(app))
    app.press("push button", "Edit Mask")    # so GTK 4.8 calls toggle buttons
    app.pick("Mask tool", "Brush")
    app.set_value("spin button", "Size of the brush", 8)     # voxels are 2 x 2 x 5 mm
    click(app, "Axial")
    disc = counted(app, "a disc", lambda n: n == 13)
    app.click(app.get("check box", "Several slices at once"))
    app.set_value("spin button", "Size of the brush", 10)
    click(app, "Coronal")
    ball = counted(app, "a ball", lambda n: n and n > disc)
    x, y = at(app, "Sagittal", -10, 4)
    app.drag(x, y, x + 24, y)
    more = counted(app, "a stroke", lambda n: n and n > ball)
    app.press("push button", "Undo Stroke")
    counted(app, "the mask before the stroke", lambda n: n == ball)
    app.pick("Mask tool", "Eraser")
    click(app, "Axial")
    counted(app, "less", lambda n: n is not None and n < ball)
    app.press("push button", "Undo Stroke")
    counted(app, "the ball again", lambda n: n == ball)
    assert more > ball

    # the mask is what is fitted, in the window and in a run of the saved session
    corner = app.get("label", "In 3-D")
    x, y, _, _ = app.box(corner)
    vg_gui.sh("xdotool", "mousemove", str(x + 4), str(y + 4), "click", "--repeat", "10", "5")
    app.pick("Use the mask as", "Liver")
    vg_gui.wait_for("the voxels of the mask", lambda: fitted(app) == ball)
    session, out = HOME + "/mask.vivograph", HOME + "/mask-run"
    app.keys("ctrl+shift+s")
    app.dialog_path(session)
    vg_gui.wait_for("the session", lambda: os.path.exists(session))
    vg_gui.sh(program, "run", "--session", session, "--backend", "cpu", "--out", out)
    with open(out + "/summary.json", encoding="utf-8") as file:
        text = json.dumps(json.load(file))
    assert re.search(r'"voxels": (\{[^}]*"value": )?%d\b' % ball, text), text[:2000]

    # undone as every setting
    app.keys("ctrl+z")
    vg_gui.wait_for("all voxels", lambda: fitted(app) == everything)

    # the session brings the mask back
    vg_gui.sh("xdotool", "mousemove", str(x + 4), str(y + 4), "click", "--repeat", "10", "4")
    app.press("push button", "Clear Mask")
    vg_gui.wait_for("no voxel", lambda: inside(app) == 0)
    app.keys("ctrl+o")
    app.dialog_path(session)
    counted(app, "the mask of the session", lambda n: n == ball)
    vg_gui.wait_for("the voxels of the mask", lambda: fitted(app) == ball)

    # a saved image has all planes
    image = HOME + "/planes.png"
    app.keys("ctrl+shift+e")
    app.dialog_path(image)
    vg_gui.wait_for("the image", lambda: os.path.exists(image))
    size = vg_gui.sh("identify", "-format", "%w %h", image).split()
    left, right = app.box(plane(app, "Axial")), app.box(plane(app, "Sagittal"))
    assert int(size[0]) == right[0] + right[2] - left[0], (size, left, right)
    assert int(size[1]) > 2 * left[3] - 4, (size, left)
    for place in ((0, 0), (right[0] - left[0], 0), (0, int(size[1]) - left[3])):
        crop = "%dx%d+%d+%d" % (left[2:] + place)
        spread = vg_gui.sh("convert", image, "-crop", crop, "-format",
                           "%[fx:standard_deviation.r]", "info:")
        assert float(spread) > 0.05, (place, spread)
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(paint)

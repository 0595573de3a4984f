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
    text = app.has_label(" voxel") or ""
    found = re.match(r"(\d+) voxels?\b", vg_gui.ungroup(text))
    return int(found.group(1)) if found else None


def counted(app, what, condition):
    return vg_gui.wait_for(what, lambda: condition(inside(app)) and inside(app))


def at(app, name, dx=0, dy=0):
    x, y, width, height = app.box(plane(app, name))
    return x + width // 2 + dx, y + height // 2 + dy


def click(app, name, dx=0, dy=0):
    x, y = at(app, name, dx, dy)
    vg_gui.sh("xdotool", "mousemove", str(x), str(y), "click", "1")


def fitted(app):
    """The number of voxels in the status bar."""
    return any(text == "Voxels" for text in app.labels())


def paint(program):
    app = start(program)
    vg_gui.wait_for("the maps", lambda: fitted(app))
    app.press("toggle button", "Edit Mask")
    app.pick("Tool for the mask", "Brush")
    app.set_value("spin button", "Size of the brush", 8)     # voxels are 2 x 2 x 5 mm
    click(app, "Axial")
    disc = counted(app, "a disc", lambda n: n == 13)
    assert plane(app, "Axial")
    app.click(app.get("check box", "Several slices at once"))
    app.set_value("spin button", "Size of the brush", 10)
    click(app, "Coronal")
    ball = counted(app, "a ball", lambda n: n and n > disc)
    x, y = at(app, "Sagittal", -10, 4)
    app.drag(x, y, x + 24, y)
    more = counted(app, "a stroke", lambda n: n and n > ball)
    app.press("push button", "Undo Stroke")
    counted(app, "the mask before the stroke", lambda n: n == ball)
    app.pick("Tool for the mask", "Eraser")
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
    vg_gui.wait_for("the voxels of the mask", lambda: str(ball) in app.labels())
    session, out = HOME + "/mask.vivograph", HOME + "/mask-run"
    app.keys("ctrl+shift+s")
    app.dialog_path(session)
    vg_gui.wait_for("the session", lambda: os.path.exists(session))
    vg_gui.sh(program, "run", "--session", session, "--backend", "cpu", "--output", out)
    with open(out + "/summary.json", encoding="utf-8") as file:
        text = json.dumps(json.load(file))
    assert re.search(r'"voxels": (\{[^}]*"value": )?%d\b' % ball, text), text[:2000]

    # undone as every setting
    app.keys("ctrl+z")
    vg_gui.wait_for("all voxels", lambda: str(ball) not in app.labels())
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(paint)

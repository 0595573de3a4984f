# SPDX-License-Identifier: MIT
"""Three planes of a volume with one crosshair."""
import os
import re
import vg_gui
from test_volumes import write_volume, WIDTH, HEIGHT
from test_window_level import drag_right

FILE = os.environ.get("VG_GUI_INSIDE", "/tmp") + "/planes.nii"
SLICES = 6


def plane(app, name):
    return app.get("image", name)


def voxel(app, name="Axial"):
    """Where a plane says that the crosshair is: column, row and slice, the last from 1."""
    found = re.search(r"voxel (\d+), (\d+), slice (\d+)", plane(app, name).description)
    return tuple(int(number) for number in found.groups())


def start(program):
    write_volume(FILE, SLICES)
    app = vg_gui.App(program, "--operation", "perfusion", "--backend", "cpu", FILE)
    app.click(vg_gui.wait_for("the button", lambda: next(
        (node for node in app.walk() if node.name == "Three planes"), None)))
    vg_gui.wait_for("the planes", lambda: app.find("image", "Sagittal"))
    return app


def crosshair(program):
    app = start(program)
    middle = (WIDTH // 2, HEIGHT // 2, 1)
    vg_gui.wait_for("the middle", lambda: voxel(app) == middle)
    vg_gui.wait_for("the coronal plane", lambda: all(
        part in plane(app, "Coronal").description
        for part in ("Slice %d of %d" % (HEIGHT // 2 + 1, HEIGHT),
                     "R at the left, L at the right, S above, I below")))
    vg_gui.wait_for("the place",
                    lambda: app.has_label("R 4, A 0, I 0 mm") or app.has_label("R 4, A 0, S 0 mm"))

    # a click in the axial plane moves the other two
    x, y, width, height = app.box(plane(app, "Axial"))
    vg_gui.sh("xdotool", "mousemove", str(x + width // 2 + 30), str(y + height // 2 + 12), "click",
              "1")
    vg_gui.wait_for("another voxel", lambda: voxel(app) != middle)
    at = vg_gui.steady("the voxel", lambda: voxel(app))
    # the patient's left is at the right of the screen, where the columns of the file begin
    assert at[0] < middle[0] and at[1] < middle[1] and at[2] == 1, at
    vg_gui.wait_for("the other planes",
                    lambda: voxel(app, "Coronal") == voxel(app, "Sagittal") == at)
    vg_gui.wait_for("the sagittal plane", lambda: "Slice %d of %d" % (
        at[0] + 1, WIDTH) in plane(app, "Sagittal").description)
    vg_gui.wait_for("the card", lambda: app.has_label("Voxel %d, %d, slice 1" % at[:2]))

    # a drag in the coronal plane goes to other slices, as the wheel over the axial plane does
    x, y, width, height = app.box(plane(app, "Coronal"))
    app.drag(x + width // 2, y + height // 2 + 8, x + width // 2, y + height // 2 - 12)
    vg_gui.wait_for("a higher slice", lambda: voxel(app)[2] > 3)
    up = vg_gui.steady("the slice", lambda: voxel(app))
    assert up[1] == at[1], up
    vg_gui.wait_for("the same slice in the slider",
                    lambda: app.value("slider", "Slice of the volume") == up[2])
    x, y, width, height = app.box(plane(app, "Axial"))
    vg_gui.sh("xdotool", "mousemove", str(x + width // 2), str(y + height // 2), "click", "4")
    vg_gui.wait_for("the slice below", lambda: voxel(app)[2] == up[2] - 1)

    # keys, in the plane that has the keyboard
    x, y, width, height = app.box(plane(app, "Sagittal"))
    vg_gui.sh("xdotool", "mousemove", str(x + width // 2), str(y + height // 2), "click", "1")
    here = vg_gui.steady("the crosshair", lambda: voxel(app))
    app.keys("shift+Page_Down")
    vg_gui.wait_for("the next column", lambda: voxel(app)[0] == here[0] + 1)
    app.keys("Left")   # to the front, where the rows of the file end
    vg_gui.wait_for("the next row", lambda: voxel(app)[1] == here[1] + 1)

    # the right button over a plane changes the window of the input, at once
    app.click(app.get("page tab", "Display"))
    level = app.value("spin button", "Window level")
    axial = plane(app, "Axial")
    bright = app.still(axial)
    drag_right(app, axial, 0, -150)
    vg_gui.wait_for("a higher level", lambda: app.value("spin button", "Window level") > level)
    vg_gui.wait_for("a darker plane", lambda: app.colors(axial)[0] < bright[0] - 0.005)

    app.keys("t")
    vg_gui.wait_for("one slice", lambda: not app.find("image", "Sagittal"))
    app.get("image", "Result picture")
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(crosshair)

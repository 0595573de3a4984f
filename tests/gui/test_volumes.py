# SPDX-License-Identifier: MIT
"""Volumes: all slices side by side, and how they lie in the body."""
import os
import re
import struct
import vg_gui
from test_simulation import distance

FILE = os.environ.get("VG_GUI_INSIDE", "/tmp") + "/placed.nii"
WIDTH, HEIGHT, SLICES, FRAMES = 24, 20, 2, 12


def start(program):
    app = vg_gui.App(program, "--operation", "perfusion", "--sample", "ellipse", "--backend", "cpu")
    vg_gui.wait_for("the maps", lambda: app.find("push button", "Run"))
    return app


def picture(app):
    return app.get("image", "Result picture")


def tile(app, number):
    """About the middle of a slice's tile on the screen: two in a row beside the colour bar."""
    x, y, width, height = app.box(picture(app))
    row, column = divmod(number - 1, 2)
    return (x + (width - 110) // 2 + int((column - 0.5) * 0.6 * height),
            y + height // 2 + int((row - 0.5) * 0.45 * height))


def choose_all_slices(app):
    app.click(vg_gui.wait_for("the button", lambda: next(
        node for node in app.walk() if node.name == "All slices")))


def show_all_slices(program):
    app = start(program)
    app.keys("F8")   # without plots there is the height for two rows of slices
    vg_gui.wait_for("the picture without plots", lambda: not app.pages())
    vg_gui.steady("the picture", lambda: app.box(picture(app)))
    single = app.still(picture(app))
    choose_all_slices(app)
    vg_gui.wait_for("the mosaic", lambda: "3 slices side by side" in picture(app).description)
    vg_gui.wait_for("its picture", lambda: distance(app.colors(picture(app)), single) > 0.01)
    for number in (3, 2):
        x, y = tile(app, number)
        vg_gui.sh("xdotool", "mousemove", str(x), str(y))
        vg_gui.wait_for("the probe in slice %d" % number,
                        lambda: app.has_label(", slice %d: " % number))
        # goes to that slice; a busy program may miss a press without a length
        vg_gui.sh("xdotool", "mousedown", "1", "sleep", "0.12", "mouseup", "1")
        vg_gui.wait_for("slice %d" % number,
                        lambda: app.value("slider", "Slice of the volume") == number)
    app.keys("e")  # what is drawn belongs to the slice where it began
    x, y = tile(app, 1)
    app.drag(x - 20, y - 20, x + 20, y + 20)
    vg_gui.wait_for("the slice of the region",
                    lambda: app.value("slider", "Slice of the volume") == 1)
    app.keys("F8")
    app.show_page("Table")
    vg_gui.wait_for("the region's row", lambda: app.find("text", "Name of the region"))
    choose_all_slices(app)
    vg_gui.wait_for("one slice", lambda: "side by side" not in picture(app).description)
    app.close()


def write_volume(path=FILE, slices=SLICES):
    """Writes a volume whose columns lead to the patient's right and whose rows lead to the front;
    its first row is bright."""
    head = bytearray(352)
    struct.pack_into("<i", head, 0, 348)
    struct.pack_into("<8h", head, 40, 4, WIDTH, HEIGHT, slices, FRAMES, 1, 1, 1)
    struct.pack_into("<2h", head, 70, 16, 32)
    struct.pack_into("<5f", head, 76, 1, 2, 2, 5, 2)
    struct.pack_into("<f", head, 108, 352)
    head[123] = 2 | 8
    struct.pack_into("<2h", head, 252, 0, 1)
    struct.pack_into("<12f", head, 280, 2, 0, 0, -20, 0, 2, 0, -20, 0, 0, 5, 0)
    head[344:347] = b"n+1"
    with open(path, "wb") as file:
        file.write(head)
        for frame in range(FRAMES):
            for voxel in range(WIDTH * HEIGHT * slices):
                y = voxel // WIDTH % HEIGHT
                file.write(
                    struct.pack("<f", 100 + 200 * (y < 4) + (voxel % 7 + 3) * max(frame - 4, 0)))


def orientation(program):
    """Right of the patient on the left, front up, places counted as in the file; or as stored."""
    write_volume()
    app = vg_gui.App(program, "--operation", "perfusion", "--backend", "cpu", FILE)
    sides = vg_gui.wait_for(
        "the sides", lambda: "at the left" in picture(app).description and picture(app).description)
    assert "R at the left, L at the right, A above, P below" in sides, sides
    x, y, width, height = app.box(picture(app))

    def place():
        """Of the file, over the left upper part of the map of 48 x 40 mm."""
        vg_gui.sh("xdotool", "mousemove", str(x + int(0.4 * width)), str(y + int(0.3 * height)))
        found = re.search(r"x ([0-9.]+), y ([0-9.]+) mm", app.has_label(" mm:") or "")
        return found and [float(found.group(1)), float(found.group(2))]

    at = vg_gui.wait_for("the place", place)
    assert at[0] > 24 and at[1] > 20, at
    app.click(app.get("page tab", "Display"))
    app.press("check box", "As stored")
    vg_gui.wait_for(
        "the file's order",
        lambda: "L at the left, R at the right, P above, A below" in picture(app).description)
    vg_gui.wait_for("another place there", lambda: place() and place()[0] < 24 and place()[1] < 20)
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(show_all_slices, orientation)

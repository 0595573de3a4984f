# SPDX-License-Identifier: MIT
"""A whole slide: the overview shows the part that is worked on, a rectangle
drawn in it is another part, arrow keys move it, undo takes it back.  The
picture shows the slide about the part: it is panned and zoomed over all of it,
and what is shown, or a region drawn there, becomes the part."""
import os
import re
import struct
import subprocess
import sys
import vg_gui

WIDTH, HEIGHT, TILE = 1024, 768, 256


def write_slide(path):
    """A tiled TIFF of two levels without any library: purple discs on pink."""
    def pixel(x, y):
        return b"\x5c\x3c\x8c" if (x % 64 - 32) ** 2 + (y % 64 - 32) ** 2 < 144 else b"\xe4\xbe\xd7"

    with open(path, "wb") as file:
        file.write(struct.pack("<2sHI", b"II", 42, 0))
        link = 4
        for level in range(2):
            width, height, offsets = WIDTH >> level, HEIGHT >> level, []
            rows = {}
            for y0 in range(0, height, TILE):
                for x0 in range(0, width, TILE):
                    offsets.append(file.tell())
                    for y in range(y0, y0 + TILE):
                        key = (x0 << level) % 64, (y << level) % 64
                        if key not in rows:
                            rows[key] = b"".join(
                                pixel((x0 + x) << level, y << level) for x in range(TILE))
                        file.write(rows[key])
            n = len(offsets)
            at = file.tell()
            file.write(struct.pack("<HHH", 8, 8, 8))
            file.write(struct.pack("<%dI" % n, *offsets))
            file.write(struct.pack("<%dI" % n, *[3 * TILE * TILE] * n))
            tags = [(254, 4, 1, level), (256, 4, 1, width), (257, 4, 1, height), (258, 3, 3, at),
                    (259, 3, 1, 1), (262, 3, 1, 2), (277, 3, 1, 3), (284, 3, 1, 1),
                    (322, 3, 1, TILE), (323, 3, 1, TILE), (324, 4, n, at + 6),
                    (325, 4, n, at + 6 + 4 * n)]
            start = file.tell() + file.tell() % 2
            file.seek(link)
            file.write(struct.pack("<I", start))
            file.seek(start)
            file.write(struct.pack("<H", len(tags)))
            for tag in tags:
                file.write(struct.pack("<HHII", *tag))
            link = file.tell()
            file.write(struct.pack("<I", 0))


def part(app):
    """x, y, width, height in the entry of the part; None: all of the slide."""
    def entry():
        text = app.get("text", "Slide region").queryText()
        return text.getText(0, text.characterCount)

    found = re.fullmatch(r"rect:(\d+),(\d+),(\d+),(\d+)", vg_gui.read("the part", entry))
    return [int(number) for number in found.groups()] if found else None


def near(value, wanted, by=24):
    return value and all(abs(a - b) <= by for a, b in zip(value, wanted))


def parts_of_a_slide(program):
    path = os.path.join(os.environ["VG_GUI_INSIDE"], "slide.tif")
    write_slide(path)
    told = subprocess.run([program, "info", path], capture_output=True, text=True)
    if "whole slide" not in told.stdout:
        sys.exit(77)   # built without OpenSlide
    app = vg_gui.App(program, "--operation", "contour", "--backend", "cpu", "--region",
                     "0,0,320,256", path)
    vg_gui.wait_for("the part", lambda: app.has_label("320x256"))
    overview = app.get("image", "Overview of the slide")
    vg_gui.wait_for("the slide in small",
                    lambda: app.colors(overview, 4)[0] > app.colors(overview, 4)[1])
    x, y, width, height = app.box(overview)
    scale = min(width / WIDTH, height / HEIGHT)
    left, top = x + (width - scale * WIDTH) / 2, y + (height - scale * HEIGHT) / 2
    app.drag(*(int(v) for v in (left + scale * 512, top + scale * 384, left + scale * 768,
                                top + scale * 576)))
    vg_gui.wait_for("the part that was drawn", lambda: near(part(app), [512, 384, 256, 192]))
    drawn = vg_gui.steady("the part", lambda: part(app))
    vg_gui.wait_for("its data", lambda: app.has_label("%dx%d" % tuple(drawn[2:])))
    app.keys("Left")
    vg_gui.wait_for("the part half its width further left",
                    lambda: near(part(app), [drawn[0] - drawn[2] / 2, *drawn[1:]], 2))
    app.keys("ctrl+z")
    vg_gui.wait_for("the part before", lambda: part(app) == drawn)
    app.close()


SESSION = """[session]
version=1
operation=contour
[contour]
inputs=slide.tif;
reading=region=rect:0,0,320,256
[contour parameters]
seeding=given
added=100,100;500,380
[contour view]
zoom=1
center_x=500
center_y=380
part_x=0
part_y=0
part_scale=1
"""


def picture(app):
    return app.get("image", "Result picture")


def told(app, part):
    """In the banner."""
    return any(node.getRoleName() == "alert" and part in node.name for node in app.walk())


def is_pink(app, x, y):
    """The ground of the slide at a point of the window."""
    r, g, b = vg_gui.mean_color(vg_gui.pixels(x, y, 1, 1))
    return abs(r - 0xe4 / 255) + abs(g - 0xbe / 255) + abs(b - 0xd7 / 255) < 0.03


def over_the_slide(program):
    folder = os.environ["VG_GUI_INSIDE"]
    with open(os.path.join(folder, "slide.vivograph"), "w") as file:
        file.write(SESSION)
    app = vg_gui.App(program, "--backend", "cpu", "--session",
                     os.path.join(folder, "slide.vivograph"))
    vg_gui.wait_for("the part", lambda: app.has_label("320x256"))
    left, top, width, height = app.box(picture(app))
    # Zoom and centre are those of the session.  (600, 448) on the slide lies far from the slide
    # region, between four discs.
    at = left + width // 2 + 100, top + height // 2 + 68
    vg_gui.wait_for("the slide about the part", lambda: is_pink(app, *at))
    # no seed is set there, and it is said why
    app.keys("s")
    vg_gui.sh("xdotool", "mousemove", str(at[0]), str(at[1]), "click", "1")
    vg_gui.wait_for("why no seed is set", lambda: told(app, "outside the yellow frame"))
    app.keys("h")
    app.press("push button", "Close this message")
    vg_gui.wait_for("the picture's place", lambda: app.box(picture(app)) ==
                    (left, top, width, height))
    app.press("push button", "Analyse View")
    seen = [500 - width / 2, 380 - height / 2, width, height]
    vg_gui.wait_for("what is shown as the part", lambda: near(part(app), seen, 1))
    first = vg_gui.steady("the part", lambda: part(app))
    vg_gui.wait_for("its data", lambda: app.has_label("%dx%d" % tuple(first[2:])))
    # another part is worked on, and the same is seen: 48 pixels further right, then nearer
    app.click(picture(app))
    app.keys("Right", "w")
    vg_gui.wait_for("the part further right",
                    lambda: near(part(app), [first[0] + 48, *first[1:]], 1))
    second = vg_gui.steady("the part", lambda: part(app))
    vg_gui.sh("xdotool", "mousemove", "2", "2")
    app.keys("plus", "plus", "w")
    nearer = [
        second[0] + second[2] * 0.18, second[1] + second[3] * 0.18, second[2] * 0.64,
        second[3] * 0.64
    ]
    vg_gui.wait_for("the part nearer", lambda: near(part(app), nearer, 2))
    app.keys("ctrl+z")
    vg_gui.wait_for("the part before it", lambda: part(app) == second)
    app.keys("ctrl+z")
    vg_gui.wait_for("the first part", lambda: part(app) == first)
    # a region drawn at the present zoom, 1.25^2, about the middle of what was seen
    app.keys("0", "1", "r")
    app.drag(left + 100, top + 100, left + 260, top + 200)
    vg_gui.wait_for(
        "a region", lambda: app.get("push button", "Analyse Region").getState().contains(
            app.atspi.STATE_SENSITIVE))
    app.keys("shift+w")
    vg_gui.wait_for("the region as the part",
                    lambda: part(app) and near(part(app)[2:], [160, 100], 2))
    vg_gui.wait_for("its data", lambda: app.has_label("%dx%d" % tuple(part(app)[2:])))
    app.close()


def all_of_it(program):
    """What is shown is the part already, though it has no name yet."""
    app = vg_gui.App(program, "--operation", "contour", "--backend", "cpu",
                     os.path.join(os.environ["VG_GUI_INSIDE"], "slide.tif"))
    vg_gui.wait_for("all of the slide", lambda: app.has_label("%dx%d" % (WIDTH, HEIGHT)))
    app.click(picture(app))

    def asked():
        app.keys("w")   # while it is being opened there is no part yet
        return told(app, "already analysed")

    vg_gui.wait_for("that it is the part", asked)
    assert part(app) is None
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(parts_of_a_slide, over_the_slide, all_of_it)

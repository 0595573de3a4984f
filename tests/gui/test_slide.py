# SPDX-License-Identifier: MIT
"""A whole slide: the overview shows the part that is worked on, a rectangle
drawn in it is another part, arrow keys move it, undo takes it back."""
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
                            rows[key] = b"".join(pixel((x0 + x) << level, y << level) for x in range(TILE))
                        file.write(rows[key])
            n = len(offsets)
            at = file.tell()
            file.write(struct.pack("<HHH", 8, 8, 8))
            file.write(struct.pack("<%dI" % n, *offsets))
            file.write(struct.pack("<%dI" % n, *[3 * TILE * TILE] * n))
            tags = [(254, 4, 1, level), (256, 4, 1, width), (257, 4, 1, height), (258, 3, 3, at), (259, 3, 1, 1), (262, 3, 1, 2),
                    (277, 3, 1, 3), (284, 3, 1, 1), (322, 3, 1, TILE), (323, 3, 1, TILE), (324, 4, n, at + 6), (325, 4, n, at + 6 + 4 * n)]
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
    text = app.get("text", "Part").queryText()
    found = re.fullmatch(r"rect:(\d+),(\d+),(\d+),(\d+)", text.getText(0, text.characterCount))
    return [int(number) for number in found.groups()] if found else None


def near(value, wanted, by=24):
    return value and all(abs(a - b) <= by for a, b in zip(value, wanted))


def parts_of_a_slide(program):
    path = os.path.join(os.environ["VG_GUI_INSIDE"], "slide.tif")
    write_slide(path)
    told = subprocess.run([program, "info", path], capture_output=True, text=True)
    if "whole slide" not in told.stdout:
        sys.exit(77)   # built without OpenSlide
    app = vg_gui.App(program, "--operation", "contour", "--backend", "cpu", "--region", "0,0,320,256", path)
    vg_gui.wait_for("the part", lambda: app.has_label("320x256"), 60)
    overview = app.get("image", "Overview of the slide")
    vg_gui.wait_for("the slide in small", lambda: app.colors(overview, 4)[0] > app.colors(overview, 4)[1], 30)
    x, y, width, height = app.box(overview)
    scale = min(width / WIDTH, height / HEIGHT)
    left, top = x + (width - scale * WIDTH) / 2, y + (height - scale * HEIGHT) / 2
    app.drag(*(int(v) for v in (left + scale * 512, top + scale * 384, left + scale * 768, top + scale * 576)))
    vg_gui.wait_for("the part that was drawn", lambda: near(part(app), [512, 384, 256, 192]), 60)
    drawn = part(app)
    vg_gui.wait_for("its data", lambda: app.has_label("%dx%d" % tuple(drawn[2:])), 60)
    app.keys("Left")
    vg_gui.wait_for("the part half its width further left", lambda: near(part(app), [drawn[0] - drawn[2] / 2, *drawn[1:]], 2), 60)
    app.keys("ctrl+z")
    vg_gui.wait_for("the part before", lambda: part(app) == drawn, 60)
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(parts_of_a_slide)

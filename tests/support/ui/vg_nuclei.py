# SPDX-License-Identifier: MIT
"""What the tests of the contour view share: a picture of nuclei, a session
that shows it at a known place, and looks at the screen."""
import os
import struct
import time
import vg_gui

WIDTH, HEIGHT = 240, 180
# middles and radii of dark discs; two overlap
DISCS = [(70, 60, 17), (150, 70, 20), (171, 84, 18), (90, 130, 22)]


def write_picture(path):
    """An RGB picture of purple nuclei on pink, without any library."""
    rows = bytearray()
    for y in range(HEIGHT):
        for x in range(WIDTH):
            inside = any((x + 0.5 - a) ** 2 + (y + 0.5 - b) ** 2 < r * r for a, b, r in DISCS)
            noise = (x * 7919 + y * 104729 + x * y * 31) % 13
            rows += bytes((92 + noise, 60 + noise,
                           140 + noise) if inside else (228 + noise, 190 + noise, 215 + noise))
    with open(path, "wb") as file:
        tags = [(256, 3, WIDTH), (257, 3, HEIGHT), (258, 3, None), (259, 3, 1), (262, 3, 2),
                (273, 4, None), (277, 3, 3), (278, 3, HEIGHT), (279, 4, len(rows)), (284, 3, 1)]
        end = 8 + 2 + 12 * len(tags) + 4
        file.write(struct.pack("<2sHI", b"II", 42, 8))
        file.write(struct.pack("<H", len(tags)))
        for tag, kind, number in tags:
            if tag == 258:
                file.write(struct.pack("<HHII", tag, kind, 3, end))
            else:
                file.write(struct.pack("<HHII", tag, kind, 1, end + 6 if tag == 273 else number))
        file.write(struct.pack("<I", 0))
        file.write(struct.pack("<HHH", 8, 8, 8))
        file.write(rows)


def start(program, settings):
    home = os.environ["VG_GUI_INSIDE"]
    picture, session = os.path.join(home, "nuclei.tif"), os.path.join(home, "contour.vivograph")
    write_picture(picture)
    with open(session, "w") as file:
        file.write(SESSION % (picture, "\n".join(settings)))
    return vg_gui.App(program, "--session", session, "--backend", "cpu")


SESSION = """[session]
version=1
operation=contour

[contour]
inputs=%s;

[contour parameters]
%s

[contour view]
zoom=2
center_x=120
center_y=90
"""
ZOOM = 2


def picture(app):
    return app.get("image", "Result picture")


def place(app, x, y):
    """An image point in the window: the session says zoom and middle."""
    left, top, width, height = app.box(picture(app))
    return str(int(left + width / 2 + (x - WIDTH / 2) * ZOOM)), str(
        int(top + height / 2 + (y - HEIGHT / 2) * ZOOM))


def click(app, x, y):
    vg_gui.sh("xdotool", "mousemove", *place(app, x, y), "click", "1")
    time.sleep(0.2)


def nuclei(app, n):
    vg_gui.wait_for("%d nuclei" % n, lambda: app.has_label("Nuclei %d" % n))


def wait_for_end(app):
    """The contours stand still: there is nothing to run."""
    def done():
        button = app.find("push button", "Run")
        return button is not None and button.description.startswith("Done")

    vg_gui.wait_for("the end", done)


def around(app, x, y, reach=26):
    """Pixels about an image point, as the screen has them."""
    left, top = (int(v) for v in place(app, x, y))
    return vg_gui.pixels(left - 2 * reach, top - 2 * reach, 4 * reach, 4 * reach)


def differing(a, b):
    return sum(abs(p - q) > 24 for p, q in zip(a, b)) / max(len(a), 1)

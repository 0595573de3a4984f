# SPDX-License-Identifier: MIT
"""The contour view: a click sets a seed and a contour grows about it, undo
takes it away, sliders act on the running evolution, nuclei are listed,
chosen and removed."""
import os
import struct
import subprocess
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
            rows += bytes((92 + noise, 60 + noise, 140 + noise) if inside else (228 + noise, 190 + noise, 215 + noise))
    with open(path, "wb") as file:
        tags = [(256, 3, WIDTH), (257, 3, HEIGHT), (258, 3, None), (259, 3, 1), (262, 3, 2), (273, 4, None), (277, 3, 3),
                (278, 3, HEIGHT), (279, 4, len(rows)), (284, 3, 1)]
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
    return str(int(left + width / 2 + (x - WIDTH / 2) * ZOOM)), str(int(top + height / 2 + (y - HEIGHT / 2) * ZOOM))


def click(app, x, y):
    vg_gui.sh("xdotool", "mousemove", *place(app, x, y), "click", "1")
    time.sleep(0.2)


def nuclei(app, n):
    vg_gui.wait_for("%d nuclei" % n, lambda: app.has_label("Nuclei %d" % n), 40)


def around(app, x, y, reach=26):
    """Pixels about an image point, as the screen has them."""
    left, top = (int(v) for v in place(app, x, y))
    crop = "%dx%d+%d+%d" % (4 * reach, 4 * reach, left - 2 * reach, top - 2 * reach)
    return subprocess.run("import -window root -crop %s +repage -depth 8 rgb:-" % crop, shell=True, check=True, capture_output=True).stdout


def differing(a, b):
    return sum(abs(p - q) > 24 for p, q in zip(a, b)) / max(len(a), 1)


def seed_makes_a_contour(program):
    """A click sets a seed, and a contour is seen about it; drag moves it, Delete and undo."""
    app = start(program, ["seeding=given", "radius_px=18"])
    nuclei(app, 0)
    before = around(app, *DISCS[0][:2])
    app.click(app.get("push button", "Point tool"))
    click(app, *DISCS[0][:2])
    nuclei(app, 1)
    vg_gui.wait_for("a contour in the picture", lambda: differing(before, around(app, *DISCS[0][:2])) > 0.02, 30)
    click(app, *DISCS[3][:2])
    nuclei(app, 2)
    # the last one is moved to another disc
    vg_gui.sh("xdotool", "mousemove", *place(app, *DISCS[3][:2]), "mousedown", "1")
    for t in (0.3, 0.6, 1):
        x, y = (DISCS[3][k] + t * (DISCS[1][k] - DISCS[3][k]) for k in (0, 1))
        vg_gui.sh("xdotool", "mousemove", *place(app, x, y))
        time.sleep(0.1)
    vg_gui.sh("xdotool", "mouseup", "1")
    vg_gui.wait_for("the step in the history", lambda: app.has_label("Nuclei 2"), 30)
    wait_for_seeds(app, [DISCS[0][:2], DISCS[1][:2]])
    app.keys("Delete")
    nuclei(app, 1)
    app.keys("ctrl+z")
    nuclei(app, 2)
    app.keys("ctrl+z", "ctrl+z")
    nuclei(app, 1)
    app.keys("ctrl+z")
    nuclei(app, 0)
    vg_gui.wait_for("the picture without contours", lambda: differing(before, around(app, *DISCS[0][:2])) < 0.02, 30)
    app.keys("ctrl+shift+z")
    nuclei(app, 1)
    app.close()


def wait_for_seeds(app, wanted):
    """The table of added seeds beside the picture."""
    def there():
        values = [node.queryValue().currentValue for node in app.walk(app.get("scroll pane", "Parameters"))
                  if node.getRoleName() == "spin button" and node.name.startswith("Row ")]
        flat = [v for point in wanted for v in point]
        return len(values) == len(flat) and all(abs(a - b) < 3 for a, b in zip(values, flat))
    vg_gui.wait_for("seeds at %s" % wanted, there, 20)


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(seed_makes_a_contour)

# SPDX-License-Identifier: MIT
"""Corrections of nuclei by strokes: from one to another merges them, across one splits it, a loop
chooses; undo restores each; N goes to the next doubtful one until all are accepted."""
import math
import time
import vg_gui
from vg_nuclei import DISCS, nuclei, place, start, wait_for_end


def stroke(app, *points):
    vg_gui.sh("xdotool", "mousemove", *place(app, *points[0]), "mousedown", "1")
    time.sleep(0.1)
    for point in points[1:]:
        vg_gui.sh("xdotool", "mousemove", *place(app, *point))
        time.sleep(0.03)
    vg_gui.sh("xdotool", "mouseup", "1")


def line(a, b, n=8):
    return [(a[0] + (b[0] - a[0]) * k / n, a[1] + (b[1] - a[1]) * k / n) for k in range(n + 1)]


def says(app, text):
    """The banner, which is no label for assistive technology."""
    return any(text in (node.name or "") for node in app.walk())


def until(app, draw, n):
    """Draws until the objects are listed, which the stroke waits for."""
    def there():
        if app.has_label("Nuclei %d" % n):
            return True
        draw()
        end = time.monotonic() + 60    # a second stroke would be a second step to undo
        while not app.has_label("Nuclei %d" % n) and time.monotonic() < end:
            time.sleep(0.3)
        return app.has_label("Nuclei %d" % n)
    vg_gui.wait_for("%d nuclei after a stroke" % n, there)


def strokes(program):
    app = start(program, ["seeding=given", "radius_px=18", "force=classical",
                          "added=" + ";".join("%g,%g" % disc[:2] for disc in DISCS)])
    nuclei(app, 4)
    wait_for_end(app)
    app.click(app.get("push button", "Correction tool"))
    (x0, y0, _), (x1, y1, _) = DISCS[1:3]
    until(app, lambda: stroke(app, *line((x0 - 5, y0 - 3), (x1 + 5, y1 + 3))), 3)
    middle, across = ((x0 + x1) / 2, (y0 + y1) / 2), (y0 - y1, x1 - x0)
    length = math.hypot(*across) / 34
    ends = [(middle[0] + s * across[0] / length, middle[1] + s * across[1] / length)
            for s in (-1, 1)]
    until(app, lambda: stroke(app, *line(*ends)), 4)
    app.keys("ctrl+z")
    nuclei(app, 3)
    app.keys("ctrl+z")
    nuclei(app, 4)
    # a loop about the first disc
    x, y, r = DISCS[0]
    loop = [(x + 1.4 * r * math.cos(k * math.pi / 8), y + 1.4 * r * math.sin(k * math.pi / 8))
            for k in range(17)]

    def chosen():
        stroke(app, *loop)
        time.sleep(0.4)
        return says(app, "1 object chosen")
    vg_gui.wait_for("the loop's object", chosen)
    app.keys("Delete")
    nuclei(app, 3)
    app.keys("ctrl+z")
    nuclei(app, 4)
    # from the most doubtful on, all are accepted

    def accepted():
        app.keys("n")
        app.keys("Return")
        return says(app, "Every object has been accepted.")
    vg_gui.wait_for("the end of the doubtful ones", accepted)
    app.keys("Escape")
    vg_gui.wait_for("the hand", lambda: app.get("push button", "Correction tool") is not None)
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(strokes)

# SPDX-License-Identifier: MIT
"""A simulation in the window: layers edited by name, pause and go on."""
import os
import time
import vg_gui

HOME = os.environ.get("VG_GUI_INSIDE", "/tmp")
RUNS = HOME + "/runs.mci"
GRID = "0.005 0.01\n60 40 10\n"
TWO = "2\n1.0\n1.37 1 100 0.9 0.1\n1.37 5 50 0.8 0.2\n1.0\n"
MUA = "Row 1, Absorption, 1/cm"


def write_runs(photons):
    with open(RUNS, "w") as file:
        file.write("1.0\n2\nfirst.mco A\n%d\n%s%s" % (photons, GRID, TWO))
        file.write("second.mco A\n%d\n%s1\n1.0\n1.5 0.1 10 0 0.3\n1.0\n" % (photons, GRID))


def picture(app):
    return app.get("image", "Result picture")


def open_runs(program, photons, *arguments):
    write_runs(photons)
    app = vg_gui.App(program, "--operation", "fluence", *arguments, RUNS)
    vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.05)
    return app


def distance(a, b):
    return max(abs(p - q) for p, q in zip(a, b))


class Label:
    """One label of many, found once: looking through all of them takes long while the program computes."""
    def __init__(self, app, part):
        self.node = vg_gui.wait_for(part, lambda: next((node for node in app.walk() if node.getRoleName() == "label" and part in node.name), None))

    def text(self):
        self.node.clear_cache()
        return self.node.name


def number(label):
    return float(label.text().split()[1])


def edit_pause_and_go_on(program):
    app = open_runs(program, 1000000000)
    photons, progress = Label(app, "Photons "), Label(app, "Computing…")
    before = app.colors(picture(app))
    app.set_value("spin button", MUA, 50)
    vg_gui.wait_for("another map", lambda: distance(app.colors(picture(app)), before) > 0.02)
    app.press("push button", "Pause")
    vg_gui.wait_for("the word", lambda: "Paused at" in progress.text())
    time.sleep(0.5)
    held, n = app.colors(picture(app)), number(photons)
    assert n > 0
    time.sleep(0.8)
    assert number(photons) == n and distance(app.colors(picture(app)), held) < 1e-3, "a pause holds"
    app.press("push button", "Run")
    vg_gui.wait_for("more photons", lambda: number(photons) > n)
    app.press("push button", "Pause")
    vg_gui.wait_for("the word", lambda: "Paused at" in progress.text())
    time.sleep(0.5)
    n = number(photons)
    app.set_value("spin button", MUA, 2)
    vg_gui.wait_for("a new start", lambda: "started anew" in progress.text())
    vg_gui.wait_for("its first step", lambda: 0 < number(photons) < n)
    app.click(picture(app))
    few = number(photons)
    app.keys("period")
    vg_gui.wait_for("one more step", lambda: number(photons) > few)
    app.keys("space")
    app.get("push button", "Pause")
    app.close()


def rows(app):
    return [node.queryValue().currentValue for node in app.walk() if node.name.endswith(", Absorption, 1/cm")]


def edit_the_table(program):
    app = open_runs(program, 2000)
    assert rows(app) == [1, 5]
    shown = app.colors(picture(app))

    def changed(what):
        nonlocal shown
        vg_gui.wait_for("the map after " + what, lambda: distance(app.colors(picture(app)), shown) > 0.002)
        time.sleep(0.8)      # the undo step ends with a moment of rest, and so does the run
        shown = app.colors(picture(app))

    app.press("push button", "Move up row 2")
    vg_gui.wait_for("the other order", lambda: rows(app) == [5, 1])
    changed("a move")
    app.press("push button", "Remove row 1")
    vg_gui.wait_for("one row", lambda: rows(app) == [1])
    changed("a removal")
    app.press("push button", "Add a row")
    vg_gui.wait_for("two rows", lambda: rows(app) == [1, 1])
    app.set_value("spin button", "Row 2, Absorption, 1/cm", 30)
    changed("an addition")
    app.keys("ctrl+z")
    app.keys("ctrl+z")
    app.keys("ctrl+z")
    vg_gui.wait_for("undo", lambda: rows(app) == [5, 1])
    changed("undo")
    app.keys("ctrl+shift+z")
    vg_gui.wait_for("redo", lambda: rows(app) == [1])
    changed("redo")
    app.press("push button", "Remove row 1")
    alert = vg_gui.wait_for("what is wrong", lambda: next((n.name for n in app.walk() if n.getRoleName() == "alert" and "no tissue" in n.name), None))
    assert "at least one row" in alert
    time.sleep(0.5)
    banner = app.get("push button", "Close this message")
    assert app.box(banner)[2] > 0
    app.press("push button", "Close this message")
    time.sleep(0.6)
    assert distance(app.colors(picture(app)), shown) < 0.02, "the old picture stays"
    app.click(app.get("combo box", "Presets"))
    app.keys("Home", "Down", "Return")
    vg_gui.wait_for("the skin", lambda: len(rows(app)) == 7)
    changed("a preset")
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(edit_pause_and_go_on, edit_the_table)

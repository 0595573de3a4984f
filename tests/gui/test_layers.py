# SPDX-License-Identifier: MIT
"""The table of layers: each edit gives another map, undo and redo too; what does
not fit is said and leaves the picture."""
import colorsys
import math
import vg_gui
from test_simulation import distance, open_runs, picture


def rows(app):
    panel = app.get("scroll pane", "Settings")
    return [
        node.queryValue().currentValue for node in app.walk(panel)
        if node.name.endswith(", Absorption, 1/cm")
    ]


THICKNESS = "Row 1, Thickness, cm"


def whose_layers(app):
    """The presets and the run say whether the layers are those of the file."""
    vg_gui.wait_for("the file's layers", lambda: app.chosen("Presets") == "From the file")
    assert app.chosen("Run in the file") == "Run 1 of 2: first.mco"
    app.set_value("spin button", "Row 2, Absorption, 1/cm", 30)
    vg_gui.wait_for("edited layers", lambda: app.chosen("Presets") == "Edited")
    assert app.chosen("Run in the file") == "Run 1 of 2: first.mco, edited"
    app.keys("ctrl+z")
    vg_gui.wait_for("the file's layers", lambda: app.chosen("Presets") == "From the file")
    assert app.chosen("Run in the file") == "Run 1 of 2: first.mco"


def half_space(app):
    """Its thickness may be typed as "inf"."""
    def thickness():
        return app.value("spin button", THICKNESS)

    app.click(app.get("combo box", "Presets"))
    app.keys("End", "Return")
    vg_gui.wait_for("the liver", lambda: len(rows(app)) == 1)
    app.set_value("spin button", THICKNESS, 0.5)
    vg_gui.wait_for("an end", lambda: thickness() == 0.5)
    app.click(app.get("spin button", THICKNESS))
    app.keys("ctrl+a")
    app.type("inf")
    app.keys("Return")
    vg_gui.wait_for("no end", lambda: thickness() == 1e8)


def edit_the_table(program):
    app = open_runs(program, 2000)
    vg_gui.wait_for("two rows", lambda: rows(app) == [1, 5])
    whose_layers(app)
    vg_gui.wait_for("all photons", lambda: app.has_label("Photons 2000"))
    shown = app.still(picture(app))

    def changed(what):
        nonlocal shown
        vg_gui.wait_for("the map after " + what,
                        lambda: distance(app.colors(picture(app)), shown) > 0.002)
        shown = app.still(picture(app), 0.8)      # the run has come to its end

    app.press("push button", "Move row 2 up")
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
    alert = vg_gui.wait_for(
        "what is wrong", lambda: next(
            (n.name for n in app.walk()
             if n.getRoleName() == "alert" and "no tissue" in n.name), None))
    assert "at least one row" in alert
    banner = app.get("push button", "Close this message")
    assert app.box(banner)[2] > 0
    app.press("push button", "Close this message")
    vg_gui.wait_for("the old picture, which stays",
                    lambda: distance(app.colors(picture(app)), shown) < 0.02)
    app.click(app.get("combo box", "Presets"))
    app.keys("Home", "Down", "Return")
    vg_gui.wait_for("the skin", lambda: len(rows(app)) == 7)
    changed("a preset")
    half_space(app)
    logarithmic_limits(app)
    app.close()


def logarithmic_limits(app):
    """The histogram of a logarithmic map shows decades: its middle is far below half of the
    highest value."""
    app.click(app.get("page tab", "Display"))
    x, y, width, height = app.box(vg_gui.wait_for("the histogram", lambda: next(
        node for node in app.walk() if node.name == "Histogram of the shown values")))

    def dragged():
        app.drag(x + 8, y + 20, x + width // 2, y + 20)
        return 3e-6 < app.value("spin button", "Lower limit") / app.value(
            "spin button", "Upper limit") < 0.1

    vg_gui.wait_for("a limit by hand", dragged)


def extent(app, row):
    """Left, top, right and bottom, on the screen, of what has the colour of ROW in the picture."""
    hue = math.fmod(0.56 + row * 0.6180339887, 1)
    wanted = [255 * part for part in colorsys.hsv_to_rgb(hue, 0.6, 0.95)]
    x, y, width, height = app.box(picture(app))
    channels = [vg_gui.pixels(x, y, width, height)[k::3] for k in range(3)]
    found = [(i % width + x, i // width + y) for i, rgb in enumerate(zip(*channels))
             if all(abs(rgb[k] - wanted[k]) < 4 for k in range(3))]
    return found and [f(p[k] for p in found) for f in (min, max) for k in (0, 1)]


def thickness(app, row):
    return app.value("spin button", "Row %d, Thickness, cm" % row)


def is_wide(box):
    return box and box[2] - box[0] > 100


def grasp_the_layers(program):
    """A boundary is dragged, with one step of undo; a click in a layer chooses its row, and a cell
    of a row chooses its layer."""
    app = open_runs(program, 2000)
    vg_gui.wait_for("the first layer", lambda: extent(app, 0))
    left, top, right, bottom = vg_gui.steady("the first layer", lambda: extent(app, 0))
    assert right - left < 20, "a strip"
    scale, x = 0.1 / (bottom - top + 1), left + 150
    app.drag(x, bottom + 1, x, bottom + 41)
    expected = 0.1 + 40 * scale
    vg_gui.wait_for("a thicker layer", lambda: abs(thickness(app, 1) - expected) < 3 * scale)
    assert thickness(app, 2) == 0.2
    vg_gui.wait_for("its boundary there",
                    lambda: abs(extent(app, 0)[3] - bottom - 40) < 4 and is_wide(extent(app, 0)))
    app.keys("ctrl+z")
    vg_gui.wait_for("one step back", lambda: thickness(app, 1) == 0.1)
    app.keys("ctrl+shift+z")
    vg_gui.wait_for("one step forth", lambda: abs(thickness(app, 1) - expected) < 3 * scale)
    app.keys("ctrl+z")
    vg_gui.wait_for("the strip as before", lambda: abs(extent(app, 0)[3] - bottom) < 4)
    app.drag(x, bottom + 1, x, top - 30)
    vg_gui.wait_for("the least thickness", lambda: abs(thickness(app, 1) - 0.005) < 1e-9)
    app.keys("ctrl+z")
    vg_gui.wait_for("the first thickness", lambda: thickness(app, 1) == 0.1)

    pane = app.box(app.get("scroll pane", "Settings"))
    vg_gui.sh("xdotool", "mousemove", str(pane[0] + pane[2] // 2), str(pane[1] + pane[3] // 2),
              "click", "--repeat", "12", "5")

    def cell():
        return app.get("spin button", "Row 2, Thickness, cm").queryComponent().getExtents(
            app.atspi.WINDOW_COORDS)

    def chosen(row):
        return is_wide(extent(app, row)) and not is_wide(extent(app, 1 - row))

    def in_sight():
        return pane[1] <= cell().y and cell().y + cell().height <= pane[1] + pane[3]

    vg_gui.wait_for("the row out of sight", lambda: not in_sight())
    vg_gui.steady("the end of the settings", lambda: cell().y, 1)
    assert not in_sight()
    vg_gui.sh("xdotool", "mousemove", str(x), str(bottom + 60), "click", "1")
    vg_gui.wait_for("the second layer, chosen", lambda: chosen(1))
    vg_gui.wait_for("its row", in_sight)
    vg_gui.sh("xdotool", "mousemove", str(x), str(top + 50), "click", "1")
    vg_gui.wait_for("the first layer, chosen", lambda: chosen(0))
    vg_gui.wait_for("its row", lambda: pane[1] <= cell().y)
    app.click(app.get("spin button", "Row 2, Absorption, 1/cm"))
    vg_gui.wait_for("the layer of the row", lambda: chosen(1))
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(edit_the_table, grasp_the_layers)

# SPDX-License-Identifier: MIT
"""Window level and width of the grey input under the map."""
import os
import vg_gui
from test_volumes import write_volume

FILE = os.environ.get("VG_GUI_INSIDE", "/tmp") + "/level.nii"


def picture(app):
    return app.get("image", "Result picture")


def drag_right(app, node, dx, dy):
    x, y, width, height = app.box(node)
    x, y = x + width // 2, y + height // 2
    vg_gui.sh("xdotool", "mousemove", str(x), str(y), "mousedown", "3", "mousemove",
              str(x + dx // 2), str(y + dy // 2), "mousemove", str(x + dx), str(y + dy), "mouseup",
              "3")


def level_and_width(app):
    return app.value("spin button", "Window level"), app.value("spin button", "Window width")


def levels(program):
    write_volume(FILE)
    app = vg_gui.App(program, "--operation", "perfusion", "--backend", "cpu", FILE)
    vg_gui.wait_for("the maps", lambda: app.find("push button", "Run"))
    app.click(app.get("page tab", "Display"))
    app.set_value("slider", "Opacity of the map, %", 0)
    first = vg_gui.steady("the window", lambda: level_and_width(app))
    vg_gui.wait_for("its preset", lambda: app.chosen("Window preset") == "Automatic")
    limits = app.value("spin button", "Lower limit"), app.value("spin button", "Upper limit")
    before = app.still(picture(app))

    # the rows
    app.set_value("spin button", "Window level", first[0] + 10 * first[1])
    vg_gui.wait_for("black", lambda: app.colors(picture(app))[0] < before[0] - 0.02)
    vg_gui.wait_for("its preset", lambda: app.chosen("Window preset") == "Custom")
    app.press("push button", "Reset Level and Width")
    vg_gui.wait_for("the automatic window", lambda: level_and_width(app) == first)
    vg_gui.wait_for("the picture of before",
                    lambda: abs(app.colors(picture(app))[0] - before[0]) < 0.002)

    # the right button: upwards the level, to the right the width; one step to undo
    drag_right(app, picture(app), 60, -40)
    vg_gui.wait_for("another window", lambda: all(
        new > old for new, old in zip(level_and_width(app), first)))
    app.keys("ctrl+z")
    vg_gui.wait_for("the window of before", lambda: level_and_width(app) == first)

    now = app.value("spin button", "Lower limit"), app.value("spin button", "Upper limit")
    assert now == limits, (now, limits)             # those of the map
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(levels)

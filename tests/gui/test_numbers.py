# SPDX-License-Identifier: MIT
"""Numbers: of results without a map, and typed ones that are none."""
import json
import os
import re
import vg_gui
from test_layers import rows
from test_simulation import HOME, MUA, open_runs, picture


def number(app, name):
    """What the status bar says of it."""
    found = re.search("^" + name + r" ([-+.e\d]+)", vg_gui.ungroup("\n".join(app.labels())),
                      re.MULTILINE)
    return found and float(found.group(1))


def is_enabled(app, name):
    return app.get("push button", name).states.contains(app.atspi.STATE_SENSITIVE)


def numbers_without_a_map(program):
    """Reflectance only: numbers follow each edit, and are exported."""
    folder = HOME + "/numbers"
    os.makedirs(folder)
    app = open_runs(program, 2000)
    vg_gui.wait_for("all photons", lambda: app.has_label("Photons 2000"))
    app.press("check box", "Reflectance only")
    vg_gui.wait_for("that there is no map", lambda: not is_enabled(app, "Keep"))
    thin = vg_gui.wait_for("its numbers", lambda: number(app, "Absorbed"))
    app.set_value("spin button", MUA, 50)
    vg_gui.wait_for("the edit's numbers", lambda: (number(app, "Absorbed") or 0) > thin + 0.05)
    vg_gui.wait_for("that it can be run", lambda: is_enabled(app, "Run"))
    app.keys("ctrl+e")
    app.dialog_path(folder)
    vg_gui.wait_for("the export", lambda: os.path.exists(folder + "/summary.json"))
    with open(folder + "/summary.json") as file:
        assert abs(json.load(file)["results"]["absorbed"] - number(app, "Absorbed")) < 2e-3
    app.press("check box", "Reflectance only")
    vg_gui.wait_for("the map again",
                    lambda: is_enabled(app, "Keep") and app.colors(picture(app))[3] > 0.05)
    app.close()


def text_that_is_no_number(program):
    app = open_runs(program, 2000)
    entry = app.get("spin button", MUA)
    for text in "1O", "":
        app.click(entry)
        app.keys("ctrl+a", "BackSpace")
        app.type(text)
        app.keys("Return")
        assert vg_gui.steady("the number", lambda: rows(app)[0]) == 1, text
    app.close()


def alert(app, part):
    return next(
        (node.name for node in app.walk() if node.getRoleName() == "alert" and part in node.name),
        None)


def compare_after_an_edit(program):
    """With the grid that a new window has; what was said of another grid goes with the kept map."""
    # The default number of photons would keep both cores busy.
    few = vg_gui.write_session(HOME + "/few.vivograph", "fluence", photons=3000)
    app = vg_gui.App(program, "--backend", "cpu", "--session", few)
    vg_gui.wait_for("all of them", lambda: app.has_label("Photons 3000"))
    app.press("push button", "Keep")
    vg_gui.wait_for("the kept result", lambda: app.has_label("Kept at "))
    app.set_value("spin button", "Row 7, Absorption, 1/cm", 0.33)
    app.press("push button", "Difference")
    vg_gui.wait_for("the difference", lambda: app.has_label("Now \u2212 kept"))
    assert not alert(app, "Not compared")
    app.set_value("spin button", "Radius bins", 40)
    vg_gui.wait_for("the refusal", lambda: alert(app, "Not compared"))
    app.press("push button", "Discard the kept result")
    vg_gui.wait_for("that nothing is said of it", lambda: not alert(app, "Not compared"))
    app.close()


def curve_of_a_pixel(program):
    """In the chosen unit of length, with what it is of; the pixel is marked in the picture."""
    app = open_runs(program, 2000)
    vg_gui.wait_for("all photons", lambda: app.has_label("Photons 2000"))
    app.keys("Tab")
    image = picture(app)
    app.still(image)
    x, y, width, height = app.box(image)

    def brightest():
        blue = vg_gui.pixels(x + width // 3 - 15, y + 2 * height // 3 - 15, 31, 31)[2::3]
        return (min(blue) + max(blue)) / 255

    before = brightest()
    vg_gui.sh("xdotool", "mousemove", str(x + width // 3), str(y + 2 * height // 3), "click", "1")
    vg_gui.wait_for("the mark", lambda: brightest() > before + 0.2)
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(numbers_without_a_map, text_that_is_no_number, compare_after_an_edit,
               curve_of_a_pixel)

# SPDX-License-Identifier: MIT
"""The tour: at the first start, by keys, and once."""
import os
import re
import subprocess
import vg_gui


def step(app):
    """"2 of 6", or nothing."""
    return next((text for text in app.labels() if " of 6" in text), None)


def places():
    """The x, y, width and height of each window on the screen."""
    found = subprocess.run(["xdotool", "search", "--onlyvisible", "--maxdepth", "1", ".*",
                            "getwindowgeometry", "--shell", "%@"],
                           capture_output=True, text=True).stdout
    numbers = {key: [int(value) for value in re.findall(key + r"=(-?\d+)", found)]
               for key in ("X", "Y", "WIDTH", "HEIGHT")}
    return list(zip(*numbers.values()))


def lies_low(app):
    """The first step covers neither title bar nor tool bar, and only the lower half of the map."""
    x, y, width, height = app.box(app.get("image", "Result picture"))

    def popovers():
        return [place for place in places() if 200 < place[2] < 600 and 100 < place[3] < 400]

    vg_gui.wait_for("the popover", popovers)
    steps = vg_gui.steady("the popover", popovers, seconds=1.5)    # it follows the first layout
    assert len(steps) == 1, steps
    left, top, wide, high = steps[0]
    assert x <= left and left + wide <= x + width, (steps, x, width)
    assert top >= y + 0.45 * height and top + high <= y + height, (steps, y, height)


def the_tour_is_shown_once(program):
    del os.environ["VIVOGRAPH_NO_TOUR"]
    app = vg_gui.App(program)
    vg_gui.wait_for("the first step", lambda: step(app) == "1 of 6")
    lies_low(app)
    app.keys("Return")
    vg_gui.wait_for("the second step", lambda: step(app) == "2 of 6")
    app.press("push button", "Back")
    vg_gui.wait_for("the first step again", lambda: step(app) == "1 of 6")
    for number in range(2, 7):
        app.press("push button", "Next")
        vg_gui.wait_for("step %d" % number, lambda: step(app) == "%d of 6" % number)
    app.press("push button", "Done")
    vg_gui.wait_for("the end", lambda: step(app) is None)
    app.close()
    app = vg_gui.App(program)
    app.get("combo box", "Map")
    vg_gui.steady("the window without a tour", lambda: step(app), seconds=1.5)
    assert step(app) is None, step(app)
    app.close()


if __name__ == "__main__":
    vg_gui.enter("1600x1000")
    vg_gui.run(the_tour_is_shown_once)

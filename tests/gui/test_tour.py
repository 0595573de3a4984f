# SPDX-License-Identifier: MIT
"""The tour: at the first start, by keys, and once."""
import os
import vg_gui


def step(app):
    """"2 of 6", or nothing."""
    return next((text for text in app.labels() if " of 6" in text), None)


def the_tour_is_shown_once(program):
    del os.environ["VIVOGRAPH_NO_TOUR"]
    app = vg_gui.App(program)
    vg_gui.wait_for("the first step", lambda: step(app) == "1 of 6")
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

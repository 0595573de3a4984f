# SPDX-License-Identifier: MIT
"""The runs of a file of settings, and the comparison with a kept result."""
import os
import vg_gui
from test_layers import rows
from test_simulation import HOME, MUA, distance, open_runs, picture


def choose_a_run(program):
    app = open_runs(program, 2000, "--run", "2")
    vg_gui.wait_for("the second run", lambda: rows(app) == [0.1])
    vg_gui.wait_for("its number", lambda: app.has_label("Run 2 of 2"))
    before = app.colors(picture(app))
    app.click(app.get("combo box", "Run in the file"))
    app.keys("Home", "Return")
    vg_gui.wait_for("the first run", lambda: rows(app) == [1, 5])
    vg_gui.wait_for("its map", lambda: distance(app.colors(picture(app)), before) > 0.02)
    app.keys("ctrl+z")
    vg_gui.wait_for("undo", lambda: rows(app) == [0.1] and app.has_label("Run 2 of 2"))
    app.close()


def compare_with_a_kept_result(program):
    folder = HOME + "/compared"
    os.makedirs(folder)
    app = open_runs(program, 2000)
    vg_gui.wait_for("all photons", lambda: app.has_label("Photons 2000"))
    app.press("push button", "Keep")
    vg_gui.wait_for("the kept result", lambda: app.has_label("Kept at "))
    present = app.still(picture(app))     # the bar of the comparison has made it smaller
    app.set_value("spin button", MUA, 20)
    vg_gui.wait_for("another map", lambda: distance(app.colors(picture(app)), present) > 0.01)
    app.press("push button", "Ratio")
    vg_gui.wait_for("the ratio in blue",
                    lambda: app.colors(picture(app))[2] > app.colors(picture(app))[0] + 0.02)
    app.press("push button", "Difference")
    app.still(picture(app))
    app.press("push button", "Kept")
    vg_gui.wait_for("the kept map", lambda: distance(app.colors(picture(app)), present) < 0.03)
    app.keys("ctrl+e")
    app.dialog_path(folder)
    vg_gui.wait_for("the export", lambda: os.path.exists(folder + "/summary.json"))
    assert os.path.exists(folder + "/first.mco"), "the name that the file gave"
    assert os.path.exists(folder + "/fluence-difference.tif")
    assert os.path.exists(folder + "/absorption-ratio.tif")
    app.press("push button", "Difference")
    app.set_value("spin button", "Radius bins", 30)
    vg_gui.wait_for(
        "the refusal", lambda: next(
            (n.name for n in app.walk()
             if n.getRoleName() == "alert" and "40 x 60" in n.name and "30 x 60" in n.name), None))
    app.press("push button", "Discard the kept result")
    vg_gui.wait_for(
        "no comparison",
        lambda: not any(node.name == "Ratio" and node.states.contains(app.atspi.STATE_SHOWING)
                        for node in app.walk()))
    app.close()


def hints_of_a_file(program):
    """Coefficients per mm where they are per cm: can be meant, so it runs, and is told."""
    path = HOME + "/mm.mci"
    with open(path, "w") as file:
        file.write("1.0\n1\nmm.mco A\n2000\n0.5 0.5\n40 40 10\n1\n1.0\n1.4 0.005 1 0.9 60\n1.0\n")
    app = vg_gui.App(program, "--operation", "fluence", "--backend", "cpu", path)
    vg_gui.wait_for(
        "the hint", lambda: next(
            (n.name for n in app.walk()
             if n.getRoleName() == "alert" and n.name.startswith('"mm.mci", line')), None))
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(choose_a_run, compare_with_a_kept_result, hints_of_a_file)

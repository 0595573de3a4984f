# SPDX-License-Identifier: MIT
"""The runs of a file of settings, and the comparison with a kept result."""
import os
import time
import vg_gui
from test_layers import rows
from test_simulation import HOME, MUA, distance, open_runs, picture


def choose_a_run(program):
    app = open_runs(program, 2000, "--run", "2")
    vg_gui.wait_for("the second run", lambda: rows(app) == [0.1])
    assert app.has_label("Run 2 of 2")
    before = app.colors(picture(app))
    app.click(app.get("combo box", "Run of the file"))
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
    time.sleep(0.5)
    present = app.colors(picture(app))
    app.press("push button", "Keep")
    vg_gui.wait_for("the kept result", lambda: app.has_label("Kept at "))
    app.set_value("spin button", MUA, 20)
    vg_gui.wait_for("another map", lambda: distance(app.colors(picture(app)), present) > 0.01)
    app.press("push button", "Ratio")
    vg_gui.wait_for("the ratio in blue", lambda: app.colors(picture(app))[2] > app.colors(picture(app))[0] + 0.02)
    app.press("push button", "Difference")
    time.sleep(0.5)
    app.press("push button", "Kept")
    vg_gui.wait_for("the kept map", lambda: distance(app.colors(picture(app)), present) < 0.03)
    app.keys("ctrl+e")
    app.dialog_path(folder)
    vg_gui.wait_for("the export", lambda: os.path.exists(folder + "/summary.json"), 15)
    assert os.path.exists(folder + "/first.mco"), "the name that the file gave"
    assert os.path.exists(folder + "/fluence-difference.tif") and os.path.exists(folder + "/absorption-ratio.tif")
    app.press("push button", "Difference")
    app.set_value("spin button", "Bins in radius", 30)
    vg_gui.wait_for("the refusal", lambda: next((n.name for n in app.walk() if n.getRoleName() == "alert" and "40 x 60" in n.name and "30 x 60" in n.name), None))
    app.press("push button", "Drop the kept result")
    vg_gui.wait_for("no comparison", lambda: not app.find("push button", "Ratio") or not app.get("push button", "Ratio").getState().contains(app.atspi.STATE_SHOWING))
    app.close()


def hints_of_a_file(program):
    """Coefficients per mm where they are per cm: can be meant, so it runs, and is told."""
    path = HOME + "/mm.mci"
    with open(path, "w") as file:
        file.write("1.0\n1\nmm.mco A\n2000\n0.5 0.5\n40 40 10\n1\n1.0\n1.4 0.005 1 0.9 60\n1.0\n")
    app = vg_gui.App(program, "--operation", "fluence", "--backend", "cpu", path)
    vg_gui.wait_for("the hint", lambda: next((n.name for n in app.walk() if n.getRoleName() == "alert" and "mm.mci" in n.name), None))
    app.close()


def open_an_old_result(program):
    open_runs(program, 200000).close()     # writes the settings; more than a first step does
    out = HOME + "/old"
    vg_gui.sh(program, "run", "fluence", HOME + "/runs.mci", "--run", "1", "--out", out, "--backend", "cpu")
    app = vg_gui.App(program, "--operation", "fluence", "--backend", "cpu", out + "/first.mco")
    vg_gui.wait_for("the old result's name", lambda: app.has_label("Earlier fluence rate: the result in first.mco"))
    vg_gui.wait_for("nothing at work", lambda: app.has_label("An old result; Run computes anew"))
    assert app.has_label("Photons ") and not app.has_label("Speed "), "the file's numbers, none of other work"
    # an edit computes, and the new map is what is seen; undone, it is the file's result again
    app.set_value("spin button", MUA, 20)
    vg_gui.wait_for("numbers of the map that is computed", lambda: app.has_label("Speed ") and not app.has_label("the result in"), 30)
    assert not app.has_label("Earlier fluence rate")
    app.keys("ctrl+z")
    vg_gui.wait_for("the file's result", lambda: app.has_label("the result in first.mco") and app.has_label("An old result; Run computes anew")
                    and app.has_label("Photons ") and not app.has_label("Speed "), 30)
    app.press("push button", "Run")
    vg_gui.wait_for("its own map", lambda: app.has_label("Speed ") and not app.has_label("the result in"), 30)
    # a preset has another grid: no comparison, but a map
    app.click(app.get("combo box", "Presets"))
    app.keys("Down", "Return")
    vg_gui.wait_for("the preset's layers", lambda: len(rows(app)) == 7, 30)
    vg_gui.wait_for("its map", lambda: app.has_label("Speed ") and app.has_label("Fluence rate"), 30)
    assert not [n.name for n in app.walk() if n.getRoleName() == "alert" and "refer" in n.name]
    app.close()


def edit_back(program):
    """Layers that an edit makes those of a preset keep the file's grid and media."""
    path = HOME + "/slab.mci"
    with open(path, "w") as file:
        file.write("1.0\n1\nslab.mco A\n2000\n0.0004 0.0004\n50 50 10\n1\n1.33\n1 10 90 0.75 0.02\n1.33\n")
    app = vg_gui.App(program, "--operation", "fluence", "--backend", "cpu", path)
    vg_gui.wait_for("its layer", lambda: rows(app) == [10])
    for mua in 5, 10:
        app.set_value("spin button", MUA, mua)
        vg_gui.wait_for("the edit", lambda: rows(app) == [mua])
        time.sleep(0.5)
    assert app.value("spin button", "Bins in depth") == 50
    assert abs(app.value("spin button", "Index above") - 1.33) < 1e-9
    app.close()


def faulty_files(program):
    """What is wrong with a file is told with file and line, whatever view is open."""
    mci, mco = HOME + "/faulty.mci", HOME + "/faulty.mco"
    with open(mci, "w") as file:
        file.write("1.0\n1\nx.mco A\n2000\n0.01 0.01\n10 10 5\n1\n1\n1.4 1 100 1.5 1\n1\n")
    with open(mco, "w") as file:
        file.write("A1\nInParm\nx.mco A\n1000\n0.1 0.2\n2 2 1\n1\n1\n1.4 1 1 0 1\n1.3\nRAT\n0.1\n0.2\n")
    for path, words in (mci, "faulty.mci:9: "), (mco, "faulty.mco:13: "):
        app = vg_gui.App(program, "--backend", "cpu", path)
        vg_gui.wait_for("its error", lambda: next((n.name for n in app.walk() if n.getRoleName() == "alert" and words in n.name), None))
        app.close()


def session_without_a_suffix(program):
    app = open_runs(program, 2000)
    app.keys("ctrl+s")
    app.dialog_path(HOME + "/plain")
    vg_gui.wait_for("the session file", lambda: os.path.exists(HOME + "/plain.vivograph"))
    assert not os.path.exists(HOME + "/plain")
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(choose_a_run, compare_with_a_kept_result, open_an_old_result, hints_of_a_file, edit_back, faulty_files,
               session_without_a_suffix)

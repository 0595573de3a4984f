# SPDX-License-Identifier: MIT
"""What files bring: an old result that gives way to new work, grids and media
that edits leave alone, errors with file and line, sessions by their suffix."""
import os
import time
import vg_gui
from test_layers import rows
from test_simulation import HOME, MUA, open_runs

OLD_RESULT = "This is an earlier result. Press Run to compute it again."


def told(app, *parts, but=()):
    """Whether there are labels with all PARTS and none with those of BUT, in one walk."""
    text = "\n".join(app.labels())
    return all(part in text for part in parts) and not any(part in text for part in but)


def open_an_old_result(program):
    open_runs(program, 60000).close()     # writes the settings; more than a first step does
    out = HOME + "/old"
    vg_gui.sh(program, "run", "fluence", HOME + "/runs.mci", "--run", "1", "--out", out,
              "--backend", "cpu")
    app = vg_gui.App(program, "--operation", "fluence", "--backend", "cpu", out + "/first.mco")
    vg_gui.wait_for("the old result's name",
                    lambda: app.has_label("the result in first.mco"))
    vg_gui.wait_for("nothing at work", lambda: app.has_label(OLD_RESULT))
    vg_gui.wait_for("the file's numbers, none of other work",
                    lambda: told(app, "Photons ", but=["Speed "]))
    # an edit computes, and the new map is what is seen; undone, it is the file's result again
    app.set_value("spin button", MUA, 20)
    vg_gui.wait_for("numbers of the map that is computed",
                    lambda: told(app, "Speed ", but=["the result in"]))
    app.keys("ctrl+z")
    vg_gui.wait_for("the file's result",
                    lambda: told(app, "the result in first.mco", OLD_RESULT,
                                 "Photons ", but=["Speed "]))
    app.press("push button", "Run")
    vg_gui.wait_for("its own map", lambda: told(app, "Speed ", but=["the result in"]))
    # a preset has another grid: no comparison, but a map
    app.click(app.get("combo box", "Presets"))
    app.keys("Down", "Return")
    vg_gui.wait_for("the preset's layers", lambda: len(rows(app)) == 7)
    vg_gui.wait_for("its map", lambda: told(app, "Speed ", "Fluence rate"))
    assert not [n.name for n in app.walk() if n.getRoleName() == "alert" and "refer" in n.name]
    app.close()


def edit_back(program):
    """Layers that an edit makes those of a preset keep the file's grid and media."""
    path = HOME + "/slab.mci"
    with open(path, "w") as file:
        file.write(
            "1.0\n1\nslab.mco A\n2000\n0.0004 0.0004\n50 50 10\n1\n1.33\n1 10 90 0.75 0.02\n1.33\n")
    app = vg_gui.App(program, "--operation", "fluence", "--backend", "cpu", path)
    vg_gui.wait_for("its layer", lambda: rows(app) == [10])
    for mua in 5, 10:
        app.set_value("spin button", MUA, mua)
        vg_gui.wait_for("the edit", lambda: rows(app) == [mua])
        time.sleep(0.5)
    assert app.value("spin button", "Depth bins") == 50
    assert abs(app.value("spin button", "Refractive index above") - 1.33) < 1e-9
    app.close()


def faulty_files(program):
    """What is wrong with a file is told with file and line, whatever view is open."""
    mci, mco = HOME + "/faulty.mci", HOME + "/faulty.mco"
    with open(mci, "w") as file:
        file.write("1.0\n1\nx.mco A\n2000\n0.01 0.01\n10 10 5\n1\n1\n1.4 1 100 1.5 1\n1\n")
    with open(mco, "w") as file:
        file.write(
            "A1\nInParm\nx.mco A\n1000\n0.1 0.2\n2 2 1\n1\n1\n1.4 1 1 0 1\n1.3\nRAT\n0.1\n0.2\n")
    for path, words in (mci, "faulty.mci\", line 9: "), (mco, "faulty.mco\", line 13: "):
        app = vg_gui.App(program, "--backend", "cpu", path)
        vg_gui.wait_for(
            "its error", lambda: next(
                (n.name for n in app.walk()
                 if n.getRoleName() == "alert" and words in n.name), None))
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
    vg_gui.run(open_an_old_result, edit_back, faulty_files, session_without_a_suffix)

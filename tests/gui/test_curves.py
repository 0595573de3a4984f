# SPDX-License-Identifier: MIT
"""What is behind a voxel and a region, the baseline dragged on the curve, two
solvers compared."""
import vg_gui
from test_simulation import distance
from test_perfusion import draw, place, start


def curves(program):
    """Curves behind a voxel and a region; the baseline is dragged."""
    app = start(program)
    app.show_page("Curve")
    plot = app.get("image", "Curve")
    empty = app.still(plot)
    vg_gui.sh("xdotool", "mousemove", *map(str, place(app, 0.35, 0.5)), "click", "1")
    vg_gui.wait_for("a voxel's curves",
                    lambda: distance(app.colors(app.get("image", "Curve")), empty) > 1e-3)
    voxel = app.still(app.get("image", "Curve"))
    draw(app, 0.3, 0.4, 0.4, 0.6)
    vg_gui.wait_for("a region's curves",
                    lambda: distance(app.colors(app.get("image", "Curve")), voxel) > 1e-4)
    app.show_page("Input curves")
    app.set_value("spin button", "Last baseline frame", 20)
    app.still(app.get("image", "Input curves"))
    x, y, width, height = app.box(app.get("image", "Input curves"))
    for edge in range(int(0.36 * width), int(0.52 * width), 5):
        app.drag(x + edge, y + height // 2, x + edge - width // 8, y + height // 2)
        if app.value("spin button", "Last baseline frame") < 20:
            break
    last = vg_gui.steady("the baseline", lambda: app.value("spin button", "Last baseline frame"))
    assert 1 < last < 20, last
    assert app.value("spin button", "First baseline frame") >= 1
    # the paper's solver beside the default, at a touch
    app.press("push button", "Compare")
    vg_gui.wait_for("the difference", lambda: app.has_label("Total inflow, now \u2212 kept"))
    vg_gui.wait_for("what it is compared with",
                    lambda: app.has_label("Solver Dictionary and projection"))
    # as is the value of what else was set since
    app.set_value("spin button", "Last baseline frame", 3)
    vg_gui.wait_for("the other setting", lambda: app.has_label("Last baseline frame %d" % last))
    compare_ends(app)
    app.close()


def solver(app):
    return " ".join(app.labels(app.get("combo box", "Solver")))


def compare_ends(app):
    """Closed, the solver is the one before; undone, the bar is gone."""
    app.press("push button", "Discard the kept result")
    vg_gui.wait_for("the solver before", lambda: "Dictionary" in solver(app))
    vg_gui.wait_for("no bar", lambda: not app.has_label("Solver Dictionary"))
    app.press("push button", "Compare")
    vg_gui.wait_for("the bar", lambda: app.has_label("Solver Dictionary and projection"))
    vg_gui.wait_for("the other solver", lambda: "Dictionary" not in solver(app))
    # what is kept is not replaced by a second touch
    vg_gui.wait_for("that there is nothing more to compare",
                    lambda: not app.get("push button", "Compare").getState().contains(
                        app.atspi.STATE_SENSITIVE))
    vg_gui.wait_for("the reason",
                    lambda: "Discard it first" in app.get("push button", "Compare").description)
    app.keys("ctrl+z")
    vg_gui.wait_for("the solver before", lambda: "Dictionary" in solver(app))
    vg_gui.wait_for("that the bar is gone", lambda: not app.has_label("Solver Dictionary"))
    vg_gui.wait_for("the map", lambda: app.shown_map().startswith("Total inflow"))
    vg_gui.wait_for("no difference", lambda: not app.has_label("now \u2212 kept"))


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(curves)

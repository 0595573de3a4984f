# SPDX-License-Identifier: MIT
"""The contour view: a click sets a seed and a contour grows about it, undo
takes it away; sliders and seeds act on the running evolution."""
import re
import time
import vg_gui
from vg_nuclei import DISCS, around, click, differing, nuclei, place, start


def wait_for_seeds(app, wanted):
    """The table of added seeds beside the picture."""
    def there():
        values = [
            node.queryValue().currentValue
            for node in app.walk(app.get("scroll pane", "Settings"))
            if node.getRoleName() == "spin button" and node.name.startswith("Row ")
        ]
        flat = [v for point in wanted for v in point]
        return len(values) == len(flat) and all(abs(a - b) < 3 for a, b in zip(values, flat))
    vg_gui.wait_for("seeds at %s" % wanted, there)


def seed_makes_a_contour(program):
    """A click sets a seed, and a contour is seen about it; drag moves it, Delete and undo."""
    app = start(program, ["seeding=given", "radius_px=18"])
    nuclei(app, 0)
    before = vg_gui.steady("the picture", lambda: around(app, *DISCS[0][:2]))
    app.click(app.get("push button", "Point tool"))
    click(app, *DISCS[0][:2])
    nuclei(app, 1)
    vg_gui.wait_for("a contour in the picture",
                    lambda: differing(before, around(app, *DISCS[0][:2])) > 0.02)
    click(app, *DISCS[3][:2])
    nuclei(app, 2)
    # the last one is moved to another disc
    vg_gui.sh("xdotool", "mousemove", *place(app, *DISCS[3][:2]), "mousedown", "1")
    for t in (0.3, 0.6, 1):
        x, y = (DISCS[3][k] + t * (DISCS[1][k] - DISCS[3][k]) for k in (0, 1))
        vg_gui.sh("xdotool", "mousemove", *place(app, x, y))
        time.sleep(0.1)
    vg_gui.sh("xdotool", "mouseup", "1")
    vg_gui.wait_for("the step in the history", lambda: app.has_label("Nuclei 2"))
    wait_for_seeds(app, [DISCS[0][:2], DISCS[1][:2]])
    app.keys("Delete")
    nuclei(app, 1)
    app.keys("ctrl+z")
    nuclei(app, 2)
    app.keys("ctrl+z", "ctrl+z")
    nuclei(app, 1)
    app.keys("ctrl+z")
    nuclei(app, 0)
    vg_gui.wait_for("the picture without contours",
                    lambda: differing(before, around(app, *DISCS[0][:2])) < 0.02)
    app.keys("ctrl+shift+z")
    nuclei(app, 1)
    app.close()


def evolving(program):
    return start(program, ["seeding=given", "radius_px=18", "iterations=100000", "tolerance_px=0",
                           "iterations_shown=1", "added=%g,%g" % DISCS[0][:2]])


def iterations(app):
    text = vg_gui.wait_for(
        "iterations", lambda: next(
            (text for text in app.labels() if re.match(r"Iterations \d", text)), None))
    return int(vg_gui.ungroup(text).split()[1])


def a_pause_holds(program):
    app = evolving(program)
    app.pause()
    held = vg_gui.steady("the iterations", lambda: iterations(app), 0.7)
    app.keys("period")
    vg_gui.wait_for("a single step", lambda: held < iterations(app) <= held + 3)
    app.close()


def sliders_act_on_the_running_evolution(program):
    """Iterations go on while a slider moves and a seed joins."""
    app = evolving(program)
    nuclei(app, 1)
    vg_gui.wait_for("some iterations", lambda: iterations(app) > 20)
    before = iterations(app)
    app.set_value("slider", "Shape prior", 0.2)
    vg_gui.wait_for("more iterations", lambda: iterations(app) > before)
    assert abs(app.value("slider", "Shape prior") - 0.2) < 0.05
    before = iterations(app)
    app.click(app.get("push button", "Point tool"))
    click(app, *DISCS[1][:2])
    nuclei(app, 2)
    assert iterations(app) >= before, "the evolution started anew"
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(seed_makes_a_contour, a_pause_holds, sliders_act_on_the_running_evolution)

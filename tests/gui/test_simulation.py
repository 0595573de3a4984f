# SPDX-License-Identifier: MIT
"""A simulation in the window: a layer edited by name, pause and go on."""
import os
import re
import vg_gui

HOME = os.environ.get("VG_GUI_INSIDE", "/tmp")
RUNS = HOME + "/runs.mci"
GRID = "0.005 0.01\n60 40 10\n"
TWO = "2\n1.0\n1.37 1 100 0.9 0.1\n1.37 5 50 0.8 0.2\n1.0\n"
MUA = "Row 1, Absorption, 1/cm"


def write_runs(photons):
    with open(RUNS, "w") as file:
        file.write("1.0\n2\nfirst.mco A\n%d\n%s%s" % (photons, GRID, TWO))
        file.write("second.mco A\n%d\n%s1\n1.0\n1.5 0.1 10 0 0.3\n1.0\n" % (photons, GRID))


def picture(app):
    return app.get("image", "Result picture")


def open_runs(program, photons, *arguments):
    write_runs(photons)
    app = vg_gui.App(program, "--operation", "fluence", "--backend", "cpu", *arguments, RUNS)
    vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.05)
    return app


def distance(a, b):
    return max(abs(p - q) for p, q in zip(a, b))


def find_all(app, *wanted):
    """Nodes by (role, part of the name), found in one walk, because a walk takes long while the
    program computes."""
    def look():
        found = {}
        for node in app.walk():
            for role, part in wanted:
                if node.getRoleName() == role and part in node.name:
                    found.setdefault((role, part), node)
        return [found[key] for key in wanted] if len(found) == len(wanted) else None

    return vg_gui.wait_for("all of " + repr(wanted), look)


def text(node):
    vg_gui.read(node.name, lambda: node.clear_cache())
    return node.name


def number(label):
    return float(vg_gui.ungroup(text(label)).split()[1])


def edit_pause_and_go_on(program):
    app = open_runs(program, 1000000000)
    app.click(app.get("push button", "Performance"))
    told = vg_gui.wait_for("the speed", lambda: app.has_label("Maps computed") and app.labels())
    assert not [text for text in told if re.search("frames? (read|sent) =", text)], (
        "there are no frames to count")
    app.keys("Escape")
    image, run, mua, photons, progress = find_all(app, ("image", "Result picture"),
                                                  ("push button", "Pause"), ("spin button", MUA),
                                                  ("label", "Photons "), ("label", "Computing…"))

    def press(what):
        run.queryAction().doAction(0)
        vg_gui.wait_for(what, lambda: text(run) == what)

    def held():
        """The number of photons after the step during which the pause began; no more follow."""
        n = number(photons)
        app.still(image, 0.8)
        return n > 0 and number(photons) == n and n

    before = app.colors(image)
    mua.queryValue().currentValue = 50
    vg_gui.wait_for("another map", lambda: distance(app.colors(image), before) > 0.02)
    press("Run")
    vg_gui.wait_for("the word", lambda: "Paused at" in text(progress))
    n = vg_gui.wait_for("a pause that holds", held)
    press("Pause")
    vg_gui.wait_for("more photons", lambda: number(photons) > n)
    press("Run")
    vg_gui.wait_for("the word", lambda: "Paused at" in text(progress))
    n = vg_gui.steady("the photons", lambda: number(photons))
    mua.queryValue().currentValue = 2
    vg_gui.wait_for("a new start", lambda: "Restarted with" in text(progress))
    vg_gui.wait_for("its first step", lambda: 0 < number(photons) < n)
    app.click(image)
    few = number(photons)
    app.keys("period")
    vg_gui.wait_for("one more step", lambda: number(photons) > few)
    app.keys("space")
    vg_gui.wait_for("that it goes on", lambda: text(run) == "Pause")
    app.press("push button", "Cancel")
    vg_gui.wait_for("that it was cancelled", lambda: "Cancelled at" in text(progress))
    n = vg_gui.steady("the photons", lambda: number(photons))
    assert "Cancelled at" in text(progress), "it says so until it goes on"
    press("Pause")
    vg_gui.wait_for("more photons", lambda: number(photons) > n and "Computing" in text(progress))
    app.keys("space")
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(edit_pause_and_go_on)

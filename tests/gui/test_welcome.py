# SPDX-License-Identifier: MIT
"""A window that begins empty: each view says what it is for, and leads to data."""
import os
import vg_gui

HOME = os.environ.get("VG_GUI_INSIDE", "/tmp")


def begin_empty():
    os.makedirs(HOME + "/config/vivograph", exist_ok=True)
    with open(HOME + "/config/vivograph/window.ini", "w") as file:
        file.write("[window]\nstart=2\n")


def shows(app, role, name):
    return app.find(role, name) is not None


def an_empty_window_leads_on(program):
    begin_empty()
    app = vg_gui.App(program)
    vg_gui.wait_for("the view's formats", lambda: app.has_label("Opens TIFF stacks"))
    vg_gui.wait_for("a sample", lambda: shows(app, "push button", "Flow: Vessels"))
    assert not shows(app, "push button", "Run Simulation")
    for role, name in (("panel", "Plots and regions"), ("combo box", "Map"),
                       ("push button", "Performance")):
        assert not shows(app, role, name), name
    app.keys("alt+2")
    vg_gui.wait_for("the other view", lambda: app.has_label("Opens Becker & Hickl"))
    app.keys("alt+1")
    app.press("push button", "Flow: Vessels")
    app.get("combo box", "Map")
    app.get("panel", "Plots and regions")
    vg_gui.wait_for("the sample's map", lambda: app.shown_map().startswith("Flow index"))
    app.close()


def a_simulation_needs_no_file(program):
    begin_empty()
    app = vg_gui.App(program)
    vg_gui.wait_for("the first view", lambda: app.has_label("Opens TIFF stacks"))
    app.keys("alt+3")
    vg_gui.wait_for("its map", lambda: app.shown_map().startswith("Fluence"))
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(an_empty_window_leads_on, a_simulation_needs_no_file)

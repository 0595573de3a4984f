# SPDX-License-Identifier: MIT
"""Preferences act at once, or at the next start, and are kept."""
import configparser
import os

import vg_gui


def kept(key):
    file = configparser.ConfigParser()
    file.read(os.path.join(os.environ["XDG_CONFIG_HOME"], "vivograph", "window.ini"))
    return file.get("window", key, fallback="")


def choose(app, **choices):
    """Opens the preferences, makes CHOICES (name of the row, with _ for spaces), closes them."""
    app.keys("ctrl+comma")
    for name, item in choices.items():
        app.get("combo box", name.replace("_", " "))
        app.pick(name.replace("_", " "), item)

    def closed():
        if not app.find("combo box", "Theme"):
            return True
        others = [window for window in app._windows() if window != app.window]
        if others:
            vg_gui.sh("xdotool", "windowfocus", others[0])
            app.keys("Escape")
        return False

    vg_gui.wait_for("the preferences to close", closed)
    vg_gui.sh("xdotool", "windowfocus", "--sync", app.window)


def preferences_act(program):
    app = vg_gui.App(program, "--operation", "flow")
    app.get("combo box", "Map")
    app.keys("F6")
    vg_gui.wait_for("the map's own colours", lambda: app.chosen("Colour map") == "Inferno")
    choose(app, Colour_map_of_all_maps="Cividis (colour-blind safe)")
    vg_gui.wait_for("the chosen ones", lambda: app.chosen("Colour map") == "Cividis")
    app.close()
    assert kept("colormap") == "4", kept("colormap")


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(preferences_act)

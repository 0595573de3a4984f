# SPDX-License-Identifier: MIT
"""Preferences act at once, or at the next start, and are kept."""
import configparser
import os
import shutil

import vg_gui

UNDO = "Undo the last change of a preference"


def kept(key):
    file = configparser.ConfigParser()
    file.read(os.path.join(os.environ["XDG_CONFIG_HOME"], "vivograph", "window.ini"))
    return file.get("window", key, fallback="")


def choose(app, **choices):
    """Opens the preferences, makes CHOICES (name of the row, with _ for spaces), closes them."""
    app.keys("ctrl+comma")
    app.wait_for_dialog()
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


def edge(app):
    """How bright the image's left edge is, which no map covers."""
    x, y, _, height = app.box(app.get("image", "Result picture"))
    return sum(vg_gui.mean_color(vg_gui.pixels(x + 3, y + height // 2, 2, 2))) / 3


def preferences_act(program):
    app = vg_gui.App(program, "--operation", "flow")
    app.get("combo box", "Map")
    app.keys("F6")
    vg_gui.wait_for("the map's own colours", lambda: app.chosen("Colour map") == "Inferno")
    choose(app, Colour_map_of_all_maps="Cividis (colour-blind safe)")
    vg_gui.wait_for("the chosen ones", lambda: app.chosen("Colour map") == "Cividis")
    app.keys("ctrl+z")
    vg_gui.wait_for("undo of the first change", lambda: app.chosen("Colour map") == "Inferno")
    before = edge(app)
    choose(app, Around_the_image="Grey")
    vg_gui.wait_for("a grey ground", lambda: edge(app) > before + 0.1)
    choose(app, Length_unit_of_all_views="mm")
    vg_gui.wait_for("lengths in mm", lambda: app.has_label("x (mm)") or any(
        app.chosen(name) == "mm" for name in ("Length unit",) if app.find("combo box", name)))
    app.close()
    assert kept("colormap") == "4", kept("colormap")


def undone(program):
    """The dialog takes back its own changes, the first one too."""
    app = vg_gui.App(program, "--operation", "flow")
    app.keys("ctrl+comma")
    app.wait_for_dialog()
    app.get("combo box", "Significant digits")
    names = ("Significant digits", "Theme", "Save sessions")
    before = [app.chosen(name) for name in names]
    assert not enabled(app, UNDO)
    for name, item in zip(names, ("6", "Dark", "After each change")):
        app.pick(name, item)
        vg_gui.wait_for("the choice", lambda: app.chosen(name) == item)
    for left in range(2, -1, -1):
        app.press("push button", UNDO)
        vg_gui.wait_for("the choice before",
                        lambda: app.chosen(names[left]) == before[left])
    vg_gui.wait_for("nothing more to undo", lambda: not enabled(app, UNDO))
    app.keys("Escape")
    app.close()
    assert kept("figures") in ("", "0") and kept("theme") in ("", "0"), kept("figures")


def enabled(app, name):
    return app.get("push button", name).getState().contains(app.atspi.STATE_SENSITIVE)


def set_kept(**values):
    """As if the preferences had been chosen before the program starts."""
    path = os.path.join(os.environ["XDG_CONFIG_HOME"], "vivograph", "window.ini")
    file = configparser.ConfigParser()
    file.read(path)
    if not file.has_section("window"):
        file.add_section("window")
    for key, value in values.items():
        file.set("window", key, value)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as out:
        file.write(out, space_around_delimiters=False)


def starts(program):
    """With nothing, in German; and with the last session."""
    set_kept(start="2", language="2")
    os.environ.pop("LANGUAGE")
    app = vg_gui.App(program)
    app.get("push button", "Fluenz" if shutil.which("msgfmt") else "Fluence")
    assert not app.find("combo box", "Karte") and not app.find("combo box", "Map")
    app.close()
    os.environ["LANGUAGE"] = "en"
    set_kept(start="1", language="0")
    with open(os.environ["XDG_CONFIG_HOME"] + "/vivograph/last-session.vivograph", "w") as out:
        out.write("[session]\nversion=1\noperation=fluence\n")
    app = vg_gui.App(program)
    vg_gui.wait_for("the last session", lambda: app.has_label("Photons"))
    app.close()
    set_kept(start="0")


def saves(program):
    """A session that has a file is saved to it by itself; recordings go to their folder."""
    home = os.environ["VG_GUI_INSIDE"]
    folder, session = home + "/recordings", home + "/own.vivograph"
    os.makedirs(folder)
    set_kept(autosave="1", recordings=folder)
    with open(session, "w") as out:
        out.write("[session]\nversion=1\noperation=flow\n")
    app = vg_gui.App(program, "--session", session)
    vg_gui.wait_for("the sample", lambda: app.find("spin button", "Exposure time, ms"))
    app.set_value("spin button", "Exposure time, ms", 12.5)

    def saved():
        with open(session) as file:
            return "exposure_ms=12.5" in file.read()

    vg_gui.wait_for("the session in its file", saved)
    app.press("push button", "Record")
    app.dialog_path("one.tif")
    vg_gui.wait_for("the recording in its folder", lambda: os.listdir(folder))
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(preferences_act, undone, starts, saves)

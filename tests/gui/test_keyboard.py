# SPDX-License-Identifier: MIT
"""Without a mouse: every control has a name, Tab goes round, the keys work."""
import re
import vg_gui

ROLES = ("push button", "toggle button", "check box", "radio button", "spin button", "slider",
         "combo box", "page tab", "text", "entry", "image", "switch", "menu item")


def named(name):
    return name and not name.startswith(("Gtk", "Vg"))


def every_control_has_a_name(program):
    app = vg_gui.App(program)
    focusable = app.atspi.STATE_FOCUSABLE

    def controls():
        return [
            node for node in app.walk()
            if node.getRoleName() in ROLES and node.getState().contains(focusable)
        ]

    found = vg_gui.wait_for("more than 40 controls", lambda: [
        found for found in [controls()] if len(found) > 40])[0]
    nameless = [
        "%s %r in %r" % (node.getRoleName(), node.name, node.parent.name) for node in found
        if not named(node.name)
    ]
    assert not nameless, "; ".join(nameless)
    units = [
        p for p in vg_gui.describe(program)["parameters"]
        if p["unit"] and p["kind"] in ("number", "whole number")
    ]
    names = {node.name for node in app.walk() if node.getRoleName() == "slider"}
    # Those behind a condition are not there now; none of the others may lack its unit.
    assert any(p["label"] + ", " + p["unit"] in names for p in units)
    assert not [p["id"] for p in units if p["label"] in names]
    app.close()


def tab_goes_round(program):
    app = vg_gui.App(program)
    vg_gui.wait_for("a live picture",
                    lambda: app.colors(app.get("image", "Result picture"))[3] > 0.05)
    app.pause()
    app.click(app.get("image", "Result picture"))
    app.follow_focus()
    app.keys("shift+Tab")
    for _ in range(45):
        app.keys("Tab")

    def all_round():
        app.pump(0.2)
        roles, names = map(set, zip(*app.focused))
        return len(names) >= 22 and {"push button", "spin button", "slider", "image"} <= roles

    vg_gui.wait_for("22 controls of all kinds", all_round)
    assert all(named(name) for _, name in app.focused), app.focused
    app.close()


def percent(app):
    """The zoom of the fitted image."""
    found = [re.fullmatch(r"(\d+) %", text) for text in app.labels()]
    return next((int(match.group(1)) for match in found if match), 0)


def keys_work(program):
    app = vg_gui.App(program)
    vg_gui.wait_for("a live picture",
                    lambda: app.colors(app.get("image", "Result picture"))[3] > 0.05)
    zoom = vg_gui.wait_for("the zoom", lambda: percent(app))
    app.keys("F9")
    vg_gui.wait_for("a larger image", lambda: percent(app) > zoom + 10)
    app.keys("F9")
    vg_gui.wait_for("the side pane", lambda: percent(app) == zoom)
    app.click(app.get("image", "Result picture"))
    app.keys("space")
    app.get("push button", "Run")
    app.keys("space")
    app.get("push button", "Pause")
    app.keys("1")
    vg_gui.wait_for("actual size", lambda: app.has_label("100 %"))
    app.click(app.get("page tab", "Results"))   # the keys work from there too
    app.keys("0")
    vg_gui.wait_for("the fitted image", lambda: percent(app) == zoom)
    app.click(app.get("page tab", "Settings"))
    app.keys("1")
    vg_gui.wait_for("actual size again", lambda: app.has_label("100 %"))
    app.keys("F10")
    vg_gui.wait_for("the main menu", lambda: app.has_label("Keyboard Shortcuts"))
    # on a busy machine the menu may take the keyboard after the first Escape
    vg_gui.wait_for("no main menu",
                    lambda: not app.has_label("Keyboard Shortcuts") or app.keys("Escape"))
    app.keys("ctrl+comma")
    vg_gui.wait_for("the preferences", lambda: app.find("combo box", "Theme"))
    app.wait_for_dialog()
    app.keys("Escape")
    vg_gui.wait_for("the preferences gone", lambda: not app.find("combo box", "Theme"))
    vg_gui.sh("xdotool", "windowfocus", "--sync", app.window)
    app.keys("ctrl+question")
    vg_gui.wait_for("the shortcuts", lambda: app.has_label("Pause or resume"))
    app.keys("Escape")
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(every_control_has_a_name, tab_goes_round, keys_work)

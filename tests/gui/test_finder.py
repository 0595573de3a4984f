# SPDX-License-Identifier: MIT
"""Finding settings, maps, plots, views and actions."""
import vg_gui


def rows(app):
    """Titles and kinds that the finder lists."""
    node = app.find("list", "Found")
    below = app.walk(node) if node else ()
    return [app.labels(item) for item in below if item.getRoleName() == "list item"]


def find(app, words, title):
    """Opens the finder, and does what comes first, which is TITLE."""
    app.keys("ctrl+k")
    vg_gui.wait_for("the finder", lambda: rows(app))
    app.type(words)
    vg_gui.wait_for("%s to be found first" % title,
                    lambda: (rows(app) or [[""]])[0][0] == title)
    app.keys("Return")
    vg_gui.wait_for("the finder to close", lambda: not rows(app))


def focused(app, name):
    return any(node.name == name and node.getState().contains(app.atspi.STATE_FOCUSED)
               for node in app.walk())


def the_finder_leads_anywhere(program):
    app = vg_gui.App(program, "--operation", "flow")
    app.get("combo box", "Map")
    app.pause()                                       # so that no computation delays the search
    app.keys("F7")                                    # another page than the settings
    find(app, "dark lev", "Dark level")               # folded away under "Advanced"
    vg_gui.wait_for("the setting", lambda: focused(app, "Dark level, DN"))
    find(app, "contrast map", "Speckle contrast")
    vg_gui.wait_for("the map", lambda: app.shown_map().startswith("Speckle contrast"))
    find(app, "hide plots", "Show or Hide the Plots")
    vg_gui.wait_for("no plots", lambda: not app.pages())
    find(app, "model plot", "Contrast model")
    vg_gui.wait_for("the page", lambda: "Contrast model" in app.pages())
    find(app, "lifetime view", "Lifetime")
    vg_gui.wait_for("the view", lambda: app.shown_map().startswith("Lifetime"))
    find(app, "gain dn", "Gain")                      # a setting of another view
    vg_gui.wait_for("the view and its setting", lambda: focused(app, "Gain, DN/e-"))
    app.keys("shift+F11")                             # the finder works in full screen
    find(app, "full screen", "Full Screen")
    app.keys("F11")
    vg_gui.wait_for("theatre mode", lambda: app.find("combo box", "Map") is None)
    find(app, "theatre", "Theatre Mode")              # the finder left it and began it again
    vg_gui.wait_for("theatre mode", lambda: app.find("combo box", "Map") is None)
    app.keys("F11", "ctrl+k")
    vg_gui.wait_for("the finder", lambda: rows(app))
    app.type("qqqq")
    vg_gui.wait_for("a word about it", lambda: app.has_label("Nothing was found"))
    app.keys("Escape")
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(the_finder_leads_anywhere)

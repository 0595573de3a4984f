# SPDX-License-Identifier: MIT
"""The gallery of samples: a card opens its sample in its view, and undo goes back."""
import subprocess
import vg_gui
from test_read_options import picture


def gallery(app, card="Flow: Vessels"):
    """A card of the dialog; an empty window, hidden behind the picture, has the same cards."""
    dialogs = [node for node in app.bus.tree().children if node.name == "Sample Data"]
    return next((node for dialog in dialogs for node in dialog.walk() if node.name == card), None)


def choose(app, card):
    app.keys("ctrl+d")
    vg_gui.wait_for("the card", lambda: gallery(app, card).doAction(0))
    vg_gui.wait_for("the gallery's end", lambda: not gallery(app))


def in_view(app, setting):
    return app.find("spin button", setting) is not None


def can_undo(app):
    return app.get("push button", "Undo").getState().contains(app.atspi.STATE_SENSITIVE)


def samples_of_other_views(program):
    """A made sample and a recording open in their own views; undo goes back through both."""
    app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu")
    vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.01)
    choose(app, "Perfusion: Ellipse")
    vg_gui.wait_for("the view", lambda: in_view(app, "Haematocrit"))
    vg_gui.wait_for("the map", lambda: app.colors(picture(app))[3] > 0.01)
    choose(app, "Contour: Fluorescent Nuclei")
    vg_gui.wait_for("the recording", lambda: app.has_label("fluo01.png"))
    vg_gui.wait_for("its view", lambda: not in_view(app, "Haematocrit"))
    app.keys("ctrl+z")
    vg_gui.wait_for("the sample before", lambda: in_view(app, "Haematocrit"))
    app.keys("ctrl+z")
    vg_gui.wait_for("the first view", lambda: in_view(app, "Exposure time, ms"))
    app.close()


def the_keyboard(program):
    """The first card belongs to the view that is shown; Escape changes nothing, Enter opens."""
    app = vg_gui.App(program, "--operation", "contour", "--backend", "cpu")
    vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.01)
    app.keys("ctrl+d")
    vg_gui.wait_for("the gallery", lambda: gallery(app))
    app.wait_for_dialog()
    app.keys("Escape")
    vg_gui.wait_for("its end", lambda: not gallery(app))
    app.wait_for_main_window()
    assert not can_undo(app), "nothing has changed"
    app.keys("ctrl+d")
    vg_gui.wait_for("the gallery", lambda: gallery(app))
    vg_gui.wait_for("the focus", lambda: ["Contour: Tissue"] == [
        node.name for node in app.walk()
        if ": " in node.name and node.getState().contains(app.atspi.STATE_FOCUSED)])
    app.wait_for_dialog()
    app.keys("Right", "Right", "Return")
    vg_gui.wait_for("the recording", lambda: app.has_label("dsb01.tif"))
    app.close()


def settings(program):
    """A sample brings its settings, in one undo step; the command line gives them too."""
    app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu", "--radius", "4")
    vg_gui.wait_for("the radius", lambda: app.value("spin button", "Radius, px") == 4)
    choose(app, "Flow: Fingertip, 500 Frames")
    vg_gui.wait_for("the recording", lambda: app.has_label("pylsci_temporal"))
    vg_gui.wait_for("its method", lambda: app.chosen("Method") == "Spatio-temporal")
    vg_gui.wait_for("its frames", lambda: app.value("spin button", "Frames") == 100)
    app.keys("ctrl+z")
    vg_gui.wait_for("the frames before", lambda: app.value("spin button", "Frames") == 4)
    vg_gui.wait_for("the radius before", lambda: app.value("spin button", "Radius, px") == 4)
    app.close()


def refuse(program, *arguments, says):
    done = subprocess.run([program, *arguments], capture_output=True, text=True,
                          timeout=vg_gui.LATE)
    assert done.returncode == 2 and says in done.stderr, done


def bad_settings(program):
    """Nothing opens with a setting that does not exist or is impossible, or whose view is not
    clear."""
    refuse(program, "--iterations", "4", says="perfusion, contour")
    refuse(program, "--operation", "flow", "--radius", "400", says="radius")
    refuse(program, "--operation", "flow", "--radiu", "4", says="--radiu")
    refuse(program, "--operation", "flow", "--radius", "4", "--session", "x.vivograph",
           says="--session")


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(samples_of_other_views, the_keyboard, settings, bad_settings)

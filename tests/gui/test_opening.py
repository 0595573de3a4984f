# SPDX-License-Identifier: MIT
"""Openings that come to nothing, or not to a map yet."""
import vg_gui
from test_read_options import HOME, SERIES, picture, write_nifti
from test_volumes import write_volume

GONE = HOME + "/gone.vivograph"
SLICE = HOME + "/slice.nii"


def alert(app, part):
    return next(
        (node for node in app.walk() if node.getRoleName() == "alert" and part in node.name), None)


def opened_without_settings_that_fit(program):
    """A series opened from another view is shown, and it is computed once its missing setting has
    been set. A session of another view whose file is gone changes nothing."""
    write_nifti(SERIES, 0, frames=12)
    with open(GONE, "w") as file:
        file.write("[session]\nversion=1\noperation=flow\n\n[flow]\ninputs=%s/gone.tif;\n" % HOME)
    app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu", SERIES)
    vg_gui.wait_for("what is missing", lambda: alert(app, "Set Frame interval"))
    vg_gui.wait_for("the series", lambda: app.has_label("No result yet"))
    vg_gui.wait_for("its picture", lambda: app.colors(picture(app))[3] > 0.01)
    app.set_value("spin button", "Frame interval, ms", 2500)
    vg_gui.wait_for("the map", lambda: not app.has_label("No result yet"))
    vg_gui.wait_for("that nothing is missing", lambda: not alert(app, "Set Frame interval"))
    app.keys("ctrl+o")
    app.dialog_path(GONE)
    vg_gui.wait_for("what is wrong", lambda: alert(app, "gone.tif"))
    assert app.find("spin button", "Frame interval, ms"), "the view stays"
    app.close()


def a_view_that_nobody_chose(program):
    """A series of one slice, which the first view accepts too, opens in its own view, or in the one
    that the command line names."""
    write_volume(SLICE, 1)
    for operation, belongs in ((), True), (("--operation", "flow"), False):
        app = vg_gui.App(program, "--backend", "cpu", *operation, SLICE)
        vg_gui.wait_for("its picture", lambda: app.colors(picture(app))[3] > 0.01)
        vg_gui.wait_for("the view",
                        lambda: bool(app.find("spin button", "Haematocrit")) == belongs)
        app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(opened_without_settings_that_fit, a_view_that_nobody_chose)

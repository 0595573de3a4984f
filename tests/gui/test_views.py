# SPDX-License-Identifier: MIT
"""A file opens in the view it belongs to, and looks as that view shows it."""
import vg_gui
from test_simulation import distance
from test_read_options import HOME, ONE, STACK, TWO, bin_width, picture, total, write_sdt


def a_file_opens_where_it_belongs(program):
    write_sdt(TWO, 0.2, 1.0, 3.0)
    app = vg_gui.App(program, "--operation", "flow")
    vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.02)
    app.keys("ctrl+o")
    app.dialog_path(TWO)
    vg_gui.wait_for("the title", lambda: app.has_label("two.sdt"))
    vg_gui.wait_for("its photons", lambda: app.has_label(total(1.0, 0.2)))
    vg_gui.wait_for("its bin width", lambda: bin_width(app) == 0.2)
    app.keys("ctrl+z")
    vg_gui.wait_for("the view before", lambda: not app.find("spin button", "Bin width, ns"))
    with open(HOME + "/none.sdt", "wb") as file:
        file.write(b"no recording at all" * 99)
    app.keys("ctrl+o")
    app.dialog_path(HOME + "/none.sdt")
    vg_gui.wait_for(
        "what is wrong", lambda: next(
            (n for n in app.walk() if n.getRoleName() == "alert" and "none.sdt" in n.name), None))
    assert not app.find("spin button", "Bin width, ns"), "the view stays"
    # from a view without data of its own
    app.close()
    app = vg_gui.App(program, "--operation", "fluence", TWO)
    vg_gui.wait_for("its photons", lambda: app.has_label(total(1.0, 0.2)))
    app.close()


def brightness_by_intensity(program):
    write_sdt(ONE, 0.2, 1.0, shaded=True)
    app = vg_gui.App(program, "--operation", "lifetime", ONE)
    vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.02)
    vg_gui.wait_for("the hint", lambda: next(
        (n for n in app.walk() if "dimmed by Photons" in n.name), None))
    dimmed = sum(app.still(picture(app))[:3])
    app.click(app.get("page tab", "Display"))
    app.press("check box", "Brightness by intensity")
    vg_gui.wait_for("full colours", lambda: sum(app.colors(picture(app))[:3]) > dimmed * 1.05)
    vg_gui.wait_for("no hint", lambda: not any("dimmed by" in n.name for n in app.walk()))
    app.keys("ctrl+z")
    vg_gui.wait_for("undo", lambda: abs(sum(app.colors(picture(app))[:3]) - dimmed) < 0.01 * dimmed)
    app.close()


def another_size_is_seen_whole(program):
    """A zoom is of what it was chosen for, and of data of the same size."""
    write_sdt(ONE, 0.2, 1.0)
    write_sdt(TWO, 0.2, 1.5)
    vg_gui.write_tiff(STACK, 12, 8, 32, lambda page, x, y: 1000 // (page + 1))
    app = vg_gui.App(program, "--operation", "lifetime", ONE)
    vg_gui.wait_for("its photons", lambda: app.has_label(total(1.0, 0.2)))
    app.keys("ctrl+1")
    vg_gui.wait_for("full size", lambda: app.has_label("100 %"))
    app.keys("ctrl+o")
    app.dialog_path(TWO)
    vg_gui.wait_for("the other's photons", lambda: app.has_label(total(1.5, 0.2)))
    assert app.has_label("100 %")
    app.keys("ctrl+o")
    app.dialog_path(STACK)
    vg_gui.wait_for("the title", lambda: app.has_label("decay.tif"))
    vg_gui.wait_for("all of it", lambda: not app.has_label("100 %"))
    app.close()


def slices_of_a_volume(program):
    app = vg_gui.App(program, "--operation", "perfusion")
    vg_gui.wait_for("a picture", lambda: app.colors(picture(app))[3] > 0.02)
    vg_gui.wait_for("the slices", lambda: app.find("spin button", "Slice"))
    assert app.value("spin button", "Slice") == 1
    first = app.still(picture(app))
    app.set_value("slider", "Slice of the volume", 3)
    vg_gui.wait_for("the same slice in the entry", lambda: app.value("spin button", "Slice") == 3)
    vg_gui.wait_for("another picture", lambda: distance(app.colors(picture(app)), first) > 2e-4)
    app.click(picture(app))
    app.keys("shift+Page_Up", "shift+Page_Up")
    vg_gui.wait_for("the first slice", lambda: app.value("spin button", "Slice") == 1)
    app.keys("shift+Page_Up")
    assert app.value("spin button", "Slice") == 1
    app.keys("shift+Page_Down")
    vg_gui.wait_for("the second slice", lambda: app.value("spin button", "Slice") == 2)
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(a_file_opens_where_it_belongs, brightness_by_intensity, another_size_is_seen_whole,
               slices_of_a_volume)

# SPDX-License-Identifier: MIT
"""The scatter plot: pixels inside a lasso are tinted in the image, counted and told."""
import vg_gui
from test_phasor import color, half, open_halves
from vg_nuclei import DISCS, around, differing, start, wait_for_end


def plot(app):
    return app.get("image", "Scatter plot")


def told(app):
    return plot(app).description


def is_tinted(rgb):
    return rgb[0] > rgb[1] + 0.25 and rgb[2] > rgb[1] - 0.05


def select(app, *numbers):
    """A rectangle by the keyboard: the ends of x, then those of y."""
    app.click(app.get("push button", "Select by Values"))
    names = ("Minimum x", "Maximum x", "Minimum y", "Maximum y")
    vg_gui.wait_for("the entries", lambda: app.find("spin button", names[0]))
    for name, number in zip(names, numbers):
        app.set_value("spin button", name, number)
    app.press("push button", "Select")


def lasso_selects_pixels(program):
    """The long lifetimes are the right half; its pixels, and no others, are tinted."""
    app = open_halves(program)
    app.show_page("Scatter")
    vg_gui.wait_for("all pixels", lambda: told(app).replace("\u202f", "").startswith("1024 pixels"))
    assert app.chosen("Map on the x axis") == "Lifetime"
    assert app.chosen("Map on the y axis") == "Photons"
    select(app, 1.6, 9, 0, 1e6)
    text = vg_gui.wait_for("half of the pixels", lambda: next(
        text for text in [told(app)] if text.startswith("512 of")))
    assert "(50 %)" in text and "Lifetime 2." in text, text
    vg_gui.wait_for("the same below the plot", lambda: app.has_label("512 of"))
    vg_gui.wait_for("a tint in the right half alone",
                    lambda: is_tinted(color(*half(app, True))) and
                    not is_tinted(color(*half(app, False))))
    app.press("push button", "Remove the lasso")
    vg_gui.wait_for("no tint", lambda: not is_tinted(color(*half(app, True))))
    vg_gui.wait_for("what is told of all", lambda: "correlation" in told(app))
    app.close()


def lasso_is_drawn(program):
    """By the pointer about all of the plot; Delete removes it; another map begins anew."""
    app = open_halves(program)
    app.show_page("Scatter")
    vg_gui.wait_for("all pixels", lambda: "correlation" in told(app))
    x, y, width, height = vg_gui.steady("a plot that stays", lambda: app.box(plot(app)))
    corners = [(0.01, 0.01), (0.99, 0.01), (0.99, 0.99), (0.01, 0.99), (0.01, 0.02)]
    words = []
    for across, down in corners:
        words += ["mousemove", str(int(x + across * width)), str(int(y + down * height))]
        words += ["mousedown", "1"] if len(words) == 3 else ["sleep", "0.05"]
    vg_gui.sh("xdotool", *words, "mouseup", "1")
    vg_gui.wait_for("nearly all of them",
                    lambda: told(app).startswith(("1\u202f0", "10", "9")) and "inside" in told(app))
    app.keys("Delete")
    vg_gui.wait_for("no lasso", lambda: "correlation" in told(app))
    app.pick("Map on the y axis", "Lifetime")
    vg_gui.wait_for("a map against itself", lambda: "correlation 1.00" in told(app))
    app.close()


def nuclei_count_once(program):
    """Measures of nuclei: each nucleus is one sample, whatever its area; those inside the lasso are
    tinted, and the others are not."""
    small, large = DISCS[0], DISCS[3]
    app = start(program, [
        "seeding=given", "radius_px=18",
        "added=%s" % ";".join("%g,%g" % disc[:2] for disc in DISCS)
    ])
    wait_for_end(app)
    app.show_page("Scatter")
    vg_gui.wait_for("four nuclei", lambda: told(app).startswith("4 objects"))
    assert app.chosen("Map on the x axis") == "Area of nuclei"
    before = [vg_gui.steady("the picture", lambda: around(app, x, y, 8)) for x, y, _ in
              (small, large)]
    select(app, 0, 1050, -1, 2)   # of 892, 965, 1148 and 1529 px²
    text = vg_gui.wait_for("two of them", lambda: next(
        text for text in [told(app)] if text.startswith("2 of 4 objects")))
    assert "(50 %)" in text and "Area of nuclei" in text, text
    vg_gui.wait_for("a tint", lambda: differing(before[0], around(app, *small[:2], 8)) > 0.2)
    assert differing(before[1], around(app, *large[:2], 8)) < 0.01
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(lasso_selects_pixels, lasso_is_drawn, nuclei_count_once)

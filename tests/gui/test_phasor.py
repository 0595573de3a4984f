# SPDX-License-Identifier: MIT
"""The lifetime view: cursors of the phasor plot select pixels, sliders change
the map, and a clicked pixel shows its decay."""
import math
import os
import re
import time
import vg_gui

vg_gui.enter()
HOME = os.environ["VG_GUI_INSIDE"]
STACK = HOME + "/two.tif"
SIDE, BINS = 32, 64
TAUS = (0.8, 2.4)   # ns, left and right half, at the default bin width of 0.1 ns


def open_halves(program):
    """Two halves of other lifetimes, as bright, and some spread from pixel to pixel."""
    if not os.path.exists(STACK):
        def count(page, x, y):
            tau = TAUS[x >= SIDE // 2]
            spread = tau + 0.002 * (y - SIDE // 2)
            return int((900 + 3 * y) / tau * math.exp(-0.1 * page / spread))

        vg_gui.write_tiff(STACK, SIDE, SIDE, BINS, count)
    app = vg_gui.App(program, "--operation", "lifetime", "--backend", "cpu", STACK)
    vg_gui.wait_for("a map", lambda: app.has_label("Pixels fitted"))
    return app


def picture(app):
    return app.get("image", "Result picture")


def half(app, right):
    """Screen point within a half of the picture, which lies in the middle."""
    x, y, width, height = app.box(picture(app))
    return x + width // 2 + (1 if right else -1) * height // 5, y + height // 2


def color(x, y):
    return vg_gui.mean_color(vg_gui.pixels(x - 4, y - 4, 9, 9))


def is_grey(rgb):
    return max(rgb) - min(rgb) < 0.04 and min(rgb) > 0.2


def is_first_cursor(rgb):
    return rgb[1] > rgb[0] + 0.2 and rgb[1] > rgb[2] + 0.05


def toggle(app, name):
    """A button that stays pressed: its role differs from one GTK to the next."""
    vg_gui.wait_for(name, lambda: next(
        node for node in app.walk() if node.name == name).queryAction().doAction(0))
    time.sleep(0.2)


def cursors(app):
    """What the plot says of its ellipses."""
    return app.get("image", "Phasor plot").description


def probe(app, right):
    """The value under the pointer, in ns."""
    x, y = half(app, right)
    vg_gui.sh("xdotool", "mousemove", str(x), str(y))
    text = vg_gui.wait_for(
        "the value under the pointer", lambda: next(
            (t for t in app.labels()
             if re.match(r"x \d+, y \d+: [0-9.]+ (± [0-9.]+ )?ns", t)), None))
    return float(text.split(": ")[1].split()[0])


def cursor_selects_pixels(program):
    app = open_halves(program)
    app.show_page("Phasor")
    vg_gui.wait_for("an empty plot", lambda: cursors(app) == "No ellipse")
    vg_gui.wait_for("a plot of a size to work with",
                    lambda: app.box(app.get("image", "Phasor plot"))[3] >= 200)
    app.press("push button", "Add Cursor")
    vg_gui.wait_for("the labels", lambda: app.shown_map() == "Phasor cursors")
    toggle(app, "Colour Pixels")
    vg_gui.wait_for("the map that was shown before",
                    lambda: app.shown_map() == "Lifetime, ns")
    toggle(app, "Colour Pixels")
    vg_gui.wait_for("the labels again", lambda: app.shown_map() == "Phasor cursors")
    vg_gui.wait_for("the legend", lambda: any(
        (node.name or "").startswith("Legend: Cursor 1 ") for node in app.walk()))
    vg_gui.wait_for(
        "one half selected", lambda: sorted(
            [is_first_cursor(color(*half(app, False))),
             is_first_cursor(color(*half(app, True)))]) == [False, True])
    held = is_first_cursor(color(*half(app, True)))
    vg_gui.wait_for("that what no cursor holds is grey",
                    lambda: is_grey(color(*half(app, not held))))
    app.press("push button", "Add Cursor")
    vg_gui.wait_for("the other half in another colour",
                    lambda: color(*half(app, not held))[0] > color(*half(app, not held))[1] + 0.2)
    before = vg_gui.wait_for("the second cursor", lambda: next(
        text for text in [cursors(app)] if "2 at" in text and "selected" in text))
    app.keys("Up", "Up", "plus", "bracketleft")
    vg_gui.wait_for("the second moved",
                    lambda: cursors(app) != before and "angle 5" in cursors(app))
    app.keys("Delete")
    vg_gui.wait_for("one cursor", lambda: "2 at" not in cursors(app) and "1 at" in cursors(app))
    vg_gui.wait_for("grey again", lambda: is_grey(color(*half(app, not held))))
    app.keys("ctrl+z")
    vg_gui.wait_for("undo", lambda: "2 at" in cursors(app) and "angle 5" in cursors(app))
    app.close()


def outline(x, y, width, height):
    """Places in the first cursor's colour; None: too few for one."""
    rgb = vg_gui.pixels(x, y, width, height)
    spots = [(i % width, i // width) for i in range(width * height)
             if rgb[3 * i] < 60 and rgb[3 * i + 1] > 110 and 60 < rgb[3 * i + 2] < 150]
    return spots if len(spots) > 20 else None


def cursor_is_dragged(program):
    app = open_halves(program)
    app.show_page("Phasor")
    app.press("push button", "Add Cursor")
    vg_gui.wait_for("a cursor", lambda: "1 at" in cursors(app))
    x, y, width, height = vg_gui.steady("the plot's place",
                                        lambda: app.box(app.get("image", "Phasor plot")))
    vg_gui.wait_for("its outline", lambda: outline(x, y, width, height))
    spots = vg_gui.steady("its outline", lambda: outline(x, y, width, height))
    cx = x + (min(s[0] for s in spots) + max(s[0] for s in spots)) // 2
    cy = y + (min(s[1] for s in spots) + max(s[1] for s in spots)) // 2
    at = [float(v) for v in re.search(r"1 at ([-0-9.]+), ([-0-9.]+)", cursors(app)).groups()]
    app.drag(cx, cy, cx - 60, cy)
    vg_gui.wait_for(
        "it lies more to the left",
        lambda: float(re.search(r"1 at ([-0-9.]+)", cursors(app)).group(1)) < at[0] - 0.05)
    assert abs(float(re.search(r"1 at [-0-9.]+, ([-0-9.]+)", cursors(app)).group(1)) - at[1]) < 0.05
    app.keys("ctrl+z")
    vg_gui.wait_for(
        "one undo step",
        lambda: abs(float(re.search(r"1 at ([-0-9.]+)", cursors(app)).group(1)) - at[0]) < 0.002)
    app.close()


def slider_changes_the_map(program):
    app = open_halves(program)
    vg_gui.wait_for("the left half's lifetime", lambda: abs(probe(app, False) - TAUS[0]) < 0.05)
    vg_gui.wait_for("the right half's", lambda: abs(probe(app, True) - TAUS[1]) < 0.1)
    app.set_value("spin button", "Bin width, ns", 0.2)
    vg_gui.wait_for("twice the lifetime", lambda: abs(probe(app, False) - 2 * TAUS[0]) < 0.1)
    app.close()


def decay_of_a_pixel(program):
    app = open_halves(program)
    x, y = half(app, True)
    vg_gui.sh("xdotool", "mousemove", str(x), str(y), "click", "1")
    vg_gui.wait_for(
        "the page",
        lambda: "Curve" in app.pages())

    vg_gui.wait_for(
        "its numbers",
        lambda: re.match(r"Decay of \(\d+, \d+\): [0-9.]+ ± [0-9.e-]+ ns; \d+ photons$",
                         app.get("image", "Curve").description))

    def copied():   # no other page has been looked at: the others are empty
        for button in [
                n for n in app.walk()
                if n.name == "Copy the numbers" and n.getRoleName() == "push button"
        ]:
            button.queryAction().doAction(0)
            said = vg_gui.wait_for(
                "an answer",
                lambda: next((n.name for n in app.walk()
                              if n.getRoleName() == "alert" and "cop" in n.name), None))
            if "were copied" in said:
                return True
            app.keys("Escape")
        return False

    vg_gui.wait_for("curves to copy", copied)
    app.show_page("Phasor")
    vg_gui.sh("xdotool", "mousemove", str(x), str(y), "click", "1")
    time.sleep(0.5)
    assert "Phasor" in app.pages(), "a plot that marks the pixel stays"
    app.close()


def the_image_keeps_its_size(program):
    """Another plot beside it does not make the image smaller, also where the plot has much to
    say."""
    data = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/lifetime")
    app = vg_gui.App(program, "--operation", "lifetime", "--backend", "cpu",
                     data + "/pytcspc_IRF.sdt")
    app.show_page("Curve")
    before = vg_gui.steady("the image", lambda: app.box(picture(app)))
    app.show_page("Phasor")
    app.get("push button", "100 % outside")
    assert vg_gui.steady("the image", lambda: app.box(picture(app))) == before
    app.close()


if __name__ == "__main__":
    vg_gui.run(decay_of_a_pixel, cursor_selects_pixels, cursor_is_dragged, slider_changes_the_map,
               the_image_keeps_its_size)

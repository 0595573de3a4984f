# SPDX-License-Identifier: MIT
"""Objects of a result: told of in a card at the pointer, chosen, removed, listed."""
import time
import vg_gui
from test_card import cards
from vg_nuclei import DISCS, around, click, differing, nuclei, place, start, wait_for_end


def said_at(app, x, y):
    """What the card says of a place."""
    vg_gui.sh("xdotool", "mousemove", *place(app, x, y))
    return vg_gui.wait_for(
        "a nucleus at %g, %g" % (x, y),
        lambda: cards(app) if cards(app).startswith("Nucleus ") else None)


def named_at(app, x, y, name):
    """Whether the status bar names this nucleus there."""
    vg_gui.sh("xdotool", "mousemove", *place(app, x, y))
    return any(label.endswith(": " + name) for label in app.labels())


def node_named(app, name):
    return vg_gui.wait_for(name, lambda: next(
        (node for node in app.walk() if node.name == name), None))


def area_of(text):
    return float(vg_gui.ungroup(text).split("Area ")[1].split()[0])


def the_watershed_is_compared_with(app):
    """A switch draws the borders of the watershed over the contours, thin and white; labels of a
    reference result have no difference."""
    x, y, _ = DISCS[1]   # two nuclei overlap there: the watershed cuts between them
    vg_gui.sh("xdotool", "mousemove", "0", "0")
    app.close_card()
    before = vg_gui.steady("the picture", lambda: around(app, x, y))
    app.click(app.get("page tab", "Display"))
    app.press("check box", "Outlines of Watershed")
    vg_gui.wait_for("the watershed's borders", lambda: differing(before, around(app, x, y)) > 0.005)
    app.press("check box", "Outlines of Watershed")
    vg_gui.wait_for("contours only", lambda: differing(before, around(app, x, y)) < 0.001)
    app.press("push button", "Keep")
    app.get("push button", "Kept")
    assert app.find("push button", "Difference") is None
    assert app.find("push button", "Ratio") is None
    app.press("push button", "Discard the kept result")


def nuclei_are_told_of(program):
    """The window shows the row of the nucleus under the pointer. A click makes its outline thick,
    Delete removes it, and undo restores it."""
    x, y, r = DISCS[0]
    app = start(program, [
        "seeding=given", "radius_px=18",
        "added=%s" % ";".join("%g,%g" % disc[:2] for disc in DISCS)
    ])
    nuclei(app, 4)
    wait_for_end(app)
    vg_gui.sh("xdotool", "mousemove", *place(app, x, y))
    text = said_at(app, x, y)
    assert abs(area_of(text) / (3.14159 * r * r) - 1) < 0.1, text
    assert "Eccentricity" in text and "Mean stain" in text and "Overlaps" not in text, text
    # the status bar has its name alone, and no tooltip covers the card
    assert named_at(app, x, y, " ".join(text.split()[:2]))
    time.sleep(1)
    assert not app.tooltip() and cards(app) == text
    second = vg_gui.wait_for("the pair",
                             lambda: "Overlaps" in said_at(app, 180, 88) and said_at(app, 180, 88))
    assert second != text
    thin = vg_gui.steady("the picture", lambda: around(app, x, y))
    click(app, x, y)
    vg_gui.wait_for("a thick outline", lambda: differing(thin, around(app, x, y)) > 0.01)
    app.keys("Delete")
    nuclei(app, 3)
    app.keys("ctrl+z")
    nuclei(app, 4)
    the_watershed_is_compared_with(app)
    # the list beside the picture
    app.show_page("Table of nuclei")
    vg_gui.wait_for(
        "the rows", lambda: sum(
            label.replace(".", "").isdigit()
            for label in app.labels(node_named(app, "Table of objects"))) >= 4)
    vg_gui.wait_for("how many there are", lambda: app.has_label("4 objects"))
    app.choose_tool("Rectangle tool")
    left, top = place(app, 45, 30)
    right, bottom = place(app, 135, 160)
    app.drag(int(left), int(top), int(right), int(bottom))
    vg_gui.wait_for("those in the region", lambda: app.has_label("4 objects; Region 1: 2"))
    vg_gui.wait_for("their region in the table", lambda: "Region" in app.labels(
        node_named(app, "Table of objects")))
    app.close()


def a_nucleus_stays_chosen(program):
    """A nucleus with a lower number was removed, so this one has another number after the next
    computation. It is still the one that Delete removes."""
    x, y, _ = DISCS[3]
    app = start(program, [
        "seeding=given", "radius_px=18",
        "added=%s" % ";".join("%g,%g" % disc[:2] for disc in DISCS)
    ])
    nuclei(app, 4)
    wait_for_end(app)
    vg_gui.sh("xdotool", "mousemove", *place(app, 30, 150))
    thin = vg_gui.steady("the picture", lambda: around(app, x, y))
    click(app, *DISCS[0][:2])
    app.keys("Delete")
    nuclei(app, 3)
    vg_gui.wait_for("its number", lambda: named_at(app, x, y, "Nucleus 4"))
    click(app, x, y)
    vg_gui.sh("xdotool", "mousemove", *place(app, 30, 150))
    vg_gui.wait_for("its thick outline", lambda: differing(thin, around(app, x, y)) > 0.01)
    app.press("push button", "Restart")
    vg_gui.wait_for("its number anew", lambda: named_at(app, x, y, "Nucleus 3"))

    def taken_out():
        app.keys("Delete")   # nothing is chosen after the first
        return app.has_label("Nuclei 2")

    vg_gui.wait_for("two nuclei", taken_out)
    vg_gui.sh("xdotool", "mousemove", *place(app, 30, 150))
    assert differing(thin, vg_gui.steady("the picture", lambda: around(app, x, y))) > 0.005
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(nuclei_are_told_of, a_nucleus_stays_chosen)

# SPDX-License-Identifier: MIT
"""Kept results beside the present one: a wipe, side by side, a grid and a lens; the picture keeps
its size, and a place has the values of both."""
import os
import re
import vg_gui
from test_export import toggle
from test_simulation import MUA, distance, open_runs, picture

HOME = os.environ.get("VG_GUI_INSIDE", "/tmp")
WIPE = "Position of the wipe, %"


def part(app, left, right):
    """The mean colours of the picture between two fractions of its width, above the bar."""
    x, y, width, height = app.box(picture(app))
    return vg_gui.mean_color(vg_gui.pixels(x + left * width, y + 0.25 * height,
                                           (right - left) * width, 0.3 * height))


def finished(app, left, right):
    """A part of the finished map."""
    vg_gui.wait_for("all photons", lambda: app.has_label("Photons 2000"))
    return vg_gui.steady("the map", lambda: part(app, left, right))


def count_kept(app):
    return sum(node.name == "Discard the kept result" for node in app.walk())


def keep_and_change(app, value):
    before = count_kept(app)
    app.press("push button", "Keep")
    vg_gui.wait_for("one more kept result", lambda: count_kept(app) > before)
    app.set_value("spin button", MUA, value)


def showing(app, role, name):
    return any(node.name == name and node.getRoleName() == role for node in app.walk())


def point_at(app, across, down):
    x, y, width, height = app.box(picture(app))
    vg_gui.sh("xdotool", "mousemove", str(int(x + across * width)), str(int(y + down * height)))


def has_fixed_limits(app):
    return app.get("push button", "Fixed limits").description == "Limits are fixed"


def wipe(app):
    vg_gui.wait_for("limits that follow", lambda: not has_fixed_limits(app))
    size = app.box(picture(app))
    before = app.still(picture(app))
    keep_and_change(app, 20)
    vg_gui.wait_for("what differs", lambda: app.has_label("Layers"))
    assert app.box(picture(app)) == size, "the bar lies over the picture"
    vg_gui.wait_for("fixed limits", lambda: has_fixed_limits(app))
    vg_gui.wait_for("another map", lambda: distance(app.colors(picture(app)), before) > 0.01)
    present = finished(app, 0.1, 0.3)
    app.press("push button", "Wipe")
    handle = vg_gui.wait_for("the line", lambda: app.find("slider", WIPE))
    assert app.value("slider", WIPE) == 50
    vg_gui.wait_for("the kept map", lambda: distance(part(app, 0.1, 0.3), present) > 0.01)
    vg_gui.wait_for("whose it is", lambda: app.has_label("Now"))
    x, y, width, height = app.box(handle)
    app.drag(x + width // 2, y + height // 2, x + width // 20, y + height // 2)
    vg_gui.wait_for("the line at the left", lambda: 3 < app.value("slider", WIPE) < 7)
    vg_gui.wait_for("the present map", lambda: distance(part(app, 0.1, 0.3), present) < 0.01)
    # the drag has left the keyboard with the line
    app.keys("End")
    vg_gui.wait_for("the line at the right", lambda: app.value("slider", WIPE) == 100)
    app.keys("Left")
    vg_gui.wait_for("a step", lambda: app.value("slider", WIPE) == 99)


def side_by_side(app):
    app.press("push button", "Side by Side")
    vg_gui.wait_for("no line", lambda: not showing(app, "slider", WIPE))

    def both():
        for across, down in [(x, y) for x in (0.2, 0.45, 0.7) for y in (0.15, 0.3, 0.45)]:
            point_at(app, across, down)
            app.pump(0.3)
            if app.has_label(", kept "):
                return True
        return False

    vg_gui.wait_for("the values of both", both)
    app.press("push button", "Now")
    vg_gui.wait_for("one value", lambda: not app.has_label(", kept "))


def show(app, output):
    """Chooses a map by its name without the unit."""
    app.click(app.get("combo box", "Map"))

    def place():
        lists = [node for node in app.walk(app.get("combo box", "Map"))
                 if node.getRoleName() == "list item"]
        names = [" ".join(app.labels(node)) for node in lists]
        return [i for i, name in enumerate(names) if name.startswith(output)]

    app.keys("Home", *["Down"] * vg_gui.wait_for(output, place)[0], "Return")
    vg_gui.wait_for("the map", lambda: app.shown_map().startswith(output))


def each_output(app):
    """Each map that is compared has fixed limits, and the numbers are those of both results."""
    app.press("push button", "Side by Side")
    vg_gui.wait_for("the numbers of both",
                    lambda: app.has_label("Photons now 2000, kept 2000"))
    show(app, "Absorbed power density")
    vg_gui.wait_for("fixed limits", lambda: has_fixed_limits(app))
    show(app, "Fluence rate")
    vg_gui.wait_for("its own, still", lambda: has_fixed_limits(app))
    app.press("push button", "Now")
    vg_gui.wait_for("one number", lambda: app.has_label("Photons 2000"))


def another_view(app):
    """It has nothing to compare; what is kept is there again after it."""
    app.press("push button", "Side by Side")
    vg_gui.wait_for("both results", lambda: app.has_label("Photons now 2000, kept 2000"))
    app.keys("alt+1")
    vg_gui.wait_for("no comparison", lambda: not showing(app, "push button", "Wipe"))
    app.keys("alt+3")
    vg_gui.wait_for("the comparison", lambda: showing(app, "push button", "Wipe"))
    vg_gui.wait_for("both results", lambda: app.has_label("Photons now 2000, kept 2000"))
    app.press("push button", "Now")


def grid(app):
    assert not showing(app, "push button", "Grid")
    keep_and_change(app, 60)
    app.press("push button", "Grid")
    keep_and_change(app, 61)
    keep_and_change(app, 62)
    vg_gui.wait_for("four kept results", lambda: sum(
        node.name == "Discard the kept result" for node in app.walk()) == 4)
    app.press("push button", "Keep")
    vg_gui.wait_for("the refusal", lambda: any(
        node.getRoleName() == "alert" and "Discard one first" in node.name for node in app.walk()))
    for left in range(3, -1, -1):
        app.press("push button", "Discard the kept result")
        vg_gui.wait_for("%d kept results" % left, lambda: sum(
            node.name == "Discard the kept result" for node in app.walk()) == left)
    vg_gui.wait_for("no comparison", lambda: not showing(app, "push button", "Wipe"))
    vg_gui.wait_for("limits that follow", lambda: not has_fixed_limits(app))
    show(app, "Absorbed power density")
    vg_gui.wait_for("the other map's too", lambda: not has_fixed_limits(app))
    show(app, "Fluence rate")


def unlocked(app):
    """The limits that the user unlocks stay automatic, until a comparison begins."""
    app.press("push button", "Keep")
    vg_gui.wait_for("fixed limits", lambda: has_fixed_limits(app))
    app.click(app.get("push button", "Fixed limits"))
    vg_gui.wait_for("limits that follow", lambda: not has_fixed_limits(app))
    app.press("push button", "Side by Side")
    vg_gui.wait_for("fixed limits", lambda: has_fixed_limits(app))
    app.click(app.get("push button", "Fixed limits"))
    vg_gui.wait_for("limits that follow", lambda: not has_fixed_limits(app))
    app.press("push button", "Now")
    app.press("push button", "Discard the kept result")
    vg_gui.wait_for("no comparison", lambda: not showing(app, "push button", "Wipe"))


def enabled(app, name):
    return any(node.name == name and node.getState().contains(app.atspi.STATE_SENSITIVE)
               for node in app.walk())


def lens(app):
    """It shows the kept map in the middle as long as the key is held."""
    before = app.still(picture(app))
    keep_and_change(app, 1)
    vg_gui.wait_for("another map", lambda: distance(app.colors(picture(app)), before) > 0.01)
    finished(app, 0.45, 0.55)    # else Escape cancels the work
    point_at(app, 0.4, 0.4)
    app.click(picture(app))
    app.close_card()
    present = finished(app, 0.45, 0.55)
    vg_gui.sh("xdotool", "keydown", "l")
    vg_gui.wait_for("the lens", lambda: distance(part(app, 0.45, 0.55), present) > 0.005)
    vg_gui.sh("xdotool", "keyup", "l")
    vg_gui.wait_for("no lens", lambda: distance(part(app, 0.45, 0.55), present) < 0.002)


def another_grid(app):
    """What has another size is not compared, and the buttons say so."""
    def can(name):
        return app.get("push button", name).getState().contains(app.atspi.STATE_SENSITIVE)

    before = app.value("spin button", "Depth bins")
    app.set_value("spin button", "Depth bins", before / 2)
    vg_gui.wait_for("no comparison", lambda: not can("Side by Side"))
    assert can("Now")
    vg_gui.wait_for("the reason", lambda: app.has_label("Not compared: "))
    app.keys("ctrl+z")
    vg_gui.wait_for("the comparison", lambda: can("Side by Side"))
    vg_gui.wait_for("no reason", lambda: not app.has_label("Not compared: "))


def export_figure(app, folder):
    """The texts and the number of pictures of the figure of what is shown, and the command."""
    app.keys("ctrl+e")
    app.wait_for_dialog()
    app.keys("ctrl+a", "BackSpace")
    app.type(folder)
    toggle(app, "Figure as SVG")
    command = next(node.name for node in app.walk() if node.name.startswith("vivograph run "))
    app.press("push button", "Export")
    vg_gui.wait_for("the words about the export", lambda: any(
        "into \u201c%s\u201d." % os.path.basename(folder) in node.name for node in app.walk()))
    with open(folder + "/figure.svg") as file:
        svg = file.read()
    return re.findall(r">([^<>]+)</text>", svg), svg.count("<image"), command


def figures(app):
    """They show what the window shows: a difference has its name and limits of its own."""
    keep_and_change(app, 20)
    finished(app, 0.1, 0.3)
    texts, images, command = export_figure(app, HOME + "/now")
    assert texts[0] == "Fluence rate" and images == 2 and "--figure" in command, (texts, command)
    app.press("push button", "Difference")
    vg_gui.wait_for("the difference", lambda: app.has_label("Now \u2212 kept"))
    texts, images, command = export_figure(app, HOME + "/difference")
    assert texts[0] == "Fluence rate, now \u2212 kept" and images == 2, (texts, images)
    limits = [float(text.replace("\u2212", "-")) for text in texts if re.match("-?[0-9.]+$", text)]
    assert min(limits) < 0 < max(limits), texts
    assert "--figure" not in command, command
    app.press("push button", "Ratio")
    vg_gui.wait_for("the ratio", lambda: app.has_label("Now / kept"))
    texts, images, command = export_figure(app, HOME + "/ratio")
    assert texts[0] == "Fluence rate, now / kept" and images == 2, (texts, images)
    for mode, n in ("Wipe", 2), ("Side by Side", 3):
        app.press("push button", mode)
        vg_gui.wait_for("both maps", lambda: showing(app, "slider", WIPE) == (mode == "Wipe")
                        and app.has_label("Now"))
        texts, images, command = export_figure(app, HOME + "/" + mode)
        assert "Now" in texts and [text for text in texts if "Layers" in text], texts
        assert images == n, (mode, images)
    app.press("push button", "Now")
    app.press("push button", "Discard the kept result")
    app.set_value("spin button", MUA, 1)
    vg_gui.wait_for("limits that follow", lambda: not has_fixed_limits(app))
    finished(app, 0.1, 0.3)


def sweep(app):
    """Nine values of a setting in one sheet; a click uses one, and undo takes it back."""
    before = app.value("spin button", "Photons")
    app.click(app.get("push button", "Main menu"))
    app.press("menu item", "Sweep a Setting\u2026")
    app.wait_for_dialog()
    app.pick("Setting", "Photons")
    app.set_value("spin button", "First value", 1000)
    app.set_value("spin button", "Last value", 9000)
    app.press("push button", "Compute")
    vg_gui.wait_for("the maps", lambda: all(
        enabled(app, "Use %d" % photons) for photons in (1000, 3000, 9000)))
    app.press("push button", "Use 3000")
    vg_gui.wait_for("the value", lambda: app.value("spin button", "Photons") == 3000)
    app.keys("ctrl+z")
    vg_gui.wait_for("undo", lambda: app.value("spin button", "Photons") == before)


def another_choice(program):
    """The perfusion view compares two algorithms; another view keeps results of its own."""
    app = vg_gui.App(program, "--operation", "perfusion", "--backend", "cpu")
    picture(app)
    vg_gui.wait_for("Compare", lambda: enabled(app, "Compare"))
    app.press("push button", "Compare")
    vg_gui.wait_for("a kept result", lambda: count_kept(app) == 1)
    app.keys("alt+1")
    vg_gui.wait_for("no kept result", lambda: count_kept(app) == 0)
    vg_gui.wait_for("Keep", lambda: enabled(app, "Keep"))
    app.press("push button", "Keep")
    vg_gui.wait_for("a kept result", lambda: count_kept(app) == 1)
    app.press("push button", "Set baseline")
    vg_gui.wait_for("a new setting", lambda: enabled(app, "Undo"))
    assert count_kept(app) == 1
    app.close()


def compare(program):
    app = open_runs(program, 2000)
    vg_gui.wait_for("all photons", lambda: app.has_label("Photons 2000"))
    figures(app)
    wipe(app)
    side_by_side(app)
    each_output(app)
    another_view(app)
    grid(app)
    unlocked(app)
    lens(app)
    another_grid(app)
    sweep(app)
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(another_choice, compare)

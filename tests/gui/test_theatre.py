# SPDX-License-Identifier: MIT
"""Theatre mode leaves the image nearly all of the window, shows one number with an alarm, and
buttons for fingers, which fade, and gives back the window as it was."""
import os
import re
import vg_gui

SHARE = 0.95     # of the window, for the image
TOUCH = 48       # px, least height of a button
SETTINGS = os.environ.get("VG_GUI_INSIDE", "/tmp") + "/config/vivograph/window.ini"


def picture(app):
    return app.get("image", "Result picture")


def window_size(app):
    text = vg_gui.sh("xdotool", "getwindowgeometry", "--shell", app.window)
    size = [int(re.search(name + r"=(\d+)", text).group(1)) for name in ("WIDTH", "HEIGHT")]
    return [side - 2 * app.margin for side in size]


def share(app):
    """Of the window, for the image."""
    inside, size = app.box(picture(app)), window_size(app)
    return inside[2] * inside[3] / (size[0] * size[1])


def number(app, part):
    """The big number, once PART is in what it says."""
    return vg_gui.wait_for(
        "the number with " + part,
        lambda: next((node for node in app.walk()
                      if node.getRoleName() == "image" and part in node.name), None))


def layout(app):
    """Where the parts of the window are."""
    return {
        name: app.box(app.get(role, name))
        for role, name in (("image", "Result picture"), ("push button", "Record"),
                           ("push button", "Fit the window"), ("page tab", "Settings"))
    }


def begin(program):
    app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu")
    vg_gui.wait_for("a live picture", lambda: app.colors(picture(app))[3] > 0.05)
    return app


def choose_next_region(app):
    other = "Region 2" if "Region 1" in number(app, "Relative flow, Region").name else "Region 1"

    def press():
        app.keys("Shift_L")     # which keeps the button from fading
        return app.find("push button", "Next Region").queryAction().doAction(0)

    vg_gui.wait_for("the button", press)
    number(app, "Relative flow, " + other)


def whole(program):
    app = begin(program)
    x, y, width, height = app.box(picture(app))
    for i in (1, 2):
        app.keys("r")
        app.drag(x + i * width // 5, y + height // 3, x + (i + 1) * width // 5 - 8, y + height // 2)
        app.keys("h")
        vg_gui.wait_for("the region", lambda: app.has_label("Region %d" % i))
    app.keys("Escape")
    before = vg_gui.steady("the window", lambda: layout(app))
    for leave in ("F11", "Escape"):
        app.keys("F11")
        choose_next_region(app)
        vg_gui.wait_for("the image's share", lambda: share(app) >= SHARE)
        vg_gui.steady("the image", lambda: app.box(picture(app)))
        print("%.1f %%" % (100 * share(app)))
        assert share(app) >= SHARE
        app.keys(leave)
        vg_gui.wait_for("the window as it was", lambda: layout(app) == before)
    app.close()


def spread(x, y, side):
    """Standard deviation of green in a square of the screen."""
    return vg_gui.spread(vg_gui.pixels(x, y, side, side)[1::3])


def number_beside(program):
    """The number lies beside the image as far as the image has no need of the place."""
    app = begin(program)
    app.keys("F11")
    number(app, "Flow index, median")
    x, y, _, height = vg_gui.steady("the image", lambda: app.box(picture(app)))
    vg_gui.wait_for("nothing beside the image",
                    lambda: spread(x + int(0.3 * height), y + 7 * height // 10, 60) < 0.01)
    vg_gui.wait_for("the image",
                    lambda: spread(x + int(0.8 * height), y + 7 * height // 10, 60) > 0.02)
    app.close()


def region_with_value(program):
    """The artery and the portal vein have no inflow, and a lesion comes before the liver."""
    app = vg_gui.App(program, "--operation", "perfusion", "--backend", "cpu")
    vg_gui.wait_for("a map", lambda: app.colors(picture(app))[3] > 0.02)
    app.keys("F11")
    number(app, "Total inflow, Lesion: ")
    app.close()


def side_pane(program):
    """It comes over the image, which keeps its size, and leaves no trace outside theatre mode."""
    app = begin(program)
    app.keys("F9")
    vg_gui.wait_for("no side pane", lambda: not side_is_shown(app))
    app.keys("F11")
    number(app, "Flow index, median")
    inside = vg_gui.steady("the image", lambda: app.box(picture(app)))
    for key in ("F9", "F6"):
        app.keys(key)
        vg_gui.wait_for("the side pane", lambda: side_is_shown(app))
        assert app.box(picture(app)) == inside
        app.keys("Escape")
        vg_gui.wait_for("the side pane to go", lambda: not side_is_shown(app))
        number(app, "Flow index, median")
    app.keys("F9", "F11")
    vg_gui.wait_for("the plots", app.pages)
    vg_gui.wait_for("no side pane", lambda: not side_is_shown(app))
    app.close()


def side_is_shown(app):
    return app.find("page tab", "Settings") is not None


def buttons(program):
    app = begin(program)
    app.keys("F11")
    number(app, "Flow index, median")

    def shown():
        return app.find("push button", "Leave")

    def awake(role, name, use):
        """USE of the control, found while a key keeps it from fading."""
        def look():
            app.keys("Shift_L")
            return use(app.find(role, name))

        vg_gui.wait_for("the %s %s" % (role, name), look)

    def is_large(button):
        return button.getExtents(app.atspi.WINDOW_COORDS).height >= TOUCH

    def set_alarm(value):
        def use(alarm):
            alarm.queryValue().currentValue = value
            return True

        awake("spin button", "Alarm below", use)

    def asleep():
        vg_gui.wait_for("no buttons", lambda: not shown())

    for name in ("Baseline", "Mark", "Leave"):
        awake("push button", name, is_large)
    asleep()
    x = iter(range(300, 1000, 7))

    def moved():
        vg_gui.sh("xdotool", "mousemove", str(next(x)), "420")
        return shown()

    vg_gui.wait_for("the buttons under a moving pointer", moved)
    asleep()
    set_alarm(1000)
    number(app, "Below the alarm of 1000")
    set_alarm(0)
    vg_gui.wait_for("no alarm", lambda: not any("Below" in node.name for node in app.walk()))
    awake("push button", "Leave", lambda button: button.queryAction().doAction(0))
    asleep()
    vg_gui.wait_for("the plots", app.pages)
    app.close()


def alerts(app):
    return [
        node.name for node in app.walk() if node.getRoleName() == "alert" and
        node.getState().contains(app.atspi.STATE_VISIBLE) and node.name
    ]


def alarm_stays(program):
    """Outside theatre mode an alarm has a message of its own, which stays until it is closed."""
    app = begin(program)
    app.keys("F11")
    number(app, "Flow index, median")

    def set_alarm():
        app.keys("Shift_L")
        app.find("spin button", "Alarm below").queryValue().currentValue = 1000
        return True

    vg_gui.wait_for("the alarm", set_alarm)
    number(app, "Below the alarm of 1000")
    app.keys("Escape")
    vg_gui.wait_for("the plots", app.pages)
    vg_gui.wait_for("the alarm's message", lambda: any("Below the alarm" in text
                                                       for text in alerts(app)))
    for kept in range(1, 5):
        app.press("push button", "Keep")
        vg_gui.wait_for("%d kept" % kept, lambda: sum(
            node.name == "Discard the kept result" for node in app.walk()) == kept)
    app.press("push button", "Keep")
    vg_gui.wait_for("another message", lambda: any("Discard one first" in text
                                                   for text in alerts(app)))
    assert any("Below the alarm" in text for text in alerts(app))
    app.press("push button", "Close this message")    # the first is that of the alarm
    vg_gui.wait_for("no message of the alarm", lambda: not any("Below the alarm" in text
                                                               for text in alerts(app)))
    app.close()


def alarm_begins(program):
    """Outside theatre mode the alarm of the whole map is checked too, whatever page is shown."""
    app = begin(program)
    app.keys("F11")
    number(app, "Flow index, median")

    def set_alarm():
        text = number(app, "Flow index, median").name
        value = float(re.search(r"median: ([\d.]+)", text).group(1))
        app.keys("Shift_L")
        app.find("spin button", "Alarm below").queryValue().currentValue = round(value / 2)
        return True

    vg_gui.wait_for("the alarm", set_alarm)
    number(app, "Alarm below")
    app.keys("Escape")
    exposure = "Exposure time, ms"
    vg_gui.wait_for("the settings", lambda: app.find("spin button", exposure))
    assert not any("alarm" in text for text in alerts(app)), alerts(app)
    # the flow index is proportional to its reciprocal
    app.set_value("spin button", exposure, 8 * app.value("spin button", exposure))
    vg_gui.wait_for("the alarm's message", lambda: any("Below the alarm" in text
                                                       for text in alerts(app)))
    app.close()


def kept(program):
    """The kept result is not called live, and its number is its own."""
    app = begin(program)
    app.press("push button", "Keep")
    vg_gui.wait_for("the comparison", lambda: app.find("push button", "Kept"))
    app.press("push button", "Kept")
    app.keys("F11")
    text = number(app, "Kept result. Flow index, kept").name
    assert "Live" not in text, text
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(whole, number_beside, region_with_value, side_pane, buttons, alarm_stays,
               alarm_begins, kept)

# SPDX-License-Identifier: MIT
"""The profile plots the shown map along the ruler's line, and follows line and width."""
import vg_gui
from test_phasor import half, open_halves


def told(app):
    return app.get("image", "Profile").description


def profile_follows_the_ruler(program):
    app = open_halves(program)
    app.show_page("Profile")
    assert told(app) == "", "no line, no profile: " + told(app)
    app.choose_tool("Ruler tool")
    app.drag(*half(app, False), *half(app, True))
    vg_gui.wait_for("values along the line", lambda: told(app).endswith(", 1 px wide"))
    first = told(app)
    app.set_value("spin button", "Line width", 5)
    vg_gui.wait_for("an average over five pixels", lambda: told(app).endswith(", 5 px wide"))
    app.click(app.get("image", "Result picture"))
    app.keys("ctrl+Left")
    vg_gui.wait_for("the line whose end was moved",
                    lambda: told(app).split(" to ")[0] == first.split(" to ")[0] and
                    told(app).rsplit(",", 1)[0] != first.rsplit(",", 1)[0])
    app.keys("Delete")
    vg_gui.wait_for("no profile without the line", lambda: told(app) == "")
    app.close()


if __name__ == "__main__":
    vg_gui.run(profile_follows_the_ruler)

# SPDX-License-Identifier: MIT
"""A long table of seeds in the contour view."""
import vg_gui
from vg_nuclei import start


def hundreds_of_seeds_in_the_table(program):
    """The table shows a part of them, which is chosen; a row that is added is in view."""
    seeds = [(1.5 + 3 * (k % 79), 1.5 + 2.8 * (k // 79)) for k in range(700)]
    app = start(program, ["seeding=given", "radius_px=4", "iterations=10",
                          "added=" + ";".join("%g,%g" % seed for seed in seeds)])

    def rows():
        return {
            node.name: node.queryValue().currentValue
            for node in app.walk(app.get("scroll pane", "Settings"))
            if node.getRoleName() == "spin button" and node.name.startswith("Row ")
        }

    def shows(row, x, y):
        found = [v for name, v in rows().items() if name.startswith("Row %d," % row)]
        return len(found) == 2 and abs(found[0] - x) < 3 and abs(found[1] - y) < 3

    vg_gui.wait_for("the first row", lambda: shows(1, *seeds[0]))
    assert len(vg_gui.read("the rows", rows)) < 100
    app.set_value("spin button", "First row shown", 401)
    vg_gui.wait_for("row 401", lambda: shows(401, *seeds[400]))
    name = vg_gui.read("row 403", lambda: next(
        name for name in rows() if name.startswith("Row 403,")))
    app.set_value("spin button", name, 100)
    vg_gui.wait_for("row 403 as set", lambda: shows(403, 100, seeds[402][1]))
    vg_gui.wait_for("the rows beside it",
                    lambda: shows(402, *seeds[401]) and shows(404, *seeds[403]))
    app.keys("ctrl+z")
    vg_gui.wait_for("row 403 as before", lambda: shows(403, *seeds[402]))
    app.press("push button", "Add a row")
    vg_gui.wait_for("the new row", lambda: shows(701, *seeds[-1]))
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(hundreds_of_seeds_in_the_table)

# SPDX-License-Identifier: MIT
"""The page of settings: a number takes one line."""
import vg_gui


def names_of(nodes):
    return sorted(node.name for node in nodes)


def rows_of_one_line(program):
    """Of every view: name, slider and entry stand beside each other, at most 36 px high."""
    app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu")

    def settings():
        return list(app.walk(app.get("scroll pane", "Settings")))

    seen = None
    for view in "Flow", "Lifetime", "Fluence", "Perfusion", "Contour":
        app.press("push button", view)
        vg_gui.wait_for("other settings", lambda: names_of(settings()) != seen)
        seen = vg_gui.steady("the settings of " + view, lambda: names_of(settings()))
        left, _, width, _ = app.box(app.get("scroll pane", "Settings"))
        nodes = settings()
        entries = {node.name: node for node in nodes if node.getRoleName() == "spin button"}
        names = {node.name: node for node in nodes if node.getRoleName() == "label"}
        sliders = [node for node in nodes if node.getRoleName() == "slider"]
        assert len(sliders) >= 6, (view, len(sliders))
        for slider in sliders:
            label = names.get(slider.name) or names[slider.name.rpartition(", ")[0]]
            boxes = [app.box(label), app.box(slider), app.box(entries[slider.name])]
            top, bottom = min(box[1] for box in boxes), max(box[1] + box[3] for box in boxes)
            ends = [box[0] + box[2] for box in boxes]
            assert bottom - top <= 36, (view, slider.name, boxes)
            assert left <= boxes[0][0] and ends[0] <= boxes[1][0], (view, slider.name, boxes)
            assert ends[1] <= boxes[2][0] and ends[2] <= left + width, (view, slider.name, boxes)
    app.close()


def layers_by_name(program):
    """Each layer's name stands above its row, also after another layer has come or gone."""
    app = vg_gui.App(program, "--operation", "fluence", "--backend", "cpu")
    for place, name in (1, "1 stratum corneum"), (5, "5 dermis"), (7, "7 subcutaneous fat"):
        def stands_above():
            cell = next(node for node in app.walk() if node.getRoleName() == "spin button"
                        and node.name.startswith("Row %d, Absorption" % place))
            above, below = app.box(app.find("label", name)), app.box(cell)
            return 0 <= below[1] - above[1] - above[3] < 12

        vg_gui.wait_for("%s above row %d" % (name, place), stands_above)
    app.press("push button", "Remove row 2")
    vg_gui.wait_for("the new number", lambda: app.find("label", "4 dermis"))
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(rows_of_one_line, layers_by_name)

# SPDX-License-Identifier: MIT
"""A ground truth over the contours: the legend says how many nuclei match, the picture has their
outlines, and both follow corrections."""
import json
import math
import os
import vg_gui
from vg_nuclei import DISCS, around, click, nuclei, start

# of the discs all but the last, two of which overlap; and one where there is none
TRUE = DISCS[:3] + [(205, 150, 14)]


def write_truth(path):
    """Outlines as QuPath writes them."""
    features = []
    for x, y, r in TRUE:
        ring = [[x + r * math.cos(k * math.pi / 24), y + r * math.sin(k * math.pi / 24)]
                for k in range(48)]
        features.append({
            "type": "Feature",
            "id": "d0c1a6b2-0000-4000-8000-%012d" % len(features),
            "geometry": {"type": "Polygon", "coordinates": [ring + ring[:1]]},
            "properties": {"objectType": "annotation", "classification": {"name": "Nucleus"}}
        })
    with open(path, "w") as file:
        json.dump({"type": "FeatureCollection", "features": features}, file)


def legend(app):
    return next((node.name for node in app.walk() if (node.name or "").startswith("Legend:") and
                 node.getState().contains(app.atspi.STATE_VISIBLE)), None)


def orange(app, x, y):
    """How many pixels about an image point have the colour of missed nuclei."""
    rgb = around(app, x, y)
    return sum(r > 190 and g < 130 and b < 90 for r, g, b in zip(rgb[::3], rgb[1::3], rgb[2::3]))


def until_legend(app, text):
    vg_gui.wait_for(text or "no legend", lambda: legend(app) == text)


def verdicts_follow(program):
    write_truth(os.path.join(os.environ["VG_GUI_INSIDE"], "truth.geojson"))
    app = start(program, [
        "seeding=given", "radius_px=18", "force=classical", "truth=truth.geojson",
        "added=%s" % ";".join("%g,%g" % disc[:2] for disc in DISCS)
    ])
    nuclei(app, 4)
    until_legend(app, "Legend: Correct 3, False 1, Missed 1, Merged 0, Split 0, Truth 3")
    # where only the truth has a nucleus its outline is all there is, and none elsewhere
    vg_gui.wait_for("the outline of the missed one", lambda: orange(app, *TRUE[3][:2]) > 50)
    assert orange(app, 30, 30) == 0
    # one that is removed was false, or is missed
    click(app, *DISCS[3][:2])
    app.keys("Delete")
    nuclei(app, 3)
    until_legend(app, "Legend: Correct 3, False 0, Missed 1, Merged 0, Split 0, Truth 3")
    click(app, *DISCS[0][:2])
    app.keys("Delete")
    nuclei(app, 2)
    until_legend(app, "Legend: Correct 2, False 0, Missed 2, Merged 0, Split 0, Truth 2")
    app.keys("ctrl+z")
    app.keys("ctrl+z")
    nuclei(app, 4)
    until_legend(app, "Legend: Correct 3, False 1, Missed 1, Merged 0, Split 0, Truth 3")
    for text in ("Correct nuclei 3", "False nuclei 1", "Missed true nuclei 1",
                 "F1 score at 0.5 0.7500"):
        vg_gui.wait_for(text, lambda text=text: app.has_label(text))
    vg_gui.wait_for("the button", lambda: next(
        node for node in app.walk() if node.name == "No file" and
        node.getState().contains(app.atspi.STATE_SENSITIVE)).queryAction().doAction(0))
    until_legend(app, None)
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(verdicts_follow)

# SPDX-License-Identifier: MIT
"""The window in German, from the catalogue of the build folder: texts of the window and of the
parameters, and numbers with a decimal point, as the entries take them."""
import os
import shutil
import sys
import vg_gui


def read_german(program):
    os.environ["LANGUAGE"] = "de"
    app = vg_gui.App(program, "--operation", "flow", "--backend", "cpu")
    vg_gui.wait_for("a parameter", lambda: app.has_label("Belichtungszeit"))
    app.get("push button", "Anhalten")
    app.get("combo box", "Karte")
    vg_gui.wait_for("the title", lambda: app.has_label("Beispieldaten"))
    app.get("push button", "Fluenz")
    app.close()
    few = vg_gui.write_session(os.environ["HOME"] + "/few.vivograph", "fluence", photons=3000)
    app = vg_gui.App(program, "--backend", "cpu", "--session", few)
    vg_gui.wait_for("a parameter", lambda: app.has_label("Brechungsindex oben"))
    texts = vg_gui.wait_for("its number", lambda: [
        node.queryText().getText(0, node.characterCount) for node in app.walk()
        if node.name == "Brechungsindex oben" and node.getRoleName() in ("text", "spin button")])
    assert not any("," in text for text in texts), texts
    app.close()


if __name__ == "__main__":
    if not shutil.which("msgfmt"):
        print("skipped: needs msgfmt")
        sys.exit(vg_gui.SKIP)
    vg_gui.enter()
    vg_gui.run(read_german)

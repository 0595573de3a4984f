# SPDX-License-Identifier: MIT
"""The shortcuts window lists every key that the program takes, and no other."""
import os
import re
import sys
import xml.etree.ElementTree

SAME = {"equal": "plus", "F": "f", "L": "l", "ISO_Enter": "Return"}
UNSAID = {"Escape"}     # of dialogs and popovers, as everywhere


def read(name):
    with open(os.path.join(sys.argv[1], name), encoding="utf-8") as file:
        return file.read()


def plain(key):
    """KEY under the one name that is listed: without the number pad's and capital letters."""
    modifiers, name = re.fullmatch(r"((?:<\w+>)*)(\w+)", key).groups()
    name = re.sub(r"^KP_(Add|Subtract|Enter)$",
                  lambda m: {"Add": "plus", "Subtract": "minus", "Enter": "Return"}[m[1]], name)
    name = SAME.get(re.sub(r"^KP_", "", name), re.sub(r"^KP_", "", name))
    if re.fullmatch("[A-Z]", name):
        modifiers, name = "<Shift>", name.lower()
    return modifiers + name


source = read("ui/window/vg-window-keys.c")
accels = source.split("accels[] = {")[1].split("};")[0]
actions = dict(re.findall(r'\{ "([^"]+)", \{ ("[^}]+) \} \}', accels))
image = re.findall(r'\{ "([^"]+)", "', source.split("image_keys[] = {")[1].split("};")[0])
taken = {plain(key) for keys in image for key in keys.split("|")}
for name in ("picture/vg-image-keys.c", "plot/vg-plot-view.c", "plot/vg-plane-layer.c"):
    taken |= {plain(key) for key in re.findall(r"GDK_KEY_(\w+)", read("ui/" + name))}

listed_actions, listed = set(), set()
for item in xml.etree.ElementTree.fromstring(read("resources/gtk/help-overlay.ui")).iter("object"):
    if item.get("class") == "GtkShortcutsShortcut":
        values = {p.get("name"): p.text for p in item.findall("property")}
        listed_actions |= {values["action-name"]} if "action-name" in values else set()
        listed |= set(values.get("accelerator", "").split())
        assert "action-name" in values or "accelerator" in values, values

for action, keys in actions.items():
    keys = re.findall('"([^"]+)"', keys)
    assert action in listed_actions or set(keys) & listed, "not listed: %s %s" % (action, keys)
missing = {key for key in taken if key not in listed} - UNSAID
assert not missing, "keys that are not listed: %s" % sorted(missing)
known = taken | {key for keys in actions.values() for key in re.findall('"([^"]+)"', keys)}
spare = listed - known - {"F10", "<Alt>1...5", "<Shift>n"}
assert not spare, "keys that are listed and not taken: %s" % sorted(spare)
assert listed_actions <= set(actions), listed_actions - set(actions)

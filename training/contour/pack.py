# SPDX-License-Identifier: MIT
"""Packs the training images into one file: pack.py FOLDER OUT.npz

FOLDER holds NAME.png, NAME_label.png (one number a nucleus) and index.csv, as README.md describes.
Images become lossless WebP, labels PNG; large images are cut to 384 x 384.
"""
import csv
import io
import pathlib
import sys

import numpy as np
from PIL import Image

SIDE = 384
CUTS = {"1024": 3, "1272": 3}  # parts of a picture of this width; else one


def encoded(array, form, **options):
    packed = io.BytesIO()
    Image.fromarray(array).save(packed, form, **options)
    return np.frombuffer(packed.getvalue(), np.uint8)


def main(folder, out):
    folder = pathlib.Path(folder)
    arrays, rows = {}, []
    for row in sorted(csv.DictReader(open(folder / "index.csv")), key=lambda r: r["file"]):
        name = row["file"].removesuffix(".png")
        mode = "RGB" if row["kind"] == "colour" else "L"
        image = np.array(Image.open(folder / row["file"]).convert(mode))
        labels = np.array(Image.open(folder / f"{name}_label.png")).astype(np.uint16)
        height, width = labels.shape
        rng = np.random.default_rng(int(name[:8], 16))
        for _ in range(CUTS.get(row["width"], 1)):
            y = 0 if height <= SIDE else int(rng.integers(height - SIDE + 1))
            x = 0 if width <= SIDE else int(rng.integers(width - SIDE + 1))
            part = labels[y:y + SIDE, x:x + SIDE]
            if not part.any():
                continue
            k = len(rows)
            arrays[f"image{k}"] = encoded(image[y:y + SIDE, x:x + SIDE], "WEBP", lossless=True)
            arrays[f"labels{k}"] = encoded(part, "PNG")
            rows.append(f"{name},{row['kind']},{row['ground']}")
    np.savez(out, rows=np.array(rows), **arrays)


if __name__ == "__main__":
    main(*sys.argv[1:])

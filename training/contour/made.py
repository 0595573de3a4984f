# SPDX-License-Identifier: MIT
"""Synthetic images of stained tissue with the exact outline of every nucleus, also in overlaps."""
import io

import numpy as np
from PIL import Image
from scipy import ndimage

HAEMATOXYLIN = np.array([0.65, 0.70, 0.29])
EOSIN = np.array([0.07, 0.99, 0.11])


def noise(rng, size, sigma):
    """A plane of smooth noise with mean 0 and standard deviation 1."""
    side = size // 2 + 8 if sigma >= 6 else size
    plane = rng.standard_normal((side, side))
    if sigma >= 6:
        plane = ndimage.gaussian_filter(plane, sigma / 2, mode="wrap")
        plane = ndimage.zoom(plane, 2, order=1)[:size, :size]
    else:
        plane = ndimage.gaussian_filter(plane, sigma, mode="wrap")
    return (plane - plane.mean()) / (plane.std() + 1e-6)


def fibres(rng, size):
    """Noise drawn out along a slowly turning direction."""
    y, x = np.mgrid[:size, :size].astype(np.float32)
    angle = rng.uniform(0, np.pi) + 0.6 * noise(rng, size, 60)
    along = (x * np.sin(angle) - y * np.cos(angle)) / rng.uniform(3, 8)
    wave = np.cos(along + 3 * noise(rng, size, 25))
    return 0.5 * wave + 0.5 * noise(rng, size, 2)


def unit(vector, rng, spread):
    vector = np.abs(vector + rng.normal(0, spread, 3))
    return vector / np.linalg.norm(vector)


def outline(rng, radius, ratio, turn, lumps):
    """Radius of a nucleus as a function of the angle, in 1 degree."""
    t = np.arange(360) * np.pi / 180
    a, b = radius * np.sqrt(ratio), radius / np.sqrt(ratio)
    r = a * b / np.hypot(b * np.cos(t - turn), a * np.sin(t - turn))
    for k in range(2, 6):
        r *= 1 + lumps / k * rng.normal() * np.cos(k * t + rng.uniform(0, 6.3))
    return np.maximum(r, 0.3 * radius)


def places(rng, size, radius, count):
    """Centres: spread, along lines, or in dense groups; some pairs are closer than two radii."""
    kind = rng.integers(4)
    if kind == 0:
        points = rng.uniform(0, size, (count, 2))
    elif kind == 1:
        crowds = rng.uniform(0, size, (rng.integers(2, 7), 2))
        points = crowds[rng.integers(len(crowds), size=count)] + rng.normal(0, size / 9, (count, 2))
    elif kind == 2:
        points = []
        while len(points) < count:
            middle, r = rng.uniform(0, size, 2), rng.uniform(3, 8) * radius
            n = int(2 * np.pi * r / (2.1 * radius))
            t = np.arange(n) * 2 * np.pi / n + rng.normal(0, 0.1, n)
            far = r + rng.normal(0, 0.15 * radius, n)
            points += list(middle + far[:, None] * np.stack((np.sin(t), np.cos(t)), 1))
        points = np.array(points[:count])
    else:
        step = 2.0 * radius
        grid = np.mgrid[0:size:step, 0:size:step].reshape(2, -1).T
        points = grid + rng.normal(0, 0.35 * radius, grid.shape)
        points = points[rng.permutation(len(points))[:count]]
    least = rng.uniform(0.9, 2.0) * radius
    kept = []
    for p in points:
        if all(np.hypot(*(p - q)) > least for q in kept):
            kept.append(p)
    return kept


def picture(seed, size=384):
    """(RGB, labels): each number is a nucleus; where two overlap the upper one counts."""
    rng = np.random.default_rng(seed)
    radius = np.exp(rng.uniform(np.log(5.5), np.log(17)))
    eosin = 0.25 + 0.12 * noise(rng, size, rng.uniform(8, 30))
    eosin += rng.uniform(0.02, 0.15) * fibres(rng, size)
    if rng.random() < 0.6:  # lumens and fat without tissue
        tissue = noise(rng, size, rng.uniform(12, 35)) > -rng.uniform(0.3, 1.6)
        eosin *= ndimage.gaussian_filter(tissue.astype(float), 1.0)
    eosin = np.clip(eosin * rng.uniform(0.5, 1.8), 0, None)
    stain = rng.uniform(0, 0.12) + 0.05 * noise(rng, size, 12)
    stain = np.clip(stain + rng.uniform(0, 0.06) * noise(rng, size, 1.0), 0, None)
    labels = np.zeros((size, size), np.int32)
    depth = rng.uniform(0.35, 1.3)
    vesicular, spread, lumps = rng.uniform(0, 0.8), rng.uniform(0.05, 0.35), rng.uniform(0.02, 0.2)
    long = rng.uniform(1.05, 2.2)
    count = int(rng.uniform(0.1, 0.75) * size * size / (np.pi * radius * radius))
    chromatin = 0.6 * noise(rng, size, 0.12 * radius + 0.5)
    chromatin += 0.4 * noise(rng, size, 0.25 * radius + 0.5)
    turn = 2.0 * noise(rng, size, 40)
    y, x = np.mgrid[:size, :size]
    for k, (cy, cx) in enumerate(places(rng, size, radius, min(count, 700))):
        along = turn[int(np.clip(cy, 0, size - 1)), int(np.clip(cx, 0, size - 1))]
        ratio = np.exp(abs(rng.normal(0, np.log(long))))
        r = outline(rng, radius * np.exp(rng.normal(0, spread)), ratio,
                    along + rng.normal(0, 0.4), lumps)
        most = int(r.max() + 3)
        y0, y1 = max(int(cy) - most, 0), min(int(cy) + most, size)
        x0, x1 = max(int(cx) - most, 0), min(int(cx) + most, size)
        if y0 >= y1 or x0 >= x1:
            continue
        dy, dx = y[y0:y1, x0:x1] - cy, x[y0:y1, x0:x1] - cx
        far, edge = np.hypot(dy, dx), r[(np.arctan2(dy, dx) * 180 / np.pi).astype(int) % 360]
        inside = far < edge
        if not inside.any():
            continue
        soft = np.clip((edge - far) / rng.uniform(0.8, 2.5) + 0.5, 0, 1)
        rim = np.exp(-((edge - far - 1.5) / (0.12 * radius + 0.8)) ** 2)
        amount = depth * np.exp(rng.normal(0, 0.25)) * soft
        pale = vesicular * (1 - rim) * rng.uniform(0.5, 1)
        amount *= 1 - pale + rng.uniform(0.1, 0.5) * chromatin[y0:y1, x0:x1]
        stain[y0:y1, x0:x1] += np.clip(amount, 0, None)
        eosin[y0:y1, x0:x1] *= 1 - rng.uniform(0, 0.8) * soft
        labels[y0:y1, x0:x1][inside] = k + 1
    density = stain[..., None] * unit(HAEMATOXYLIN, rng, 0.08)
    density = density + eosin[..., None] * unit(EOSIN, rng, 0.12) + rng.uniform(0, 0.06)
    image = np.exp(-density * 1.3) * rng.uniform(0.85, 1.0, 3)
    image = ndimage.gaussian_filter(image, (*[rng.uniform(0.3, 1.5)] * 2, 0))
    image += rng.normal(0, rng.uniform(0.002, 0.03), image.shape)
    image = Image.fromarray((np.clip(image, 0, 1) * 255).astype(np.uint8))
    packed = io.BytesIO()
    image.save(packed, "JPEG", quality=int(rng.integers(35, 95)))
    return np.array(Image.open(packed)), labels

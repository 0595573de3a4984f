# SPDX-License-Identifier: MIT
"""Recorded and synthetic images with labels as batches for training, augmented on the GPU."""
import io
import multiprocessing

import numpy as np
import torch
from PIL import Image
from scipy import ndimage
from torch.nn import functional

import made

SIDE, CROP = 384, 256
KINDS = ("colour", "made", "dark", "bright")
SHARES = (0.48, 0.26, 0.19, 0.07)  # of a batch, by kind
RADII = (5.0, 19.0)              # px: range of the typical radius in a batch
STAINS = torch.tensor([[0.65, 0.70, 0.29], [0.07, 0.99, 0.11], [0.27, 0.57, 0.78]])


def distances(labels):
    """Distance from the border of each nucleus over the largest one in it, 0 to 255."""
    out = np.zeros(labels.shape, np.float32)
    for k, box in enumerate(ndimage.find_objects(labels)):
        if box is None:
            continue
        inside = np.pad(labels[box] == k + 1, 1)
        far = ndimage.distance_transform_edt(inside)[1:-1, 1:-1]
        out[box] = np.maximum(out[box], far / max(far.max(), 1e-6))
    return (out * 255 + 0.5).astype(np.uint8)


def typical_radius(labels):
    areas = np.bincount(labels.ravel())[1:]
    areas = areas[areas > 12]
    return float(np.sqrt(np.median(areas) / np.pi)) if len(areas) else 10.0


def entry(image, labels, kind):
    """One image, continued by reflection to SIDE, with distances and where it is real."""
    height, width = labels.shape
    pad = ((0, SIDE - height), (0, SIDE - width))
    image = np.stack((image,) * 3, -1) if image.ndim == 2 else image
    valid = np.pad(np.ones(labels.shape, np.uint8), pad)
    image = np.pad(image, pad + ((0, 0),), "symmetric")
    wide = np.pad(labels, pad, "symmetric").astype(np.int32)
    return (image.transpose(2, 0, 1), wide, distances(wide), valid, kind, typical_radius(labels))


def recorded(task):
    image, labels, kind = task
    image = Image.open(io.BytesIO(image.tobytes()))
    image = np.array(image.convert("RGB"))
    labels = np.array(Image.open(io.BytesIO(labels.tobytes()))).astype(np.int32)
    return entry(image, labels, kind)


def made_entry(seed):
    image, labels = made.picture(seed, SIDE)
    numbers = np.unique(labels)
    return entry(image, np.searchsorted(numbers, labels).astype(np.int32), "made")


def groups_by_colour(entries, held):
    """Indices for validation: of each kind a run of images of similar colour and size, since
    images of one slide look alike and must not be in both parts."""
    chosen = set()
    for kind in ("colour", "dark", "bright"):
        members = [k for k, e in enumerate(entries) if e[4] == kind]
        members.sort(key=lambda k: (float(entries[k][0][0].mean()) -
                                    float(entries[k][0][2].mean()), entries[k][5]))
        n = max(int(len(members) * held), 1)
        start = len(members) // 3
        chosen.update(members[start:start + n])
    return chosen


def load(path, n_made, seed, held, workers):
    """Lists of entries: for training, for validation."""
    packed = np.load(path)
    tasks = []
    for k, row in enumerate(packed["rows"]):
        _, kind, ground = str(row).split(",")
        tasks.append((packed[f"image{k}"], packed[f"labels{k}"],
                      "colour" if kind == "colour" else ground))
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        entries = pool.map(recorded, tasks, chunksize=8)
        extra = pool.map(made_entry, range(seed * 100000, seed * 100000 + n_made), chunksize=4)
    chosen = groups_by_colour(entries, held)
    train = [e for k, e in enumerate(entries) if k not in chosen] + extra
    return train, [e for k, e in enumerate(entries) if k in chosen]


def uniform(n, low, high, device):
    return torch.rand(n, device=device) * (high - low) + low


def blur(x, sigma):
    """Gaussian filter with one sigma for each image of the batch."""
    n, channels, height, width = x.shape
    at = torch.arange(-6, 7, device=x.device, dtype=x.dtype)
    kernel = torch.exp(-0.5 * (at[None] / sigma.clamp(min=0.05)[:, None]) ** 2)
    kernel = (kernel / kernel.sum(1, keepdim=True)).repeat_interleave(channels, 0)
    x = functional.pad(x.reshape(1, n * channels, height, width), (6, 6, 6, 6), mode="reflect")
    x = functional.conv2d(x, kernel[:, None, None, :], groups=n * channels)
    x = functional.conv2d(x, kernel[:, None, :, None], groups=n * channels)
    return x.reshape(n, channels, height, width)


def stretched(plane):
    """A plane for each image (n, h, w) between its 1st and 99th percentile, cut to 0 to 1."""
    sample = plane[:, ::4, ::4].flatten(1)
    low, high = torch.quantile(sample, torch.tensor([0.01, 0.99], device=plane.device), dim=1)
    return ((plane - low[:, None, None]) / (high - low).clamp(min=1e-3)[:, None, None]).clamp(0, 1)


def amounts(x):
    """Amounts of haematoxylin, eosin and the rest in RGB of 0 to 1."""
    stains = STAINS.to(x.device)
    stains = stains / stains.norm(dim=1, keepdim=True)
    density = -torch.log((x * 255 + 1) / 256)
    return torch.einsum("nchw,ck->nkhw", density, torch.linalg.inv(stains)), stains


def recoloured(x):
    """Other amounts and colours of the stains, other light."""
    n, device = x.shape[0], x.device
    parts, stains = amounts(x)
    factor = torch.exp(0.35 * torch.randn(n, 3, device=device))
    factor[:, 2] = uniform(n, 0.0, 1.2, device)
    parts = parts * factor[:, :, None, None] + 0.03 * torch.randn(n, 3, 1, 1, device=device)
    spread = torch.tensor([0.07, 0.11, 0.05], device=device)[None, :, None]
    stains = (stains[None] + spread * torch.randn(n, 3, 3, device=device)).abs()
    stains = stains / stains.norm(dim=2, keepdim=True)
    x = torch.exp(-torch.einsum("nkhw,nkc->nchw", parts, stains)).clamp(0, 1)
    x = x ** torch.exp(0.2 * torch.randn(n, 1, 1, 1, device=device))
    x = x * uniform(n * 3, 0.85, 1.08, device).reshape(n, 3, 1, 1)
    return (x + 0.04 * torch.randn(n, 1, 1, 1, device=device)).clamp(0, 1)


def as_grey(x):
    """One plane in which nuclei are bright, made as the program makes it."""
    n = x.shape[0]
    parts, _ = amounts(x)
    weights = torch.tensor([0.299, 0.587, 0.114], device=x.device)
    luminance = 1 - torch.einsum("nchw,c->nhw", x, weights)
    choice = torch.randint(3, (n, 1, 1), device=x.device)
    plane = torch.where(choice == 0, parts[:, 0], torch.where(choice == 1, luminance, 1 - x[:, 0]))
    return stretched(plane)[:, None].expand(-1, 3, -1, -1)


def smoothed(images):
    """The mean of 3 x 3 pixels, for images that are reduced."""
    images = functional.pad(images.float(), (1, 1, 1, 1), mode="replicate")
    return functional.avg_pool2d(images, 3, 1).byte()


class Batches:
    """Draws batches on DEVICE: input, nucleus, border, distance, where they count."""

    def __init__(self, entries, device):
        self.device = device
        self.images = torch.from_numpy(np.stack([e[0] for e in entries])).to(device)
        self.smooth = torch.cat([smoothed(part) for part in self.images.split(64)])
        self.maps = torch.from_numpy(np.stack([e[2] for e in entries])).to(device)
        self.valid = torch.from_numpy(np.stack([e[3] for e in entries])).to(device)
        labels = np.stack([e[1] for e in entries]).astype(np.int16)
        self.labels = torch.from_numpy(labels).to(device)
        self.radius = torch.tensor([e[5] for e in entries], device=device)
        kinds = [e[4] for e in entries]
        members = [[k for k, kind in enumerate(kinds) if kind == wanted] for wanted in KINDS]
        self.members = [torch.tensor(part, device=device) for part in members]

    def warp(self, which, zoom):
        n, device = len(which), self.device
        angle = uniform(n, 0, 2 * np.pi, device)
        wide = torch.exp(0.08 * torch.randn(n, device=device))
        flip = torch.randint(2, (n,), device=device) * 2.0 - 1.0
        span = CROP / SIDE / zoom
        matrix = torch.zeros(n, 2, 3, device=device)
        matrix[:, 0, 0] = span * wide * torch.cos(angle) * flip
        matrix[:, 0, 1] = -span * torch.sin(angle)
        matrix[:, 1, 0] = span * wide * torch.sin(angle) * flip
        matrix[:, 1, 1] = span * torch.cos(angle)
        room = (1 - 0.7 * span).clamp(0.1, 1.0)
        used = self.valid[which].float()
        reach = torch.stack((used.amax(1).mean(1), used.amax(2).mean(1)), 1)  # of the canvas
        centre = (torch.rand(n, 2, device=device) * 2 - 1) * room[:, None]
        matrix[:, :, 2] = (centre + 1) * reach - 1
        return functional.affine_grid(matrix, (n, 1, CROP, CROP), align_corners=False)

    def draw(self, n):
        counts = [int(round(n * share)) for share in SHARES[1:]]
        counts = [n - sum(counts)] + counts
        which = torch.cat([members[torch.randint(len(members), (count,), device=self.device)]
                           for members, count in zip(self.members, counts)])
        low, high = np.log(RADII[0]), np.log(RADII[1])
        zoom = (torch.exp(uniform(n, low, high, self.device)) / self.radius[which]).clamp(0.4, 2.4)
        grid = self.warp(which, zoom)
        small = (zoom < 0.65)[:, None, None, None]
        source = torch.where(small, self.smooth[which], self.images[which]).float() / 255
        x = functional.grid_sample(source, grid, mode="bilinear", padding_mode="reflection",
                                   align_corners=False)
        soft = torch.stack((self.maps[which].float() / 255, self.valid[which].float()), 1)
        soft = functional.grid_sample(soft, grid, mode="bilinear", align_corners=False)
        numbers = functional.grid_sample(self.labels[which][:, None].float(), grid, mode="nearest",
                                         align_corners=False)
        return self.finish(x, soft, numbers, counts)

    def finish(self, x, soft, numbers, counts):
        stained = counts[0] + counts[1]
        bright = slice(stained + counts[2], None)
        inputs = torch.empty_like(x)
        colour = recoloured(x[:stained])
        kept = (torch.rand(stained, device=self.device) < 0.15)[:, None, None, None]
        colour = torch.where(kept, x[:stained], colour)
        grey = (torch.rand(stained, device=self.device) < 0.22)[:, None, None, None]
        inputs[:stained] = torch.where(grey, as_grey(colour), 1 - colour)
        dark = stretched(x[stained:, 0])[:, None].expand(-1, 3, -1, -1).clone()
        dark[counts[2]:] = stretched(1 - x[bright, 0])[:, None]
        dark = dark ** torch.exp(0.35 * torch.randn(len(dark), 1, 1, 1, device=self.device))
        inputs[stained:] = dark
        n = len(x)
        sigma = uniform(n, 0.0, 1.0, self.device) + uniform(n, -1.5, 1.2, self.device).clamp(min=0)
        inputs = blur(inputs, sigma)
        strength = uniform(n, -0.02, 0.05, self.device).clamp(min=0)[:, None, None, None]
        one = torch.randn(n, 1, CROP, CROP, device=self.device)
        inputs = inputs + strength * (one + 0.5 * torch.randn_like(inputs))
        inside, border = targets(numbers)
        counts_here = (soft[:, 1:] > 0.99).float()
        return inputs.clamp(0, 1), inside, border, soft[:, :1] * inside, counts_here


def targets(numbers):
    """Nucleus; border between two nuclei that touch (within 2 px)."""
    inside = numbers > 0
    most = functional.max_pool2d(numbers, 5, 1, 2)
    negative = torch.where(inside, -numbers, torch.full_like(numbers, -1e9))
    least = -functional.max_pool2d(negative, 5, 1, 2)
    return inside.float(), ((most != least) & (most > 0) & (least < 1e8)).float()

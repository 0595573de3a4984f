# SPDX-License-Identifier: MIT
"""The network's map as nuclei, without level sets, and scores against a truth."""
import numpy as np
import torch
from torch.nn import functional

LEVEL, LEAST_DEPTH, LEAST_PEAK, LEAST_MEAN = 0.5, 0.15, 0.3, 0.75


def maps(net, image, zoom=1.0, device="cpu"):
    """Nucleus, border and distance (3, h, w) of an input (3, h, w) of 0 to 1: the mean over it and
    its mirror image in the diagonal."""
    x = torch.from_numpy(np.ascontiguousarray(image, np.float32))[None].to(device)
    height, width = x.shape[2:]
    if zoom < 1.0:
        x = functional.avg_pool2d(x, int(round(1 / zoom)), ceil_mode=True)
    elif zoom > 1.0:
        x = functional.interpolate(x, scale_factor=zoom, mode="bilinear", align_corners=False)
    h, w = x.shape[2:]
    x = functional.pad(x, (0, -w % 16, 0, -h % 16), mode="replicate")
    with torch.no_grad():
        both = [net(x).float(), net(x.transpose(2, 3).contiguous()).float().transpose(2, 3)]
    both = [torch.cat((torch.sigmoid(y[:, :2]), y[:, 2:].clamp(0, 1)), 1) for y in both]
    y = (0.5 * (both[0] + both[1]))[:, :, :h, :w]
    if zoom != 1.0:
        y = functional.interpolate(y, scale_factor=1 / zoom, mode="bilinear", align_corners=False)
    return y[0, :, :height, :width].cpu().numpy()


def watershed(distance, inside, depth=LEAST_DEPTH, peak=LEAST_PEAK, smallest=12):
    """Parts of INSIDE about the peaks of DISTANCE that are higher than the saddle to the next by
    DEPTH; lower peaks belong to the next."""
    height, width = distance.shape
    values = distance.ravel()
    order = np.flatnonzero(inside.ravel())
    order = order[np.argsort(-values[order], kind="stable")]
    owner = np.full(height * width, -1, np.int64)
    parent, top, size = [], [], []

    def root(k):
        while parent[k] != k:
            parent[k] = parent[parent[k]]
            k = parent[k]
        return k

    for p in order.tolist():
        near = []
        if p % width > 0:
            near.append(p - 1)
        if p % width < width - 1:
            near.append(p + 1)
        if p >= width:
            near.append(p - width)
        if p < (height - 1) * width:
            near.append(p + width)
        found = sorted({root(owner[q]) for q in near if owner[q] >= 0}, key=lambda k: (-top[k], k))
        if not found:
            owner[p] = len(parent)
            parent.append(len(parent)), top.append(values[p]), size.append(1)
            continue
        owner[p] = found[0]
        size[found[0]] += 1
        for other in found[1:]:
            if top[other] - values[p] < depth or top[other] < peak or size[other] < smallest:
                parent[other] = found[0]
                size[found[0]] += size[other]
    labels = np.zeros(height * width, np.int32)
    numbers = {}
    for p in order.tolist():
        k = root(owner[p])
        if top[k] >= peak and size[k] >= smallest:
            labels[p] = numbers.setdefault(k, len(numbers) + 1)
    return labels.reshape(height, width)


def nuclei(planes, depth=LEAST_DEPTH, level=LEVEL, peak=LEAST_PEAK, mean=LEAST_MEAN):
    """The parts whose mean probability of a nucleus is at least MEAN."""
    labels = watershed(planes[2], planes[0] > level, depth, peak)
    sizes = np.maximum(np.bincount(labels.ravel()), 1)
    good = np.bincount(labels.ravel(), planes[0].ravel()) >= mean * sizes
    good[0] = False
    return (np.cumsum(good) * good)[labels].astype(np.int32)


def scores(truth, found):
    """AJI, F1 and panoptic quality at an intersection over union of 0.5."""
    truth = np.unique(truth, return_inverse=True)[1].reshape(truth.shape) if truth.max() else truth
    n, m = int(truth.max()), int(found.max())
    both = np.zeros((n + 1, m + 1))
    np.add.at(both, (truth.ravel(), found.ravel()), 1)
    a, b = both.sum(1)[1:], both.sum(0)[1:]
    overlap = both[1:, 1:]
    if n == 0 or m == 0:
        return 0.0, 0.0, 0.0
    ratio = overlap / (a[:, None] + b[None] - overlap)
    best = ratio.argmax(1)
    hit = overlap[np.arange(n), best] > 0
    common = overlap[np.arange(n), best][hit].sum()
    union = (a + b[best] - overlap[np.arange(n), best])[hit].sum() + a[~hit].sum()
    union += np.delete(b, best[hit]).sum()
    pairs = ratio[ratio > 0.5]
    f1 = 2 * len(pairs) / (n + m)
    return common / union, f1, f1 * (pairs.mean() if len(pairs) else 0.0)

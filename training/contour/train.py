# SPDX-License-Identifier: MIT
"""Trains the network: train.py DATA.npz OUT [--steps N] [--tests FOLDER]; see README.md."""
import argparse
import copy
import multiprocessing
import os
import pathlib
import time

import numpy as np
import torch
from torch.nn import functional

import data
import net
import score

RATE, BATCH, HELD, KEEP = 3e-3, 64, 0.1, 0.999


def loss_of(output, nucleus, border, distance, counts):
    logits = output[:, 0:1]
    entropy = functional.binary_cross_entropy_with_logits(logits, nucleus, reduction="none")
    share = torch.sigmoid(logits) * counts
    dice = 1 - (2 * (share * nucleus).sum((1, 2, 3)) + 1) / \
        (share.sum((1, 2, 3)) + (nucleus * counts).sum((1, 2, 3)) + 1)
    twice = torch.tensor(2.0, device=output.device)
    edge = functional.binary_cross_entropy_with_logits(output[:, 1:2], border, reduction="none",
                                                       pos_weight=twice)
    far = functional.smooth_l1_loss(output[:, 2:], distance, reduction="none", beta=0.1)
    weighted = entropy + 0.5 * edge + 4 * far * (0.5 + nucleus)
    return (weighted * counts).sum() / counts.sum().clamp(min=1) + 0.5 * dice.mean()


def zoom_for(radius):
    return 0.5 if radius > 17 else 2.0 if radius < 5.5 else 1.0


def judge(task):
    truth, planes, depth = task
    return score.scores(truth, score.nuclei(planes, depth))


def input_of(image, dark=None):
    """The network's input (3, h, w) of RGB, or of grey with the nuclei DARK or not."""
    image = image.astype(np.float32)
    if image.ndim == 3 and dark is None:
        return 1 - image.transpose(2, 0, 1) / 255
    image = image if image.ndim == 2 else image.mean(2)
    image = -image if dark else image
    low, high = np.percentile(image, (1, 99))
    plane = np.clip((image - low) / max(high - low, 1e-3), 0, 1)
    return np.stack((plane,) * 3)


def cases_of(entries):
    """(group, input, truth) of held-out images."""
    for image, labels, _, valid, kind, _ in entries:
        h, w = int(valid[:, 0].sum()), int(valid[0].sum())
        image, labels = image.transpose(1, 2, 0)[:h, :w], labels[:h, :w]
        dark = {"colour": None, "dark": False, "bright": True}[kind]
        yield "held " + kind, input_of(image if kind == "colour" else image[..., 0], dark), labels


def tests_of(folder):
    from PIL import Image
    for path in sorted(pathlib.Path(folder).glob("*_label.*")):
        truth = np.array(Image.open(path)).astype(np.int32)
        image = np.array(Image.open(str(path).replace("_label", "")))
        group = path.name[:4].rstrip("0123456789")
        if group == "fluo":
            yield path.name, input_of(image, False), truth
        else:
            yield path.name, input_of(image[..., :3]), truth
            yield "grey " + path.name, input_of(image[..., :3], True), truth


def report(network, cases, device, depths=(0.06, 0.1, 0.15, 0.2)):
    cases = list(cases)
    planes = [score.maps(network, x, zoom_for(data.typical_radius(t)), device) for _, x, t in cases]
    for depth in depths:
        with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
            tasks = [(case[2], part, depth) for case, part in zip(cases, planes)]
            results = pool.map(judge, tasks, chunksize=1)
        groups = {}
        for case, result in zip(cases, results):
            groups.setdefault(case[0], []).append(result)
        for name, found in groups.items():
            print(f"depth {depth} {name} ({len(found)}): AJI %.3f F1 %.3f PQ %.3f" %
                  tuple(np.mean(found, 0)), flush=True)


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=7963)
    parser.add_argument("--seconds", type=float, default=1e9,
                        help="fewer steps if they last longer")
    parser.add_argument("--made", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", help="folder of NAME.tif, NAME_label.tif that are only scored")
    return parser.parse_args()


def floats(network):
    return [value.detach() for value in network.state_dict().values()
            if value.is_floating_point()]


def train(batches, network, options):
    average = copy.deepcopy(network).requires_grad_(False)
    kept = floats(average)
    groups = [{"params": [p for p in network.parameters() if p.ndim > 1], "weight_decay": 3e-2},
              {"params": [p for p in network.parameters() if p.ndim <= 1], "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=RATE, betas=(0.9, 0.99))
    steps, began, step = options.steps, time.time(), 0
    while step < steps:
        rate = RATE * min((step + 1) / 200, 0.5 + 0.5 * np.cos(np.pi * step / steps) + 1e-3)
        for group in optimizer.param_groups:
            group["lr"] = rate
        x, *wanted = batches.draw(BATCH)
        with torch.autocast(x.device.type, torch.bfloat16, enabled=x.is_cuda):
            output = network(x.contiguous(memory_format=torch.channels_last))
        loss = loss_of(output.float(), *wanted)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        keep = min(KEEP, (step + 1) / (step + 10))
        torch._foreach_lerp_(kept, floats(network), 1 - keep)
        step += 1
        if step == 200:
            float(loss)
            middle = time.time()
        if step == 500:
            float(loss)
            each = (time.time() - middle) / 300
            steps = min(steps, int((options.seconds - (time.time() - began)) / each) + step)
            print(f"{each * 1e3:.1f} ms a step, {steps} steps", flush=True)
        if step % 500 == 0 or step == 1:
            print(f"step {step} loss {loss.item():.4f} {time.time() - began:.0f} s", flush=True)
    return average.eval()


def main():
    options = arguments()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(options.seed)
    np.random.seed(options.seed)
    began = time.time()
    entries, held = data.load(options.data, options.made, options.seed, HELD, os.cpu_count())
    print(f"{len(entries)} images, {len(held)} held out, {time.time() - began:.0f} s", flush=True)
    network = net.Net().to(device).to(memory_format=torch.channels_last)
    print(sum(p.numel() for p in network.parameters()), "weights", flush=True)
    average = train(data.Batches(entries, device), network, options)
    options.out.mkdir(parents=True, exist_ok=True)
    torch.save({k: v.cpu() for k, v in average.state_dict().items()}, options.out / "net.pt")
    report(average, cases_of(held), device)
    if options.tests:
        report(average, tests_of(options.tests), device)


if __name__ == "__main__":
    main()

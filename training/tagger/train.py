"""Teaches the tagger with pages that are made while it learns; none is seen twice.

usage: train.py OUT --seconds 500 --workers 15 [--init CHECKPOINT] [--hold AUTHOR ...]

Authors named by --hold are never trained on: how well their pages are read at the end is the figure to believe.
"""
import argparse
import copy
import glob
import importlib
import multiprocessing as mp
import os
import random
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "grammars"))

import degrade
import features
from net import LINK, Tagger
from page import Random
from tags import ENTITIES, KINDS


def grammars(hold):
    """Every file of grammars/ is one author's or one kind's: [(author, make, weight)]."""
    taught, held = [], []
    for path in sorted(glob.glob(os.path.join(HERE, "grammars", "*.py"))):
        name = os.path.basename(path)[:-3]
        for make, weight in importlib.import_module(name).GRAMMARS:
            (held if any(name.startswith(one) for one in hold) else taught).append((name, make, weight))
    return taught, held


def pages(several, seed):
    """Endless examples."""
    weights = [weight for _, _, weight in several]
    while True:
        seed += 1
        r = Random(seed)
        author, make, _ = r.choices(several, weights)[0]
        try:
            made = make(r)
        except (IndexError, ValueError, ZeroDivisionError, KeyError):
            continue
        for page in made if isinstance(made, list) else [made]:
            shown = degrade.finished(page, r)
            if len(shown[0]) >= 4:
                yield author, features.arrays(*shown[:4]), shown[4:]


def collate(examples):
    count = (max(len(targets[0]) for _, _, targets in examples) + 15) // 16 * 16
    size = len(examples)
    batch = [
        np.zeros((size, count, features.MOST_GRAMS), np.int32), np.zeros((size, count), np.int32), np.zeros((size, count), np.int32),
        np.zeros((size, count, 4), np.int32), np.zeros((size, count, features.NUMBERS), np.float32), np.zeros((size, count, 4), np.float32),
        np.zeros((size, count), bool), np.full((size, count), -100, np.int64), np.full((size, count), -100, np.int64),
        np.full((size, count), -100, np.int64), np.zeros(size, np.int64), np.zeros(size, np.int64),
    ]
    for i, (_, inputs, (tags, rows, captions, kind, first)) in enumerate(examples):
        n = len(tags)
        for array, value in zip(batch, inputs):
            array[i, :n] = value
        batch[6][i, :n] = True
        for array, value in zip(batch[7:10], (tags, rows, captions)):
            array[i, :n] = value
        batch[10][i], batch[11][i] = kind, first
    return batch


def worker(queue, several, seed, stop):
    torch.set_num_threads(1)
    source = pages(several, seed * 10_000_019)
    while not stop.is_set():
        some = sorted((next(source) for _ in range(256)), key=lambda one: len(one[2][0]))
        batches, i = [], 0
        while i < len(some):
            longest = len(some[min(i + 40, len(some) - 1)][2][0])
            take = max(4, min(96, 20_000 // max(longest, 32)))
            batches.append(collate(some[i : i + take]))
            i += take
        random.shuffle(batches)
        for batch in batches:
            queue.put(batch)


def to(device, batch):
    return [torch.from_numpy(array).to(device, non_blocking=True) for array in batch]


def links(vectors, mask, target, which):
    ask, answer = vectors[:, :, 2 * which], vectors[:, :, 2 * which + 1]
    score = (ask @ answer.transpose(1, 2)).float() / LINK**0.5
    score = score.masked_fill(~mask[:, None, :], -1e4)
    return F.cross_entropy(score.flatten(0, 1), target.flatten(), ignore_index=-100) if (target >= 0).any() else score.sum() * 0


def loss_of(net, batch, forget):
    *inputs, mask, tags, rows, captions, kind, first = batch
    told, kinds, firsts, vectors = net(*inputs, mask, forget)
    loss = F.cross_entropy(told.float().flatten(0, 1), tags.flatten(), ignore_index=-100, label_smoothing=0.02)
    loss = loss + 0.1 * F.cross_entropy(kinds.float(), kind) + 0.05 * F.cross_entropy(firsts.float(), first)
    return loss + 0.15 * links(vectors, mask, rows, 0) + 0.15 * links(vectors, mask, captions, 1)


def judge(net, batches, device, name):
    """F1 of words by entity, kinds and links that are right."""
    right, told, true = (np.zeros(len(ENTITIES) + 1) for _ in range(3))
    kinds, count, linked = 0, 0, [[0, 0], [0, 0]]
    with torch.no_grad():
        for batch in batches:
            *inputs, mask, tags, rows, captions, kind, _ = to(device, batch)
            with torch.autocast(device, dtype=torch.bfloat16):
                given, kind_given, _, vectors = net(*inputs, mask)
            said, is_so = (given.argmax(-1)[mask] + 1) // 2, (tags[mask] + 1) // 2
            for entity in range(1, len(ENTITIES) + 1):
                right[entity] += ((said == entity) & (is_so == entity)).sum().item()
                told[entity] += (said == entity).sum().item()
                true[entity] += (is_so == entity).sum().item()
            kinds += (kind_given.argmax(-1) == kind).sum().item()
            count += len(kind)
            for which, target in enumerate((rows, captions)):
                score = vectors[:, :, 2 * which] @ vectors[:, :, 2 * which + 1].transpose(1, 2)
                score = score.masked_fill(~mask[:, None, :], -1e4)
                known = target >= 0
                linked[which][0] += (score.argmax(-1) == target)[known].sum().item()
                linked[which][1] += known.sum().item()
    f1 = lambda i: 2 * right[i].sum() / max(1, told[i].sum() + true[i].sum())
    each = {entity: round(float(f1(np.array([i + 1]))), 3) for i, entity in enumerate(ENTITIES) if true[i + 1]}
    rows, captions = (a / max(1, b) for a, b in linked)
    print(f"{name}: words F1 {f1(np.arange(1, len(ENTITIES) + 1)):.4f}, kinds {kinds / max(1, count):.4f} of {count}, rows {rows:.4f}, captions {captions:.4f}", flush=True)
    print("  " + "  ".join(f"{entity} {value}" for entity, value in each.items()), flush=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("out")
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--workers", type=int, default=13)
    options.add_argument("--init")
    options.add_argument("--rate", type=float, default=1e-3)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--hold", nargs="*", default=[])
    chosen = options.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(chosen.seed)
    taught, held = grammars(chosen.hold)
    net = Tagger().to(device)
    print(f"{sum(p.numel() for p in net.parameters()) / 1e6:.2f} M parameters, {len(taught)} grammars taught, {len(held)} held, {device}", flush=True)
    if chosen.init:
        net.load_state_dict({name: value.float() for name, value in torch.load(chosen.init, map_location=device).items()})
    mean = copy.deepcopy(net).eval()
    optimizer = torch.optim.AdamW(net.parameters(), lr=chosen.rate, betas=(0.9, 0.98), weight_decay=0.02, fused=device == "cuda")
    queue, stop = mp.Queue(maxsize=200), mp.Event()
    makers = [mp.Process(target=worker, args=(queue, taught, i + 1 + 1000 * chosen.seed, stop), daemon=True) for i in range(chosen.workers)]
    for maker in makers:
        maker.start()
    unseen = [queue.get() for _ in range(10)]
    began, step, count, skipped, sum_of_loss = time.time(), 0, 0, 0, 0.0
    while time.time() - began < chosen.seconds:
        share = (time.time() - began) / chosen.seconds
        rate = chosen.rate * min(1, (step + 1) / 300) * (1 if share < 0.6 else max(0.02, (1 - share) / 0.4))
        for group in optimizer.param_groups:
            group["lr"] = rate
        batch = to(device, queue.get())
        with torch.autocast(device, dtype=torch.bfloat16):
            loss = loss_of(net, batch, 0.2)
        optimizer.zero_grad(set_to_none=True)
        if not torch.isfinite(loss):
            skipped += 1
            continue
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        if not torch.isfinite(norm):
            skipped += 1
            continue
        optimizer.step()
        step, count, sum_of_loss = step + 1, count + len(batch[10]), sum_of_loss + (loss.item() if step % 20 == 0 else 0)
        with torch.no_grad():
            torch._foreach_lerp_(list(mean.parameters()), list(net.parameters()), 1 - min(0.999, step / (step + 50)))
        if step % 500 == 0:
            print(f"{time.time() - began:.0f} s, step {step}, {count} pages, loss {sum_of_loss / 25:.4f}, queue {queue.qsize()}, skipped {skipped}", flush=True)
            sum_of_loss = 0.0
    stop.set()
    for maker in makers:
        maker.kill()
    os.makedirs(chosen.out, exist_ok=True)
    torch.save({name: value.half() for name, value in mean.state_dict().items()}, os.path.join(chosen.out, "tagger.pt"))
    judge(mean, unseen, device, "pages of taught grammars")
    for author in sorted({name for name, _, _ in held}):
        source, some = pages([one for one in held if one[0] == author], 5), []
        while len(some) < 192:
            some.append(next(source))
        judge(mean, [collate(some[i : i + 16]) for i in range(0, len(some), 16)], device, f"held out: {author}")
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    mp.set_start_method("fork")
    main()

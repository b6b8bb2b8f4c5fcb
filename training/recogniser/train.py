"""Goes on training a recogniser of PP-OCR on drawn lines.  usage: train.py RECOGNISER.onnx DICTIONARY FONTS WORDS.txt.gz OUT --seconds 1300

OUT/latest.onnx is written every minute, with the moving average of the weights; OUT/start.onnx is the net before the first step.
"""
import argparse
import copy
import glob
import math
import multiprocessing as mp
import os
import random
import time

import numpy as np
import torch
from torch.nn import functional as F

from characters import characters, first_rows, read_dictionary
from degrade import degrade
from net import Net
from render import ROWS, lines
from texts import Texts

WIDTHS = (128, 192, 256, 320, 384, 512, 640, 832, 1280)
LONGEST = 60


def arguments():
    a = argparse.ArgumentParser()
    for name in ("recogniser", "dictionary", "fonts", "words", "out"):
        a.add_argument(name)
    a.add_argument("--seconds", type=float, default=1300)
    a.add_argument("--steps", type=int, default=10**9, help="for rehearsals")
    a.add_argument("--columns", type=int, default=200_000, help="of a batch, at 64 rows")
    a.add_argument("--rate", type=float, default=6e-4)
    a.add_argument("--warmup", type=int, default=300)
    a.add_argument("--workers", type=int, default=14)
    a.add_argument("--save-every", type=float, default=60)
    a.add_argument("--held", type=int, default=14, help="batches to measure with")
    a.add_argument("--uses", type=int, default=2, help="how often a drawn batch is shown, each time degraded anew")
    a.add_argument("--phrases", default="", help="folder of word files, a phrase behind the last tab of each line")
    a.add_argument("--sentences", default="", help="files of plain text")
    a.add_argument("--seed", type=int, default=100, help="another one draws other lines")
    a.add_argument("--device", default="cuda")
    return a.parse_args()


def read_phrases(folder):
    found = set()
    for file in sorted(glob.glob(os.path.join(folder, "*.txt"))):
        for line in open(file, encoding="utf8"):
            if not line.startswith("#") and line.count("\t") >= 2:
                found.add(line.rstrip("\n").split("\t")[2].split("  ")[0])
    return sorted(found)


def batches(a, seed, columns):
    """Endless batches of lines that are about equally wide."""
    phrases = read_phrases(a.phrases) if a.phrases else []
    sentences = [line.strip() for file in glob.glob(a.sentences) for line in open(file, encoding="utf8")] if a.sentences else []
    pairs = lines(Texts(a.words, phrases, sentences, seed), a.fonts, seed)
    places = {c: index + 1 for index, c in enumerate(characters)} | {" ": len(characters) + 1}
    waiting = {width: [] for width in WIDTHS}
    while True:
        ink, text = next(pairs)
        width = next(w for w in WIDTHS if w >= ink.shape[1])
        waiting[width].append((ink, text))
        if len(waiting[width]) * width < columns:
            continue
        group, waiting[width] = waiting[width], []
        pixels = np.zeros((len(group), ROWS, width), np.uint8)
        labels = np.zeros((len(group), LONGEST), np.int16)
        for row, (line, words) in enumerate(group):
            pixels[row, :, : line.shape[1]] = line
            labels[row, : len(words)] = [places[c] for c in words]
        yield pixels, np.array([line.shape[1] for line, _ in group]), labels, np.array([len(words) for _, words in group])


def produce(queue, a, seed, columns):
    torch.set_num_threads(1)
    os.nice(5)
    for batch in batches(a, seed, columns):
        queue.put(batch)


def loss_of(net, batch, device):
    pixels, widths, labels, lengths = (torch.from_numpy(x).to(device) for x in batch)
    with torch.no_grad():
        pictures = degrade(pixels, widths)
    with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
        scores = net(pictures)
    chances = F.log_softmax(scores.float(), -1).transpose(0, 1)
    steps = torch.full((len(lengths),), chances.shape[0], dtype=torch.long, device=device)
    losses = F.ctc_loss(chances, labels.long(), steps, lengths.long(), zero_infinity=True, reduction="none")
    return (losses / lengths.clamp(min=1)).mean(), chances


def read(chances):
    """The text of each line: the best of each step, repetitions and blanks taken out."""
    best = chances.argmax(-1).T.cpu().numpy()
    texts = []
    for steps in best:
        kept = steps[np.insert(steps[1:] != steps[:-1], 0, True)]
        texts.append([int(c) for c in kept if c != 0])
    return texts


def distance(left, right):
    row = list(range(len(right) + 1))
    for i, x in enumerate(left, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(right, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


@torch.no_grad()
def measure(net, held, device):
    """Letters wrong and lines right, of batches that are never trained on, degraded alike each time."""
    wrong = letters = right = count = 0
    with torch.random.fork_rng(devices=range(torch.cuda.device_count())):
        torch.manual_seed(7)
        for batch in held:
            _, chances = loss_of(net, batch, device)
            for text, label, length in zip(read(chances), batch[2], batch[3]):
                off = distance(text, label[:length].tolist())
                wrong, letters, right, count = wrong + off, letters + int(length), right + (off == 0), count + 1
    return f"letters wrong {100 * wrong / letters:.2f} %, lines right {100 * right / count:.1f} % of {count}"


def main():
    a = arguments()
    began = time.time()

    def log(*words):
        print(f"[{time.time() - began:6.0f}s]", *words, flush=True)

    torch.manual_seed(a.seed)
    fork = mp.get_context("fork")
    queue = fork.Queue(24)
    for worker in range(a.workers):
        fork.Process(target=produce, args=(queue, a, a.seed + worker, a.columns), daemon=True).start()
    maker = batches(a, 99, min(a.columns, 40_000))
    held = [next(maker) for _ in range(a.held)]
    if a.device == "cuda":
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
        torch.backends.cudnn.benchmark = True
    net = Net(a.recogniser)
    net.new_head(*first_rows(read_dictionary(a.dictionary)))
    os.makedirs(a.out, exist_ok=True)
    net.save(os.path.join(a.out, "start.onnx"))
    net.to(a.device)
    average = copy.deepcopy(net)
    log("before:", measure(net, held, a.device))
    flat = [p for p in net.parameters() if p.dim() < 2]
    deep = [p for p in net.parameters() if p.dim() >= 2]
    optim = torch.optim.AdamW([{"params": deep, "weight_decay": 0.02}, {"params": flat, "weight_decay": 0}], lr=a.rate, betas=(0.9, 0.98))
    pool, rng = [], random.Random(a.seed)
    step = skipped = seen = 0
    begin, saved, shown = time.time(), time.time(), time.time()
    losses = []
    while step < a.steps and time.time() - begin < a.seconds:
        share = max((time.time() - begin) / a.seconds, step / a.steps)
        rate = a.rate * min(1, (step + 1) / a.warmup) * max(0.0, 0.5 * (1 + math.cos(math.pi * min(1, share))))
        for group in optim.param_groups:
            group["lr"] = rate
        # A batch is shown again later, when others were shown between.
        while len(pool) < 12 or (len(pool) < 120 and not queue.empty()):
            pool.append([queue.get(), a.uses])
        place = rng.randrange(len(pool))
        batch, uses = pool[place]
        if uses > 1:
            pool[place][1] -= 1
        else:
            pool[place] = pool[-1]
            pool.pop()
        loss, _ = loss_of(net, batch, a.device)
        optim.zero_grad(set_to_none=True)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        if not torch.isfinite(norm):
            skipped += 1
            if skipped > 200:
                raise SystemExit("too many steps without a finite gradient")
            continue
        optim.step()
        step, seen = step + 1, seen + len(batch[1])
        losses.append(loss.detach())
        keep = min(0.999, step / (step + 20))
        with torch.no_grad():
            for mean, now in zip(average.parameters(), net.parameters()):
                mean.lerp_(now, 1 - keep)
        if time.time() - shown > 20 or step == a.steps:
            shown = time.time()
            log(f"step {step}, {seen} lines, {seen / (time.time() - begin):.0f} a second, pool {len(pool)}, skipped {skipped}, loss {torch.stack(losses).mean():.4f}")
            losses = []
        if time.time() - saved > a.save_every:
            saved = time.time()
            log(measure(average, held, a.device))
            keep_file(average, a.out)
    log("after:", measure(average, held, a.device))
    keep_file(average, a.out)
    open(os.path.join(a.out, "done"), "w").close()
    log("done", torch.cuda.max_memory_allocated() // 2**20 if a.device == "cuda" else "")


def keep_file(net, folder):
    net.save(os.path.join(folder, "next.onnx"))
    os.replace(os.path.join(folder, "next.onnx"), os.path.join(folder, "latest.onnx"))


if __name__ == "__main__":
    main()

"""Trains the translator for a given time.  usage: train.py WORK --seconds 1300 [--init PACK]

WORK holds tokenizer.json and shards/ (see prepare.py). It goes on from WORK/checkpoint.pt where there is one. Weights (a moving average)
are packed as int8 into WORK/pack-XX/ at the fractions named by --pack-at, and into WORK/pack-final/ at the end (float16 in WORK/pack-half/).
A number in the file WORK/seconds, which may change at any time, takes the place of --seconds.
"""
import argparse
import math
import multiprocessing as mp
import os
import time

import torch

import model
import pack as packing
from batches import LONGEST, producer
from optim import Muon
from sources import settings_of
from text import Tokenizer


def arguments():
    a = argparse.ArgumentParser()
    a.add_argument("work")
    a.add_argument("--seconds", type=float, required=True, help="of training, all calls together")
    a.add_argument("--steps", type=int, default=0, help="stop after so many steps (for rehearsals)")
    a.add_argument("--tokens", type=int, default=40960, help="a side and step")
    a.add_argument("--rate", type=float, default=1.6e-3, help="peak, of the matrices")
    a.add_argument("--rate-rest", type=float, default=8e-4, help="peak, of embeddings, norms and biases")
    a.add_argument("--warmup", type=int, default=1000)
    a.add_argument("--adam", action="store_true", help="AdamW for everything, at --rate-rest")
    a.add_argument("--drop", type=float, default=0.1)
    a.add_argument("--smooth", type=float, default=0.1)
    a.add_argument("--encoders", type=int, default=11)
    a.add_argument("--decoders", type=int, default=3)
    a.add_argument("--width", type=int, default=512)
    a.add_argument("--wide", type=int, default=2048)
    a.add_argument("--init", help="a packed model to start from; it may have fewer layers")
    a.add_argument("--compile", action="store_true")
    a.add_argument("--pack-at", type=float, nargs="*", default=[0.25, 0.5, 0.75])
    a.add_argument("--checkpoint-every", type=float, default=300)
    a.add_argument("--workers", type=int, default=4)
    return a.parse_args()


def main():
    a = arguments()
    began = time.time()

    def log(*words):
        print(f"[{time.time() - began:6.0f}s]", *words, flush=True)

    settings = settings_of()
    tok = Tokenizer(os.path.join(a.work, "tokenizer.json"))
    tags = {t["content"]: t["id"] for t in tok.file["added_tokens"]}
    vocab = -(-len(tok) // 64) * 64
    tags["synthetic"] = len(tok)  # the first of the rows that fill the table up to a multiple of 64
    fork = mp.get_context("fork")
    queue = fork.Queue(48)
    workers = [
        fork.Process(target=producer, args=(queue, a.work, settings, tags, a.tokens, int(began) + i), daemon=True)
        for i in range(a.workers)
    ]
    for w in workers:
        w.start()

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    cuda = device.type == "cuda"
    dtype = torch.bfloat16 if cuda else torch.float32
    log("attention:", model.choose_attention(device), "loss:", model.choose_loss(device))
    torch.manual_seed(1)
    if hasattr(torch, "set_float32_matmul_precision"):
        torch.set_float32_matmul_precision("high")
    shape = dict(d=a.width, wide=a.wide, encoders=a.encoders, decoders=a.decoders)
    net = model.Net(vocab, drop=a.drop, **shape).to(device)
    log(f"{sum(p.numel() for p in net.parameters()) / 1e6:.1f} million parameters")
    about = dict(shape, heads=model.HEADS, vocab=vocab, pieces=len(tok), langs=["en"] + sorted(settings["shares"]))

    inner = [p for n, p in net.named_parameters() if p.dim() == 3]
    rest = [p for n, p in net.named_parameters() if p.dim() != 3]
    muon = None if a.adam else Muon(inner)
    groups = [{"params": rest, "weight_decay": 0.0}] + ([{"params": inner, "weight_decay": 0.01}] if a.adam else [])
    adam = torch.optim.AdamW(groups, lr=a.rate_rest, betas=(0.9, 0.98), eps=1e-9, **({"fused": True} if cuda else {}))

    params = list(net.parameters())
    step, spent, brake, packed = 0, 0.0, 1.0, set()
    saved, wanted = os.path.join(a.work, "checkpoint.pt"), os.path.join(a.work, "seconds")
    if os.path.exists(saved):
        c = torch.load(saved, map_location=device)
        net.load_state_dict(c["net"])
        adam.load_state_dict(c["adam"])
        if muon:
            for b, o in zip(muon.buffers, c["muon"]):
                b.copy_(o)
        step, spent, brake, packed = c["step"], c["spent"], c["brake"], set(c["packed"])
        mean = [t.to(device) for t in c["mean"]]
        log("going on from step", step)
    else:
        if a.init:
            packing.load(a.init, net)
            log("starting from", a.init)
        mean = [p.detach().clone() for p in params]
    if a.compile:
        for layer in list(net.enc) + list(net.dec):
            layer.compile(dynamic=False)

    def averaged():
        own = [p.detach().clone() for p in params]
        with torch.no_grad():
            for p, m in zip(params, mean):
                p.copy_(m)
        return own

    def restore(own):
        with torch.no_grad():
            for p, o in zip(params, own):
                p.copy_(o)

    def pack(name):
        own = averaged()
        packing.save(os.path.join(a.work, name), packing.arrays(net), dict(about, step=step, seconds=round(spent)))
        restore(own)
        log("packed", name)

    def checkpoint():
        c = dict(net=net.state_dict(), adam=adam.state_dict(), muon=muon.buffers if muon else None, mean=mean, step=step,
                 spent=spent, brake=brake, packed=list(packed))
        torch.save(c, saved + ".part")
        os.replace(saved + ".part", saved)

    def fetch():
        cells, borders, count = queue.get()
        cells = torch.from_numpy(cells.astype("int32"))
        borders = torch.from_numpy(borders)
        if cuda:
            cells, borders = cells.pin_memory().to(device, non_blocking=True), borders.pin_memory().to(device, non_blocking=True)
        return cells.long().view(5, -1), borders.view(2, -1), count

    net.train()
    good, bad, seen, skipped = None, 0, 0, 0
    total = torch.zeros((), device=device)
    since, last_log, last_save, last_seen = time.time(), time.time(), time.time(), 0
    ready = fetch()
    first = step
    while True:
        now = time.time()
        spent += now - since
        since = now
        if step % 100 == 0 and os.path.exists(wanted):
            with open(wanted, encoding="utf8") as f:
                a.seconds = float(f.read())
        part = spent / a.seconds
        if part >= 1 or (a.steps and step - first >= a.steps):
            break
        scale = brake * min(1.0, (step + 1) / a.warmup) * max(0.0, 1 - part)
        for g in adam.param_groups:
            g["lr"] = a.rate_rest * scale
        cells, borders, count = ready
        h, table = net(cells[0], cells[1], borders[0], cells[2], cells[3], borders[1], LONGEST, dtype)
        value = model.loss(h, table, cells[4], count, a.smooth)
        adam.zero_grad(set_to_none=True)
        value.backward()
        ready = fetch()
        norm = torch.nn.utils.clip_grad_norm_(params, 1.0)
        step += 1
        if not math.isfinite(norm.item()):
            bad += 1
            skipped += 1
            if bad >= 5:
                brake *= 0.6
                bad = 0
                if good is not None:
                    restore(good)
                log(f"not finite five times: back to the last good weights, rate times {brake:.2f}")
            continue
        bad = 0
        adam.step()
        if muon:
            muon.step(a.rate * scale)
        seen += count
        total += value.detach()
        if step % 8 == 0:
            keep = min(0.99, step / (step + 80))
            with torch.no_grad():
                torch._foreach_mul_(mean, keep)
                torch._foreach_add_(mean, [p.data for p in params], alpha=1 - keep)
        if step % 1000 == 0:
            good = [p.detach().clone() for p in params]
        if step % 200 == 0 or a.steps and step % 10 == 0:
            every = 200 if not a.steps else 10
            log(
                f"step {step} loss {total.item() / every:.3f} norm {norm.item():.2f} rate {a.rate * scale:.2e} "
                f"{(seen - last_seen) / (time.time() - last_log) / 1e3:.0f}k pieces/s queue {queue.qsize()} skipped {skipped} at {part:.3f}"
            )
            total.zero_()
            last_log, last_seen = time.time(), seen
        for mark in a.pack_at:
            if part >= mark and mark not in packed:
                packed.add(mark)
                pack(f"pack-{round(mark * 100):02d}")
        if time.time() - last_save > a.checkpoint_every:
            checkpoint()
            last_save = time.time()
            log("checkpoint")
    pack("pack-final")
    checkpoint()
    averaged()
    packing.save(os.path.join(a.work, "pack-half"), packing.arrays(net), dict(about, step=step, seconds=round(spent)), half=True)
    log(f"done: {step} steps, {seen / 1e6:.0f} million target pieces, {skipped} skipped")
    for w in workers:
        w.terminate()


if __name__ == "__main__":
    main()

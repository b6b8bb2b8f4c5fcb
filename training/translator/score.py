"""chrF of packed weights, greedy, with torch.  usage: score.py WORK PACK --flores FOLDER --dev FOLDER [--lines 200] [--only es,hi]"""
import argparse
import collections
import json
import math
import os
import re

import numpy as np
import torch
import torch.nn.functional as F

import model
from pack import read
from text import BOS, EOS, PAD, Tokenizer, inward, outward


def grams(text, n):
    return collections.Counter(text[i : i + n] for i in range(len(text) - n + 1))


def chrf(hypotheses, references, most=6, beta=2):
    """Corpus chrF2 over character 1- to 6-grams, blanks left out."""
    hit, ours, theirs = np.zeros(most), np.zeros(most), np.zeros(most)
    for h, r in zip(hypotheses, references):
        h, r = re.sub(r"\s+", "", h), re.sub(r"\s+", "", r)
        for n in range(most):
            a, b = grams(h, n + 1), grams(r, n + 1)
            hit[n] += sum((a & b).values())
            ours[n] += sum(a.values())
            theirs[n] += sum(b.values())
    p, r = (hit / np.maximum(ours, 1)).mean(), (hit / np.maximum(theirs, 1)).mean()
    return 100 * (1 + beta**2) * p * r / max(1e-9, beta**2 * p + r)


class Greedy:
    def __init__(self, work, pack, device):
        self.tok = Tokenizer(os.path.join(work, "tokenizer.json"))
        about, weights = read(pack)
        self.net = model.Net(about["vocab"], about["d"], about["wide"], about["encoders"], about["decoders"], 0.0)
        self.net.load_state_dict({k: torch.from_numpy(np.array(v)) for k, v in weights.items()})
        self.net = self.net.to(device).eval()
        self.device, self.pieces = device, about["pieces"]

    def heads(self, x):
        return x.view(x.shape[0], x.shape[1], -1, model.HEADS, self.net.d // model.HEADS).permute(2, 0, 3, 1, 4)

    def attend(self, q, k, v, mask=None):
        s = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        if mask is not None:
            s = s.masked_fill(~mask, float("-inf"))
        y = (s.softmax(-1) @ v).transpose(1, 2)
        return y.reshape(y.shape[0], y.shape[1], -1)

    @torch.no_grad()
    def batch(self, rows):
        net, dev = self.net, self.device
        wide = max(map(len, rows))
        ids = torch.zeros(len(rows), wide, dtype=torch.long)
        for i, r in enumerate(rows):
            ids[i, : len(r)] = torch.tensor(r)
        ids = ids.to(dev)
        mask = (ids != PAD)[:, None, None, :]
        e = F.embedding(ids, net.emb) * math.sqrt(net.d) + net.places[:wide]
        for layer in net.enc:
            q, k, v = self.heads(layer.self.qkv(layer.n1(e)))
            e = e + layer.self.out(self.attend(q, k, v, mask))
            e = e + layer.feed(layer.n2(e))
        e = net.ne(e)
        cross = [self.heads(layer.cross.kv(e)) for layer in net.dec]
        past = [None] * len(net.dec)
        y = torch.full((len(rows), 1), BOS, device=dev)
        done = torch.zeros(len(rows), dtype=torch.bool, device=dev)
        out = []
        for t in range(min(250, 2 * wide + 20)):
            x = F.embedding(y, net.emb) * math.sqrt(net.d) + net.places[t : t + 1]
            for i, layer in enumerate(net.dec):
                q, k, v = self.heads(layer.self.qkv(layer.n1(x)))
                if past[i] is not None:
                    k, v = torch.cat([past[i][0], k], 2), torch.cat([past[i][1], v], 2)
                past[i] = (k, v)
                x = x + layer.self.out(self.attend(q, k, v))
                (q,) = self.heads(layer.cross.q(layer.n2(x)))
                x = x + layer.cross.out(self.attend(q, cross[i][0], cross[i][1], mask))
                x = x + layer.feed(layer.n3(x))
            logits = net.nd(x)[:, -1] @ net.emb.t()
            logits[:, :2] = -1e9
            logits[:, self.pieces :] = -1e9
            y = logits.argmax(-1, keepdim=True)
            y[done] = PAD
            out.append(y)
            done |= y[:, 0] == EOS
            if done.all():
                break
        return torch.cat(out, 1).tolist()

    def translate(self, lines, src, tgt):
        rows = [[self.tok.tag(f"<{src}>"), self.tok.tag(f"<2{tgt}>")] + self.tok.encode(inward(x, src))[:250] + [EOS] for x in lines]
        order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
        out = [""] * len(rows)
        size = 512 if self.device.type == "cuda" else 64
        for b in range(0, len(order), size):
            part = order[b : b + size]
            for i, ids in zip(part, self.batch([rows[i] for i in part])):
                ids = ids[: ids.index(EOS)] if EOS in ids else ids
                out[i] = outward(self.tok.decode(ids), tgt)
        return out


def lines_of(path):
    with open(path, encoding="utf8") as f:
        return [x.rstrip("\n") for x in f]


def main():
    a = argparse.ArgumentParser()
    a.add_argument("work")
    a.add_argument("pack")
    a.add_argument("--flores")
    a.add_argument("--dev")
    a.add_argument("--lines", type=int, default=200)
    a.add_argument("--only", default="")
    a.add_argument("--out")
    a = a.parse_args()
    g = Greedy(a.work, a.pack, torch.device("cuda" if torch.cuda.is_available() else "cpu"))
    langs = a.only.split(",") if a.only else [t[1:-1] for t in g.tok.ids if re.fullmatch("<[a-z][a-z]>", t) and t != "<en>"]
    scores = {}
    for lang in langs:
        sets = {}
        if a.flores and os.path.exists(f"{a.flores}/flores-{lang}.txt"):
            sets["flores"] = (lines_of(f"{a.flores}/flores-en.txt"), lines_of(f"{a.flores}/flores-{lang}.txt"))
        if a.dev and os.path.exists(f"{a.dev}/{lang}.tsv"):
            rows = [x.split("\t") for x in lines_of(f"{a.dev}/{lang}.tsv")]
            sets["dev"] = ([r[0] for r in rows], [r[1] for r in rows])
        for name, (en, xx) in sets.items():
            en, xx = en[: a.lines], xx[: a.lines]
            to, back = g.translate(en, "en", lang), g.translate(xx, lang, "en")
            scores[f"{name} en-{lang}"], scores[f"{name} {lang}-en"] = round(chrf(to, xx), 2), round(chrf(back, en), 2)
            print(f"{name} {lang}: to {scores[f'{name} en-{lang}']:.1f} back {scores[f'{name} {lang}-en']:.1f} | {to[0][:90]} | {back[0][:90]}", flush=True)
    if a.out:
        with open(a.out, "w", encoding="utf8") as f:
            json.dump(scores, f, indent=1)


if __name__ == "__main__":
    main()

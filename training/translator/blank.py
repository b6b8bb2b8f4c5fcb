"""Untrained weights in the packed form, to try out the exporter and the engine.  usage: blank.py TOKENIZER PACK [--width 64 ...]"""
import argparse
import re

import numpy as np

from pack import save
from text import Tokenizer


def weights(vocab, d, wide, encoders, decoders):
    rng = np.random.default_rng(1)
    out = {"emb": rng.normal(0, d**-0.5, (vocab, d))}

    def linear(name, n_in, n_out, stack=1):
        out[name + ".weight"] = rng.normal(0, (2 / (n_in + n_out)) ** 0.5, (stack, n_out, n_in))
        out[name + ".bias"] = np.zeros(stack * n_out)

    def norm(name):
        out[name + ".weight"], out[name + ".bias"] = np.ones(d), np.zeros(d)

    for part, count in (("enc", encoders), ("dec", decoders)):
        for i in range(count):
            p = f"{part}.{i}"
            for n in ("n1", "n2") if part == "enc" else ("n1", "n2", "n3"):
                norm(f"{p}.{n}")
            linear(f"{p}.self.qkv", d, d, 3)
            linear(f"{p}.self.out", d, d)
            if part == "dec":
                linear(f"{p}.cross.q", d, d)
                linear(f"{p}.cross.kv", d, d, 2)
                linear(f"{p}.cross.out", d, d)
            linear(f"{p}.feed.up", d, wide)
            linear(f"{p}.feed.down", wide, d)
    norm("ne")
    norm("nd")
    return {k: v.astype(np.float32) for k, v in out.items()}


def main():
    a = argparse.ArgumentParser()
    a.add_argument("tokenizer")
    a.add_argument("pack")
    for name, value in (("width", 512), ("wide", 2048), ("encoders", 11), ("decoders", 3), ("heads", 8)):
        a.add_argument(f"--{name}", type=int, default=value)
    a = a.parse_args()
    tok = Tokenizer(a.tokenizer)
    vocab = -(-len(tok) // 64) * 64
    langs = [t[1:-1] for t in tok.ids if re.fullmatch("<[a-z][a-z]>", t)]
    about = dict(d=a.width, wide=a.wide, encoders=a.encoders, decoders=a.decoders, heads=a.heads, vocab=vocab, pieces=len(tok), langs=langs, step=0, seconds=0)
    save(a.pack, weights(vocab, a.width, a.wide, a.encoders, a.decoders), about)


if __name__ == "__main__":
    main()

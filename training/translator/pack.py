"""Weights as one plain file: int8 with a scale per output row for matrices, float32 for the rest."""
import json
import os

import numpy as np


def quantise(w):
    """[rows, n] to int8 and one scale a row."""
    scale = np.abs(w).max(1) / 127
    scale[scale == 0] = 1e-8
    return np.clip(np.round(w / scale[:, None]), -127, 127).astype(np.int8), scale.astype(np.float32)


def arrays(net):
    return {name: p.detach().float().cpu().numpy() for name, p in net.state_dict().items()}


def save(folder, weights, about, half=False):
    """`weights` by name; with `half`, matrices stay in float16 (for later rounds of training)."""
    os.makedirs(folder, exist_ok=True)
    listing, at = [], 0
    with open(os.path.join(folder, "weights.bin"), "wb") as f:
        for name, w in weights.items():
            entry = dict(name=name, shape=list(w.shape), at=at)
            if w.ndim >= 2 and half:
                blocks, entry["kind"] = [w.astype(np.float16)], "float16"
            elif w.ndim >= 2:
                q, scale = quantise(w.reshape(-1, w.shape[-1]))
                blocks, entry["kind"] = [scale, q], "int8"
            else:
                blocks, entry["kind"] = [w.astype(np.float32)], "float32"
            for b in blocks:
                f.write(b.tobytes())
                at += b.nbytes
            listing.append(entry)
    with open(os.path.join(folder, "weights.json"), "w", encoding="utf8") as f:
        json.dump(dict(about, tensors=listing), f)


def read(folder):
    """about, {name: float32 array}"""
    with open(os.path.join(folder, "weights.json"), encoding="utf8") as f:
        about = json.load(f)
    with open(os.path.join(folder, "weights.bin"), "rb") as f:
        data = f.read()
    out = {}
    for t in about["tensors"]:
        n, at = int(np.prod(t["shape"])), t["at"]
        if t["kind"] == "int8":
            rows = n // t["shape"][-1]
            scale = np.frombuffer(data, np.float32, rows, at)
            q = np.frombuffer(data, np.int8, n, at + 4 * rows).reshape(rows, -1)
            w = q.astype(np.float32) * scale[:, None]
        else:
            w = np.frombuffer(data, t["kind"], n, at).astype(np.float32)
        out[t["name"]] = w.reshape(t["shape"])
    return about, out


def grown(weights, part, layers):
    """The same net with more layers in the encoder (`part` is "enc") or decoder ("dec"): copies of layers, spread evenly, whose outputs are
    zero, so that at first they change nothing."""
    have = 1 + max(int(k.split(".")[1]) for k in weights if k.startswith(f"{part}."))
    extra = layers - have
    after = {round((i + 1) * have / extra) - 1 for i in range(extra)} if extra else set()
    out = {k: v for k, v in weights.items() if not k.startswith(f"{part}.")}
    to = 0
    for i in range(have):
        layer = {k.split(".", 2)[2]: v for k, v in weights.items() if k.startswith(f"{part}.{i}.")}
        silent = {k: np.zeros_like(v) if k.startswith(("self.out", "cross.out", "feed.down")) else v for k, v in layer.items()}
        for copy in [layer] + [silent] * (i in after):
            out.update({f"{part}.{to}.{k}": v for k, v in copy.items()})
            to += 1
    if to != layers:
        raise SystemExit(f"cannot grow {have} layers of {part} to {layers}")
    return out


def load(folder, net):
    import torch

    _, weights = read(folder)
    weights = grown(grown(weights, "enc", len(net.enc)), "dec", len(net.dec))
    net.load_state_dict({k: torch.from_numpy(np.array(v)) for k, v in weights.items()})

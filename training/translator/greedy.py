"""Greedy translation with torch, many sentences at once: for scoring, and for making synthetic pairs."""
import math
import os

import numpy as np
import torch
import torch.nn.functional as F

import model
from pack import read
from text import BOS, EOS, PAD, Tokenizer, inward, outward


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
    def batch(self, rows, most=250):
        """Pieces of each row's translation, at most `most`; a row that came to its end holds EOS."""
        net, dev = self.net, self.device
        wide = max(map(len, rows))
        ids = torch.tensor([r + [PAD] * (wide - len(r)) for r in rows], device=dev)
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
        for t in range(min(most, 2 * wide + 20)):
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

    def row(self, pieces, src, tgt):
        return [self.tok.tag(f"<{src}>"), self.tok.tag(f"<2{tgt}>"), *pieces, EOS]

    def translate(self, lines, src, tgt):
        rows = [self.row(self.tok.encode(inward(x, src))[:250], src, tgt) for x in lines]
        order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
        out = [""] * len(rows)
        size = 512 if self.device.type == "cuda" else 64
        for b in range(0, len(order), size):
            part = order[b : b + size]
            for i, ids in zip(part, self.batch([rows[i] for i in part])):
                ids = ids[: ids.index(EOS)] if EOS in ids else ids
                out[i] = outward(self.tok.decode(ids), tgt)
        return out

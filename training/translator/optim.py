"""Muon for the matrices inside the layers (momentum made orthogonal by Newton-Schulz steps), AdamW for the rest."""
import collections
import math

import torch


def orthogonal(g, rounds=5):
    """Nearest half-orthogonal matrices to a stack [n, r, c] with r <= c."""
    x = g.bfloat16() if g.is_cuda else g.float()
    x = x / (x.float().flatten(1).norm(dim=1)[:, None, None] + 1e-7).to(x.dtype)
    a, b, c = 3.4445, -4.7750, 2.0315
    for _ in range(rounds):
        s = x @ x.transpose(1, 2)
        x = a * x + (b * s + c * (s @ s)) @ x
    return x


class Muon:
    def __init__(self, params, momentum=0.95, decay=0.05):
        groups = collections.defaultdict(list)
        for p in params:
            r, c = p.shape[-2:]
            groups[(min(r, c), max(r, c))].append(p)
        self.groups = list(groups.items())
        self.momentum, self.decay = momentum, decay
        self.buffers = [torch.zeros_like(self.gather([p.data for p in g], shape)) for shape, g in self.groups]

    @staticmethod
    def gather(tensors, shape):
        flat = [t if t.shape[-2] == shape[0] else t.transpose(-1, -2) for t in tensors]
        return torch.cat([t.reshape(-1, *shape) for t in flat])

    @torch.no_grad()
    def step(self, lr):
        for (shape, params), buffer in zip(self.groups, self.buffers):
            g = self.gather([p.grad for p in params], shape)
            buffer.lerp_(g, 1 - self.momentum)
            update = orthogonal(g.lerp(buffer, self.momentum)).float() * (-lr * 0.2 * math.sqrt(shape[1]))
            at = 0
            deltas = []
            for p in params:
                n = p.numel() // (shape[0] * shape[1])
                u = update[at : at + n]
                at += n
                deltas.append((u if p.shape[-2] == shape[0] else u.transpose(1, 2)).reshape(p.shape))
            torch._foreach_mul_([p.data for p in params], 1 - lr * self.decay)
            torch._foreach_add_([p.data for p in params], deltas)

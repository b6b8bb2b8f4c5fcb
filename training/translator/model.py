"""The net: a pre-norm encoder and a shallow decoder over packed sequences, tied embeddings, sinusoid positions."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

HEADS = 8


def sinusoids(n, d):
    at = torch.arange(n)[:, None].float() / 10000 ** (2 * torch.arange(d // 2)[None].float() / d)
    return torch.cat([at.sin(), at.cos()], 1)


# ---- attention over sequences laid end to end: q [T, H, d], k and v [U, H, d], borders in cu_q and cu_k


def attend_flash(q, k, v, cu_q, cu_k, most, causal):
    return torch.ops.aten._flash_attention_forward(q, k, v, cu_q, cu_k, most, most, 0.0, causal, False)[0]


def attend_plain(q, k, v, cu_q, cu_k, most, causal):
    """The same by padding; slow, for checks and for machines without a GPU."""
    out = torch.zeros_like(q)
    nq, nk = cu_q[1:] - cu_q[:-1], cu_k[1:] - cu_k[:-1]
    live = ((nq > 0) & (nk > 0)).nonzero()[:, 0]
    nq, nk, oq, ok = nq[live].long(), nk[live].long(), cu_q[live].long(), cu_k[live].long()
    rq, rk = torch.arange(int(nq.max()), device=q.device), torch.arange(int(nk.max()), device=q.device)
    hq, hk = rq[None] < nq[:, None], rk[None] < nk[:, None]
    iq, ik = torch.where(hq, oq[:, None] + rq, 0), torch.where(hk, ok[:, None] + rk, 0)
    s = torch.einsum("bqhd,bkhd->bhqk", q[iq].float(), k[ik].float()) / math.sqrt(q.shape[-1])
    s = s.masked_fill(~hk[:, None, None, :], float("-inf"))
    if causal:
        s = s.masked_fill(rk[None, :] > rq[:, None], float("-inf"))
    y = torch.einsum("bhqk,bkhd->bqhd", s.softmax(-1), v[ik].float()).to(q.dtype)
    return out.index_put((iq[hq],), y[hq])


attend = attend_plain


def choose_attention(device):
    """Takes the fast kernel only if it agrees with the plain one, forwards and backwards."""
    global attend
    if device.type != "cuda":
        return "plain"
    cu = torch.tensor([0, 5, 40, 41, 100, 100], dtype=torch.int32, device=device)
    ck = torch.tensor([0, 9, 30, 90, 100, 100], dtype=torch.int32, device=device)
    for causal, borders in ((True, cu), (False, ck)):
        got = []
        for f in (attend_plain, attend_flash):
            torch.manual_seed(3)
            x = [torch.randn(100, HEADS, 64, device=device, dtype=torch.bfloat16, requires_grad=True) for _ in range(3)]
            y = f(*x, cu, borders, 128, causal)
            (y.float() * torch.linspace(-1, 1, 64, device=device)).sum().backward()
            got.append([y] + [z.grad for z in x])
        for a, b in zip(*got):
            error = ((a - b).float().norm() / a.float().norm()).item()
            if not error < 0.03:
                raise RuntimeError(f"flash attention is off by {error}")
    attend = attend_flash
    return "flash"


def narrow(p, x):
    return p.to(x.dtype)


class Linear(nn.Module):
    def __init__(self, n_in, n_out, stack=1):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(stack, n_out, n_in))
        self.bias = nn.Parameter(torch.zeros(stack * n_out))
        bound = math.sqrt(6 / (n_in + n_out))
        nn.init.uniform_(self.weight, -bound, bound)

    def forward(self, x):
        return F.linear(x, narrow(self.weight, x).flatten(0, 1), narrow(self.bias, x))


class Norm(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d))

    def forward(self, x):
        return F.layer_norm(x, x.shape[-1:], narrow(self.weight, x), narrow(self.bias, x))


class SelfAttention(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.qkv, self.out = Linear(d, d, 3), Linear(d, d)

    def forward(self, x, cu, most, causal):
        q, k, v = self.qkv(x).view(x.shape[0], 3, HEADS, -1).unbind(1)
        return self.out(attend(q, k, v, cu, cu, most, causal).reshape(x.shape))


class CrossAttention(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.q, self.kv, self.out = Linear(d, d), Linear(d, d, 2), Linear(d, d)

    def forward(self, x, e, cu_q, cu_k, most):
        k, v = self.kv(e).view(e.shape[0], 2, HEADS, -1).unbind(1)
        return self.out(attend(self.q(x).view(x.shape[0], HEADS, -1), k, v, cu_q, cu_k, most, False).reshape(x.shape))


class Feed(nn.Module):
    def __init__(self, d, wide):
        super().__init__()
        self.up, self.down = Linear(d, wide), Linear(wide, d)

    def forward(self, x):
        return self.down(F.relu(self.up(x)))


class Encoder(nn.Module):
    def __init__(self, d, wide, drop):
        super().__init__()
        self.n1, self.n2, self.self, self.feed, self.drop = Norm(d), Norm(d), SelfAttention(d), Feed(d, wide), drop

    def forward(self, x, cu, most):
        x = x + F.dropout(self.self(self.n1(x), cu, most, False), self.drop, self.training)
        return x + F.dropout(self.feed(self.n2(x)), self.drop, self.training)


class Decoder(nn.Module):
    def __init__(self, d, wide, drop):
        super().__init__()
        self.n1, self.n2, self.n3 = Norm(d), Norm(d), Norm(d)
        self.self, self.cross, self.feed, self.drop = SelfAttention(d), CrossAttention(d), Feed(d, wide), drop

    def forward(self, x, e, cu_q, cu_k, most):
        x = x + F.dropout(self.self(self.n1(x), cu_q, most, True), self.drop, self.training)
        x = x + F.dropout(self.cross(self.n2(x), e, cu_q, cu_k, most), self.drop, self.training)
        return x + F.dropout(self.feed(self.n3(x)), self.drop, self.training)


class Net(nn.Module):
    def __init__(self, vocab, d=512, wide=2048, encoders=11, decoders=3, drop=0.1):
        super().__init__()
        self.d, self.drop = d, drop
        self.emb = nn.Parameter(torch.randn(vocab, d) * d**-0.5)
        self.enc = nn.ModuleList(Encoder(d, wide, drop) for _ in range(encoders))
        self.dec = nn.ModuleList(Decoder(d, wide, drop) for _ in range(decoders))
        self.ne, self.nd = Norm(d), Norm(d)
        self.register_buffer("places", sinusoids(512, d), persistent=False)

    def embed(self, ids, pos, table):
        x = F.embedding(ids, table) * math.sqrt(self.d) + self.places[pos].to(table.dtype)
        return F.dropout(x, self.drop, self.training)

    def forward(self, src, spos, scu, tin, tpos, tcu, most, dtype):
        """States before the output layer, and the embeddings in the working precision."""
        table = self.emb.to(dtype)
        e = self.embed(src, spos, table)
        for layer in self.enc:
            e = layer(e, scu, most)
        e = self.ne(e)
        x = self.embed(tin, tpos, table)
        for layer in self.dec:
            x = layer(x, e, tcu, scu, most)
        return self.nd(x), table


# ---- loss: logits, label smoothing and both gradients in one go, so that the logits are touched as little as possible


def loss_plain(h, table, labels, count, smooth):
    keep = labels != 0
    logits = (h[keep] @ table.t()).float()
    return F.cross_entropy(logits, labels[keep], label_smoothing=smooth, reduction="sum") / count


try:
    import triton
    import triton.language as tl

    @triton.jit
    def _smooth_xent(logits, labels, losses, stride, vocab, smooth, scale, BLOCK: tl.constexpr):
        row = tl.program_id(0).to(tl.int64)
        y = tl.load(labels + row)
        base = logits + row * stride
        if y == 0:
            for i in range(0, vocab, BLOCK):
                at = i + tl.arange(0, BLOCK)
                tl.store(base + at, tl.zeros([BLOCK], tl.bfloat16), mask=at < vocab)
            tl.store(losses + row, 0.0)
            return
        right = tl.load(base + y).to(tl.float32)
        top = -float("inf")
        mass = 0.0
        whole = 0.0
        for i in range(0, vocab, BLOCK):
            at = i + tl.arange(0, BLOCK)
            x = tl.load(base + at, mask=at < vocab, other=-float("inf")).to(tl.float32)
            above = tl.maximum(top, tl.max(x, 0))
            mass = mass * tl.exp(top - above) + tl.sum(tl.exp(x - above), 0)
            whole += tl.sum(tl.where(at < vocab, x, 0.0), 0)
            top = above
        lse = top + tl.log(mass)
        tl.store(losses + row, lse - (1 - smooth) * right - smooth / vocab * whole)
        tl.debug_barrier()
        for i in range(0, vocab, BLOCK):
            at = i + tl.arange(0, BLOCK)
            x = tl.load(base + at, mask=at < vocab, other=-float("inf")).to(tl.float32)
            g = tl.exp(x - lse) - smooth / vocab
            g = tl.where(at == y, g - (1 - smooth), g)
            tl.store(base + at, (g * scale).to(tl.bfloat16), mask=at < vocab)

    class _Fused(torch.autograd.Function):
        @staticmethod
        def forward(ctx, h, table, labels, count, smooth):
            logits = h @ table.t()
            losses = torch.empty(h.shape[0], device=h.device)
            _smooth_xent[(h.shape[0],)](
                logits, labels, losses, logits.stride(0), logits.shape[1], smooth, 1.0 / count, BLOCK=4096, num_warps=8
            )
            ctx.save_for_backward(logits @ table, logits.t() @ h)
            return losses.sum() / count

        @staticmethod
        def backward(ctx, g):
            dh, dw = ctx.saved_tensors
            return dh, dw, None, None, None

    def loss_fused(h, table, labels, count, smooth):
        return _Fused.apply(h, table, labels, count, smooth)

except ImportError:
    loss_fused = None

loss = loss_plain


def choose_loss(device):
    global loss
    if device.type != "cuda" or loss_fused is None:
        return "plain"
    got = []
    for f in (loss_plain, loss_fused):
        torch.manual_seed(5)
        h = torch.randn(300, 512, device=device).bfloat16().requires_grad_()
        w = (torch.randn(5000, 512, device=device) * 0.05).bfloat16().requires_grad_()
        y = torch.randint(0, 5000, (300,), device=device)
        y[::7] = 0
        out = f(h, w, y, 250, 0.1)
        out.backward()
        got.append((out.detach()[None], h.grad, w.grad))
    for a, b in zip(*got):
        error = ((a - b).float().norm() / a.float().norm()).item()
        if not error < 0.03:
            print(f"fused loss is off by {error}: the plain one is used", flush=True)
            return "plain"
    loss = loss_fused
    return "fused"

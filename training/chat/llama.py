"""TinyLlama as its GGUF has it (neighbouring values turn together), with low-rank additions to every matrix of its layers."""

import math

import torch
import torch.nn.functional as F
from torch import nn

PARTS = ["attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"]


DROPOUT = 0.1


class Linear(nn.Module):
    """A matrix that stays as it is, and two narrow ones whose product is added to it."""

    def __init__(self, weight: torch.Tensor):
        super().__init__()
        self.register_buffer("weight", weight)
        self.scale = 0.0

    def add(self, rank: int, alpha: float) -> None:
        rows, columns = self.weight.shape
        self.a = nn.Parameter(torch.randn(rank, columns, device=self.weight.device) / math.sqrt(columns))
        self.b = nn.Parameter(torch.zeros(rows, rank, device=self.weight.device))
        self.scale = alpha / rank

    def forward(self, x):
        plain = F.linear(x, self.weight)
        if self.scale == 0:
            return plain
        low = F.linear(F.dropout(x, DROPOUT, self.training), self.a.to(x.dtype))
        return plain + self.scale * F.linear(low, self.b.to(x.dtype))


class Llama(nn.Module):
    def __init__(self, gguf, device="cuda", dtype=torch.bfloat16):
        super().__init__()
        facts = gguf.facts
        self.heads, self.groups = facts["llama.attention.head_count"], facts["llama.attention.head_count_kv"]
        self.width = facts["llama.embedding_length"]
        self.epsilon = facts["llama.attention.layer_norm_rms_epsilon"]
        self.base = facts["llama.rope.freq_base"]

        def load(name):
            return gguf.tensor(name).to(device, dtype)

        count = range(facts["llama.block_count"])
        self.embed, self.out, self.norm = load("token_embd.weight"), load("output.weight"), load("output_norm.weight")
        self.norms = [(load(f"blk.{i}.attn_norm.weight"), load(f"blk.{i}.ffn_norm.weight")) for i in count]
        self.layers = nn.ModuleList(
            nn.ModuleDict({part: Linear(load(f"blk.{i}.{part}.weight")) for part in PARTS}) for i in count
        )

    def add(self, rank: int, alpha: float) -> None:
        for layer in self.layers:
            for part in PARTS:
                layer[part].add(rank, alpha)

    def rms(self, x, weight):
        return F.rms_norm(x, (self.width,), weight, self.epsilon)

    def turn(self, x):
        length, size = x.shape[-2], x.shape[-1]
        speed = self.base ** (-torch.arange(0, size, 2, device=x.device).float() / size)
        angle = torch.arange(length, device=x.device).float()[:, None] * speed
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        one, two = x[..., 0::2], x[..., 1::2]
        return torch.stack((one * cos - two * sin, one * sin + two * cos), -1).flatten(-2)

    def hidden(self, tokens):
        x = F.embedding(tokens, self.embed)
        batch, length, _ = x.shape
        size = self.width // self.heads
        for layer, (first, second) in zip(self.layers, self.norms):
            y = self.rms(x, first)
            q = layer["attn_q"](y).view(batch, length, self.heads, size).transpose(1, 2)
            k = layer["attn_k"](y).view(batch, length, self.groups, size).transpose(1, 2)
            v = layer["attn_v"](y).view(batch, length, self.groups, size).transpose(1, 2)
            y = F.scaled_dot_product_attention(self.turn(q), self.turn(k), v, is_causal=True, enable_gqa=True)
            x = x + layer["attn_output"](y.transpose(1, 2).reshape(batch, length, self.width))
            y = self.rms(x, second)
            x = x + layer["ffn_down"](F.silu(layer["ffn_gate"](y)) * layer["ffn_up"](y))
        return self.rms(x, self.norm)

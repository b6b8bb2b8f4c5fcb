"""Teaches the low-rank additions; only the words of the assistant are learnt. Every run of runs.json (name, rank, alpha, rate, epochs,
kinds, seconds) starts from nothing, is written to FOLDER as adapter-NAME.gguf and then answers the prompts of prompts.json greedily.
Usage: python3 train.py model.gguf libggml-base.so tokens.json prompts.json runs.json FOLDER OUT [--base]"""

import json
import math
import random
import re
import sys
import time

import torch
import torch.nn.functional as F

from llama import PARTS, Llama
from weights import Gguf, rounded, write_adapter

model_path, library, tokens_path, prompts_path, runs_path, folder, out = sys.argv[1:8]
gguf = Gguf(model_path, library)
vocabulary = gguf.facts["tokenizer.ggml.tokens"]
END = gguf.facts["tokenizer.ggml.eos_token_id"]
conversations = json.load(open(tokens_path))
prompts = json.load(open(prompts_path))
BATCH_TOKENS = 4096
WARM_UP_STEPS = 50
LONGEST_ANSWER = 90


def batches(seed: int, kinds: list[str]) -> list[list[int]]:
    """Conversations of like length together, in a random order."""
    shuffler = random.Random(seed)
    wanted = [index for index, one in enumerate(conversations) if one["kind"] in kinds]
    order = sorted(wanted, key=lambda index: len(conversations[index]["tokens"]) + shuffler.random() * 20)
    groups, group = [], []
    for index in order:
        if group and len(conversations[index]["tokens"]) * (len(group) + 1) > BATCH_TOKENS:
            groups.append(group)
            group = []
        group.append(index)
    groups.append(group)
    shuffler.shuffle(groups)
    return groups


def tensors(group: list[int]) -> tuple[torch.Tensor, torch.Tensor]:
    longest = max(len(conversations[index]["tokens"]) for index in group)
    tokens = torch.full((len(group), longest), END)
    is_learnt = torch.zeros(len(group), longest, dtype=torch.bool)
    for place, index in enumerate(group):
        one = conversations[index]
        tokens[place, : len(one["tokens"])] = torch.tensor(one["tokens"])
        for start, stop in one["learn"]:
            is_learnt[place, start:stop] = True
    return tokens.cuda(), is_learnt.cuda()


def loss_of(model: Llama, group: list[int]) -> torch.Tensor:
    tokens, is_learnt = tensors(group)
    wanted = is_learnt[:, 1:]
    hidden = model.hidden(tokens[:, :-1])[wanted]
    return F.cross_entropy(F.linear(hidden, model.out).float(), tokens[:, 1:][wanted])


@torch.no_grad()
def held_out_loss(model: Llama, kind: str) -> float:
    model.eval()
    losses = [float(loss_of(model, group)) for group in batches(0, [kind])[:20]]
    return sum(losses) / len(losses)


def train(model: Llama, run: dict) -> None:
    learnt = list(model.parameters())
    optimizer = torch.optim.AdamW(learnt, lr=run["rate"], betas=(0.9, 0.98), weight_decay=0.01)
    plan = [group for epoch in range(run["epochs"]) for group in batches(epoch, run["kinds"])]
    most_seconds = run.get("seconds", math.inf)
    started, smooth = time.time(), None
    model.train()
    for step, group in enumerate(plan):
        # The rate falls to a twentieth at the end of the plan or of the time, whichever comes first.
        done = max(step / len(plan), (time.time() - started) / most_seconds)
        if done >= 1:
            break
        rate = run["rate"] * min(1.0, (step + 1) / WARM_UP_STEPS) * (0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * done)))
        for part in optimizer.param_groups:
            part["lr"] = rate
        loss = loss_of(model, group)
        optimizer.zero_grad()
        loss.backward()
        size = torch.nn.utils.clip_grad_norm_(learnt, 1.0)
        if not math.isfinite(float(size)):
            print(f"step {step}: the gradient is not finite, left out", flush=True)
            continue
        optimizer.step()
        smooth = float(loss) if smooth is None else 0.98 * smooth + 0.02 * float(loss)
        if step % 50 == 0 or step == len(plan) - 1:
            print(f"{run['name']} {step}/{len(plan)} loss {smooth:.3f} {time.time() - started:.0f} s", flush=True)


@torch.no_grad()
def answers(model: Llama) -> list[tuple[str, bool]]:
    """Each prompt's likeliest words, and whether they ended by themselves."""
    model.eval()
    got = []
    for start in range(0, len(prompts), 64):
        some = prompts[start : start + 64]
        at = torch.tensor([len(one["tokens"]) for one in some]).cuda()
        lengths = at.tolist()
        tokens = torch.full((len(some), max(lengths) + LONGEST_ANSWER), END).cuda()
        for place, one in enumerate(some):
            tokens[place, : len(one["tokens"])] = torch.tensor(one["tokens"])
        every = torch.arange(len(some)).cuda()
        is_over = torch.zeros(len(some), dtype=torch.bool).cuda()
        for _ in range(LONGEST_ANSWER):
            hidden = model.hidden(tokens[:, : int(at.max())])
            best = F.linear(hidden[every, at - 1], model.out).argmax(-1)
            tokens[every, at] = torch.where(is_over, torch.full_like(best, END), best)
            is_over |= best == END
            at = torch.where(is_over, at, at + 1)
            if bool(is_over.all()):
                break
        for place, length in enumerate(lengths):
            got.append((spell(tokens[place, length : int(at[place])].tolist()), bool(is_over[place])))
    return got


def spell(ids: list[int]) -> str:
    raw = b""
    for one in ids:
        piece = vocabulary[one]
        is_byte = piece.startswith("<0x") and len(piece) == 6
        raw += bytes([int(piece[3:5], 16)]) if is_byte else piece.replace("\u2581", " ").encode()
    return raw.decode("utf-8", "replace").strip()


def report(name: str, model: Llama) -> None:
    good, lines = {}, []
    for prompt, (answer, is_whole) in zip(prompts, answers(model)):
        is_right = is_whole and re.search(prompt["good"], answer.lower()) is not None
        count = good.setdefault(prompt["set"], [0, 0])
        count[0] += is_right
        count[1] += 1
        lines.append("\t".join([prompt["set"], " " if is_right else "x", prompt["question"], answer + ("" if is_whole else " [...]")]))
    with open(f"{out}/answers-{name}.txt", "w") as file:
        file.write("\n".join(lines))
    print(name, f"held-out loss {held_out_loss(model, 'held'):.3f}, plain {held_out_loss(model, 'plain'):.3f};", " ".join(f"{key} {right}/{all_}" for key, (right, all_) in good.items()), flush=True)


model = Llama(gguf)
if "--base" in sys.argv:
    report("base", model)
for run in json.load(open(runs_path)):
    torch.manual_seed(1)
    model.add(run["rank"], run["alpha"])
    train(model, run)
    found = {}
    for index, layer in enumerate(model.layers):
        for part in PARTS:
            found[f"blk.{index}.{part}.weight.lora_a"] = layer[part].a
            found[f"blk.{index}.{part}.weight.lora_b"] = layer[part].b
    for one in found.values():
        one.data = rounded(one.data)
    write_adapter(f"{folder}/adapter-{run['name']}.gguf", run["alpha"], found)
    report(run["name"], model)

"""Attention of 12 heads of width 64 over N tokens in PyTorch, its weights kept, for the bench: prints the seconds of one
forward pass as one writes it, and of the best form that PyTorch has, whose buffers are made once. Medians of REPEATS."""

import statistics
import sys
import time

import torch

HEADS, WIDTH = 12, 64
SCALE = WIDTH**-0.5
WARM_SECONDS = 0.3  # of runs that are not counted, as in bench_attention.c


def plain(q, k, v):
    weights = torch.softmax(q @ k.transpose(1, 2) * SCALE, dim=-1)
    return weights, weights @ v


def best(q, k, v, scaled, weights, output):
    torch.mul(q, SCALE, out=scaled)
    torch.bmm(scaled, k.transpose(1, 2), out=weights)
    torch.softmax(weights, dim=-1, out=weights)
    torch.bmm(weights, v, out=output)


def seconds(repeats, function, *arguments):
    times = []
    start = time.perf_counter()
    while time.perf_counter() - start < WARM_SECONDS:
        function(*arguments)
    for _ in range(repeats):
        before = time.perf_counter()
        function(*arguments)
        times.append(time.perf_counter() - before)
    return statistics.median(times)


n, repeats = int(sys.argv[1]), int(sys.argv[2])
with torch.no_grad():
    q, k, v = (torch.randn(HEADS, n, WIDTH) for _ in range(3))
    as_it_comes = seconds(repeats, plain, q, k, v)
    buffers = torch.empty_like(q), torch.empty(HEADS, n, n), torch.empty_like(q)
    print(as_it_comes, seconds(repeats, best, q, k, v, *buffers))

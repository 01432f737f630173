# SPDX-License-Identifier: MIT
"""The benchmarks of scripts/bench_peers:

    peers.py <torch_compile|torch_in_chunks|jax|python_koila> <file>

Each case does the same work as koila_bench's case of the same name. The file is a JSON list. Each
case adds a row: name, who, size, microseconds (the shortest time) and median (in microseconds).
"""

import json
import os
import sys
import time

WHO, FILE = sys.argv[1:]
THREADS = int(os.environ.get("OMP_NUM_THREADS", "2"))
WIDTH, LR = 256, 1e-3
CHAIN_SIZES = [4 << 10, 1 << 20, 16 << 20]
MLP_SIZES = [4096, 32768]
BLOCK_SIZE, ROWS, INNER = 64, 128, 1024

if WHO == "jax":  # JAX's pool has a thread for each core that the process may use
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:THREADS])
    os.environ["XLA_FLAGS"] = f"--xla_cpu_multi_thread_eigen={'true' if THREADS > 1 else 'false'}"
    os.environ["JAX_PLATFORMS"] = "cpu"


# With one thread, measures processor time, because the machine may be busy with other work.
# Otherwise measures wall-clock time.
NOW = time.process_time if THREADS == 1 else time.perf_counter


def seconds(once, least=5, enough=0.5):
    """Returns the sorted times of calls of `once`, in seconds.

    Calls `once` at least `least` times and until `enough` seconds have passed, but at most 10,000
    times for that. Two calls before these are not measured.
    """
    once(), once()
    out, start = [], time.perf_counter()
    while len(out) < least or (time.perf_counter() - start < enough and len(out) < 10000):
        begin = NOW()
        once()
        out.append(NOW() - begin)
    return sorted(out)


def report(name, size, times, **more):
    rows = []
    if os.path.exists(FILE):
        with open(FILE, encoding="utf-8") as file:
            rows = json.load(file)
    rows = [r for r in rows if (r["name"], r["who"], r["size"]) != (name, WHO, size)]
    row = dict(name=name, who=WHO, size=size, microseconds=round(times[0] * 1e6, 2), median=round(times[len(times) // 2] * 1e6, 2), threads=THREADS)
    rows.append({**row, **more})
    with open(FILE + ".new", "w", encoding="utf-8") as file:  # the old file stays until the new file is complete
        json.dump(rows, file, indent=1)
    os.replace(FILE + ".new", FILE)
    print(f"{name}/{WHO}/{size}: {row['microseconds']} us", flush=True)


def with_torch():
    import torch
    from torch.nn import functional as F

    if WHO == "python_koila":
        import logging

        logging.disable(logging.CRITICAL)
        from koila import lazy

    torch.manual_seed(1)
    torch.set_num_threads(THREADS)

    def relu_tanh(x, b, c):
        return torch.relu(x * b + c) * torch.tanh(c)

    def gelu_residual(x, b, c):
        return F.gelu(x * b + c) + x

    def mlp(w, x, label):
        h = torch.relu(F.linear(x, w[0], w[1]))
        h = torch.relu(F.linear(h, w[2], w[3]))
        return F.cross_entropy(F.linear(h, w[4], w[5]), label)

    def block(w, x, target):
        h = F.gelu(F.linear(F.layer_norm(x, (WIDTH,), w[0], w[1]), w[2], w[3]))
        return F.mse_loss(x + F.linear(h, w[4], w[5]), target)

    def weights(*shapes):
        return [(torch.randn(s) * 0.05).requires_grad_() for s in shapes]

    def step(loss, w, x, y, chunk):
        n = x.size(0)
        for i in range(0, n, chunk):
            part = loss(w, x, y) if chunk == n else loss(w, x[i : i + chunk], y[i : i + chunk])
            (part * (min(chunk, n - i) / n) if chunk < n else part).backward()
        with torch.no_grad():
            torch._foreach_add_(w, [p.grad for p in w], alpha=-LR)
        for p in w:
            p.grad = None

    def train(name, size, loss, w, x, y):
        if WHO == "torch_compile":
            compiled = torch.compile(loss, dynamic=False)
            report(name, size, seconds(lambda: step(compiled, w, x, y, size)))
            return
        if WHO == "python_koila":  # splits the batch for a GPU's memory; without a GPU, it runs the whole batch
            report(name, size, seconds(lambda: step(loss, w, *lazy(x, y, batch=0), size)))
            return
        chunks = [1 << i for i in range(20) if size // 128 <= 1 << i <= size]
        found = [(seconds(lambda c=c: step(loss, w, x, y, c), least=3, enough=0)[0], c) for c in chunks]
        chunk = min(found)[1]
        report(name, size, seconds(lambda: step(loss, w, x, y, chunk)), chunk=chunk)

    for n in MLP_SIZES:
        w = weights((512, 784), (512,), (512, 512), (512,), (10, 512), (10,))
        train("mlp_step", n, mlp, w, torch.randn(n, 784), torch.randint(10, (n,)))
    if WHO == "python_koila":  # the Python koila has no layer_norm
        return
    w = weights((WIDTH,), (WIDTH,), (INNER, WIDTH), (INNER,), (WIDTH, INNER), (WIDTH,))
    shape = (BLOCK_SIZE, ROWS, WIDTH)
    train("feed_forward_step", BLOCK_SIZE, block, w, torch.randn(shape), torch.randn(shape))
    if WHO != "torch_compile":
        return
    for chain in (relu_tanh, gelu_residual):
        name = "chain_" + chain.__name__
        for n in CHAIN_SIZES:
            x, b, c = (torch.randn(n // WIDTH, WIDTH) for _ in range(3))
            forward = torch.compile(chain, dynamic=False)
            report(name, n, seconds(lambda: forward(x, b, c)))
            for t in (x, b, c):
                t.requires_grad_()
            total = torch.compile(lambda x, b, c: chain(x, b, c).sum(), dynamic=False)

            def backward():
                total(x, b, c).backward()
                for t in (x, b, c):
                    t.grad = None

            report(name + "_backward", n, seconds(backward))


def with_jax():
    import jax
    import jax.numpy as jnp
    import numpy as np

    rng = np.random.default_rng(1)

    def normal(*shape, scale=1.0):
        return jnp.asarray(rng.standard_normal(shape, dtype=np.float32) * np.float32(scale))

    def gelu(x):
        return jax.nn.gelu(x, approximate=False)

    def relu_tanh(x, b, c):
        return jax.nn.relu(x * b + c) * jnp.tanh(c)

    def gelu_residual(x, b, c):
        return gelu(x * b + c) + x

    def mlp(w, x, label):
        h = jax.nn.relu(x @ w[0].T + w[1])
        h = jax.nn.relu(h @ w[2].T + w[3])
        y = jax.nn.log_softmax(h @ w[4].T + w[5])
        return -jnp.mean(jnp.take_along_axis(y, label[:, None], axis=1))

    def block(w, x, target):
        mean, var = jnp.mean(x, -1, keepdims=True), jnp.var(x, -1, keepdims=True)
        normed = (x - mean) * jax.lax.rsqrt(var + 1e-5) * w[0] + w[1]
        return jnp.mean((x + gelu(normed @ w[2].T + w[3]) @ w[4].T + w[5] - target) ** 2)

    def train(name, size, loss, w, x, y):
        def of(w, x, y):
            value, gradient = jax.value_and_grad(loss)(w, x, y)
            return value, [p - LR * g for p, g in zip(w, gradient)]

        jitted, now = jax.jit(of, donate_argnums=0), [w]

        def once():
            _, now[0] = jitted(now[0], x, y)
            jax.block_until_ready(now[0])

        report(name, size, seconds(once))

    for n in MLP_SIZES:
        w = [normal(*s, scale=0.05) for s in ((512, 784), (512,), (512, 512), (512,), (10, 512), (10,))]
        train("mlp_step", n, mlp, w, normal(n, 784), jnp.asarray(rng.integers(0, 10, n)))
    w = [normal(*s, scale=0.05) for s in ((WIDTH,), (WIDTH,), (INNER, WIDTH), (INNER,), (WIDTH, INNER), (WIDTH,))]
    shape = (BLOCK_SIZE, ROWS, WIDTH)
    train("feed_forward_step", BLOCK_SIZE, block, w, normal(*shape), normal(*shape))
    for chain in (relu_tanh, gelu_residual):
        name = "chain_" + chain.__name__
        for n in CHAIN_SIZES:
            x, b, c = (normal(n // WIDTH, WIDTH) for _ in range(3))
            forward = jax.jit(chain)
            report(name, n, seconds(lambda: jax.block_until_ready(forward(x, b, c))))
            backward = jax.jit(jax.value_and_grad(lambda x, b, c: chain(x, b, c).sum(), argnums=(0, 1, 2)))
            report(name + "_backward", n, seconds(lambda: jax.block_until_ready(backward(x, b, c))))


with_jax() if WHO == "jax" else with_torch()

"""The teacher: all-MiniLM-L6-v2 (BERT, 6 layers, 384 wide) as a forward pass in numpy.

Only numpy and the tokenizers package are needed, so that the build pins two packages
instead of a deep-learning framework. Checked against the published model's cosine values.
"""
import json
import pathlib

import numpy as np
from tokenizers import Tokenizer

LAYERS, HEADS, WIDTH = 6, 12, 384
HEAD = WIDTH // HEADS


def load_safetensors(path):
    """All tensors of a safetensors file as float32 arrays."""
    raw = pathlib.Path(path).read_bytes()
    size = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8 : 8 + size])
    tensors = {}
    for name, info in header.items():
        if name == "__metadata__" or info["dtype"] != "F32":
            continue
        start, end = (8 + size + o for o in info["data_offsets"])
        tensors[name] = np.frombuffer(raw[start:end], "<f4").reshape(info["shape"])
    return tensors


def erf(x):
    """Abramowitz and Stegun 7.1.26, absolute error below 1.5e-7."""
    a = np.abs(x)
    t = 1 / (1 + np.float32(0.3275911) * a)
    p = t * np.float32(1.061405429)
    for c in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        p += np.float32(c)
        p *= t
    a *= -a
    np.exp(a, out=a)
    p *= a
    np.subtract(1, p, out=p)
    return np.copysign(p, x)


def gelu(x):
    """The exact GELU that BERT was trained with."""
    return (0.5 * x * (1 + erf(x * np.float32(0.70710678)))).astype(np.float32)


class Teacher:
    """Sentence embeddings: mean of the last layer over the tokens, unit length."""

    def __init__(self, folder):
        folder = pathlib.Path(folder)
        self.t = load_safetensors(folder / "model.safetensors")
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(128)

    def norm(self, x, name):
        mean = x.mean(-1, keepdims=True)
        centred = x - mean
        var = (centred * centred).mean(-1, keepdims=True)
        return centred / np.sqrt(var + 1e-12) * self.t[name + ".weight"] + self.t[name + ".bias"]

    def dense(self, x, name):
        # One product of two matrices: numpy would otherwise make one call a row.
        flat = x.reshape(-1, x.shape[-1]) @ self.t[name + ".weight"].T
        flat += self.t[name + ".bias"]
        return flat.reshape(*x.shape[:-1], -1)

    def forward(self, ids):
        """The mean-pooled, unit-length embeddings of equally long rows of token ids."""
        t, (n, length) = self.t, ids.shape
        x = t["embeddings.word_embeddings.weight"][ids]
        x = x + t["embeddings.position_embeddings.weight"][:length] + t["embeddings.token_type_embeddings.weight"][0]
        x = self.norm(x, "embeddings.LayerNorm")
        for layer in range(LAYERS):
            at = f"encoder.layer.{layer}."
            q, k, v = (
                self.dense(x, at + "attention.self." + part).reshape(n, length, HEADS, HEAD).transpose(0, 2, 1, 3)
                for part in ("query", "key", "value")
            )
            scores = q @ k.transpose(0, 1, 3, 2) / np.float32(np.sqrt(HEAD))
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            scores /= scores.sum(-1, keepdims=True)
            mixed = (scores @ v).transpose(0, 2, 1, 3).reshape(n, length, WIDTH)
            x = self.norm(x + self.dense(mixed, at + "attention.output.dense"), at + "attention.output.LayerNorm")
            inner = gelu(self.dense(x, at + "intermediate.dense"))
            x = self.norm(x + self.dense(inner, at + "output.dense"), at + "output.LayerNorm")
        pooled = x.mean(1)
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)

    def embed(self, texts, tokens_per_batch=2048, progress=None):
        """Embeddings of texts, in their order. Rows of equal length share a batch: no padding."""
        ids = [e.ids for e in self.tokenizer.encode_batch(list(texts))]
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        out = np.zeros((len(ids), WIDTH), np.float32)
        start = 0
        while start < len(order):
            length = len(ids[order[start]])
            end = start
            while end < len(order) and len(ids[order[end]]) == length and (end - start) * length < tokens_per_batch:
                end += 1
            rows = order[start:end]
            out[rows] = self.forward(np.array([ids[i] for i in rows]))
            start = end
            if progress:
                progress(start, len(order))
        return out

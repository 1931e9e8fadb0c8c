"""Fits word vectors so that their sum points where the teacher's embedding points."""
import numpy as np
from scipy import sparse

ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def misspell(word, rng):
    """One letter dropped, doubled, exchanged with its neighbour or replaced."""
    at = rng.integers(0, len(word) - 1)
    kind = rng.integers(0, 4)
    if kind == 0:
        return word[:at] + word[at + 1 :]
    if kind == 1:
        return word[:at] + word[at] + word[at:]
    if kind == 2:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + ALPHABET[rng.integers(0, 26)] + word[at + 1 :]


def with_typo(words, rng):
    """The words with one of the longer ones misspelt."""
    long = [i for i, w in enumerate(words) if len(w) > 3]
    if not long:
        return words
    i = long[rng.integers(0, len(long))]
    return words[:i] + [misspell(words[i], rng)] + words[i + 1 :]


def counts(lists, rows):
    """The matrix that sums rows: one line for each list."""
    ends = np.cumsum([0] + [len(x) for x in lists])
    flat = np.fromiter((r for x in lists for r in x), np.int32, ends[-1])
    m = sparse.csr_matrix((np.ones(len(flat), np.float32), flat, ends), (len(lists), rows))
    m.sum_duplicates()
    return m


def fit(vectors, m, target, weight, epochs, rate, batch=512, seed=1, report=None):
    """Adam on 1 - cosine, on the rows that a batch holds; the rate falls to zero linearly."""
    rng = np.random.default_rng(seed)
    vectors = vectors.copy()
    first, second = np.zeros_like(vectors), np.zeros(len(vectors), np.float32)
    seen = np.zeros(len(vectors), np.float32)
    steps, step = epochs * (m.shape[0] // batch), 0
    for epoch in range(epochs):
        order = rng.permutation(m.shape[0])
        loss = 0.0
        for at in range(0, len(order) - batch + 1, batch):
            pick = order[at : at + batch]
            part, goal, w = m[pick], target[pick].astype(np.float32), weight[pick][:, None]
            rows, inverse = np.unique(part.indices, return_inverse=True)
            part = sparse.csr_matrix((part.data, inverse, part.indptr), (batch, len(rows)))
            out = part @ vectors[rows]
            length = np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-6)
            out /= length
            cosine = (out * goal).sum(1, keepdims=True)
            loss += float((w * (1 - cosine)).sum() / w.sum())
            grad = part.T @ (w * (cosine * out - goal) / length)
            step += 1
            seen[rows] += 1
            first[rows] += 0.1 * (grad - first[rows])
            second[rows] += 0.01 * ((grad * grad).mean(1) - second[rows])
            mean = first[rows] / (1 - 0.9 ** seen[rows])[:, None]
            size = second[rows] / (1 - 0.99 ** seen[rows])
            vectors[rows] -= rate * (1 - step / (steps + 1)) * mean / (np.sqrt(size)[:, None] + 1e-8)
        if report:
            report(epoch, loss / max(1, len(order) // batch), vectors)
    return vectors

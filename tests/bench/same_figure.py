"""The figure of `heed export raw` with 12 tokens as matplotlib draws it: cells, numbers, labels, colour bar."""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

words = "The film is not bad at all , a surprisingly warm finale".split()
n = len(words)
weights = [[0.4 if q == k else 0.6 / (n - 1) for k in range(n)] for q in range(n)]
figure, axes = plt.subplots(figsize=(7, 6.9))
image = axes.imshow(weights, cmap="Blues", vmin=0, vmax=1)
axes.set_xticks(range(n), words, rotation=90)
axes.set_yticks(range(n), words)
for q in range(n):
    for k in range(n):
        axes.text(k, q, f"{weights[q][k]:.2f}", ha="center", va="center", fontsize=8)
axes.set_xlabel("key")
axes.set_ylabel("query")
figure.colorbar(image, label="weight")
figure.savefig(sys.argv[1])

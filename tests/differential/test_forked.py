"""A process that was forked, as the workers of `multiprocessing` and of data loaders are, encodes like its parent."""

import os
import subprocess
import sys

import pytest

# A child that waits for its parent's threads waits for ever: the alarm ends it.
SCRIPT = """
import os, signal
from lab_app.engine import Document, Tokenizer

texts = ["the quick brown fox"] * 100
tokenizers = [Tokenizer.builtin("gpt2"), Tokenizer.builtin("cl100k_base")]

def work():
    ids = [tokenizer.encode_ids_batch(texts, threads=threads)[0].sum() for tokenizer in tokenizers for threads in (0, 2)]
    encodings = tokenizers[0].encode_batch(texts)
    return [*ids, sum(len(one) for one in encodings), Document(tokenizers, texts[0]).counts(1)["count"]]

def generation(number, expected):
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        if work() != expected:
            os._exit(2)
        os._exit(generation(number - 1, expected) if number else 0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) and 1

expected = work()
print(generation(1, expected), work() == expected)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork processes")
def test_children_and_their_children_encode_batches():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert done.stdout == "0 True\n", done.stderr

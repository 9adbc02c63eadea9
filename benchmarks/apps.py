"""Measure how long apps wait: for the end of a conversation with its memory, and for the context.

Run with `python -m benchmarks.apps`. No language model is asked. The share of tokens is what a memory would cost with
one: its request and its reply, against what the app's own model reads and writes in the same conversation, in which
every turn sends the whole conversation again.
"""

from __future__ import annotations

import tempfile
from time import perf_counter

from limpet import Limpet
from limpet.llm.prompt import load_prompt
from limpet.text.tokens import count_tokens

CONVERSATIONS = 60
TURNS = 20


def main() -> None:
    ends, contexts, shares = [], [], []
    with tempfile.TemporaryDirectory(prefix="limpet-bench-") as home, Limpet(home=home, cwd=home) as memory:
        app = memory.app("calendar")
        for number in range(CONVERSATIONS):
            talk, said, own = None, "", 0
            for turn in range(TURNS):
                text = f"I keep paper {number}-{turn} of project {number} in drawer {turn}, since my desk is full."
                role = "assistant" if turn % 2 else "user"
                talk = app.converse(text, role=role, conversation=talk)
                said += text
                own += count_tokens(said) if role == "assistant" else 0
            started = perf_counter()
            app.end(str(talk))
            ends.append(perf_counter() - started)
            started = perf_counter()
            app.context()
            contexts.append(perf_counter() - started)
            asked = count_tokens(load_prompt("conversation")) + count_tokens(said) + 100
            deciding = count_tokens(load_prompt("decide")) + 11 * 60 + 100
            shares.append((asked + deciding) / own)
    print(f"{CONVERSATIONS} conversations of {TURNS} messages, ten memories kept")
    for name, values in (("end, with its memory", ends), ("context", contexts)):
        ordered = sorted(values)
        print(f"  {name:<22} median {ordered[len(ordered) // 2] * 1000:6.1f} ms   slowest {ordered[-1] * 1000:6.1f} ms")
    print(f"  tokens of memory making and compaction against the conversation's own: {sum(shares) / len(shares):.0%}")


if __name__ == "__main__":
    main()

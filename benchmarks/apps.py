"""Measure how long apps wait, and what a model would cost them.

Run with `python -m benchmarks.apps`. No language model is asked: a stand-in answers at once with a memory of 120
characters. The tokens of settling a conversation (its memory, and which of eleven memories makes space) are compared
with those of the conversation itself, in which every answer reads the whole conversation again. A message has 25 words
and an answer 120.
"""

from __future__ import annotations

import json
import tempfile
from time import perf_counter

from limpet import Limpet
from limpet.apps.energy import conversation_tokens
from limpet.clock import now
from limpet.llm.protocol import Reply, Request, TokenRoom
from limpet.llm.roles import ModelRoles
from limpet.model.app import Message, Role
from limpet.text.tokens import count_tokens

CONVERSATIONS = 60
MESSAGES = 20
TURNS = (1, 2, 4, 6, 8, 10, 15, 20, 30, 40, 60)
SHARE = 0.05
SENTENCE = "the desk keeps paper and since my project is full of drawers with a key that nobody else may ever use"
MEMORY = (
    "I keep the papers of project 7 in drawer 4, since my desk is full, and nobody else has a key to it at all today."
)


def main() -> None:
    _measure_waiting()
    _measure_tokens()


def _measure_waiting() -> None:
    ends, contexts = [], []
    with tempfile.TemporaryDirectory(prefix="limpet-bench-") as home, Limpet(home=home, cwd=home) as memory:
        app = memory.app("calendar")
        for number in range(CONVERSATIONS):
            talk = None
            for turn in range(MESSAGES):
                text = f"I keep paper {number}-{turn} of project {number} in drawer {turn}, since my desk is full."
                talk = app.converse(text, role="assistant" if turn % 2 else "user", conversation=talk)
            started = perf_counter()
            app.end(str(talk))
            ends.append(perf_counter() - started)
            started = perf_counter()
            app.context()
            contexts.append(perf_counter() - started)
    print(f"{CONVERSATIONS} conversations of {MESSAGES} messages, ten memories kept")
    for name, values in (("end, with its memory", ends), ("context", contexts)):
        ordered = sorted(values)
        print(f"  {name:<22} median {ordered[len(ordered) // 2] * 1000:6.1f} ms   slowest {ordered[-1] * 1000:6.1f} ms")


def _measure_tokens() -> None:
    print("turns   the conversation   always asking        asked within 5 %")
    for turns in TURNS:
        said = [each for turn in range(turns) for each in (_say(turn, 25, Role.USER), _say(turn, 120, Role.ASSISTANT))]
        own = conversation_tokens(said)
        always, _ = _settle(said, None)
        within, asked = _settle(said, TokenRoom(left=int(SHARE * own)))
        what = {0: "nothing, by rules", 1: "the memory", 2: "the memory and what makes space"}[asked]
        print(f"{turns:5} {own:14,} tokens {always:8,} ({always / own:5.0%}) {within:8,} ({within / own:5.1%})  {what}")


def _say(turn: int, words: int, role: Role) -> Message:
    every = SENTENCE.split()
    text = " ".join(every[(turn + at) % len(every)] for at in range(words))
    return Message(role=role, text=f"{text} {turn}.", at=now())


def _settle(messages: list[Message], room: TokenRoom | None) -> tuple[int, int]:
    """Return the tokens that settling a conversation takes, and how often a model is asked."""
    spent: list[int] = []

    def ask(request: Request, role: str) -> Reply:
        fields = {"memory": MEMORY, "importance": 5, "tags": ["desk"]}
        if role == "decide":
            fields = {"action": "delete", "targetMemoryId": "m3", "withMemoryId": "", "newContent": "", "reason": "old"}
        reply = json.dumps(fields)
        spent.append(request.tokens + count_tokens(reply))
        return Reply(text=reply, tokens_in=0, tokens_out=0)

    roles = ModelRoles(ask)
    roles.summarise_conversation([(each.role is Role.USER, each.text) for each in messages], most=200, room=room)
    roles.decide([(f"m{number}", MEMORY) for number in range(1, 12)], newest="m11", most=200, room=room)
    return sum(spent), len(spent)


if __name__ == "__main__":
    main()

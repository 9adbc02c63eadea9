"""Sign memories with the user's key, and make a key if there is none."""

from __future__ import annotations

from limpet.care.signing import sign
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import CODE, YES

VERB = Verb(
    run=sign,
    is_failure=lambda answer: bool(answer.left),
    params=(
        Param(name="new_key", help="Make a new key; old signatures stay valid.", kind="flag"),
        YES,
        CODE,
    ),
    examples=("limpet sign", "limpet sign --new-key"),
)

"""Secrets are hidden wherever they leak, and ordinary text stays as it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.secrets.personal import is_personal
from limpet.secrets.redact import redact, strip_private
from tests.secrets.secret_kinds import KNOWN, UNSEEN, Fake, fakes
from tests.text.ordinary_notes import digests, look_alikes, notes

FAKES = list(fakes(KNOWN, each=20, seed=1))
STRANGERS = list(fakes(UNSEEN, each=20, seed=2))
_WORD = "Zk3-" + "wq9Rt"


def _is_caught(fake: Fake) -> bool:
    text, kinds = redact(fake.text)
    return bool(kinds) and fake.value not in text


def _caught(some: list[Fake]) -> Counter[str]:
    return Counter(fake.kind for fake in some if _is_caught(fake))


def test_at_least_98_in_100_secrets_of_known_kinds_are_caught() -> None:
    assert len(KNOWN) >= 22
    caught = _caught(FAKES)
    assert caught.total() >= 0.98 * len(FAKES), {kind: caught[kind] for kind in KNOWN if caught[kind] < 20}


def test_no_known_kind_is_caught_less_than_nine_times_in_ten() -> None:
    caught = _caught(FAKES)
    assert {kind: caught[kind] for kind in KNOWN if caught[kind] < 18} == {}


def test_at_least_80_in_100_secrets_of_unseen_kinds_are_caught() -> None:
    assert len(UNSEEN) >= 8
    caught = _caught(STRANGERS)
    assert caught.total() >= 0.8 * len(STRANGERS), {kind: caught[kind] for kind in UNSEEN if caught[kind] < 20}


def test_secrets_are_caught_inside_json_and_json_inside_json() -> None:
    once = [fake._replace(text=json.dumps({"prompt": fake.text})) for fake in FAKES if "\n" not in fake.value]
    twice = [fake._replace(text=json.dumps({"line": fake.text})) for fake in once]
    for some in (once, twice):
        some = [fake for fake in some if fake.value in fake.text]
        assert _caught(some).total() >= 0.97 * len(some)


def test_secrets_are_caught_between_lines_of_other_text() -> None:
    around = [fake._replace(text=f"先看日志。\n{fake.text}\n然后重启服务。") for fake in FAKES + STRANGERS]
    assert _caught(around).total() >= 0.97 * len(around)


@pytest.mark.parametrize("before", ["> ", "+", "# ", "    ", "   12\t", "id_rsa:", "| "])
def test_a_private_key_is_hidden_however_its_lines_begin(before: str) -> None:
    for fake in FAKES:
        if fake.kind in ("private key", "pgp key"):
            key = fake.value.replace("\\n", "\n")
            text, _ = redact("\n".join(before + line for line in key.split("\n")))
            assert [line for line in key.split("\n") if len(line) > 40 and line in text and "-" not in line] == []


def test_a_text_with_many_secrets_keeps_none_of_them() -> None:
    some = [fake for fake in Random(3).sample(FAKES, 60) if _is_caught(fake)]
    text, kinds = redact("\n\n".join(fake.text for fake in some))
    assert [fake.kind for fake in some if fake.value in text] == []
    assert len(kinds) >= len(some)


def test_at_most_one_ordinary_note_in_200_is_touched() -> None:
    written = list(notes())
    assert len(written) >= 600
    touched = [note for note in written if redact(note)[1]]
    assert len(touched) <= 0.005 * len(written), touched


def test_at_most_one_look_alike_in_200_is_touched() -> None:
    some = list(look_alikes(seed=4))
    assert len(some) >= 200
    touched = [text for text in some if redact(text)[1]]
    assert len(touched) <= 0.005 * len(some), touched


def test_no_digest_commit_or_identifier_is_touched() -> None:
    assert [text for text in digests(seed=5) if redact(text) != (text, ())] == []


def test_a_page_of_ordinary_notes_is_not_touched_either() -> None:
    written = list(notes())
    pages = ["\n".join(written[at : at + 40]) for at in range(0, len(written), 40)]
    assert [redact(page)[1] for page in pages if redact(page)[1]] == []


def test_only_the_value_is_replaced() -> None:
    assert redact(f"postgres://app:{_WORD}@db:5432/shop") == (
        "postgres://app:[REDACTED:url-password]@db:5432/shop",
        ("url-password",),
    )
    assert redact(f"the password is {_WORD}.")[0] == "the password is [REDACTED:password]."
    assert (
        redact(f"Server=db;Password={_WORD};Encrypt=true")[0] == "Server=db;Password=[REDACTED:password];Encrypt=true"
    )


def test_kinds_are_named_in_the_order_they_stand() -> None:
    rng = Random(6)
    token = "gh" + "p_" + "".join(rng.choices("abcdefghijkmnpqrstuvwxyzABCDEFGH23456789", k=36))
    text, kinds = redact(f"password={_WORD}\nthen {token}\nand redis://:{_WORD[::-1]}@cache:6379")
    assert kinds == ("password", "github-token", "url-password")
    places = [text.index(f"[REDACTED:{kind}]") for kind in kinds]
    assert places == sorted(places)


def test_a_secret_named_once_is_hidden_everywhere() -> None:
    text, kinds = redact(f"DB_PASSWORD={_WORD}\nI tried {_WORD} twice, {_WORD} is refused")
    assert _WORD not in text
    assert kinds == ("password",) * 3


def test_what_is_hidden_already_is_neither_hidden_again_nor_named() -> None:
    assert redact("token: [REDACTED:github-token]") == ("token: [REDACTED:github-token]", ())
    assert redact(f"key [REDACTED:aws-key], password={_WORD}")[1] == ("password",)


def test_hiding_secrets_twice_changes_nothing_more() -> None:
    for fake in FAKES + STRANGERS:
        text, _ = redact(fake.text)
        assert redact(text) == (text, ()), fake.text


_FRAGMENTS = st.sampled_from(
    [
        "password", "=", ": ", " is ", '"', "\\", "'", "token", "key", "api_", "\n", "://", "@", ":", "[REDACTED:", "]",
        "-----BEGIN PRIVATE KEY-----", "-----END", "Bearer ", "Cookie: ", "sid=", "mysql -p", "curl -u a:", "eyJ", ".",
        "&", "Zk3wq9Rt", "hunter2Xy!", "<private>", "</private>", "密码", "…", "the",
        "A1b2C3d4E5f6" + "G7h8I9j0K1l2M3n4O5p6Q7r8",
    ]
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(st.one_of(_FRAGMENTS, st.text(max_size=8)), max_size=24).map("".join))
def test_any_text_can_be_read_and_reading_it_twice_changes_nothing(text: str) -> None:
    once, kinds = redact(text)
    assert redact(once) == (once, ())
    assert (once == text) == (not kinds)
    is_personal(text)
    kept, count = strip_private(text)
    assert strip_private(kept)[0] == kept or count
    assert len(kept) <= len(text)


@given(st.text(alphabet=st.characters(codec=None), max_size=200))
def test_text_outside_every_encoding_is_read_too(text: str) -> None:
    redact(text + "\udc80 password=\ud800")
    is_personal(text)
    strip_private(text)


def test_importing_the_module_loads_neither_re_nor_typing_nor_dataclasses() -> None:
    heavy = ("re", "typing", "dataclasses")
    code = f"import sys; import limpet.secrets.redact; print([name for name in {heavy} if name in sys.modules])"
    ran = subprocess.run(
        [sys.executable, "-S", "-c", code],
        env={**os.environ, "PYTHONPATH": "src"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == "[]"


def test_private_parts_are_removed_and_counted() -> None:
    assert strip_private("a <private>b</private> c <PRIVATE>d</Private> e") == ("a  c  e", 2)


def test_private_parts_may_be_nested_and_carry_attributes_and_spaces() -> None:
    assert strip_private('a< private reason="x" >b<private>c</private>d</ private >e') == ("ae", 1)


def test_an_unclosed_private_part_goes_to_the_end() -> None:
    assert strip_private("keep <private>this\nand this") == ("keep ", 1)


def test_an_empty_private_tag_hides_nothing_but_itself() -> None:
    assert strip_private("a <private/> b") == ("a  b", 1)


def test_text_without_private_parts_is_returned_as_it_is() -> None:
    for text in (
        "",
        "private",
        "class A { private: int x; }",
        "<privateer>x</privateer>",
        "a </private> b",
        "<private",
    ):
        assert strip_private(text) == (text, 0)


def test_a_chosen_password_is_hidden_where_it_is_repeated() -> None:
    text, kinds = redact("The staging password is hunter2hunter. Always log in with hunter2hunter on heron-7")
    assert text == "The staging password is [REDACTED:password]. Always log in with [REDACTED:password] on heron-7"
    assert kinds == ("password", "password")


def test_a_plain_word_that_is_a_password_stays_where_it_means_something_else() -> None:
    text, _ = redact("The wifi password is pineapple. Order a pineapple for the party")
    assert text == "The wifi password is [REDACTED:password]. Order a pineapple for the party"

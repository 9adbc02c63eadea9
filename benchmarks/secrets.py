"""Print how many secrets are caught, how much ordinary text is touched, and what it costs.

The fakes and the notes are those of the tests, with other seeds. Where `detect_secrets` is installed, its plugins read
the same texts line by line, for comparison.

    python -m benchmarks.secrets [seed]
"""

from __future__ import annotations

import importlib
import sys
import time
from collections import Counter
from collections.abc import Callable
from random import Random

from tests.secrets.secret_kinds import KNOWN, UNSEEN, Fake, fakes
from tests.text.ordinary_notes import digests, look_alikes, notes

from limpet.secrets.personal import is_personal
from limpet.secrets.redact import redact, strip_private

Catches = Callable[[Fake], bool]
Touches = Callable[[str], bool]


def main() -> None:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    readers: list[tuple[str, Catches, Touches]] = [("limpet", _is_caught, lambda text: bool(redact(text)[1]))]
    other = _detect_secrets()
    if other is not None:
        readers.append(("detect_secrets", *other))
    for title, kinds in (("known kinds", KNOWN), ("unseen kinds", UNSEEN)):
        some = list(fakes(kinds, each=20, seed=seed))
        totals = Counter(fake.kind for fake in some)
        caught = [Counter(fake.kind for fake in some if catches(fake)) for _, catches, _ in readers]
        print(f"\n{title:24}{'total':>8}" + "".join(f"{name:>16}" for name, _, _ in readers))
        for kind in kinds:
            print(f"{kind:24}{totals[kind]:8}" + "".join(f"{count[kind]:16}" for count in caught))
        shares = "".join(f"{count.total() / len(some):16.1%}" for count in caught)
        print(f"{'together':24}{len(some):8}{shares}")
    print(f"\n{'touched without need':24}{'total':>8}")
    for title, texts in (("notes", [*notes()]), ("look-alikes", [*look_alikes(seed)]), ("digests", [*digests(seed)])):
        touched = "".join(f"{sum(map(touches, texts)):16}" for _, _, touches in readers)
        print(f"{title:24}{len(texts):8}{touched}")
    _print_times()


def _is_caught(fake: Fake) -> bool:
    text, kinds = redact(fake.text)
    return bool(kinds) and fake.value not in text


def _detect_secrets() -> tuple[Catches, Touches] | None:
    try:
        scan = importlib.import_module("detect_secrets.core.scan")
        settings = importlib.import_module("detect_secrets.settings")
    except ImportError:
        return None

    def found(text: str) -> list[str]:
        with settings.default_settings():
            return [secret.secret_value or "" for line in text.splitlines() for secret in scan.scan_line(line)]

    return (
        lambda fake: any(value and (value in fake.value or fake.value in value) for value in found(fake.text)),
        lambda text: bool(found(text)),
    )


def _print_times() -> None:
    page = "\n".join(notes())
    started = time.process_time()
    for _ in range(5):
        redact(page)
    each = (time.process_time() - started) / 5
    print(f"\nordinary notes: {each * 1e6 / len(page):.3f} ms per kB\n")
    rng = Random(1)
    signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    worst = {unit: unit * (1_000_000 // len(unit)) for unit in ("a", "password=", "=", "-----BEGIN ", "eyJ.", "://:")}
    worst["password= "] = "password= " * 100_000
    worst["base64"] = "".join(rng.choices(signs, k=1_000_000))
    worst["hex"] = rng.randbytes(500_000).hex()
    worst["tokens"] = " ".join("".join(rng.choices(signs[:62], k=32)) for _ in range(30_000))
    worst["passwords"] = " ".join("pwd=" + "".join(rng.choices(signs[:62], k=8)) for _ in range(77_000))
    print(f"{'1 MB of':16}{'redact':>10}{'personal':>10}{'private':>10}  ms of CPU")
    for name, text in worst.items():
        spent = []
        for read in (redact, is_personal, strip_private):
            started = time.process_time()
            read(text)
            spent.append((time.process_time() - started) * 1000)
        print(f"{name.strip() + ' …':16}" + "".join(f"{ms:10.0f}" for ms in spent))


if __name__ == "__main__":
    main()

"""Find passwords and tokens in the user-info part of URLs, before the `@`.

A secret in the query, as in `?api_key=…`, has a label and is found by `labelled.py` with the table in `rules.py`.
"""

from __future__ import annotations

from limpet.secrets.rules import compile_once
from limpet.secrets.values import DEFAULTS, has_unknown_part, is_placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.secrets.scan import Scan, Span

_PART = r"[^\s\"'<>`@]"
# A password may hold an unescaped @ or slash.
_LOGIN = rf"://([^\s:/@?#\"'<>\[\]`]{{0,128}}+)(?::({_PART}{{1,200}}+(?:@[^\s\"'<>`@/]{{1,100}}+(?=@))*+))?+@"
_PORT = r"[0-9]*[/?#]"
_SHORTEST_TOKEN, _SHORTEST_PASSWORD = 16, 4


def find_in_urls(scan: Scan) -> Iterator[Span]:
    """Yield the spans of passwords and tokens that are before the `@` in a URL.

    A port followed by a path that contains an `@` does not count as a password.
    """
    for match in scan.find_matches(_LOGIN, scan.text, 4):
        user, word = match[1], match[2]
        if word is None:
            if len(user) >= _SHORTEST_TOKEN and has_unknown_part(user) and not is_placeholder(user):
                yield *match.span(1), "url-token"
        elif _is_password(word) and word != user:
            yield *match.span(2), "url-password"


def _is_password(word: str) -> bool:
    if len(word) < _SHORTEST_PASSWORD or word.lower() in DEFAULTS or is_placeholder(word):
        return False
    return compile_once(_PORT).match(word) is None

"""What stands before the @ of a URL is hidden if it is a password or a token, and nothing else is."""

from __future__ import annotations

import pytest

from limpet.secrets.redact import redact

PASSWORD = "tR7vQ2m" + "Xk9"
TOKEN = "9fK2mQ7x" + "Zr4TbW8nLs3v"


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        (f"postgres://app:{PASSWORD}@db:5432/shop", "postgres://app:[REDACTED:url-password]@db:5432/shop"),
        (f"redis://:{PASSWORD}@cache", "redis://:[REDACTED:url-password]@cache"),
        (f"https://{TOKEN}@git.acme.io/a.git", "https://[REDACTED:url-token]@git.acme.io/a.git"),
        (f"amqp://u:{PASSWORD}@x@host/v", "amqp://u:[REDACTED:url-password]@host/v"),
        (f"ftp://u:{PASSWORD}/{PASSWORD}@host", "ftp://u:[REDACTED:url-password]@host"),
    ],
)
def test_a_password_or_token_before_the_host_is_hidden(text: str, hidden: str) -> None:
    assert redact(text)[0] == hidden


@pytest.mark.parametrize(
    "text",
    [
        "https://acme.io:8443/users/@ann",
        "https://acme.io/@ann/notes",
        "ssh://git@git.acme.io/team/app.git",
        "postgres://postgres:postgres@localhost/test",
        "postgres://app:password@localhost/test",
        "postgres://app:<password>@db/shop",
        "postgres://app:$PGPASSWORD@db/shop",
        "mail ann@acme.io about http://acme.io",
    ],
)
def test_addresses_and_placeholders_stay(text: str) -> None:
    assert redact(text) == (text, ())

"""A labelled value is hidden, and talk about secrets is not."""

from __future__ import annotations

import pytest

from limpet.secrets.redact import redact

WORD = "Zk3-" + "wq9Rt"


@pytest.mark.parametrize(
    "text",
    [
        "password=%s",
        'export API_TOKEN="%s"',
        "the password is %s",
        "log in with --password %s",
        "%s is the password",
        "use %s as the password for staging",
        "%s is the new password, tell nobody",
    ],
)
def test_a_value_is_hidden_after_its_label_and_before_it(text: str) -> None:
    hidden, kinds = redact(text % WORD)
    assert kinds and WORD not in hidden


def test_a_long_value_is_hidden_to_its_end() -> None:
    value = "q7Zr-" * 100
    assert redact(f"password='{value}' # rotate") == ("password='[REDACTED:password]' # rotate", ("password",))


@pytest.mark.parametrize(
    "text",
    [
        "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef: db\n- name: BUILD\n  value: a1b2c3d4\n",
        "password:\n  min_length: 8\nother:\n  value: a1b2c3d4\n",
        '{"key": "login.password", "value": "Mot de passe"}',
        "passwords:\n  - must be long\n  - must be new\n",
        "password: |\n  Choose a long one and keep it in the vault.\n",
        "Recovery codes are shown once; print them and keep them safe.",
        "Backup code: see src/backup/restore.py line 1234",
        "the backup key: kept in the safe of the office",
        "das Passwort für die Datenbank ist im Tresor",
        "la clave de todo esto es probar mucho",
    ],
)
def test_talk_about_secrets_in_lists_and_objects_is_kept(text: str) -> None:
    assert redact(text) == (text, ())

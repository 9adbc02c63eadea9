"""The value of a label is found after it, in an entry beside it, or below it."""

from __future__ import annotations

import pytest

from limpet.secrets.redact import redact

WORD = "Zk3-" + "wq9Rt"
APART = (
    '{"db_password": {"value": "%s"}}',
    '{\n  "db_password": {\n    "type": "string",\n    "value": "%s"\n  }\n}',
    '"db_password": {"sensitive": true, "type": "string", "value": "%s"}',
    '{"name": "DB_PASSWORD", "value": "%s"}',
    '{"value": "%s", "name": "DB_PASSWORD"}',
    '{"Key": "DbPassword", "Value": "%s"}',
    '{"ParameterKey": "DBPassword", "ParameterValue": "%s"}',
    "- name: X_SECRET\n  value: %s\n",
    "env:\n  - name: DB_PASSWORD\n    value: '%s'\n  - name: LOG\n    value: info\n",
    "db_password:\n  type: string\n  value: %s\n",
    "password: |\n  %s\n",
    "db_password: >-\n    %s\n",
    "passwords:\n  - %s\n",
    '"passwords": ["%s"]',
    "environment:\n  - POSTGRES_PASSWORD=%s\n",
    "[db.password]\nvalue = '%s'\n",
    'password = { value = "%s" }',
    'password = """\n%s\n"""',
    "<name>DB_PASSWORD</name>\n<value>%s</value>",
    '<add key="DbPassword" value="%s" />',
    "The password:\n%s\n",
    "das Passwort für die Datenbank ist %s",
    "das WLAN-Passwort heißt %s",
    "das Passwort von root auf dem Server ist: %s",
    "le mot de passe de la base est %s",
    "la contraseña de la base de datos es %s",
    "la password del server è %s",
    "a senha do banco é %s",
    "het wachtwoord van de database is %s",
)


@pytest.mark.parametrize("text", APART)
def test_a_value_apart_from_its_name_is_hidden(text: str) -> None:
    hidden, kinds = redact(text % WORD)
    assert kinds and WORD not in hidden


@pytest.mark.parametrize("text", [text for text in APART if not text.startswith(("das", "le", "la", "a ", "het"))])
@pytest.mark.parametrize("value", ["${DB_PASSWORD}", "vault:db/main", "required", "changeme"])
def test_what_only_stands_for_a_value_is_kept_there_too(text: str, value: str) -> None:
    assert redact(text % value) == (text % value, ())

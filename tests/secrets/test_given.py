"""A secret that a sentence hands over is known by its form, by the word before it and by a word for access."""

from __future__ import annotations

import pytest

from limpet.secrets.redact import redact


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Log in to the test shop as admin with otter-lamp-7, then check the cart", "otter-lamp-7"),
        ("the guest wifi takes Schn3ckenhaus when you are on the second floor", "Schn3ckenhaus"),
        ("sudo on that box? type copperkettle88", "copperkettle88"),
        ("the backup vault opens with Gl0ckenblume", "Gl0ckenblume"),
        ("ssh into the pi as pi, if it asks you say rhubarb-Cannon-4", "rhubarb-Cannon-4"),
        ("grafana wants a user, enter viewer plus Moss&Granite", "Moss&Granite"),
        ("melde dich an: anmelden mit Regenwurm_12", "Regenwurm_12"),
        ("entra en el panel con Tiburon2018", "Tiburon2018"),
        ("she locked the zip, it's been locked with Marzipan#3", "Marzipan#3"),
        ("my vpn client still uses t4ngerine-Hill", "t4ngerine-Hill"),
    ],
)
def test_a_secret_that_is_handed_over_is_hidden(text: str, secret: str) -> None:
    hidden, kinds = redact(text)
    assert kinds == ("password",) and secret not in hidden
    assert redact(hidden) == (hidden, ())


@pytest.mark.parametrize(
    "text",
    [
        "log in to staging with your own account",
        "log in with OAuth2 and then open the page",
        "the vault is encrypted with AES-256-GCM",
        "sign in using python3.11 as the client",
        "the admin panel is built with react18",
        "ssh into build-farm-3 and restart the worker",
        "password reset mails are sent by worker-2",
        "the login test runs with node-22 and postgres-16",
        "the account service talks to the queue with grpc",
        "unlock the screen, then run `make test-fast`",
        "the token is signed with RS256",
        "use ed25519 for the ssh key of the admin",
        "login fails with E4012 after the update",
        "the vpn config is in ops/vpn-2.yaml",
        "admin users are kept with uuid4 ids",
    ],
)
def test_the_names_of_things_are_kept(text: str) -> None:
    assert redact(text) == (text, ())

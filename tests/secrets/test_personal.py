"""Data of a person makes a memory private, and technical text that looks like it does not."""

from __future__ import annotations

import pytest

from limpet.secrets.personal import is_personal
from tests.text.ordinary_notes import digests, look_alikes, notes

PERSONAL = (
    "reach Jane at jane.doe@gmail.com",
    "Co-authored-by: Ann Lee <ann.lee@acme.io>",
    "客户邮箱 zhang.wei@qq.com 请联系",
    "call me at +49 170 1234567",
    "my phone is 0171 2345678",
    "(415) 555-2671 is his cell",
    "555-123-4567",
    "card 4111 1111 1111 1111 exp 12/27",
    "4012888888881881 is my credit card",
    "DE89 3704 0044 0532 0130 00",
    "IBAN GB82WEST12345698765432",
    "SSN 123-45-6789",
    "her social security number is 123 45 6789",
    "passport number X1234567",
    "born on 12 May 1984",
    "date of birth: 1990-02-03",
    "DOB 03/04/1985",
    "he lives at 221b Baker Street, London",
    "home address: Hauptstraße 5, Berlin",
    "12 rue de la Paix",
    "my salary is $120,000",
    "she earns 85k a year",
    "I was diagnosed with diabetes",
    "my wife is pregnant",
    "Bob is allergic to penicillin",
    "Anna is on sick leave until May",
)


IMPERSONAL = (
    "git@github.com:acme/app.git",
    "noreply@acme.io",
    "12345+dependabot[bot]@users.noreply.github.com",
    "user@example.com",
    "jane@mail.example.org",
    "root@localhost",
    "npm i react@18.2.0 @types/node@20.11.1",
    "ssh deploy@build.acme.io",
    "scp a.txt bob@host.acme.io:/srv",
    "logo@2x.png",
    "python-dev@python.org",
    "UTC+01:00",
    "throughput 100 200 3000 4000 per second",
    "1712345678901234567",
    "192.168.100.200:8080",
    "order 4532015112830366 was shipped",
    "1234 5678 9012 3456",
    "v1.2.3-20240501123456-abcdef123456",
    "salary column is numeric(10,2)",
    "birthday paradox with 2^64 keys",
    "dob DATE NOT NULL",
    "5 Google Drive files",
    "the bug was diagnosed with strace",
    "the worker suffers from memory leaks",
    "lives at /etc/passwd",
    "the address is 0x7fff5fbff8c0",
    "phone number validation uses libphonenumber 8.13.0",
    "telemetry 1234567890",
)


@pytest.mark.parametrize("text", PERSONAL)
def test_personal_data_is_recognised(text: str) -> None:
    assert is_personal(text)
    assert is_personal(f"Note to self:\n{text}, from yesterday.")


@pytest.mark.parametrize("text", IMPERSONAL)
def test_technical_text_is_not_personal(text: str) -> None:
    assert not is_personal(text)


def test_hardly_any_ordinary_note_is_personal() -> None:
    some = [*notes(), *digests(seed=9), *look_alikes(seed=10)]
    assert len([text for text in some if is_personal(text)]) <= 0.005 * len(some)

"""One repository has one name, however its origin is written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.workspace import normalise_url

SAME = {
    "github.com/ann/rock": [
        "git@github.com:Ann/Rock.git",
        "github.com:ann/rock",
        "org-123456@github.com:ann/rock.git",
        "git@GitHub.com:/ann/rock.git/",
        "ssh://git@github.com/ann/rock.git",
        "ssh://git@github.com:22/ann/rock",
        "ssh://git@ssh.github.com:443/ann/rock.git",
        "git+ssh://git@github.com/ann/rock.git",
        "https://github.com/ann/rock",
        "https://github.com:443/ann/rock.git/",
        "https://github.com//ann/./rock.git",
        "https://ann:ghp_token@github.com/Ann/Rock.git",
        "https://ghp_token@github.com/Ann/Rock.git",
        "https://x:p%40ss@github.com/ann/rock?access_token=1#frag",
        "https://x:p@ss@github.com/ann/rock",
        "http://www.github.com/ann/rock",
        "git://github.com/ann/rock.git",
        " https://github.com/ann/rock\n",
    ],
    "example.org/Ann/Rock": [
        "https://example.org/Ann/Rock",
        "git@EXAMPLE.org:Ann/Rock.git",
        "https://example.org./Ann/Rock",
    ],
    "example.org:8443/ann/rock": ["https://ann:pw@example.org:8443/ann/rock.git", "https://example.org:08443/ann/rock"],
    "example.org:2222/ann/rock": ["ssh://git@example.org:2222/ann/rock", "[git@example.org:2222]:ann/rock.git"],
    "nas/~ann/notes": ["ann@nas:notes", "ann@nas:notes.git", "ssh://ann@nas/~/notes", "ssh://nas/~ann/notes"],
    "nas/~bob/notes": ["bob@nas:notes"],
    "nas/srv/notes": ["ann@nas:/srv/notes", "bob@nas:/srv/notes/.git", "ssh://nas/srv/notes"],
    "[::1]/rock": ["git@[::1]:rock", "ssh://git@[::1]/rock.git"],
    "[::1]:2222/rock": ["ssh://git@[::1]:2222/rock.git"],
    "git.sr.ht/~ann/rock": ["git@git.sr.ht:~ann/rock", "https://git.sr.ht/~ann/rock"],
    "s3://bucket/rock": ["s3://key:secret@Bucket/rock.git"],
    "file:/srv/rock": [
        "/srv/rock",
        "/srv/x/../rock/",
        "/srv/rock/.git",
        "file:///srv/rock",
        "file://localhost/srv/rock",
    ],
    "file:c:/repos/rock": [
        "C:\\Repos\\rock",
        "c:/repos/rock/",
        "file:///C:/repos/rock",
        "C:\\repos\\x\\..\\rock\\.git",
    ],
    "file://server/share/rock": ["\\\\server\\share\\rock", "file://server/share/rock"],
}


@pytest.mark.skipif(os.name == "nt", reason="paths of the other kind")
@pytest.mark.parametrize(("name", "urls"), SAME.items())
def test_one_repository_has_one_name_however_it_is_written(name: str, urls: list[str]) -> None:
    assert {url: normalise_url(url) for url in urls} == dict.fromkeys(urls, name)


@pytest.mark.parametrize(
    "url",
    [
        "",
        " ",
        "rock",
        "../rock",
        "https://",
        "https://github.com",
        "https://github.com/",
        "https://github.com/.git",
        "https:///rock",
        "https://example.org:99999/rock",
        "https://example.org:port/rock",
        "https://ann:se/cret@example.org/rock",
        "https://ann/x:secret@example.org/rock",
        "ann:secret@example.org:rock",
        "git@:rock",
        "git@host:",
        "ssh://host/../etc",
        "ext::sh -c touch% /tmp/x",
        "https://exa mple.org/rock",
        "https://example.org/a\x1b[2Jb",
        "https://example.org/\ud800",
        "a" * 33 + "@nas:notes",
        "x" * 3000,
    ],
)
def test_what_names_no_repository_has_no_name(url: str) -> None:
    assert normalise_url(url) is None


def test_a_local_origin_is_found_through_symlinks(ground: Path) -> None:
    (ground / "real").mkdir()
    (ground / "link").symlink_to("real")
    assert normalise_url(f"{ground}/link") == normalise_url("link", base=str(ground)) == f"file:{ground}/real"


addresses = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["", "https://", "ssh://", "git+ssh://", "file://", "ext::", "C:\\", "\\\\", "//", "[", "x://"]),
    st.sampled_from(["", "git@", "user:tok@", "a@b@", "["]),
    st.text(max_size=12) | st.sampled_from(["github.com", "[::1]", "host"]),
    st.sampled_from(["", ":", ":22", ":/", "/", "]:", "\\"]),
    st.text(max_size=20),
)


@given(st.text() | addresses)
def test_no_text_breaks_normalisation(url: str) -> None:
    name = normalise_url(url)
    assert name is None or (name.isprintable() and not name.endswith("/.git"))


words = st.text("abcdefghijklmnopqrstuvwxyz0123456789-_", min_size=1, max_size=12)
secrets = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/:@#?%~!", min_size=6, max_size=30).map(
    lambda text: f"SE{text}CRET"
)


@given(words, words, words, secrets, st.sampled_from(["https", "ssh", "http", "git+ssh", "s3"]))
def test_a_credential_never_becomes_part_of_a_name(host: str, path: str, user: str, secret: str, scheme: str) -> None:
    for url in (f"{scheme}://{user}:{secret}@{host}/{path}", f"{user}:{secret}@{host}:{path}"):
        name = normalise_url(url)
        assert name is None or secret[:4] not in name

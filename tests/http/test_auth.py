"""Who may ask: every address refuses every kind of stranger, before it reads a byte, and nothing changes."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest

from limpet.http.auth import AuthMiddleware, Credentials
from limpet.http.routes import ALL_ENDPOINTS
from tests.http.served import PERSON, Served

PLAIN = ("GET /metrics", "GET /openapi.json", "POST /hook/session_start", "POST /hook/post_tool_use", "POST /mcp")
ROUTES = [*PLAIN, *(f"{endpoint.method} {endpoint.path}" for endpoint in ALL_ENDPOINTS)]

EVENT = {"session_id": "evil", "cwd": "/", "tool_name": "Bash", "prompt": "x", "tool_input": {"command": "x"}}
BODY = json.dumps({**EVENT, "text": "planted", "subject": "a", "predicate": "b", "object": "c"}).encode()
DEEP = b'{"text": ' + b"[" * 200 + b"]" * 200 + b"}"

STRANGERS: dict[str, tuple[dict[str, str | None], set[int]]] = {
    "no token": ({"Authorization": None}, {401}),
    "an empty token": ({"Authorization": "Bearer "}, {401}),
    "a wrong token": ({"Authorization": "Bearer " + "x" * 43}, {401}),
    "another scheme": ({"Authorization": "Basic eDp5"}, {401}),
    "a foreign host": ({"Host": "evil.example:7477"}, {421}),
    "a host that begins like ours": ({"Host": "127.0.0.1.evil.example"}, {421}),
    "no host": ({"Host": None}, {400, 421}),
    "a foreign origin": ({"Origin": "https://evil.example"}, {403}),
    "an origin of another port": ({"Origin": "http://127.0.0.1:1"}, {403}),
    "a null origin": ({"Origin": "null"}, {403}),
    "another site": ({"Sec-Fetch-Site": "cross-site"}, {403}),
}
BODIES: dict[str, tuple[dict[str, str | None], bytes, set[int]]] = {
    "plain text": ({"Content-Type": "text/plain"}, BODY, {415}),
    "a form": ({"Content-Type": "application/x-www-form-urlencoded"}, b"text=planted", {415}),
    "no content type": ({"Content-Type": None}, BODY, {415}),
    "a body that says it is too long": ({"Content-Length": str(9 << 20)}, b"", {413}),
    "deep JSON": ({}, DEEP, {400}),
    "no JSON": ({}, b"{", {400}),
}


def fill(route: str) -> tuple[str, str]:
    """Return the method and the path of a route, with an id in it that nothing has."""
    method, _, path = route.partition(" ")
    return method, re.sub(r"\{\w+\}", "mem_00000000000000000000000000", path)


def test_no_route_is_missing_from_the_matrix(served: Served) -> None:
    described = served.send("GET", "/openapi.json").json["paths"]
    routes = {f"{method.upper()} {path}" for path, methods in described.items() for method in methods}
    assert {each for each in routes if not each.startswith(("POST /hook/", "GET /health"))} <= set(ROUTES)
    assert "DELETE /apps/{app}/memories/{id}" in routes


@pytest.mark.parametrize("stranger", STRANGERS)
@pytest.mark.parametrize("route", ROUTES)
def test_a_stranger_is_refused_and_nothing_changes(served: Served, route: str, stranger: str) -> None:
    headers, expected = STRANGERS[stranger]
    method, path = fill(route)
    before = served.journal()
    found = served.send(method, path, None if method == "GET" else BODY, {"Limpet-Person": PERSON, **headers})
    assert found.status in expected, found.text
    assert served.journal() == before
    assert not any(name.lower().startswith("access-control") for name in found.headers)


@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize("route", [route for route in ROUTES if not route.startswith("GET")])
def test_a_body_of_another_form_is_refused_and_nothing_changes(served: Served, route: str, kind: str) -> None:
    headers, body, expected = BODIES[kind]
    method, path = fill(route)
    before = served.journal()
    found = served.send(method, path, body, {"Limpet-Person": PERSON, **headers})
    assert found.status in expected, found.text
    assert served.journal() == before


@pytest.mark.parametrize("credential", [None, "", "wrong", "x" * 10_000])
@pytest.mark.parametrize("endpoint", [each for each in ALL_ENDPOINTS if each.needs_person], ids=lambda each: each.path)
def test_the_token_alone_does_not_make_a_person(served: Served, endpoint: object, credential: str | None) -> None:
    id = served.remember(f"The port of the shop is 80 for {credential!r:.9} {getattr(endpoint, 'path', '')}.")
    assert served.ask("PUT", "/apps/shop", {}).status == 200
    before = served.journal()
    route = f"{getattr(endpoint, 'method', '')} {getattr(endpoint, 'path', '')}"
    known = route.replace("{id}", id).replace("{app}", "shop").replace("{memory_store_id}", "memstore_shop")
    method, path = fill(known)
    found = served.send(method, path, b"{}", {"Limpet-Person": credential, "Limpet-Folder": str(served.project)})
    assert found.status == 403, found.text
    assert served.journal() == before


def test_a_body_that_grows_too_long_without_saying_so_is_refused(served: Served) -> None:
    before = served.journal()
    size = 9 << 20
    body = b"%x\r\n%s\r\n0\r\n\r\n" % (size, b"x" * size)
    found = served.send("POST", "/memories", body, {"Transfer-Encoding": "chunked"})
    assert found.status == 413
    assert served.journal() == before


@pytest.mark.parametrize("headers", [{"Authorization": None}, {"Content-Type": "text/plain"}, {"Origin": "null"}])
def test_a_refusal_is_read_although_the_body_is_sent_first(served: Served, headers: dict[str, str | None]) -> None:
    body = json.dumps({"text": "x" * (4 << 20)}).encode()
    for _ in range(5):
        found = served.send("POST", "/memories", body, headers)
        assert found.status in (401, 403, 415)
        assert len(found.json["error"]) > 10


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_the_names_of_this_machine_are_accepted(served: Served, host: str) -> None:
    for each in (host, f"{host}:{served.port}", host.upper()):
        assert served.send("GET", "/stats", None, {"Host": each}).status == 200


def test_a_page_of_the_server_itself_is_accepted(served: Served) -> None:
    headers = {"Origin": f"http://127.0.0.1:{served.port}", "Sec-Fetch-Site": "same-origin"}
    assert served.send("GET", "/stats", None, headers).status == 200


def test_a_preflight_allows_nothing(served: Served) -> None:
    headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST", "Authorization": None}
    found = served.send("OPTIONS", "/memories", None, headers)
    assert found.status == 403
    assert not any(name.lower().startswith("access-control") for name in found.headers)


def test_health_needs_no_token_and_says_only_that_the_server_runs(served: Served) -> None:
    found = served.send("GET", "/health", None, {"Authorization": None})
    assert (found.status, found.json) == (200, {"status": "ok"})
    assert served.send("GET", "/health", None, {"Host": "evil.example"}).status == 421


def test_every_answer_forbids_a_browser_to_use_it(served: Served) -> None:
    for path, token in (("/health", None), ("/stats", f"Bearer {served.token}"), ("/stats", None), ("/none", None)):
        found = served.send("GET", path, None, {"Authorization": token})
        assert "default-src 'none'" in found.headers["content-security-policy"]
        assert found.headers["x-content-type-options"] == "nosniff"
        assert found.headers["cache-control"] == "no-store"
        assert "server" not in found.headers


def test_a_refused_hook_has_an_empty_body_because_a_script_may_print_it_to_a_model(served: Served) -> None:
    assert served.send("POST", "/hook/session_start", b"{}", {"Authorization": None}).text == ""


def test_a_body_that_never_ends_is_refused_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would count as a request in progress, and the server would never be idle."""
    monkeypatch.setattr("limpet.http.auth._BODY_S", 0.01)
    sent: list[Any] = []

    async def read_all(scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass

    async def receive() -> Any:
        if sent:
            await asyncio.Event().wait()
        sent.append("the first part")
        return {"type": "http.request", "body": b"{", "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"authorization", b"Bearer t"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/memories", "headers": [*headers, (b"content-length", b"9")]}
    guarded = AuthMiddleware(read_all, credentials=Credentials.of("t"), max_bytes=100)
    asyncio.run(asyncio.wait_for(guarded(scope, receive, send), timeout=20))
    assert sent[1]["status"] == 408

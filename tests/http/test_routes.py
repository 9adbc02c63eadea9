"""The routes: what a good client gets, and that every error is a status and a sentence."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from urllib.parse import quote

from limpet.http.routes import Server
from limpet.settings import load
from tests.http.served import PERSON, Served


def test_a_memory_is_stored_found_corrected_and_forgotten(served: Served) -> None:
    id = served.remember("Deploy with `make ship`, because the script tags the release.")
    found = served.ask("GET", "/memories/search?query=how+do+we+deploy").json
    assert found["memories"][0]["id"] == id
    corrected = served.ask("PUT", f"/memories/{id}", {"text": "Deploy with `make release`, never by hand."}).json
    assert "never by hand" in served.ask("GET", f"/memories/{corrected['id']}").text
    assert served.ask("DELETE", f"/memories/{corrected['id']}").status == 200
    assert "by hand" not in served.ask("GET", "/memories/search?query=how+do+we+deploy").text


def test_a_memory_belongs_to_the_folder_that_the_request_names(served: Served, tmp_path: Path) -> None:
    served.remember("The tests of this project run with tox.")
    elsewhere = tmp_path / "größer als"
    elsewhere.mkdir()
    found = served.ask("GET", "/memories?keyword=tox", Limpet_Folder=quote(str(elsewhere)))
    assert (found.status, found.json["total"]) == (200, 0)
    assert served.ask("GET", "/memories?keyword=tox").json["total"] == 1


def test_a_fact_is_added_and_found(served: Served) -> None:
    fact = {"subject": "shop", "predicate": "port", "object": "8080"}
    assert served.ask("POST", "/facts", fact).status == 200
    assert [row["object"] for row in served.ask("GET", "/facts?subject=shop").json["facts"]] == ["8080"]
    assert "'object' is missing" in served.ask("POST", "/facts", {"subject": "a", "predicate": "b"}).json["error"]


def test_what_is_stored_again_gets_what_is_said_of_it(served: Served) -> None:
    text = "The walrus server listens on a socket"
    id = served.remember(text)
    again = served.ask("POST", "/memories", {"text": text, "sensitivity": "secret", "importance": 0.9})
    assert again.json["id"] == id
    assert text not in served.ask("GET", "/memories?limit=100").text
    shown = served.ask("GET", f"/memories/{id}", Limpet_Person=PERSON)
    assert (shown.json["memory"]["sensitivity"], shown.json["memory"]["importance"]) == ("secret", 0.9)


def test_timeline_stats_and_receipts_are_answered(served: Served) -> None:
    served.remember("Releases are cut on Tuesdays.")
    for path in ("/timeline", "/stats", "/receipts"):
        found = served.ask("GET", path)
        assert (found.status, type(found.json)) == (200, dict)


def test_a_person_sees_in_full_what_an_agent_does_not(served: Served) -> None:
    fields = {"text": "My sister's number is in the yellow folder.", "sensitivity": "private"}
    assert served.ask("POST", "/memories", fields).status == 200
    assert served.ask("GET", "/memories?private=true").status == 403
    assert served.ask("GET", "/memories?private=true&keyword=yellow", Limpet_Person=PERSON).json["total"] == 1


def test_a_person_confirms_and_purges(served: Served) -> None:
    id = served.remember("The staging server is called heron.")
    assert served.ask("POST", f"/memories/{id}/confirm", {}, Limpet_Person=PERSON).status == 200
    assert served.ask("POST", f"/memories/{id}/purge", {}, Limpet_Person=PERSON).json["purged"] is True
    assert served.ask("GET", f"/memories/{id}").status == 404
    assert not any(b"heron" in data for data in served.journal().values())


def test_a_one_time_code_stands_for_the_credential_once(served: Served) -> None:
    from limpet.clock import now_ms
    from limpet.runtime.codes import show_code

    first, second = served.remember("The gate is blue."), served.remember("The fence is green.")
    code = show_code(str(served.home), "confirm", now_ms=now_ms())
    assert served.ask("POST", f"/memories/{first}/confirm", {}, Limpet_Person=code).status == 200
    assert served.ask("POST", f"/memories/{second}/confirm", {}, Limpet_Person=code).status == 403


def test_every_error_is_a_status_and_a_sentence(served: Served) -> None:
    cases = {
        ("GET", "/memories/mem_00000000000000000000000000"): 404,
        ("GET", "/memories/..%2f..%2fetc%2fpasswd"): 404,
        ("GET", "/memories/%00"): 404,
        ("GET", "/memories?limit=many"): 400,
        ("GET", "/memories?limit=0"): 400,
        ("GET", "/memories?colour=red"): 400,
        ("GET", "/memories?limit=1&limit=2"): 400,
        ("GET", "/memories/search"): 400,
        ("GET", "/nowhere"): 404,
        ("GET", "/memories/"): 404,
        ("PATCH", "/memories"): 405,
        ("POST", "/hook/no_such_event"): 404,
    }
    for (method, path), status in cases.items():
        found = served.ask(method, path)
        assert found.status == status, (path, found.text)
        assert path.startswith("/hook") or len(found.json["error"]) > 10


def test_a_text_that_is_not_stored_is_refused_with_the_reason(served: Served) -> None:
    found = served.ask("POST", "/memories", {"text": "   "})
    assert found.status in (400, 403, 422)
    assert "empty" in found.text


def test_the_document_describes_every_route(served: Served) -> None:
    from limpet.http.routes import ALL_ENDPOINTS as ENDPOINTS

    document = served.ask("GET", "/openapi.json").json
    assert document["servers"] == [{"url": "/"}], "the server may listen at any port"
    for endpoint in ENDPOINTS:
        described = document["paths"][endpoint.path][endpoint.method.lower()]
        assert ({"token": [], "person": []} in described.get("security", [])) is endpoint.needs_person
    assert "limit" in json.dumps(document["paths"]["/memories"]["get"])


def test_the_metrics_count_requests_by_address_and_hold_no_text(served: Served) -> None:
    id = served.remember("The heron stands in the pond.")
    served.ask("GET", f"/memories/{id}")
    found = served.ask("GET", "/metrics").text
    assert 'limpet_requests_total{path="/memories/{id}",status="200"}' in found
    assert id not in found
    assert "heron" not in found


def test_slow_verbs_do_not_keep_a_hook_waiting(tmp_path: Path) -> None:
    """Eight requests that wait, as for a model that is slow, have taken every thread for verbs."""
    server = Server(load(home=str(tmp_path)), folder=str(tmp_path))
    released = threading.Event()

    async def story() -> str:
        slow = [asyncio.ensure_future(server.call(released.wait)) for _ in range(40)]
        await asyncio.sleep(0)
        try:
            return str(await asyncio.wait_for(server.call_hook(str, "answered"), timeout=20))
        finally:
            released.set()
            await asyncio.gather(*slow)

    assert asyncio.run(story()) == "answered"

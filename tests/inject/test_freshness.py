"""A memory says when the code it cites has changed."""

from __future__ import annotations

from tests.inject.injecting import inject
from tests.operations.sandbox import Sandbox


def test_what_cites_code_that_has_changed_says_so(sandbox: Sandbox) -> None:
    code = sandbox.project / "app.py"
    code.write_text("".join(f"line {number}\n" for number in range(20)))
    sandbox.remember("Retries happen in app.py:3-5 and nowhere else")
    assert "changed" not in inject(sandbox)
    code.write_text("new\n" + code.read_text())
    assert "what it cites has moved within app.py" in inject(sandbox, session="s2")
    code.write_text("".join(f"other {number}\n" for number in range(20)))
    assert "app.py has changed since" in inject(sandbox, session="s3")
    assert inject(sandbox, session="s4", flags={"inject.withhold_stale": True}) == ""
    code.unlink()
    assert "app.py is gone" in inject(sandbox, session="s5")

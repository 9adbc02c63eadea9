"""A note can be edited on the line or in an editor, and giving up changes nothing."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from limpet.cli.editor import edit_text
from limpet.curating.waiting import list_notes
from limpet.model.change import ChangeKind
from limpet.model.memory import Origin
from limpet.runtime import open_runtime
from tests.cli.notes import FIRST, SECOND, capture, kept, waiting
from tests.cli.shell import Shell, plain


def test_the_text_can_be_changed_on_the_line(notes: Shell) -> None:
    done = notes.on_a_terminal("inbox", answers=[(FIRST, "e"), ("edit: " + FIRST, " or conda\r"), (SECOND, "q")])
    assert f"kept as: {FIRST} or conda" in plain(done.out)
    assert kept(notes) == [f"{FIRST} or conda"]


def test_an_empty_line_gives_up_the_edit_only(notes: Shell) -> None:
    answers = [(FIRST, "e"), ("edit: " + FIRST, "\x15\r"), ("not changed", "d"), (SECOND, "q")]
    done = notes.on_a_terminal("inbox", answers=answers)
    assert "1 dropped; 2 notes left" in plain(done.out)


@pytest.mark.parametrize("error", [KeyboardInterrupt, EOFError])
def test_ctrl_c_and_ctrl_d_give_up_the_edit_and_end_its_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, error: type[BaseException]
) -> None:
    def stop(prompt: str) -> str:
        raise error

    for name in ("EDITOR", "VISUAL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("builtins.input", stop)
    assert edit_text(FIRST, home=str(tmp_path)) is None
    assert capsys.readouterr().out == "\n"


def editor(folder: Path, script: str) -> dict[str, str]:
    path = folder / "editor.py"
    path.write_text(f"import sys\npath = sys.argv[-1]\n{script}\n")
    return {"EDITOR": f"python3 {path} --wait"}


def test_the_text_can_be_changed_in_an_editor(notes: Shell) -> None:
    env = editor(
        notes.folder, "text = open(path).read(); open(path, 'w').write(text.replace('pip', 'poetry\\nnor pip'))"
    )
    notes.on_a_terminal("inbox", typed="eq", env=env)
    assert kept(notes) == ["Use uv here, never poetry\nnor pip"]
    assert not (notes.home / "edit").exists()


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("sys.exit(3)", "ended with status 3"),
        ("open(path, 'w').close()", "not changed"),
        ("import os; os.unlink(path)", ""),
    ],
)
def test_an_editor_that_fails_changes_nothing(notes: Shell, script: str, sentence: str) -> None:
    done = notes.on_a_terminal("inbox", typed="eq", env=editor(notes.folder, script))
    assert sentence in plain(done.out) and "nothing was decided" in plain(done.out)
    assert len(waiting(notes)) == 3


@pytest.mark.parametrize("text", ["Deploy from the release branch", "Deploy\u202e from\n  the release branch"])
@pytest.mark.parametrize("has_editor", [False, True])
def test_leaving_the_edit_without_a_change_vouches_for_nothing(shell: Shell, text: str, has_editor: bool) -> None:
    capture(shell, text, origin=Origin.EXTERNAL)
    env = editor(shell.folder, "") if has_editor else {}
    answers = [("Deploy", "e")] if has_editor else [("Deploy", "e"), ("edit: Deploy", "\r")]
    done = shell.on_a_terminal("inbox", answers=[*answers, ("not changed", "q")], env=env)
    assert "nothing was decided; 1 note left" in plain(done.out)
    assert kept(shell) == []


def test_a_shortened_note_is_edited_in_its_full_words(shell: Shell) -> None:
    long = f"Use uv here, never pip, {' '.join(f'because of reason {number},' for number in range(60))} and so on"
    capture(shell, long)
    with contextlib.closing(open_runtime(home=str(shell.home), cwd=str(shell.cwd))) as runtime:
        [stored] = list_notes(runtime, limit=1).items
        payload: dict[str, object] = {"content": "Use uv here", "phase": 1, "token_count": 3}
        runtime.write([runtime.change(ChangeKind.CONDENSE, stored.memory, payload)])
    assert waiting(shell) == ["Use uv here"]
    env = editor(shell.folder, "text = open(path).read(); open(path, 'w').write(text.replace('so on', 'so forth'))")
    shell.on_a_terminal("inbox", typed="eq", env=env)
    assert kept(shell) == [long.replace("so on", "so forth")]


def test_a_file_that_cannot_be_removed_does_not_lose_the_edit(notes: Shell) -> None:
    # An editor may leave a folder beside the file, or remove the folder that the file is in.
    leave = "import os; os.mkdir(path + '.d'); open(path, 'w').write('Use uv, or conda')"
    done = notes.on_a_terminal("inbox", typed="eq", env=editor(notes.folder, leave))
    assert "kept as: Use uv, or conda" in plain(done.out)
    remove = "import os, shutil; shutil.rmtree(os.path.dirname(path))"
    done = notes.on_a_terminal("inbox", typed="eq", env=editor(notes.folder, remove))
    assert (done.code, "nothing was decided" in plain(done.out)) == (0, True)
    assert kept(notes) == ["Use uv, or conda"]


def test_an_editor_that_is_not_there_is_named(notes: Shell, tmp_path: Path) -> None:
    # The system refuses this file, as it refuses what is below a folder that only somebody else may enter.
    (tmp_path / "no-such-editor").write_text("not a program")
    done = notes.on_a_terminal("inbox", typed="eq", env={"EDITOR": "no-such-editor", "PATH": str(tmp_path)})
    assert "no-such-editor could not be used (No such file or directory)" in plain(done.out)
    assert len(waiting(notes)) == 3

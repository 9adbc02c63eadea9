"""Markdown for people is split into statements."""

from __future__ import annotations

import pytest

from limpet.imports.markdown import split_passages

TEXT = """# Build `now`

Run the whole suite
before every release.

- First bullet has enough words
  - and one below it
- short one
- [Only a link](other.md)
1. Numbered ones are statements too

| a | table | is | none |

```sh
code is not a statement at all
```

## **Bold** heading ##
<!-- MEMORY:START -->
- A line that a memory tool manages
<!-- MEMORY:END -->
* Starred bullets are read as well
~~~
an open fence hides the rest of it
"""


def test_bullets_and_paragraphs_are_statements_with_their_heading_and_line() -> None:
    found = [(each.text, each.heading, each.line) for each in split_passages(TEXT)]
    assert found == [
        ("Run the whole suite\nbefore every release.", "Build now", 3),
        ("First bullet has enough words\n  - and one below it", "Build now", 6),
        ("Numbered ones are statements too", "Build now", 10),
        ("Starred bullets are read as well", "Bold heading", 22),
    ]


def statements(text: str) -> list[str]:
    return [each.text for each in split_passages(text)]


def test_a_comment_is_skipped_up_to_its_last_line() -> None:
    text = "<!--\nRemember to ask Kim about this\nbefore the next release -->\n- Run the whole suite first\n"
    assert statements(text) == ["Run the whole suite first"]
    assert statements("<!-- one line of a comment -->\nRun the whole suite first") == ["Run the whole suite first"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<!-- note --> Alpha keeps its words here", ["Alpha keeps its words here"]),
        ("<!-- two\nlines --> Alpha keeps its words here", ["Alpha keeps its words here"]),
        ("Alpha keeps <!-- hidden words -->its words here", ["Alpha keeps its words here"]),
        ("Alpha keeps its words <!-- a\nb\n--> and so does Beta", ["Alpha keeps its words", "and so does Beta"]),
        ("- <!-- a comment in a bullet -->\n- Alpha keeps its words", ["Alpha keeps its words"]),
        ("Alpha opens <!-- and never closes it", ["Alpha opens <!-- and never closes it"]),
        ("In code `<!--` begins no comment -->", ["In code `<!--` begins no comment -->"]),
        ("Alpha keeps its words\r\rBeta has old line ends", ["Alpha keeps its words", "Beta has old line ends"]),
    ],
)
def test_a_comment_is_left_out_wherever_it_stands(text: str, found: list[str]) -> None:
    assert statements(text) == found


@pytest.mark.parametrize("mark", ["-", "1."])
def test_code_that_begins_in_a_bullet_is_no_statement(mark: str) -> None:
    text = (
        f"- Run the linter first here\n{mark} ```sh\n  make the whole house clean\n  ```\n- Never push to main directly"
    )
    assert statements(text) == ["Run the linter first here", "Never push to main directly"]


@pytest.mark.parametrize("rule", ["---", "***", "* * *", "=======", "___", "--- | :---: | ---"])
def test_a_rule_ends_a_paragraph_and_is_no_text(rule: str) -> None:
    text = f"Run the whole suite first\n{rule}\nNever push to main alone"
    assert statements(text) == ["Run the whole suite first", "Never push to main alone"]


@pytest.mark.parametrize("mark", ["***", "---", "==="])
def test_text_that_only_begins_like_a_rule_is_kept(mark: str) -> None:
    assert statements(f"{mark}Never{mark} push to main without a review first") == [
        f"{mark}Never{mark} push to main without a review first"
    ]


@pytest.mark.parametrize(
    ("fence", "inner", "closing"),
    [
        ("````", "```", "````"),
        ("```", "~~~", "````"),
        ("~~~~ sh", "~~~", "~~~~"),
        ("```sh", "```sh", "```"),
    ],
)
def test_a_fence_is_closed_by_as_many_of_its_marks_alone_on_a_line(fence: str, inner: str, closing: str) -> None:
    text = f"{fence}\n{inner}\nthis line is still only code\n{closing}\nNever push to main alone"
    assert statements(text) == ["Never push to main alone"]


@pytest.mark.parametrize(
    "code",
    [
        "> ```sh\n> rm -rf build and all of it\n> ```",
        ">~~~\n>rm -rf build and all of it\n>~~~",
        "> > ````\n> > ```\n> > rm -rf build and all of it\n> > ````",
        "- > ```\n  > rm -rf build and all of it\n  > ```",
        "> ```\n> rm -rf build and all of it\n",
    ],
)
def test_code_in_a_quote_is_no_statement(code: str) -> None:
    assert statements(f"Run the linter first here\n{code}\nNever push to main alone") == [
        "Run the linter first here",
        "Never push to main alone",
    ]


def test_a_mark_of_a_quote_in_code_ends_no_fence() -> None:
    assert statements("```\n> ```\nthis line is still only code\n```\nNever push to main alone") == [
        "Never push to main alone"
    ]


def test_code_between_backticks_in_a_line_opens_no_fence() -> None:
    text = "```uv run``` is how we start\n\nNever push to main alone"
    assert statements(text) == ["```uv run``` is how we start", "Never push to main alone"]


@pytest.mark.parametrize("line", ["[a long name of a file](x.md).", "@docs/the-rules.md", "https://example.com/a-b"])
def test_a_line_that_only_points_elsewhere_is_no_statement(line: str) -> None:
    assert statements(f"- {line}\n- Run the whole suite first") == ["Run the whole suite first"]


def test_fewer_than_four_words_are_no_statement() -> None:
    assert statements("- Run the linter\n- Run the linter first") == ["Run the linter first"]


def test_a_heading_is_named_without_its_marks() -> None:
    (found,) = split_passages("## __Release__ of `limpet` **today** ##\n- Run the whole suite first")
    assert found.heading == "Release of limpet today"


def test_an_indented_bullet_without_a_bullet_above_it_is_a_statement() -> None:
    assert statements("Before you push to main:\n  - Run the whole suite first\n  - Never push alone to main") == [
        "Before you push to main:",
        "Run the whole suite first\n  - Never push alone to main",
    ]


def test_a_long_line_takes_no_long_time() -> None:
    assert len(list(split_passages("- " + "a " * 200_000))) == 1
    assert list(split_passages("#" * 300_000)) == []

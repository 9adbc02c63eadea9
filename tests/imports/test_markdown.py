"""Markdown for people is split into statements."""

from __future__ import annotations

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


def test_a_long_line_takes_no_long_time() -> None:
    assert len(list(split_passages("- " + "a " * 200_000))) == 1
    assert list(split_passages("#" * 300_000)) == []

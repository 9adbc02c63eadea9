"""The recall gate: no change may hide the answer to a question that somebody has asked.

The last questions are kept with the memories that answered them. Before memories are merged or replaced, the changes
are applied to a copy of the view in memory, and the questions are asked again on that copy. A question keeps its answer
if a memory that is found there says the same as the sentence that answered before, with the same names and numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from limpet.model.change import Change, ChangeKind
from limpet.model.fold import decode_birth
from limpet.model.query import Query, Stored
from limpet.model.scope import Scope
from limpet.recall.questions import Question, load_questions
from limpet.recall.search import search, weigh_question
from limpet.text.answers import find_answer, says

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from limpet.settings import RecallSettings
    from limpet.store.protocol import Reading

MOST_ASKED = 10
"""How many questions about hidden memories are asked for one set of changes."""
_MOST_NEAR = 5
"""How many other questions of the same scope are asked."""
MOST_REHEARSALS = 20
"""How many sets of changes are tried; later ones that concern an answer are held back."""
_HIDING = (ChangeKind.SUPERSEDE, ChangeKind.FORGET, ChangeKind.DROP)


class RecallGate:
    """A check of planned changes against the last questions that were asked in a home."""

    def __init__(
        self,
        home: str,
        *,
        settings: RecallSettings,
        judge: Callable[[Stored], Stored],
        rehearse: Callable[[Sequence[Change]], Reading],
        now: datetime,
    ) -> None:
        self._questions = load_questions(home, most=settings.questions)
        self._settings = weigh_question(settings)
        self._judge, self._rehearse, self._now = judge, rehearse, now
        self._rehearsals = 0

    def find_loss(self, changes: Sequence[Change], *, before: Reading) -> Question | None:
        """Return a question that would lose its answer through these changes, or None.

        After `MOST_REHEARSALS` trials nothing is tried any more: then a question whose answer is hidden counts as lost.
        """
        hidden = {change.subject for change in changes if change.kind in _HIDING}
        concerned = [each for each in self._questions if not hidden.isdisjoint(each.answers)][:MOST_ASKED]
        if self._rehearsals >= MOST_REHEARSALS:
            return concerned[0] if concerned else None
        # A new memory may push an answer out of sight.
        born = (decode_birth(change) for change in changes)
        places = {(memory.agent, memory.project) for memory in born if memory is not None}
        near = [each for each in self._questions if (each.agent, each.project) in places][:_MOST_NEAR]
        asked = dict.fromkeys((*concerned, *near))
        expected = {each: sentences for each in asked if (sentences := self._find_expected(each, before))}
        if not expected:
            return None
        self._rehearsals += 1
        after = self._rehearse(changes)
        for question, sentences in expected.items():
            texts = [stored.memory.content for stored in self._ask(question, after)]
            if not all(any(says(text, sentence) for text in texts) for sentence in sentences):
                return question
        return None

    def _find_expected(self, question: Question, reading: Reading) -> list[str]:
        """Return the sentences that answer a question now; a former answer that is no longer found is left out."""
        found = self._ask(question, reading)
        return [
            find_answer(stored.memory.content, question.text)
            for stored in found
            if stored.memory.id in question.answers
        ]

    def _ask(self, question: Question, reading: Reading) -> list[Stored]:
        scope = Scope(agent=question.agent, project=question.project)
        query = Query(scope=scope, text=question.text, now=self._now, limit=self._settings.limit)
        last = reading.last_session(question.project, besides=None)
        page = search(query, reading=reading, settings=self._settings, judge=self._judge, last_session=last)
        return [hit.stored for hit in page.items]

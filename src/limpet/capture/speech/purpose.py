"""Recognise that a prompt asks to remember something, and separate the request from what is to be remembered.

People say it in many ways: "remember that …", "make a note: …", "for next time, …". The same words have other uses:
"don't forget to run the tests" is a task, "remember when we …?" a question and "make a note field" a wish. So a request
counts only if a statement follows it, after a colon, a comma or a word such as "that", or if it ends a statement.
"""

from __future__ import annotations

from limpet.lean.pattern import lazy

_POLITE = (
    r"(?:(?:ok|okay|and|so|also|please|pls|hey|oh|btw|just|one more thing|(?:can|could|would) you|bitte|und|kannst du"
    r"|s'il te plaît|et|peux-tu|por favor|y|puedes)\b[\s,:!]*+)*+"
)
_LATER = (
    r"(?:next (?:time|sessions?)|(?:the )?future(?: sessions?| work| reference)?"
    r"|(?:all|every|later|other|new)(?: \w++)? sessions?)"
)
_FOR = rf"(?:,? (?:for|in) (?:{_LATER}|later|good))?"
_THAT = r"(?:\s*+[:–—]\s*+|,? that\s++|\s*+,\s*+)(?!(?:to|when|how|where|what|why)\b)"
_DASS = r"(?:\s*+[:–—]\s*+|,? dass\s++|,\s++(?!(?:wo|was|wie|wer|wann|welche\w?|\w++ (?:\w++ )*zu)\b))"
_QUE = r"(?:\s*+[:–—]\s*+|\s*+,\s*+|,? (?:de )?que\s++| qu')"
_OPENING = lazy(
    rf"(?i){_POLITE}(?:"
    rf"remember(?: this)?{_FOR}{_THAT}|remember this\s++"
    rf"|(?:make|take|leave) (?:yourself )?a (?:mental )?note(?: of this)?{_FOR}{_THAT}"
    rf"|(?:add|save|store|put|write)(?: this| that)?(?: down)? (?:to|in|into)(?: your| the| project| long-term)* memory"
    rf"{_FOR}{_THAT}"
    rf"|keep(?: this)? in mind,? for (?:{_LATER}|later){_THAT}"
    rf"|for {_LATER},? (?:please )?(?:keep in mind|remember){_THAT}"
    rf"|(?:don['’]?t|do not|never) (?:ever )?forget(?: this)?{_FOR}"
    r"(?:\s*+[:–—]\s*+|,? that\s++|,?\s++(?=(?:we|I)\b))"
    rf"|(?:a )?(?:note|rule|reminder|memo)(?: to self)?,? for {_LATER}\s*+[:,–—]\s*+"
    rf"|(?:and )?for {_LATER}\s*+[:,–—]\s*+"
    rf"|merke?t? (?:dir|euch)(?: bitte| mal| das| für \w++ \w++| fürs nächste Mal)*{_DASS}"
    rf"|vergiss (?:bitte )?nicht(?:\s*+[:–—]\s*+|,? dass\s++)"
    r"|denke? (?:bitte )?(?:dran|daran)(?:\s*+[:–—]\s*+|,? dass\s++)"
    rf"|notiere?(?: dir)?(?: bitte)?(?:\s*+[:–—]\s*+|,? dass\s++)"
    rf"|behalte? (?:bitte )?(?:das )?im (?:Kopf|Gedächtnis){_DASS}"
    r"|(?:fürs nächste Mal|für das nächste Mal|für die Zukunft|für alle(?: \w++)? (?:Sitzungen|Sessions))\s*+[:,–—]\s*+"
    rf"|(?:souviens-toi|rappelle-toi|retiens|mémorise|prends note|garde en mémoire){_QUE}"
    rf"|n['’]oublie(?:z)? (?:pas|jamais)(?:\s*+:\s*+| que\s++| qu')"
    rf"|ajoute(?: ça| cela)? (?:à|dans) (?:ta|la) mémoire{_QUE}"
    r"|pour (?:la prochaine fois|les prochaines (?:fois|sessions)|toutes les sessions|l['’]avenir)\s*+[:,–—]\s*+"
    rf"|(?:recuerda|acuérdate|toma nota|apunta|memoriza){_QUE}|no (?:te )?olvides(?:\s*+:\s*+| (?:de )?que\s++)"
    rf"|(?:guarda|añade|agrega)(?: esto)? (?:en|a) (?:tu|la) memoria{_QUE}"
    r"|para (?:la próxima(?: vez)?|el futuro|todas las sesiones)\s*+[:,–—]\s*+"
    r"|(?:请|好的?|你要|帮我|麻烦|，|,)*(?:记住|牢记|记一下|添加到记忆|加入记忆|记到记忆里)(?!我的?(?:登录|功能|选项)|密码|用户名|登录|了?吗)了?[：:，,\s]*+"
    r"|(?:请|，|,)*(?:别|不要)忘(?:了|记)(?:[：:，,]\s*+|(?=我们))|(?:覚えておいて|覚えといて|記憶して)(?:ください)?[：:、,]\s*+"
    r")(?=\S)"
)
_ENDING = lazy(
    rf"(?i)(?:^|\s*+[,;:–—(-]\s*+|\s++(?:and|und|et|y)\s++){_POLITE}(?:"
    rf"(?:remember|don['’]?t forget) (?:this|that|it){_FOR}|make a note(?: of (?:this|that|it))?{_FOR}"
    rf"|(?:add|save|store|put|write) (?:this|that|it) (?:to|in|into) (?:your |the )?memory"
    rf"|keep (?:this|that|it) in mind for (?:{_LATER}|later)|for (?:{_LATER})"
    r"|merke? dir das|vergiss das nicht|souviens-t['’]en|retiens[- ](?:le|ça)|n['’]oublie pas ça|recuérdalo"
    r"|no lo olvides"
    r")\)?[.!]*\s*\Z"
    r"|[、，,]?(?:を|と|ことを|のを|と|って)?(?:よく)?"
    r"(?:覚えておいて|覚えといて|記憶して(?:おいて)?|メモしておいて|メモリに(?:追加|保存)して)(?:ください|下さい)?ね?[。.！!]*\Z"
    r"|[，,](?:请)?(?:记住|记一下|记下来|别忘了|加入记忆)(?:了|这一点|这点)?[。.！!]*\Z"
)


def split_request(sentence: str) -> str | None:
    """Return what a sentence asks to remember, or None if it asks nothing of the kind.

    The result is empty if the sentence is only the request, such as "Remember that.", which is about the one before.
    """
    ending = _ENDING.search(sentence)
    if ending is not None:
        return sentence[: ending.start()].strip()
    opening = _OPENING.match(sentence)
    if opening is None:
        return None
    rest = sentence[opening.end() :].strip()
    return rest[:1].upper() + rest[1:]

"""The verbs that the tagger knows: base forms, their inflections and the shapes a word may be."""

from __future__ import annotations

from . import verb_list

_DOUBLING = frozenset(verb_list.DOUBLING.split())

# shapes of a verb form
BASE, THIRD, PAST, PARTICIPLE, GERUND = 1, 2, 4, 8, 16

BE_FORMS = {
    "be": BASE,
    "am": BASE,
    "are": BASE,
    "is": THIRD,
    "was": PAST,
    "were": PAST,
    "been": PARTICIPLE,
    "being": GERUND,
}
HAVE_FORMS = {"have": BASE, "has": THIRD, "had": PAST | PARTICIPLE, "having": GERUND}
DO_FORMS = {"do": BASE, "does": THIRD, "did": PAST, "done": PARTICIPLE, "doing": GERUND}

VOWELS = "aeiou"


def third_person(base: str) -> str:
    """The -s form of a regular verb."""
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return base + "es"
    if base.endswith("y") and base[-2:-1] not in VOWELS:
        return base[:-1] + "ies"
    return base + "s"


def _regular_past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2:-1] not in VOWELS:
        return base[:-1] + "ied"
    return base + (base[-1] if base in _DOUBLING else "") + "ed"


def _gerund(base: str) -> str:
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be":
        return base[:-1] + "ing"
    return base + (base[-1] if base in _DOUBLING else "") + "ing"


def _build() -> tuple[dict[str, int], dict[str, str]]:
    forms: dict[str, int] = {}
    lemmas: dict[str, str] = {}

    def add(word: str, shape: int, base: str) -> None:
        forms[word] = forms.get(word, 0) | shape
        lemmas.setdefault(word, base)

    irregular = {}
    for entry in verb_list.IRREGULAR.replace("\n", "|").split("|"):
        if entry.strip():
            base, past, participle = entry.split()
            irregular[base] = (past, participle)
    for base in sorted(set(verb_list.REGULAR.split()) - {"be"} | set(irregular)):
        past, participle = irregular.get(base) or (_regular_past(base),) * 2
        add(base, BASE, base)
        add(third_person(base), THIRD, base)
        add(past, PAST, base)
        add(participle, PARTICIPLE, base)
        add(_gerund(base), GERUND, base)
        if base in ("burn", "dream", "learn", "prove"):
            add(base + ("d" if base[-1] == "e" else "ed"), PAST | PARTICIPLE, base)
    for table, base in ((BE_FORMS, "be"), (HAVE_FORMS, "have"), (DO_FORMS, "do")):
        for word, shape in table.items():
            forms[word] = shape
            lemmas[word] = base
    forms["born"] = PARTICIPLE
    lemmas["born"] = "bear"
    forms["got"] = PAST | PARTICIPLE
    return forms, lemmas


FORMS, _LEMMAS = _build()
_NOUN_LEMMAS = frozenset(verb_list.NOUNISH.split())
NOUNISH = frozenset(
    word
    for word, shape in FORMS.items()
    if _LEMMAS[word] in _NOUN_LEMMAS and shape & (BASE | THIRD) and word not in BE_FORMS
)


def lemma(word: str) -> str:
    """The base form of a lower-case verb form; unknown forms are stripped by rule."""
    known = _LEMMAS.get(word)
    if known:
        return known
    if word.endswith(("ied", "ies")):
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word[: -len(ending)]
            if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "sl":
                return stem[:-1]
            if stem.endswith(("at", "iz", "is", "v", "c", "g", "rs", "ut", "ur", "bl", "dl", "tl", "pl")):
                return stem + "e"
            return stem + "e" if stem[-1] == "l" and stem[-2] not in "aeioulr" else stem
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word

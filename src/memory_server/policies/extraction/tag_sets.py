"""The tags that tokens carry, and the sets of them that readers ask for.

DT determiner, PP possessive, PR pronoun, EX there, NN noun, NP name, CD number, JJ adjective, RB adverb,
IN preposition, TO, MD modal, AX be/have/do, VB base, VZ third person, VD past, VN participle, VG gerund,
VI bare infinitive, CC, SU subordinator, WH, TH that, PO possessive mark, HY hyphen, and the marks , ; : . - ( ) Q.
"""

from __future__ import annotations

NOMINAL = frozenset(("NN", "NP", "CD", "JJ"))
FINITE = frozenset(("AX", "MD", "VB", "VZ", "VD"))
DETERMINING = frozenset(("DT", "PP", "PO", "JJ", "CD", "HY"))
OBJECT_STARTS = frozenset(("DT", "PP", "PR", "CD", "NP", "IN", "TO", "RB", "TH", "JJ", "WH", "Q"))
BREAKS = frozenset((",", ";", ":", ".", "-", "(", ")", "SU", "WH", "TH", "CC"))

"""The wordings by which a procedure, its order, its constraints and its checks are told."""

from __future__ import annotations

import re

from .lexicon import words

TITLE = re.compile(
    r"\W{0,4}(?:how to|steps (?:to|for)|procedure (?:for|to)|instructions (?:for|to)|guide to|recipe for|"
    r"runbook(?: for)?:?|"
    r"playbook(?: for)?:?|checklist (?:for|to)|(?P<to>(?:in order )?to))\s(?P<goal>[^:.!?\n]{2,120})\s?(?P<colon>:?)",
    re.IGNORECASE,
)
TITLE_AFTER = re.compile(
    r"\W{0,4}(?P<goal>[A-Z][^:.!?\n]{2,80}?)\s(?:steps|procedure|process|checklist|runbook|how-?to)\s?:?$",
    re.IGNORECASE,
)
IN_PROSE = re.compile(
    r"(?:in order )?to (?P<goal>[^:,.!?]{2,120})(?::|,\s(?:(?:you )?(?:do|first|must|should|need to|have to|"
    r"just|always)\b[:,]?))?(?P<mark>[:,])?\s(?P<steps>\S.{2,1500})",
    re.IGNORECASE | re.DOTALL,
)
NUMBERED = re.compile(r"(?:^|\s)\(?(?:\d{1,2}|[a-h])[.)]\s")
THEN = re.compile(
    r"\s?[,;]?\s(?:and )?(?:then|next|after that|afterwards|finally|lastly)[,]?\s|\s?;\s(?:and\s)?|"
    r"\s?,\s(?:and\s)?|\sand\s(?=[a-z]+\s(?:the|a|it|that|your|all)\b)",
    re.IGNORECASE,
)
ORDER_WORD = re.compile(
    r"(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|then|next|finally|lastly|after that|afterwards|and|do)[,:]?\s",
    re.IGNORECASE,
)
CONSTRAINT = re.compile(
    r"\b(?:must|never|always|make sure|be sure|do not|don't|don’t|ensure|only if|required|mind that|avoid)\b",
    re.IGNORECASE,
)
VALIDATION = re.compile(
    r"\b(?:verify|check (?:that|if|whether|the)|validate|confirm that|should (?:see|return|show|print|respond)|"
    r"test that|smoke test)\b",
    re.IGNORECASE,
)
NO_GOALS = words(
    "next detailed practical following these key additional first final action basic important other"
)

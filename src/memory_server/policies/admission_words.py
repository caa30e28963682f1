"""The words by which admission judges a text, in the languages it knows; whole words, case folded."""
# ruff: noqa: E501 -- a list of words in one place is what a reader looks for

from __future__ import annotations

import re


def _words(*parts: str) -> str:
    """A pattern of any of the parts as whole words; `*` at an end stands for any ending, a blank for any white space."""
    listed = [part.strip() for text in parts for part in text.split("|") if part.strip()]
    escaped = (
        re.escape(part).replace(r"\*", r"\w*").replace(r"\ ", r"\s+").replace("'", "['’]") for part in listed
    )
    return rf"(?<!\w)(?:{'|'.join(sorted(escaped, key=len, reverse=True))})(?!\w)"


_TALK_PARTS = """
ok|okay|okey|k|kk|thanks|thank you|thx|ty|cheers|thanks a lot|thank you so much|thank you very much|many thanks|no problem|np
you're welcome|welcome|hi|hello|hey|hi there|hello there|hey there|good morning|good evening|good night|good afternoon|bye|goodbye
see you|see you later|see ya|later|yes|yeah|yep|yup|no|nope|nah|sure|sure thing|alright|all right|right|great|nice|cool|awesome
perfect|excellent|wonderful|amazing|good|fine|got it|gotcha|i see|understood|makes sense|sounds good|will do|done|lol|haha|hahaha
wow|oh|ah|hm|hmm|hmmm|please|sorry|oops|congrats|well done|good job|good luck|how are you|i'm fine|what's up|anyway|so|well|and|you too
very much|a lot|so much|for your help|for the help|for that|everyone|all|guys|again
ок|окей|ладно|хорошо|спасибо|большое спасибо|спасибо большое|благодарю|пожалуйста|привет|здравствуй|здравствуйте|добрый день
доброе утро|добрый вечер|спокойной ночи|пока|до свидания|увидимся|да|нет|ага|угу|неа|понял|поняла|понятно|ясно|отлично|супер
класс|круто|здорово|извини|извините|прости|ну|вот|конечно|договорились|как дела|хаха|всё|все|большое|вам|тебе|за помощь
danke|danke schön|vielen dank|bitte|hallo|tschüss|ja|nein|gut|merci|bonjour|salut|oui|non|gracias|hola|adiós|sí|vale
"""
_TALK = sorted(
    (
        re.escape(part.strip()).replace(r"\ ", r"\s+").replace("'", "['’]")
        for part in _TALK_PARTS.replace("\n", "|").split("|")
        if part.strip()
    ),
    key=len,
    reverse=True,
)
SMALL_TALK = rf"(?:[\W_]{{0,8}}(?:{'|'.join(_TALK)})(?!\w)){{1,8}}[\W_]{{0,12}}|[\W_]{{1,40}}"
"""A sentence of nothing but greetings, thanks and assent, or of signs and emoji."""

IMPORTANT = _words(
    "always|never|must|must not|mustn't|important|importantly|do not|critical|crucial|essential|mandatory|required|remember that|note well|under no circumstances|at all times|from now on|nota bene",
    "всегда|никогда|должен|должна|должно|должны|важно|важный|важная|важное|важные|обязательно|обязан*|нельзя|запрещено|запрещается|критично|ни в коем случае|не надо|запомни|запомните|не забудь|не забывай|отныне",
    "immer|niemals|muss|müssen|wichtig|unbedingt|verboten|toujours|jamais|obligatoire|siempre|nunca|importante|obligatorio",
)
"""What is meant to last. "don't" counts where it opens an order, see `_ORDER`."""
_ORDER = r"(?:(?:^|[.!?:;,]\s|\bplease\s|\byou\s|\bplease,\s)don['’]?t\s(?!know|think|mind|worry|care|remember|see|get|have)\w)"
IMPORTANT = rf"{IMPORTANT}|{_ORDER}"

PASSING = _words(
    "today|tonight|this morning|this afternoon|this evening|temporary|temporarily|for now|right now|just now|at the moment|for the moment|scratch|throwaway|brb|be right back|in a minute|in a bit|in a second|hang on|one moment|wip",
    "сегодня|сейчас|временно|временный|временная|временное|временные|на время|пока что|черновик|черновой|набросок|минутку|секунду|скоро вернусь|этим утром|сегодня вечером|прямо сейчас",
    "heute|vorübergehend|im moment|gerade eben|aujourd'hui|temporaire|pour l'instant|hoy|temporal|por ahora",
)
"""What speaks of the moment."""

PASSING_NOT = (
    r"\bfrom scratch\b|\bscratch(?:pad| (?:disk|space|org|volume|image|card))s?\b|\btemporary (?:file|folder|director(?:y|ie)|table|storage|credential|token|variable|password|visa|contract)s?\b"
    r"|\btoday's (?:date|standard|world)s?\b|\bнового сегодня\b|\bвременн\w+ (?:файл|папк|каталог|таблиц)\w*"
)
"""Where the same words name a lasting thing."""

DECISION = _words(
    "decided|decide to|we chose|i chose|chose to|chosen|opted for|settled on|agreed to|agreed on|agreed that|went with|going with|picked|switched from|switched to|approved|the decision",
    "решили|решил|решила|решено|выбрали|выбрал|выбрала|договорились|остановились на|перешли на|согласовали|утвердили",
    "entschieden|beschlossen|décidé|decidido|decidimos",
)
PREFERENCE = _words(
    "prefer|prefers|preferred|i like|i love|i hate|i dislike|my favourite|my favorite|i'd rather|i would rather",
    "предпочитаю|предпочитает|мне нравится|я люблю|не люблю|терпеть не могу|мой любимый|моя любимая",
)
PROCEDURE = r"\bhow to\b|\bsteps? to\b|\bsteps?:|(?:^|\s)1[.)]\s.*?\s2[.)]\s|\bfirst,? .{0,200}\bthen\b|\bкак (?:сделать|настроить|запустить|собрать)\b|\bшаги\b"
HEDGE = _words(
    "maybe|perhaps|probably|possibly|i think|i guess|i suppose|might|may be|could be|seems|apparently|not sure|i believe",
    "может быть|возможно|наверное|вероятно|кажется|думаю|похоже|вроде|не уверен|не уверена",
)
HEARSAY = _words(
    "i heard|heard that|rumour|rumor|they say|people say|someone said|allegedly|reportedly|supposedly|is said to",
    "говорят|слышал|слышала|по слухам|якобы|ходят слухи",
)

_DATE = r"(?P<date>\d{4}-\d\d-\d\d)"
VALID_TO = rf"\b(?:until|till|valid (?:to|through|until)|through|expires(?: on)?|ends on|до|bis|jusqu['’]au)\s+{_DATE}\b"
VALID_FROM = rf"\b(?:since|from|starting(?: on)?|as of|valid from|effective(?: from)?|с|со|начиная с|ab|seit|à partir du)\s+{_DATE}\b"

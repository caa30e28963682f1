"""The wordings and the markup by which a text tries to give a model orders; one pattern a line."""
# ruff: noqa: E501 -- a pattern that is cut up over lines cannot be read

from __future__ import annotations

MAX_GAP = 40
"""Characters that may lie between the words of one order; it keeps every pattern linear."""

_GAP = rf"[^.!?\n]{{0,{MAX_GAP}}}?"

# "you can ignore the above instructions" is advice to a reader; first letters spare most words a closer look
_NOT_ADVICE = (
    r"\b(?=[bdefinops])(?<!can )(?<!may )(?<!could )(?<!might )(?<!safely )(?<!will )(?<!would )(?<!not )"
)
_DISMISS = (
    r"(?:ignore|disregard|forget|override|overrule|bypass|discard|neglect|do not follow|don't follow|stop following"
    r"|do not obey|don't obey|stop obeying|pay no attention to|erase from memory)"
)
_EARLIER = (
    r"(?:previous(?:ly)?|prior|above|earlier|preceding|foregoing|former|original|initial|existing|system|developer|"
    r"your|you were given|you have been given|you received|that came before)"
)
_ORDERS_NOUN = (
    r"(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?|commands?|orders|constraints|"
    r"restrictions|safeguards|programming|training|context|messages?|conversations?)"
)
_START = r"(?:^|[.!?:;,\n\"'“”(\[>*-]\s{0,3}|\b(?:please|now|and|then|must|should|just|kindly|simply) )"

ORDERS: tuple[tuple[str, str], ...] = (
    ("override", rf"{_NOT_ADVICE}\b{_DISMISS}\b{_GAP}\b{_EARLIER}\b{_GAP}\b{_ORDERS_NOUN}\b"),
    ("override", rf"{_NOT_ADVICE}\b{_DISMISS}\b{_GAP}\b{_ORDERS_NOUN}\b{_GAP}\b(?:above|before this|so far|given to you|you (?:were|have been) given|you (?:got|received)|up to (?:this point|now))\b"),
    ("override", rf"{_START}{_DISMISS} (?:all|any|every)(?: of)?(?: the| these| those| my| other)? {_ORDERS_NOUN}\b"),
    ("override", rf"{_START}{_DISMISS} (?:everything|anything|all)(?: that)?(?: was| is| has been| you were| I| we)?{_GAP}\b(?:above|before|told|said|earlier)\b"),
    ("override", r"\b(?:new|updated|revised|real|actual|true|secret) (?:system )?(?:instructions?|prompt)(?: for you| for the (?:ai|model|assistant))? ?:"),
    ("override", r"\byour (?:(?:real|actual|true) (?:task|instructions?|goal|purpose|objective|role|directive|job)|new (?:task|instructions?|directive|objective)) (?:is|are)\b"),
    ("persona", r"\byou are now (?:dan|unrestricted|jailbroken|unfiltered|uncensored|free (?:of|from)|in (?:developer|dan|god|debug|jailbreak) mode|(?:an? )?(?:[\w-]+ ){0,3}(?:ai|assistant|language model|chatbot|hacker|dan)\b)"),
    ("persona", r"\b(?:pretend|act as if|behave as if|imagine)(?: that)? you(?: are| have|'re|'ve)? (?:no |not bound|unrestricted|without|free of|an? (?:unrestricted|unfiltered|evil|uncensored))"),
    ("persona", r"\b(?:enter|enable|activate|switch to|turn on) (?:the )?(?:dan|jailbreak|god|unrestricted|uncensored) mode\b"),
    ("prompt_leak", r"\b(?:reveal|print|show|output|repeat|display|leak|disclose|tell me|give me|send me|recite|dump)\b[^.!?\n]{0,30}?\b(?:your (?:[\w-]+ ){0,2}(?:prompt|instructions)|(?:hidden|initial|secret|original) (?:system )?(?:prompt|instructions)|system prompt verbatim)\b"),
    ("secrecy", r"\b(?:do not|don't|never|without) (?:tell|telling|mention|mentioning|inform|informing|reveal|revealing)(?: (?:this|that|it|anything|any of this))?(?: about)?(?: to)? the user\b"),
    ("exfiltration", r"\b(?:send|post|upload|forward|e-?mail|exfiltrate|transmit|submit|leak) (?:me |us )?(?:all|every|each|any|the|your|my|his|her|their|this|these|its|user|users'|what)\b[^.!?\n]{0,60}?\b(?:api[ _-]?keys?|passwords?|credentials|secrets?|tokens?|chat history|conversation|memories|env(?:ironment)? variables|\.env|private keys?)\b[^!?\n]{0,40}?(?:https?://|\b[\w.+-]{1,64}@[\w-]{1,63}\.|\bto (?:me|this (?:address|server|url|webhook)))"),
    ("memory_order", rf"{_START}(?:delete|erase|wipe|purge|forget|overwrite|discard) (?:all|every|each|any|your|the entire)(?: of)?(?: (?:the|your|stored|saved|other))*(?: [\w-]+)? ?(?:memory|memories|beliefs?|facts?)\b"),
    ("memory_order", rf"{_START}mark (?:all|every|each) (?:[\w-]+ )?(?:memory|memories|beliefs?|facts?)\b"),
    ("override", rf"\b(?:игнорируй(?:те)?|проигнорируй(?:те)?|забудь(?:те)?|отбрось(?:те)?|не следуй(?:те)?|не обращай(?:те)? внимания на|отмени(?:те)?)\b{_GAP}\b(?:предыдущ\w+|прежн\w+|прошл\w+|вс[её]\w*|выше\w*|систем\w+|сво\w+|данные тебе)\b{_GAP}\b(?:инструкци\w+|указани\w+|правил\w*|команд\w*|приказ\w*|промпт\w*|сообщени\w+)"),
    ("override", rf"\b(?:ignorier\w*|vergiss|vergesst|vergessen sie|missachte\w*)\b{_GAP}\b(?:vorherig\w*|bisherig\w*|vorangehend\w*|obig\w*|früher\w*|alle\w*|deine)\b{_GAP}\b(?:anweisung\w*|instruktion\w*|regeln|befehle?|vorgaben|prompts?)\b"),
    ("override", rf"\b(?:ignore[rz]?|oublie[rz]?|ne tiens pas compte|ne tenez pas compte)\b{_GAP}\b(?:instructions?|consignes?|règles|directives|ordres)\b{_GAP}\b(?:précédent\w*|antérieur\w*|ci-dessus|initial\w*|système)\b"),
    ("override", rf"\b(?:ignor[ae]\w*|olvid[ae]\w*|desatiende|haz caso omiso)\b{_GAP}\b(?:instrucciones|órdenes|reglas|indicaciones)\b{_GAP}\b(?:anterior\w*|previas?|de arriba|del sistema)\b"),
    ("override", rf"\b(?:ignor[ae]\w*|esqueç\w*|esquece|desconsidere)\b{_GAP}\b(?:instruções|ordens|regras)\b{_GAP}\b(?:anterior\w*|prévias?|acima|do sistema)\b"),
    ("override", rf"\b(?:ignor\w+|dimentica\w*)\b{_GAP}\b(?:istruzioni|regole|ordini)\b{_GAP}\b(?:precedent\w*|sopra|di sistema)\b"),
    ("override", rf"\b(?:negeer|vergeet)\b{_GAP}\b(?:vorige|eerdere|bovenstaande|alle)\b{_GAP}\b(?:instructies|opdrachten|regels)\b"),
    ("override", rf"\b(?:zignoruj|ignoruj|zapomnij)\b{_GAP}\b(?:poprzedni\w*|wcześniejsz\w*|wszystki\w*)\b{_GAP}\b(?:instrukcj\w*|polece\w*)"),
    ("override", r"(?:忽略|无视|無視|忽視|忘记|忘記|不要遵守|不要理会)[^。！？\n]{0,12}?(?:之前|以上|先前|上述|前面|此前|所有|一切|系统)[^。！？\n]{0,8}?(?:指令|指示|提示|规则|規則|命令|说明|說明)"),
    ("override", r"(?:これまで|以前|上記|今まで|すべて|全て|前)の?[^。！？\n]{0,10}?(?:指示|命令|プロンプト|ルール)[^。！？\n]{0,6}?(?:無視|忘れ)"),
    ("override", r"(?:이전|위의|앞의|모든)[^.!?\n]{0,10}?(?:지시|명령|프롬프트|규칙)[^.!?\n]{0,8}?(?:무시|잊)"),
)  # fmt: skip
"""Marks with their patterns for orders in words; case does not count."""

MARKUP: tuple[tuple[str, str], ...] = (
    ("tool_markup", r"<\s{0,3}/?\s{0,3}(?:antml:)?(?:tool_calls?|tool_use|tool_results?|tool_responses?|function_calls?|function_results?|function=\w{1,64}|invoke name=|parameter name=)[^<>]{0,200}>"),
    ("tool_markup", r"\[/?(?:TOOL_CALLS|AVAILABLE_TOOLS|TOOL_RESULTS)\]"),
    ("chat_markup", r"<[|｜]\s?(?:im_start|im_end|im_sep|system|user|assistant|tool|endoftext|begin_of_text|end_of_text|start_header_id|end_header_id|eot_id|eom_id|python_tag|channel|message|start|end|return|call|fim_\w{1,12}|endofprompt|begin▁of▁sentence|User|Assistant|tool▁\w{1,24})\s?[|｜]>"),
    ("chat_markup", r"\[/?INST\]|<</?SYS>>|</?(?:start|end)_of_turn>|^#{2,4} (?:Instruction|System):\s*$|^(?:\*\*)?(?:Human|H): .{0,400}\n{1,3}(?:Assistant|A):"),
    ("role_markup", r"<\s{0,3}/?\s{0,3}(?:system|assistant|developer)(?:[-_ ]?(?:prompt|message|instructions?|reminder|note))?\s{0,3}>"),
    ("role_markup", r"</?(?:IMPORTANT|SYSTEM|INSTRUCTIONS?|ADMIN)>"),
)  # fmt: skip
"""Marks with their patterns for the markup of prompts."""

_NOUNS = (
    "instruction", "prompt", "rule", "guideline", "direct", "command", "orders", "constraint", "restriction",
    "safeguard", "programming", "training", "context", "message", "conversation",
)  # fmt: skip
ORDER_HINTS: tuple[tuple[str, ...], ...] = (
    _NOUNS,
    _NOUNS,
    _NOUNS,
    ("above", "before", "told", "said", "earlier"),
    ("instruction", "prompt"),
    ("your real", "your actual", "your true", "your new"),
    ("you are now",),
    ("pretend", "act as if", "behave as if", "imagine"),
    (" mode",),
    ("prompt", "instructions"),
    ("the user",),
    (
        "key",
        "password",
        "credential",
        "secret",
        "token",
        "chat history",
        "conversation",
        "memories",
        "variables",
        ".env",
    ),
    ("memory", "memories", "belief", "fact"),
    ("mark ",),
    ("игнор", "забуд", "отбрось", "не следуй", "не обращ", "отмени"),
    ("anweisung", "instruktion", "regeln", "befehl", "vorgaben", "prompt"),
    ("instruction", "consigne", "règle", "directive", "ordre"),
    ("instruccion", "órdenes", "reglas", "indicaciones"),
    ("instruç", "ordens", "regras"),
    ("istruzioni", "regole", "ordini"),
    ("instructies", "opdrachten", "regels"),
    ("instrukcj", "polece"),
    ("忽", "无视", "無視", "忘", "不要"),
    ("無視", "忘れ"),
    ("무시", "잊"),
)
"""For each of ORDERS what its lower-cased text must hold somewhere; most texts so need no closer look."""

MARKUP_HINTS: tuple[tuple[str, ...], ...] = (
    ("<",),
    ("[",),
    ("<",),
    ("[", "<", "#", "human:", "h:"),
    ("<",),
    ("<",),
)
"""The same for each of MARKUP."""

"""Where sentences end, and what stays whole inside them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.extraction.sentences import split_sentences
from memory_server.policies.extraction.tokens import tokenize


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Magpie is down. Restart it.", ["Magpie is down.", "Restart it."]),
        (
            "Wren (e.g. the night build) needs Bazel. Finch does not.",
            ["Wren (e.g. the night build) needs Bazel.", "Finch does not."],
        ),
        ("Dr. Okafor leads it, cf. the plan.", ["Dr. Okafor leads it, cf. the plan."]),
        ("Teal Corp. sells bikes.", ["Teal Corp. sells bikes."]),
        (
            "We bought it from Teal Corp. The bikes are red.",
            ["We bought it from Teal Corp.", "The bikes are red."],
        ),
        ("It listens on 172.16.4.9. Nothing else does.", ["It listens on 172.16.4.9.", "Nothing else does."]),
        ("Use v3.11.2 or 3.12.", ["Use v3.11.2 or 3.12."]),
        (
            "See https://docs.example.org/a.b/c.html?x=1. Then read it.",
            ["See https://docs.example.org/a.b/c.html?x=1.", "Then read it."],
        ),
        ("The file /var/log/app.log grew. Rotate it!", ["The file /var/log/app.log grew.", "Rotate it!"]),
        ("He wrote 'stop.' Nobody did.", ["He wrote 'stop.'", "Nobody did."]),
        ("Is it up? Yes!", ["Is it up?", "Yes!"]),
        ("J. R. Hartley wrote it.", ["J. R. Hartley wrote it."]),
        ("I know who I am. They know too.", ["I know who I am.", "They know too."]),
        ("We sat. The sun set.", ["We sat.", "The sun set."]),
        ("Meet on Jan. 5 at noon.", ["Meet on Jan. 5 at noon."]),
        ("I said no. Then I left.", ["I said no.", "Then I left."]),
        ("See no. 7 first.", ["See no. 7 first."]),
        ("缓存用内存。日志写磁盘。", ["缓存用内存。", "日志写磁盘。"]),
        ("Wait ... what", ["Wait ... what"]),
        ("", []),
    ],
)
def test_a_sentence_ends_where_a_reader_would_end_it(text: str, sentences: list[str]) -> None:
    assert split(text) == sentences


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Port 8080, not 80.", ["Port", "8080", ",", "not", "80", "."]),
        ("It doesn't cost $4.50!", ["It", "does", "n't", "cost", "$4.50", "!"]),
        ("Ida's node-7 (v2.1.0)", ["Ida", "'s", "node-7", "(", "v2.1.0", ")"]),
        ("run `make all -j4` now", ["run", "`make all -j4`", "now"]),
        ("call f(x) at /usr/bin/env", ["call", "f(x)", "at", "/usr/bin/env"]),
        ("fast—but loud", ["fast", "—", "but", "loud"]),
        ("I cannot and can't", ["I", "can", "not", "and", "ca", "n't"]),
        (
            "mail a@b.example, then https://x.example/?q=1.",
            ["mail", "a@b.example", ",", "then", "https://x.example/?q=1", "."],
        ),
    ],
)
def test_numbers_paths_versions_and_code_stay_whole(text: str, tokens: list[str]) -> None:
    assert [token.text for token in tokenize(text)] == tokens


@given(st.text(max_size=300))
def test_every_token_and_sentence_is_a_piece_of_the_text(text: str) -> None:
    for token in tokenize(text):
        assert text[token.start : token.end] == token.text != ""
    previous = 0
    for start, end in split_sentences(text):
        assert previous <= start < end <= len(text)
        previous = end


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("yeah it works. the pump is new. nobody minds", 3),
        ("it costs approx. five euros, incl. tax", 1),
        ("see fig. a for the pump", 1),
        ("The pump is new. pump-ctl 2.1 drives it.", 2),
        ("Bob is taller than Jan. Jan is short.", 2),
        ("We met on Jan. 5 in Riga.", 1),
    ],
)
def test_who_writes_without_capitals_ends_sentences_too(text: str, count: int) -> None:
    assert len(split_sentences(text)) == count

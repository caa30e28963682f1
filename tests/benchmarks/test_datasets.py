"""The published files are read as they are."""

from __future__ import annotations

import gzip
import hashlib
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.benchmarks.datasets import beam, elements, fingerprint, locomo, longmemeval
from memory_server.domain.errors import InvalidArgument

TALKS = Path(__file__).parent / "talks"
SMALL = TALKS / "longmemeval_small.json"


def test_a_longmemeval_question_comes_with_its_haystack() -> None:
    first, *_, last = longmemeval(SMALL)
    question = first.questions[0]
    assert question.asked_at == "2024-05-20T09:30:00.000000Z"
    assert question.turns == question.person_turns == ("answer_boat_1_1",)
    assert question.sessions == ("answer_boat_1",)
    assert [turn.external_id for turn in first.turns][:4] == [
        "filler_1_1",
        "filler_1_2",
        "filler_1_3",
        "answer_boat_1_1",
    ]
    assert first.turns[3].occurred_at == "2024-05-03T18:20:00.000000Z"
    assert [first.turns[3].speaker, first.turns[4].speaker] == ["user", "assistant"]
    assert (question.apart, last.questions[0].apart) == (None, "abstention")


def test_evidence_that_the_assistant_gave_is_told_apart() -> None:
    (question,) = next(h for h in longmemeval(SMALL) if h.id == "loaf_time").questions
    assert (question.turns, question.person_turns) == (("answer_loaf_1_2",), ())


def test_user_turns_alone_keep_their_numbers() -> None:
    haystack = next(h for h in longmemeval(SMALL, user_turns_only=True) if h.id == "loaf_time")
    assert {turn.speaker for turn in haystack.turns} == {"user"}
    assert haystack.turns[1].external_id == "filler_1_3"
    assert haystack.questions[0].turns == ()


def test_a_gzipped_file_is_read_too(tmp_path: Path) -> None:
    packed = tmp_path / "small.json.gz"
    packed.write_bytes(gzip.compress(SMALL.read_bytes()))
    assert list(longmemeval(packed)) == list(longmemeval(SMALL))


def test_a_session_that_a_haystack_holds_twice_is_one(tmp_path: Path) -> None:
    (entry, *_) = json.loads(SMALL.read_text("utf-8"))
    for name in ("haystack_session_ids", "haystack_dates", "haystack_sessions"):
        entry[name] = [*entry[name], entry[name][0]]
    path = tmp_path / "twice.json"
    path.write_text(json.dumps([entry]), "utf-8")
    (haystack,) = longmemeval(path)
    assert len({turn.external_id for turn in haystack.turns}) == len(haystack.turns) == 12


def test_locomo_evidence_is_read_however_it_is_written() -> None:
    (talk,) = locomo(TALKS / "locomo_small.json")
    assert [turn.text for turn in talk.turns][2] == "Look at this. [shares an image: a blue vase]"
    assert talk.turns[0].occurred_at == "2024-05-08T13:56:00.000000Z"
    assert talk.turns[3].occurred_at == "2024-09-13T00:09:00.000000Z"
    by_id = {question.id: question for question in talk.questions}
    assert sorted(by_id) == ["talk-1/q0", "talk-1/q1", "talk-1/q3"]  # one names no turn
    assert by_id["talk-1/q1"].turns == ("D2:1", "D1:3")
    assert by_id["talk-1/q1"].sessions == ("S1", "S2")
    assert [by_id["talk-1/q1"].kind, by_id["talk-1/q3"].apart] == ["multi-hop", "adversarial"]


def test_beam_questions_without_evidence_stand_apart() -> None:
    (talk,) = beam(TALKS / "beam_small.json")
    assert [turn.occurred_at for turn in talk.turns] == ["2024-03-15T00:00:00.000000Z", None, None]
    assert [question.turns for question in talk.questions] == [("m2", "m0"), (), ()]
    assert [question.apart for question in talk.questions] == [None, "abstention", "unlabelled"]


def test_a_file_is_known_by_its_hash() -> None:
    found = fingerprint(SMALL)
    assert found == {
        "file": SMALL.name,
        "bytes": SMALL.stat().st_size,
        "sha256": hashlib.sha256(SMALL.read_bytes()).hexdigest(),
    }


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no JSON array"),
        ("{}", "no JSON array"),
        ("[1]", "no JSON object"),
        ('[{"question_id": 1}', "field 'haystack_session_ids' is missing"),
        ("[{", "does not end"),
        ('[{"haystack_session_ids": [], "haystack_dates": [], "haystack_sessions": [3]}]', "longer"),
        ("[[]]", "no JSON object"),
        ("[]", "it is empty"),
    ],
)
def test_another_file_is_refused(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InvalidArgument, match=r"other\.json is no LongMemEval file") as refused:
        list(longmemeval(path))
    assert told in refused.value.message


@pytest.mark.parametrize("broken", ["plain", "cut short", "garbled"])
def test_a_packed_file_that_does_not_unpack_is_refused_by_name(broken: str, tmp_path: Path) -> None:
    packed = gzip.compress(SMALL.read_bytes())
    path = tmp_path / "other.json.gz"
    path.write_bytes(
        {
            "plain": SMALL.read_bytes(),
            "cut short": packed[: len(packed) // 2],
            "garbled": packed[:40] + b"\xff" * 60 + packed[100:],
        }[broken]
    )
    with pytest.raises(InvalidArgument, match=r"other\.json\.gz is no LongMemEval file"):
        list(longmemeval(path))


@given(
    st.lists(st.dictionaries(st.text(), st.one_of(st.integers(), st.text())), max_size=5), st.integers(1, 40)
)
def test_elements_come_as_json_has_them_however_small_the_steps(found: list[Any], step: int) -> None:
    for text in (json.dumps(found), json.dumps(found, indent=2, ensure_ascii=False)):
        assert list(elements(StringIO(text), step)) == found

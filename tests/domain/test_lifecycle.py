from __future__ import annotations

import pytest

from memory_server.domain.lifecycle import (
    BELIEF_MOVES,
    CURRENT_STATES,
    FACT_MOVES,
    SEARCHABLE_STATES,
    InvalidMove,
    LifecycleState,
    check_move,
    first_state,
    is_current,
    is_searchable,
    may_move,
    moves_of,
    parse_state,
    steps_between,
)

ALLOWED_FACT_MOVES = [
    ("candidate", "validated"),
    ("candidate", "stale"),
    ("validated", "active"),
    ("validated", "stale"),
    ("active", "stale"),
    ("stale", "archived"),
    ("archived", "forgotten"),
]

ALLOWED_BELIEF_MOVES = [
    ("active", "superseded"),
    ("active", "contradicted"),
    ("active", "stale"),
    ("active", "discarded"),
    ("superseded", "stale"),
    ("superseded", "discarded"),
    ("contradicted", "active"),
    ("contradicted", "stale"),
    ("contradicted", "discarded"),
    ("discarded", "archived"),
    ("stale", "archived"),
    ("archived", "forgotten"),
]

OTHER_TYPES = ["fact", "decision", "skill", "entity", "episode", "knowledge"]


@pytest.mark.parametrize("memory_type", OTHER_TYPES)
@pytest.mark.parametrize("from_state", LifecycleState)
@pytest.mark.parametrize("to_state", LifecycleState)
def test_everything_but_beliefs_moves_forward_only(
    memory_type: str, from_state: LifecycleState, to_state: LifecycleState
) -> None:
    allowed = (from_state.value, to_state.value) in ALLOWED_FACT_MOVES
    assert may_move(memory_type, from_state, to_state) is allowed


@pytest.mark.parametrize("from_state", LifecycleState)
@pytest.mark.parametrize("to_state", LifecycleState)
def test_beliefs_move_by_their_own_table(from_state: LifecycleState, to_state: LifecycleState) -> None:
    allowed = (from_state.value, to_state.value) in ALLOWED_BELIEF_MOVES
    assert may_move("belief", from_state, to_state) is allowed


@pytest.mark.parametrize(("from_state", "to_state"), ALLOWED_FACT_MOVES)
def test_an_allowed_move_of_a_fact_passes(from_state: str, to_state: str) -> None:
    check_move("fact", parse_state(from_state), parse_state(to_state))


@pytest.mark.parametrize(("from_state", "to_state"), ALLOWED_BELIEF_MOVES)
def test_an_allowed_move_of_a_belief_passes(from_state: str, to_state: str) -> None:
    check_move("belief", parse_state(from_state), parse_state(to_state))


def test_a_move_back_is_refused_and_says_what_is_allowed() -> None:
    with pytest.raises(InvalidMove, match=r"a fact cannot move from stale to active; allowed: archived"):
        check_move("fact", LifecycleState.STALE, LifecycleState.ACTIVE)


def test_nothing_leads_out_of_forgotten() -> None:
    with pytest.raises(InvalidMove, match="allowed: nothing"):
        check_move("belief", LifecycleState.FORGOTTEN, LifecycleState.ACTIVE)


def test_a_move_to_the_same_state_is_no_move() -> None:
    for state in LifecycleState:
        assert not may_move("fact", state, state)
        assert not may_move("belief", state, state)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        *[(state.value, state) for state in LifecycleState],
        ("trusted", LifecycleState.ACTIVE),
        ("deprecated", LifecycleState.STALE),
        ("  Active ", LifecycleState.ACTIVE),
        ("DEPRECATED", LifecycleState.STALE),
    ],
)
def test_names_of_states_are_read_old_ones_too(text: str, state: LifecycleState) -> None:
    assert parse_state(text) is state


@pytest.mark.parametrize("text", ["", "trust", "gone", "active,stale"])
def test_an_unknown_name_is_refused_with_the_known_ones(text: str) -> None:
    with pytest.raises(ValueError, match="known: candidate, validated, active"):
        parse_state(text)


@pytest.mark.parametrize(
    ("memory_type", "from_state", "to_state", "steps"),
    [
        ("fact", "active", "forgotten", ["stale", "archived", "forgotten"]),
        ("fact", "candidate", "archived", ["stale", "archived"]),
        ("fact", "stale", "forgotten", ["archived", "forgotten"]),
        ("fact", "forgotten", "forgotten", []),
        ("belief", "contradicted", "superseded", ["active", "superseded"]),
        ("belief", "superseded", "forgotten", ["stale", "archived", "forgotten"]),
        ("belief", "active", "archived", ["stale", "archived"]),
    ],
)
def test_an_order_reaches_its_end_step_by_step(
    memory_type: str, from_state: str, to_state: str, steps: list[str]
) -> None:
    taken = steps_between(memory_type, parse_state(from_state), parse_state(to_state))
    assert [step.value for step in taken] == steps
    here = parse_state(from_state)
    for step in taken:
        check_move(memory_type, here, step)
        here = step


def test_no_run_of_steps_leads_back() -> None:
    with pytest.raises(InvalidMove):
        steps_between("fact", LifecycleState.ARCHIVED, LifecycleState.ACTIVE)


@pytest.mark.parametrize(
    ("state", "current", "searchable"),
    [
        ("candidate", True, True),
        ("validated", True, True),
        ("active", True, True),
        ("stale", False, True),
        ("contradicted", False, True),
        ("superseded", False, False),
        ("archived", False, False),
        ("discarded", False, False),
        ("forgotten", False, False),
    ],
)
def test_what_is_current_and_what_is_searchable(state: str, current: bool, searchable: bool) -> None:
    assert is_current(parse_state(state)) is current
    assert is_searchable(parse_state(state)) is searchable


def test_current_is_a_part_of_searchable() -> None:
    assert CURRENT_STATES < SEARCHABLE_STATES


def test_beliefs_start_active_and_all_else_as_candidates() -> None:
    assert first_state("belief") is LifecycleState.ACTIVE
    assert {first_state(memory_type) for memory_type in OTHER_TYPES} == {LifecycleState.CANDIDATE}


def test_every_target_of_a_table_stands_in_it() -> None:
    for table in (FACT_MOVES, BELIEF_MOVES):
        assert {target for targets in table.values() for target in targets} <= set(table)
    assert moves_of("belief") is BELIEF_MOVES
    assert moves_of("skill") is FACT_MOVES

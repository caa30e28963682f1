from __future__ import annotations

import threading
import uuid
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_server.indexes.graph import HUB_NEIGHBOURS, Edge, Graph
from memory_server.indexes.graph_edges import Edges
from memory_server.indexes.names import node_id


def graph(*facts: tuple[str, str, str]) -> Graph:
    made = Graph()
    for at, fact in enumerate(facts):
        made.put(f"f{at}", *fact)
    return made


def names(found: Graph, text: str) -> list[str]:
    return found.entities_in(text)


RIVER = graph(("Alder", "feeds", "Brook"), ("Brook", "feeds", "Creek"), ("Creek", "feeds", "Delta"))


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("Alder", "alder"),
        ("  Harbor \t CORE\n", "harbor core"),
        ("C", "c"),
        ("C++", "c++"),
        ("C#", "c#"),
        ("billing-api-eu v2.3.1", "billing-api-eu v2.3.1"),
        ("ＡＢＣ　１２", "abc 12"),
        ("Straße", "strasse"),
        ("Éclair", "éclair"),
        ("東京タワー", "東京タワー"),
        ("ﾀﾜｰ", "タワー"),
        ("Москва", "москва"),
        ("\U0001f600", "\U0001f600"),
    ],
)
def test_ids_are_readable(name: str, id: str) -> None:
    assert node_id(name) == id


def test_long_names_get_a_short_id_of_their_own() -> None:
    one, other = node_id("The long story of " + "x" * 300), node_id("The long story of " + "x" * 301)

    assert one != other
    assert one.startswith("the long story of xxx")
    assert len(one) <= 120
    assert node_id(one) == one


@given(st.text(max_size=60))
def test_an_id_is_its_own_id(name: str) -> None:
    assert node_id(node_id(name)) == node_id(name)


def test_spellings_that_differ_in_case_and_blanks_are_one_node_shown_as_first_seen() -> None:
    found = graph(
        ("Harbor Core", "feeds", "Pump"),
        ("harbor core", "cools", "Tank"),
        (" HARBOR  CORE ", "heats", "Boiler"),
    )

    answer = found.neighbourhood("harbor core")

    assert sorted(node.name for node in answer.nodes) == ["Boiler", "Harbor Core", "Pump", "Tank"]
    assert answer.nodes[0].name == "Harbor Core"
    assert answer.nodes[0].attributes == {"degree": 3}
    assert answer.nodes[0].type == "entity"
    assert {edge.relation for edge in answer.edges} == {"feeds", "cools", "heats"}


def test_a_very_long_name_is_shown_cut() -> None:
    found = graph(("doc", "says", "word " * 400))

    (shown,) = (node.name for node in found.neighbourhood("doc").nodes if node.id != "doc")

    assert len(shown) == 200
    assert shown.endswith("…")
    assert found.resolve("word " * 400) == node_id("word " * 400)
    assert found.entities_in("word " * 400) == [node_id("word " * 400)]


ZOO = graph(
    ("Parser", "written_in", "C"),
    ("Engine", "written_in", "C++"),
    ("Plugin", "written_in", "C#"),
    ("New York", "near", "York"),
    ("docker", "runs", "docker compose"),
    ("node", "is", "node.js"),
    ("10", "is", "192.168.1.10"),
    ("café Zoë", "in", "Łódź"),
    ("東京", "has", "東京タワー"),
    ("李明", "knows", "서울"),
    ("กรุงเทพ", "is", "bangkok"),
    ("हिन्दी", "near", "हिन्द"),
    (".net", "has", "billing-api-eu"),
    ("the", "is", "it"),
    ("a/b/c.py:12", "owner", "O'Brien"),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what is Parser written in?", ["parser"]),
        ("C", ["c"]),
        ("is it C++ or C# or C.", ["c++", "c#", "c"]),
        ("c++", ["c++"]),
        ('(C), "C"; C/C++', ["c", "c++"]),
        ("a C+ grade, C++17, C##", ["c++"]),
        ("I live in new  YORK", ["new york"]),
        ("York and New York", ["york", "new york"]),
        ("Yorkshire and Newyork", []),
        ("docker compose on docker", ["docker compose", "docker"]),
        ("Docker's image, docker-based", ["docker"]),
        ("node.js", ["node.js"]),
        ("node.exe and my_node", []),
        ("the node. Next", ["node"]),
        ("192.168.1.10", ["192.168.1.10"]),
        ("10.0.0.1 and 110 and 4.10", []),
        ("ten is 10", ["10"]),
        ("cafe zoe", ["café zoë"]),
        ("CAFE\u0301 Zoë!", ["café zoë"]),
        ("昨天東京タワーに行った", ["東京タワー"]),
        ("東京は大きい", ["東京"]),
        ("我和李明说话", ["李明"]),
        ("서울에서", ["서울"]),
        ("ไปกรุงเทพวันนี้", ["กรุงเทพ"]),
        ("हिन्दी", ["हिन्दी"]),
        ("asp.net", []),
        ("what is .NET?", [".net"]),
        ("where is billing-api-eu?", ["billing-api-eu"]),
        ("what is the colour of it", []),
        ("the", ["the"]),
        ("see a/b/c.py:12 by o'brien", ["a/b/c.py:12", "o'brien"]),
        ("", []),
        ("?!", []),
    ],
)
def test_a_text_names_nodes_on_word_borders_longest_first(text: str, expected: list[str]) -> None:
    assert sorted(ZOO.entities_in(text)) == sorted(expected)


def test_an_exact_name_goes_before_one_that_differs_in_accents() -> None:
    found = graph(("resume", "is", "verb"), ("résumé", "is", "paper"), ("Résume", "is", "typo"))

    assert found.entities_in("my résumé") == ["résumé"]
    assert found.entities_in("my resume") == ["resume"]
    assert found.entities_in("my resumé") == ["resume", "résumé", "résume"]
    assert found.resolve("RÉSUMÉ") == "résumé"
    assert found.resolve("resumé") == "resume"
    assert found.resolve("nothing") is None


@given(st.text(max_size=80))
def test_any_text_may_be_asked(text: str) -> None:
    assert all(ZOO.node(found) for found in ZOO.entities_in(text))
    ZOO.resolve(text)


@given(st.text(min_size=1, max_size=20).filter(lambda name: node_id(name) != ""))
def test_every_name_finds_itself(name: str) -> None:
    found = graph((name, "is", "thing-number-one"))

    assert node_id(name) in found.entities_in(name)
    assert found.resolve(name) == node_id(name)


def test_a_restated_relation_is_one_edge_with_all_its_facts() -> None:
    found = graph(
        ("Ann", "knows", "Bob"), ("ann", "Knows", "BOB"), ("Bob", "knows", "Ann"), ("Ann", "likes", "Bob")
    )

    edges = found.neighbourhood("ann").edges

    assert sorted((edge.source_id, edge.relation, edge.target_id, len(edge.fact_ids)) for edge in edges) == [
        ("ann", "knows", "bob", 2),
        ("ann", "likes", "bob", 1),
        ("bob", "knows", "ann", 1),
    ]
    assert Edge("ann", "bob", "knows", {"fact_ids": ["f1", "f0"]}) in edges


def test_a_fact_that_changes_moves_its_edge_and_lonely_nodes_go() -> None:
    found = graph(("Ann", "lives_in", "Rome"), ("Ann", "likes", "Tea"))

    found.put("f0", "Ann", "lives_in", "Oslo")
    found.put("f0", "Ann", "lives_in", "Oslo")

    assert found.node("rome") is None
    assert found.entities_in("Rome or Oslo") == ["oslo"]
    assert (found.node_count, found.edge_count) == (3, 2)
    found.drop("f0")
    found.drop("f1")
    found.drop("unknown")
    assert (found.node_count, found.edge_count, found.fact_ids(), found.entities_in("Ann")) == (
        0,
        0,
        set(),
        [],
    )
    found.put("f2", "ANN", "is", "back")
    assert found.node("ann") is not None
    assert [node.name for node in found.neighbourhood("ann").nodes] == ["ANN", "back"]


def test_a_relation_to_itself_is_fine() -> None:
    found = graph(("Loop", "calls", "Loop"))

    assert [node.id for node in found.neighbourhood("loop").nodes] == ["loop"]
    assert len(found.neighbourhood("loop").edges) == 1
    assert found.orphans() == []
    found.drop("f0")
    assert found.node_count == 0


def test_orphans_are_nodes_that_nothing_leads_to() -> None:
    assert [node.id for node in RIVER.orphans()] == ["alder"]


def test_a_neighbourhood_keeps_to_its_limit_and_says_so() -> None:
    found = graph(*[("hub", "has", f"spoke {at}") for at in range(30)], ("hub", "owns", "spoke 29"))

    some, every = found.neighbourhood("hub", 10), found.neighbourhood("hub", 30)

    assert (len(some.nodes), some.truncated) == (11, True)
    assert (len(every.nodes), len(every.edges), every.truncated) == (31, 31, False)
    assert found.neighbourhood("nobody").nodes == []


def test_a_path_goes_from_source_to_target_with_its_edges() -> None:
    answer = RIVER.paths("alder", "delta")

    assert answer.paths == [["alder", "brook", "creek", "delta"]]
    assert [node.name for node in answer.nodes] == ["Alder", "Brook", "Creek", "Delta"]
    assert [(edge.source_id, edge.relation, edge.target_id) for edge in answer.edges] == [
        ("alder", "feeds", "brook"),
        ("brook", "feeds", "creek"),
        ("creek", "feeds", "delta"),
    ]
    assert RIVER.paths("delta", "alder").paths == [["delta", "creek", "brook", "alder"]]
    assert RIVER.paths("alder", "delta", max_edges=2).paths == []
    assert RIVER.paths("alder", "nobody").paths == []


def test_a_ring_has_two_ways_round_and_none_twice() -> None:
    ring = graph(("Ra", "n", "Rb"), ("Rb", "n", "Rc"), ("Rc", "n", "Ra"))

    assert ring.paths("ra", "rc").paths == [["ra", "rc"], ["ra", "rb", "rc"]]
    assert ring.paths("ra", "ra").paths == [["ra"]]


def test_a_dense_graph_gives_a_bounded_number_of_paths() -> None:
    dense = graph(*[(f"D{a}", "n", f"D{b}") for a in range(40) for b in range(40) if a != b])

    answer = dense.paths("d0", "d39")

    assert len(answer.paths) == 20
    assert answer.paths[0] == ["d0", "d39"]
    assert {len(path) for path in answer.paths[1:]} == {3}


def test_a_hub_is_walked_in_part_and_that_is_said() -> None:
    found = Graph()
    for at in range(HUB_NEIGHBOURS + 500):
        found.put(f"o{at}", "hub", "has", f"leaf {at}")
    found.put("last", "hub", "has", "gate")
    found.put("beyond", "gate", "leads_to", "garden")

    answer = found.paths("leaf 2400", "garden")

    assert answer.paths == [["leaf 2400", "hub", "gate", "garden"]]
    assert answer.truncated
    assert found.neighbourhood("hub", 10).truncated
    assert not found.paths("gate", "garden", max_edges=1).truncated


def _naive_paths(
    edges: list[tuple[int, int]], source: int, target: int, longest: int
) -> list[tuple[int, ...]]:
    found, waiting = [], [(source,)]
    while waiting:
        path = waiting.pop(0)
        if path[-1] == target:
            found.append(path)
        elif len(path) <= longest:
            near = {b if a == path[-1] else a for a, b in edges if path[-1] in (a, b)}
            waiting += [(*path, other) for other in sorted(near) if other not in path]
    return found


edge_lists = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=16)


@settings(max_examples=300, deadline=None)
@given(edge_lists, st.integers(0, 7), st.integers(0, 7), st.integers(1, 6))
def test_paths_are_those_of_a_plain_search(
    edges: list[tuple[int, int]], source: int, target: int, longest: int
) -> None:
    found = graph(*[(f"n{a}", "r", f"n{b}") for a, b in edges])
    expected = _naive_paths(edges, source, target, longest)
    if not any(source in edge for edge in edges) or not any(target in edge for edge in edges):
        expected = []

    answer = found.paths(f"n{source}", f"n{target}", max_edges=longest, max_paths=10_000)

    assert sorted(answer.paths) == sorted([f"n{node}" for node in path] for path in expected)
    assert [len(path) for path in answer.paths] == sorted(len(path) for path in expected)
    assert not answer.truncated
    steps = {frozenset(pair) for path in answer.paths for pair in pairwise(path)}
    assert {frozenset((edge.source_id, edge.target_id)) for edge in answer.edges} == steps
    few = found.paths(f"n{source}", f"n{target}", max_edges=longest, max_paths=3).paths
    assert [len(path) for path in few] == sorted(len(path) for path in expected)[:3]


changes = st.lists(
    st.tuples(
        st.integers(0, 12), st.sampled_from(["é", "e", "b c", "d"]), st.sampled_from("rs"), st.integers(-1, 4)
    ),
    max_size=60,
)


@settings(max_examples=200, deadline=None)
@given(changes)
def test_any_sequence_of_changes_ends_as_if_only_the_last_had_been_made(
    writes: list[tuple[int, str, str, int]],
) -> None:
    found, expected = Graph(), {}
    for fact, subject, relation, end in writes:
        fact_id = str(uuid.UUID(int=fact)) if fact % 2 else f"fact-{fact}"
        if end < 0:
            found.drop(fact_id)
            expected.pop(fact_id, None)
        else:
            found.put(fact_id, subject, relation, f"o{end}")
            expected[fact_id] = (subject, relation, f"o{end}")

    assert found.fact_ids() == set(expected)
    nodes = {name for subject, _, end in expected.values() for name in (subject, end)}
    assert found.node_count == len(nodes)
    for name in nodes:
        edges = found.neighbourhood(name).edges
        stated = {(edge.source_id, edge.relation, edge.target_id): set(edge.fact_ids) for edge in edges}
        wanted: dict[tuple[str, str, str], set[str]] = {}
        for fact_id, fact in expected.items():
            if name in (fact[0], fact[2]):
                wanted.setdefault(fact, set()).add(fact_id)
        assert stated == wanted
    assert set(found.entities_in("é / b c / d / o1 / o3")) == nodes & {"é", "b c", "d", "o1", "o3"} | (
        {"e"} if "e" in nodes and "é" not in nodes else set()
    )


def test_a_thousand_edges_are_found_by_fact_after_others_are_gone() -> None:
    edges = Edges()
    for links in (edges.outgoing, edges.incoming):
        links.add_node()
    ids = [str(uuid.UUID(int=at * 7919)) for at in range(1000)]
    for fact_id in ids:
        edges.add(fact_id, 0, 0, 0)
    for fact_id in ids[::2]:
        edge = edges.find(fact_id)
        assert edge is not None
        edges.remove(edge)
    for _ in range(5):  # places are used again without the table growing over them
        for fact_id in ids[:100:2]:
            edges.remove(edges.add(fact_id, 0, 0, 0))

    assert set(edges.fact_ids()) == set(ids[1::2])
    assert [edges.find(fact_id) is not None for fact_id in ids] == [False, True] * 500
    assert len(list(edges.outgoing.edges(0))) == edges.outgoing.degree[0] == len(edges) == 500


def test_threads_may_write_and_ask_at_once() -> None:
    found = graph(("steady", "r", "rock"))
    faults: list[object] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            if found.paths("steady", "rock").paths != [["steady", "rock"]] or found.entities_in("a rock") != [
                "rock"
            ]:
                faults.append("lost")

    thread = threading.Thread(target=read)
    thread.start()
    for at in range(2000):
        found.put(f"x{at % 50}", f"n{at % 7}", "r", f"n{at % 11}")
        found.drop(f"x{(at * 3) % 50}")
    done.set()
    thread.join()
    assert faults == []

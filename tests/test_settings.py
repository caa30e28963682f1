"""Settings: where each comes from, and one clear line when one is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_server.settings import SettingsError, load_settings, read_settings


def test_the_environment_comes_before_the_file_and_the_file_before_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.toml").write_text('log_level = "ERROR"\nsynchronous = "NORMAL"\n')
    monkeypatch.setenv("MEMORY_SERVER_HOME", str(tmp_path))
    monkeypatch.setenv("MEMORY_SERVER_LOG_LEVEL", "debug")
    settings, origins = read_settings({})
    assert (settings.log_level, settings.synchronous, settings.embedding) == ("DEBUG", "NORMAL", "onnx")
    assert origins["log_level"] == "MEMORY_SERVER_LOG_LEVEL"
    assert origins["synchronous"] == "config.toml"
    assert "embedding" not in origins


def test_the_command_line_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_SERVER_HOME", "/elsewhere")
    assert load_settings(home=tmp_path).home == tmp_path


@pytest.mark.parametrize("value", ["", "   "])
def test_an_empty_setting_counts_as_unset(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_SERVER_EMBEDDING", value)
    monkeypatch.setenv("MEMORY_VECTOR_BACKEND", value)
    settings = load_settings(home=tmp_path)
    assert (settings.embedding, settings.vector_backend) == ("onnx", "lancedb")


def test_the_tilde_is_the_home_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.setenv("MEMORY_SERVER_HOME", "~/mem store")
    assert load_settings().home == Path("/home/somebody/mem store")


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("sqlite:////var/data/m.db", "/var/data/m.db"),
        ("sqlite+aiosqlite:////var/data/m.db", "/var/data/m.db"),
        ("sqlite:///relative.db", "relative.db"),
    ],
)
def test_the_database_can_be_elsewhere(
    url: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_SERVER_DB_URL", url)
    assert load_settings(home=tmp_path).database_path == Path(path)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("MEMORY_VECTOR_BACKEND", "pinecone", "MEMORY_VECTOR_BACKEND"),
        ("MEMORY_SERVER_LOG_LEVEL", "LOUD", "MEMORY_SERVER_LOG_LEVEL"),
        ("MEMORY_SERVER_SEMANTIC_THRESHOLD", "7", "MEMORY_SERVER_SEMANTIC_THRESHOLD"),
        ("MEMORY_SERVER_DB_URL", "postgres://x/y", "MEMORY_SERVER_DB_URL"),
        ("MEMORY_SERVER_DB_URL", "sqlite:///:memory:", "MEMORY_SERVER_DB_URL"),
        ("MEMORY_SERVER_DB_URL", "sqlite:///~nobody-of-that-name/m.db", "MEMORY_SERVER_DB_URL"),
        ("MEMORY_SERVER_EMBEDDING", "minilm", "MEMORY_SERVER_EMBEDDING"),
        ("MEMORY_SERVER_EMBEDDING", "openai:", "MEMORY_SERVER_EMBEDDING"),
        (
            "MEMORY_SERVER_ROUTING_RULES",
            '[{"name": "tide"}]',
            "MEMORY_SERVER_ROUTING_RULES.*keywords.*required",
        ),
        ("MEMORY_SERVER_ROUTING_RULES", "tide", "MEMORY_SERVER_ROUTING_RULES"),
        ("MEMORY_SERVER_SOURCE_KINDS", '{"wiki": "trusty"}', "MEMORY_SERVER_SOURCE_KINDS.*wiki.*verified"),
    ],
)
def test_a_wrong_setting_is_one_line_that_names_it(
    name: str, value: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=words) as caught:
        load_settings(home=tmp_path)
    assert "\n" not in str(caught.value)


def test_a_wrong_value_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_SERVER_LOG_LEVEL", "LOUD")
    with pytest.raises(SettingsError, match="not 'LOUD'"):
        load_settings(home=tmp_path)


@pytest.mark.parametrize(
    "content",
    [
        b"not toml at all [",
        b'unknown_name = "x"\n',
        b'log_level = "\xff\xfe"\n',
        b"log_level = [1]",
        b"routing_rules = [{name = 'tide', keywords = 'tide of'}]",
        b"routing_rules = [{name = 'tide', keywords = ['tide of'], priority = 'high'}]",
        b"routing_rules = [{name = 'tide', keywords = ['tide of'], weight = 1}]",
        b"source_kinds = {wiki = 3}",
        b"worker_poll = inf",
        None,
    ],
)
def test_a_wrong_file_is_named_in_one_line(content: bytes | None, tmp_path: Path) -> None:
    if content is None:
        (tmp_path / "config.toml").mkdir()
    else:
        (tmp_path / "config.toml").write_bytes(content)
    with pytest.raises(SettingsError, match=r"config\.toml") as caught:
        load_settings(home=tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "content", [b'\xef\xbb\xbflog_level = "ERROR"\n', b'log_level = "ERROR"\r\n', b"log_level='error'"]
)
def test_a_file_may_come_from_any_editor(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(content)
    assert load_settings(home=tmp_path).log_level == "ERROR"


@pytest.mark.parametrize("home", ["~nobody-of-that-name/memory", "~/memory"])
def test_a_home_that_is_not_known_is_said_so(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(_path: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", unknown)
    monkeypatch.setenv("MEMORY_SERVER_HOME", home)
    with pytest.raises(SettingsError, match=r"MEMORY_SERVER_HOME: .* absolute path"):
        load_settings()


def test_lists_can_be_given_as_json_or_with_commas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_SERVER_SINGLE_VALUED", "anchored_at, flag")
    monkeypatch.setenv(
        "MEMORY_SERVER_ROUTING_RULES", '[{"name": "tide", "keywords": ["tide of"], "priority": 60}]'
    )
    settings = load_settings(home=tmp_path)
    assert settings.single_valued == ("anchored_at", "flag")
    assert settings.routing_rules[0].name == "tide"


def test_a_data_directory_that_is_a_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("keep me")
    with pytest.raises(SettingsError, match="is a file"):
        load_settings(home=path).prepare_home()
    assert path.read_text() == "keep me"


def test_the_data_directory_is_the_owners_alone(tmp_path: Path) -> None:
    settings = load_settings(home=tmp_path / "a" / "b")
    settings.prepare_home()
    assert settings.home.stat().st_mode & 0o777 == 0o700


def test_a_user_without_a_home_has_to_name_a_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_given: object, **_more: object) -> str:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr("platformdirs.user_data_dir", unknown)
    monkeypatch.delenv("MEMORY_SERVER_HOME")
    with pytest.raises(SettingsError, match="name a data directory in MEMORY_SERVER_HOME"):
        load_settings()


@pytest.mark.parametrize("name", ["new\nline", "bell\a", "not utf-8 \udcff"])
def test_a_data_directory_that_nobody_can_read_out_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="plain text") as caught:
        load_settings(home=tmp_path / name)
    assert str(caught.value).isprintable()
    assert list(tmp_path.iterdir()) == []

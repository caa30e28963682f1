"""All settings, in one frozen value; the only reader of the environment."""

from __future__ import annotations

import os
import stat
import tomllib
import unicodedata
from pathlib import Path
from typing import Annotated, Any, Literal

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

PREFIX = "MEMORY_SERVER_"
# names that do not carry the prefix, for clients that were set up for earlier versions
OTHER_NAMES = {"vector_backend": "MEMORY_VECTOR_BACKEND"}


class SettingsError(ValueError):
    """A setting that cannot be used; the text is one line for the person who set it."""


class RoutingRule(BaseModel):
    """A rule of the user's own for the router."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(min_length=1)]
    keywords: Annotated[tuple[str, ...], Field(min_length=1)]
    priority: int = 50
    route: Annotated[str, Field(min_length=1)] = "sql"


class Settings(BaseModel):
    """Every setting: environment (`MEMORY_SERVER_…`), then `config.toml` in the data directory, then the default."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    home: Annotated[Path, Field(description="The data directory.")]
    db_url: Annotated[str | None, Field(description="Database elsewhere: sqlite:///path.")] = None
    vector_backend: Annotated[
        Literal["lancedb", "qdrant", "none"], Field(description="Where vectors are kept.")
    ] = "lancedb"
    qdrant_url: Annotated[str | None, Field(description="Qdrant server, or a local path.")] = None
    embedding: Annotated[
        str,
        Field(description="onnx, a directory, sentence-transformers:<name>, openai:<model> or none."),
    ] = "onnx"
    embedding_base_url: Annotated[str | None, Field(description="Endpoint for openai:<model>.")] = None
    embedding_api_key: Annotated[str | None, Field(description="Key for that endpoint.")] = None
    scope: Annotated[
        str | None,
        Field(
            description="Where writes go and reads look by default: global, project:<name> or repo:<name>."
        ),
    ] = None
    synchronous: Annotated[
        Literal["FULL", "NORMAL"], Field(description="FULL: a power cut loses nothing acknowledged.")
    ] = "FULL"
    log_level: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"], Field(description="What goes to stderr.")
    ] = "WARNING"
    semantic_threshold: Annotated[
        float, Field(ge=0, le=1, description="Cosine from which a hit by meaning counts as meaningful.")
    ] = 0.35
    routing_rules: Annotated[
        tuple[RoutingRule, ...],
        Field(description="More rules for the router: name, keywords, priority, route."),
    ] = ()
    single_valued: Annotated[
        tuple[str, ...], Field(description="More predicates that can have one value at a time.")
    ] = ()
    source_kinds: Annotated[
        dict[str, Literal["verified", "admin", "inferred", "extracted", "unknown"]],
        Field(description="More source names (or prefixes ending in *) and their kind."),
    ] = {}
    secrets: Annotated[
        Literal["redact", "refuse", "keep"], Field(description="What learn and imports do with secrets.")
    ] = "redact"
    llm_base_url: Annotated[str | None, Field(description="An OpenAI-compatible endpoint.")] = None
    llm_model: Annotated[str | None, Field(description="The model to ask there.")] = None
    llm_api_key: Annotated[str | None, Field(description="Key for that endpoint.")] = None
    llm_timeout: Annotated[float, Field(gt=0, le=600, description="Seconds to wait for it.")] = 20.0
    knowledge_semantic: Annotated[
        bool, Field(description="on: searchKnowledge also finds by meaning what keywords miss.")
    ] = False
    http_token: Annotated[str | None, Field(description="Bearer token for HTTP.")] = None
    worker_poll: Annotated[
        float, Field(ge=0.02, le=60, description="Seconds between looks for other processes' writes.")
    ] = 0.25

    @field_validator("log_level", "synchronous", mode="before")
    @classmethod
    def _upper(cls, value: Any) -> Any:
        return value.upper() if isinstance(value, str) else value

    @field_validator("embedding")
    @classmethod
    def _known_embedding(cls, value: str) -> str:
        kind, _, name = value.strip().partition(":")
        named = kind in ("sentence-transformers", "openai") and name
        # a directory that is not there (yet) is like a model that is not installed: the server runs without
        if not (
            value in ("onnx", "none") or named or "/" in value or os.sep in value or Path(value).is_dir()
        ):
            raise ValueError(
                "input should be onnx, none, sentence-transformers:<name>, openai:<model> or a directory"
            )
        return value

    @property
    def database_path(self) -> Path:
        """The SQLite file."""
        if self.db_url is None:
            return self.home / "memory.db"
        for scheme in ("sqlite+aiosqlite:///", "sqlite:///"):
            place = self.db_url.removeprefix(scheme)
            if self.db_url.startswith(scheme) and place.strip() and place != ":memory:":
                return _expanded(place, f"{PREFIX}DB_URL")
        raise SettingsError(f"{PREFIX}DB_URL must look like sqlite:///path/to/memory.db, not {self.db_url!r}")

    @property
    def vectors_path(self) -> Path:
        return self.home / "vectors"

    @property
    def skills_path(self) -> Path:
        return self.home / "skills"

    @property
    def logs_path(self) -> Path:
        return self.home / "logs"

    def prepare_home(self) -> None:
        """Makes the data directory, readable by its owner alone.

        Raises:
            SettingsError: it cannot be made, or is a file.
        """
        for folder in (self.home, self.database_path.parent):
            if folder.exists() and not folder.is_dir():
                raise SettingsError(
                    f"the data directory {folder} is a file: name a directory in {PREFIX}HOME"
                )
            try:
                created = not folder.exists()
                folder.mkdir(parents=True, exist_ok=True)
                if created:
                    folder.chmod(stat.S_IRWXU)
            except OSError as error:
                raise SettingsError(
                    f"cannot create the data directory {folder} ({error.strerror}): check its permissions, "
                    f"or name another in {PREFIX}HOME"
                ) from error


def load_settings(**given: Any) -> Settings:
    """The settings as they hold now; `given` (from the command line) comes before the environment.

    Raises:
        SettingsError: one line that names the setting, its value and where it came from.
    """
    return read_settings(given)[0]


def read_settings(given: dict[str, Any]) -> tuple[Settings, dict[str, str]]:
    """The settings and, for each, where its value came from.

    Raises:
        SettingsError: as for `load_settings`.
    """
    values = {name: value for name, value in given.items() if value is not None}
    origins = dict.fromkeys(values, "command line")
    for name in Settings.model_fields:
        variable = OTHER_NAMES.get(name, PREFIX + name.upper())
        value = os.environ.get(variable, "")
        if value.strip() and name not in values:
            values[name] = value
            origins[name] = variable
    home = _expanded(values.get("home") or default_home(), origins.get("home", f"{PREFIX}HOME")).absolute()
    if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in str(home)):
        origin = origins.get("home", f"{PREFIX}HOME")
        raise SettingsError(f"{origin}: the name of the data directory must be plain text, not {str(home)!r}")
    values["home"] = home
    for name, value in _config_file(home / "config.toml").items():
        if name not in values and name != "home" and value != "":
            values[name] = value
            origins[name] = "config.toml"
    return _validated(values, origins), origins


def spans_wanted() -> bool:
    """Whether the standard OTEL_* variables say that spans are to be sent somewhere."""
    said = {name: os.environ.get(f"OTEL_{name}", "").strip() for name in ("SDK_DISABLED", "TRACES_EXPORTER")}
    if said["SDK_DISABLED"].casefold() == "true" or said["TRACES_EXPORTER"] not in ("", "otlp"):
        return False
    endpoints = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    return said["TRACES_EXPORTER"] == "otlp" or any(os.environ.get(name, "").strip() for name in endpoints)


def has_temporary_place() -> bool:
    """Whether there is a folder for temporary files; some hosts give a process none."""
    place = os.environ.get("TMPDIR") or "/tmp"
    return os.name != "posix" or (os.path.isdir(place) and os.access(place, os.W_OK | os.X_OK))


def keep_arithmetic_on_one_thread() -> None:
    """Tells NumPy's library, before it is loaded, to use one thread, unless the user has said otherwise.

    Products here are small: handing them to a second thread takes longer than doing them, most of all on a machine that
    is busy (measured: 7.6 ms of CPU instead of 1.1).
    """
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
        os.environ.setdefault(name, "1")


def default_home() -> Path:
    """The platform's directory for user data.

    Raises:
        SettingsError: the process has no home, as in some containers.
    """
    try:
        return Path(platformdirs.user_data_dir("memory-server", appauthor=False))
    except (RuntimeError, KeyError) as error:
        raise SettingsError(
            f"no home directory is known for this user: name a data directory in {PREFIX}HOME"
        ) from error


def ai_devkit_memory() -> Path | None:
    """Where ai-devkit keeps its notes for this user, whether or not they are there."""
    try:
        return Path.home() / ".ai-devkit" / "memory.db"
    except RuntimeError:
        return None


def ai_devkit_memory_there() -> Path | None:
    """The same where there is such a file, or where it is not known because nobody may look."""
    path = ai_devkit_memory()
    try:
        return path if path is not None and path.is_file() else None
    except OSError:
        # for whoever tries to read it to complain of
        return path


def _expanded(place: str | Path, origin: str) -> Path:
    try:
        return Path(place).expanduser()
    except RuntimeError as error:
        # a ~name that nobody has, or no HOME and no entry in the table of users
        raise SettingsError(
            f"{origin}: the home directory that {str(place)!r} begins with is not known: give an absolute path"
        ) from error


def _config_file(path: Path) -> dict[str, Any]:
    try:
        # some editors put a mark before the text
        values = tomllib.loads(path.read_text("utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except UnicodeDecodeError as error:
        raise SettingsError(f"cannot read {path}: it is not UTF-8 text (byte {error.start})") from error
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"cannot read {path}: {error}") from error
    unknown = sorted(set(values) - set(Settings.model_fields))
    if unknown:
        raise SettingsError(
            f"{path}: unknown setting {unknown[0]!r}; known are {', '.join(Settings.model_fields)}"
        )
    return values


def _validated(values: dict[str, Any], origins: dict[str, str]) -> Settings:
    import json

    for name in ("routing_rules", "single_valued", "source_kinds"):
        if isinstance(values.get(name), str):
            text = values[name]
            try:
                values[name] = json.loads(text)
            except ValueError:
                values[name] = [part.strip() for part in text.split(",") if part.strip()]
    try:
        settings = Settings(**values)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        inside = "".join(f"[{part!r}]" for part in first["loc"][1:])
        where = origins.get(name, name)
        where = f"{where}: {name}{inside}" if where == "config.toml" else f"{where}{inside}"
        said = first["msg"].removeprefix("Value error, ")
        raise SettingsError(f"{where}: {said[:1].lower()}{said[1:]}, not {first['input']!r}"[:1000]) from None
    _ = settings.database_path
    return settings

from __future__ import annotations

import itertools
import random
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.policies.secrets import find_secrets, redact

_LETTERS = string.ascii_letters + string.digits


def invented(length: int, alphabet: str = _LETTERS, seed: int = 7) -> str:
    """A random text that is nobody's key; made here, so that no scanner takes this file for a leak."""
    return "a1" + "".join(random.Random(seed).choices(alphabet, k=length - 2))


HEX = "0123456789abcdef"
UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

FORMATS = [
    ("aws_access_key_id", "AKIA" + "A2" + invented(18, UPPER)[2:16]),
    ("github_token", "ghp_" + invented(36)),
    ("github_token", "ghs_" + invented(36)),
    ("github_token", "github_pat_" + invented(22) + "_" + invented(59)),
    ("gitlab_token", "glpat-" + invented(20)),
    ("slack_token", "xoxb-" + "1234567890-" + invented(24)),
    ("slack_token", "xapp-1-" + invented(40)),
    (
        "slack_webhook",
        "https://hooks.slack.com/services/T" + invented(9) + "/B" + invented(9) + "/" + invented(24),
    ),
    ("anthropic_key", "sk-ant-api03-" + invented(93) + "AA"),
    ("openai_key", "sk-" + invented(48)),
    ("openai_key", "sk-proj-" + invented(80)),
    ("google_api_key", "AIza" + invented(35)),
    ("google_oauth", "GOCSPX-" + invented(28)),
    ("stripe_key", "sk_live_" + invented(24)),
    ("stripe_key", "rk_test_" + invented(24)),
    ("npm_token", "npm_" + invented(36)),
    ("pypi_token", "pypi-" + invented(150)),
    ("docker_token", "dckr_pat_" + invented(27)),
    ("huggingface_token", "hf_" + invented(34)),
    ("groq_key", "gsk_" + invented(52)),
    ("sendgrid_key", "SG." + invented(22) + "." + invented(43)),
    ("telegram_token", "123456789:AA" + invented(33)),
    ("digitalocean_token", "dop_v1_" + invented(64, HEX)),
    ("shopify_token", "shpat_" + invented(32, HEX)),
    ("databricks_token", "dapi" + invented(32, HEX)),
    ("vault_token", "hvs." + invented(90)),
    ("jwt", "eyJ" + invented(20) + ".eyJ" + invented(60) + "." + invented(43)),
]


@pytest.mark.parametrize(("kind", "secret"), FORMATS)
def test_tokens_of_known_makers_are_found_anywhere(kind: str, secret: str) -> None:
    for text in (
        secret,
        f"The key is {secret}.",
        f'{{"key": "{secret}"}}',
        f"KEY={secret}\nnext",
        f"({secret})",
    ):
        found = find_secrets(text)
        assert [text[each.start : each.end].rstrip(".") for each in found] == [secret], text
        assert found[0].kind in (kind, "token")
        assert secret not in redact(text)[0]


ASSIGNED = [
    ("password: hunter2x", "hunter2x"),
    ("The password is Tr0ub4dor&3.", "Tr0ub4dor&3"),
    ("PASSWORD=s3cr3tPass", "s3cr3tPass"),
    ("db_password = 'qX9!mmLp'", "qX9!mmLp"),
    ("**Password**: `b7Kq-22xx`", "b7Kq-22xx"),
    ('"password": "p4ssw0rd!"', "p4ssw0rd!"),
    ("mysql --password s3cr3tPass -u root", "s3cr3tPass"),
    ("пароль: Кот2024!", "Кот2024!"),
    ("Passwort: geheim123", "geheim123"),
    ("密码：abc12345", "abc12345"),
    ("Das Passwort lautet Kater77!", "Kater77!"),
    ("The password of the guest network is Moss2031", "Moss2031"),
    ("the password for db1 was changed to Moss-2031", "Moss-2031"),
    ("Log in as root with password Moss!2031x on db1", "Moss!2031x"),
    ("пароль Sosna2031x", "Sosna2031x"),
    ("machine db1 login app password moss2031", "moss2031"),
    ("curl -s -u app:moss2031 https://db1.example", "moss2031"),
    ("mysql -h db1 -u app -pmoss2031 shop", "moss2031"),
    ("sshpass -p moss2031 ssh db1", "moss2031"),
    ("The PIN of the safe is 7305.", "7305"),
    ("PIN: 730518", "730518"),
    ("passcode 7305", "7305"),
    ('passphrase: "three wet mossy stones"', "three wet mossy stones"),
    ("recovery phrase: " + "moss fern pine " * 3 + "oak elm ash", "moss fern pine " * 3 + "oak elm ash"),
    ("https://api.example.org/v1?key=" + invented(24), invented(24)),
    ("token=" + invented(24), invented(24)),
    ("API_KEY: " + invented(32, HEX), invented(32, HEX)),
    ("api key is " + invented(20), invented(20)),
    ("client_secret => '" + invented(30) + "'", invented(30)),
    ("aws_secret_access_key = " + invented(40), invented(40)),
    ("Authorization: Bearer " + invented(40), invented(40)),
    ("curl --token " + invented(32), invented(32)),
    ("postgres://app:s3cr3t@db.internal:5432/app", "s3cr3t"),
    ("redis://:s3cr3t@cache:6379/0", "s3cr3t"),
    ("mongodb+srv://u:p%40ss@cluster0.example.net", "p%40ss"),
    ("AccountKey=" + invented(86) + "==;", invented(86) + "=="),
]


@pytest.mark.parametrize(("text", "secret"), ASSIGNED)
def test_values_set_to_a_secret_name_are_found(text: str, secret: str) -> None:
    found = find_secrets(text)
    assert [text[each.start : each.end] for each in found] == [secret]
    assert secret not in redact(text)[0]


BEGIN, END = "-----BEGIN {} KEY-----", "-----END {} KEY-----"


@pytest.mark.parametrize(
    "kind", ["PRIVATE", "RSA PRIVATE", "OPENSSH PRIVATE", "EC PRIVATE", "ENCRYPTED PRIVATE"]
)
def test_private_keys_are_taken_out_whole(kind: str) -> None:
    body = "\n".join(invented(64, seed=line) for line in range(12))
    text = f"before\n{BEGIN.format(kind)}\n{body}\n{END.format(kind)}\nafter"
    assert redact(text)[0] == "before\n[redacted:private_key]\nafter"


def test_a_private_key_that_was_cut_off_is_taken_out_as_far_as_it_goes() -> None:
    text = f"{BEGIN.format('RSA PRIVATE')}\n{invented(64)}\n{invented(64)}\n"
    assert invented(64) not in redact(text)[0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "id 550e8400-e29b-41d4-a716-446655440000",
        "token: 550e8400-e29b-41d4-a716-446655440000",
        "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "The SHA-256 is 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.",
        "integrity sha512-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4==",
        "The password is required.",
        "The password is case-sensitive and must be rotated",
        "Password: at least 12 characters",
        "password_min_length = 12345678",
        "password_file: /run/secrets/db1",
        "Set password=${DB_PASSWORD1}",
        "password: <your-password-1>",
        "PASSWORD=changeme123",
        "password = os.environ['DB_PASSWORD_1']",
        "token = get_token(user1)",
        "password = db1.Column(db1.String(60))",
        "hashed_password = argon2.hash_password(word)",
        "password = PasswordField2('Password')",
        "max_tokens: 4096000000000000",
        "The token bucket holds 100 tokens per second",
        "token_url: https://login.example.org/oauth2/v2",
        "A secret is shared between both sides",
        "scikit-learn is imported as sklearn; sk-learn-contrib-package-extensions",
        "API_KEY=your_api_key_here_1234567890",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "https://example.org:8443/path@v2",
        "git@github.com:acme/app.git",
        "ssh://git@host:22/repo",
        "npm_config_registry and npm_lifecycle_event",
        "key: value",
        "PIN 7 drives the lamp and PIN 13 the pump",
        "The pin of the valve is 12 mm long; OTP 27 is out",
        "OTP 26.2 and PIN 1234-A",
        "The password of the admin is stored in Vault",
        "The password for the portal is sent by mail",
        "A password manager is used; password rules apply",
        "a passphrase is: a long password",
        "curl -u app https://db1.example",
        "mysql -p shop",
        "https://example.org/?key=colour&code=404",
        "the key=primary, foreign key=user_id",
        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQ\n-----END PUBLIC KEY-----",
        "10.20.30.40 and fe80::1ff:fe23:4567:890a",
        "v2.3.1-rc.4+build.20260101",
        "keyboard: QWERTZ2000",
        "secretary: Ann-Marie2",
    ],
)
def test_ids_hashes_and_prose_are_no_secrets(text: str) -> None:
    assert find_secrets(text) == ()
    assert redact(text) == (text, ())


def test_redacting_twice_changes_nothing_more() -> None:
    for text, _ in ASSIGNED:
        once = redact(text)[0]
        assert redact(once) == (once, ())


def test_findings_are_in_order_and_apart() -> None:
    text = " ".join([*(secret for _, secret in FORMATS), *(text for text, _ in ASSIGNED)])
    found = find_secrets(text)
    assert len(found) >= len(FORMATS)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))


@given(st.text())
def test_any_text_can_be_searched(text: str) -> None:
    cleaned, found = redact(text)
    assert (cleaned == text) is (not found)


@pytest.mark.parametrize(
    "piece",
    [
        "a://b:",
        "password",
        "password: ",
        "token=",
        "eyJ",
        "eyJaaaaaaaa.",
        "sk-",
        "-----BEGIN RSA PRIVATE KEY-----\n",
        "api_key_",
        "Bearer a",
        "A1",
    ],
)
def test_hostile_repetition_is_searched_in_linear_time(piece: str) -> None:
    started = time.process_time()
    find_secrets(piece * (200_000 // len(piece)))
    assert time.process_time() - started < 2.0

"""The written forms of secrets, after what their makers publish about them; one form a line."""
# ruff: noqa: E501 -- a pattern that is cut up over lines cannot be read

from __future__ import annotations

# kind, literals of which one must occur (so that most texts are never searched), pattern; group 1 is the secret if there is one
FORMATS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("aws_access_key_id", ("AKIA", "ASIA", "ABIA", "ACCA"), r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b"),
    ("aws_secret_key", ("ecret", "SECRET"), r"(?i:aws_?secret_?(?:access_?)?key|secret_?access_?key)[\"']?\s{0,4}[=:]\s{0,4}[\"']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"),
    ("github_token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"\bgh[pousr]_[A-Za-z0-9]{36,255}\b"),
    ("github_token", ("github_pat_",), r"\bgithub_pat_[A-Za-z0-9_]{36,255}\b"),
    ("gitlab_token", ("gl",), r"\bgl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_.-]{20,255}"),
    ("slack_token", ("xox", "xapp-"), r"\b(?:xox[abeoprs]|xoxe\.xox[bp]|xapp)-[A-Za-z0-9-]{10,255}"),
    ("slack_webhook", ("hooks.slack.com",), r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{30,120}"),
    ("discord_webhook", ("/api/webhooks/",), r"https://(?:\w{1,20}\.)?discord(?:app)?\.com/api/webhooks/\d{15,21}/[\w-]{60,80}"),
    ("anthropic_key", ("sk-ant-",), r"\bsk-ant-[A-Za-z0-9_-]{20,255}"),
    ("openai_key", ("sk-",), r"\bsk-(?!ant-)(?=[A-Za-z_-]{0,254}\d)(?:proj-|svcacct-|admin-|None-)?[A-Za-z0-9_-]{20,255}"),
    ("openrouter_key", ("sk-or-",), r"\bsk-or-v1-[0-9a-f]{64}\b"),
    ("google_api_key", ("AIza",), r"\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    ("google_oauth", ("ya29.", "GOCSPX-"), r"\b(?:ya29\.[A-Za-z0-9_-]{20,512}|GOCSPX-[A-Za-z0-9_-]{28})"),
    ("stripe_key", ("_live_", "_test_"), r"\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,255}\b"),
    ("webhook_secret", ("whsec_",), r"\bwhsec_[A-Za-z0-9+/=]{24,120}"),
    ("npm_token", ("npm_",), r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("pypi_token", ("pypi-",), r"\bpypi-[A-Za-z0-9_-]{50,512}"),
    ("rubygems_token", ("rubygems_",), r"\brubygems_[0-9a-f]{48}\b"),
    ("crates_token", ("cio",), r"\bcio[A-Za-z0-9]{32}\b"),
    ("docker_token", ("dckr_",), r"\bdckr_[op]at_[A-Za-z0-9_-]{27,40}"),
    ("huggingface_token", ("hf_",), r"\bhf_[A-Za-z0-9]{30,60}\b"),
    ("groq_key", ("gsk_",), r"\bgsk_[A-Za-z0-9]{40,60}\b"),
    ("replicate_token", ("r8_",), r"\br8_[A-Za-z0-9]{37,40}\b"),
    ("perplexity_key", ("pplx-",), r"\bpplx-[A-Za-z0-9]{40,60}\b"),
    ("sendgrid_key", ("SG.",), r"\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,60}"),
    ("twilio_key", ("SK",), r"\bSK[0-9a-f]{32}\b"),
    ("telegram_token", (":AA",), r"\b\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),
    ("digitalocean_token", ("_v1_",), r"\bdo[opr]_v1_[0-9a-f]{64}\b"),
    ("shopify_token", ("shp",), r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b"),
    ("databricks_token", ("dapi",), r"\bdapi[0-9a-f]{32}(?:-\d)?\b"),
    ("azure_key", ("AccountKey=", "SharedAccessKey="), r"\b(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,90}={0,2})"),
    ("linear_key", ("lin_api_",), r"\blin_api_[A-Za-z0-9]{32,48}\b"),
    ("notion_token", ("ntn_",), r"\bntn_[A-Za-z0-9]{40,60}\b"),
    ("vault_token", ("hvs.", "hvb."), r"\bhv[bs]\.[A-Za-z0-9_-]{24,255}"),
    ("terraform_token", ("atlasv1",), r"\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,80}"),
    ("grafana_token", ("glsa_", "glc_"), r"\bgl(?:sa|c)_[A-Za-z0-9+/=_]{32,255}"),
    ("new_relic_key", ("NRAK-",), r"\bNRAK-[A-Z0-9]{27}\b"),
    ("mailgun_key", ("key-",), r"\bkey-[0-9a-f]{32}\b"),
    ("age_key", ("AGE-SECRET-KEY-",), r"\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b"),
    ("jwt", ("eyJ",), r"\beyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{16,2048}"),
    ("bearer_token", ("earer ", "EARER "), r"\b[Bb][Ee][Aa][Rr][Ee][Rr] {1,3}([A-Za-z0-9._~+/-]{20,2048}=*)"),
    ("basic_login", ("asic ",), r"\b[Aa]uthorization[\"']?: {0,3}[\"']?[Bb]asic {1,3}([A-Za-z0-9+/]{12,512}={0,2})"),
)  # fmt: skip

_SEPARATOR = r"[\"'`*]{0,3}\s{0,3}(?::=|=>|->|[=:：]|\b(?:(?:is|was)(?: now| still| (?:set|changed|reset) to)?|(?:set|changed|reset) to|ist|lautet|est|es|è|é|это)\b)\s{0,3}[\"'`*]{0,3}"
# 'the password of the guest network is …': what it opens stands between the name and the value
_OF_WHAT = (
    r"(?:\s(?:of|for|on|to|at|from|für|von|vom|zum|der|des|de|du|del|do|da|для|от|на)\s[^\n.;:=]{1,60}?)?"
)
_VALUE = r"(?P<value>[^\s\"'`,;<>(){}\[\]]{6,256})"
# what is said about a secret is none: password_length, token_url, secret_name
_ABOUT = r"(?![_-]?(?:name|id|path|file|url|uri|type|length|len|size|min|max|ttl|expir\w*|count|limit|env|field|policy|hint|hash|reset|manager|format|version|budget|usage|s\b))"

ASSIGNMENTS: tuple[tuple[str, str], ...] = (
    ("password", rf"(?:password|passwd|passphrase|passcode|\bpwd|\bpass\b|пароль|passwort|kennwort|contraseña|mot de passe|senha|wachtwoord|hasło|密码|口令|パスワード){_ABOUT}[\w-]{{0,16}}{_OF_WHAT}{_SEPARATOR}{_VALUE}"),
    # right behind the name, where it can be nothing else
    ("password", rf"\b(?:password|passwd|passphrase|passwort|kennwort|пароль|contraseña|senha|wachtwoord|pwd|pw)\s{{1,2}}[\"'`]?(?=\S{{0,64}}\d)(?=\S{{0,64}}(?-i:[a-z]))(?=\S{{0,64}}(?-i:[A-Z!@#$%^&*+=?~|]))(?=\S{{8}}){_VALUE}"),
    ("password", rf"\blogin\s{{1,4}}\S{{1,64}}\s{{1,4}}password\s{{1,4}}{_VALUE}"),
    ("password", rf"\b(?:curl|wget|http)\b[^\n]{{0,200}}?\s(?:-u|--user)[ =]{{1,2}}[\"']?[\w.@-]{{1,64}}:{_VALUE}"),
    ("password", rf"\b(?:mysql\w{{0,8}}|mariadb\w{{0,8}})\b[^\n]{{0,120}}?\s-p(?=\S{{6}}){_VALUE}"),
    ("password", rf"\bsshpass\s{{1,2}}-p\s{{0,2}}[\"']?{_VALUE}"),
    ("password", rf"--(?:password|passwd|pass)[ =]{{1,2}}{_VALUE}"),
    ("token", rf"(?:api[ _-]?key|apikey|secret[ _-]?key|access[ _-]?key|auth[ _-]?key|private[ _-]?key|client[ _-]?secret|\bsecret|secret\b|_secret|token|credentials?\b|токен|ключ){_ABOUT}[\w-]{{0,16}}{_SEPARATOR}{_VALUE}"),
    ("token", rf"[?&](?:key|sig|signature|auth|code|access_token|refresh_token)={_VALUE}"),
    ("token", rf"--(?:api-key|token|secret|access-token|auth-token)[ =]{{1,2}}{_VALUE}"),
)  # fmt: skip
ASSIGNMENT_HINTS = (
    "pass", "pw", "пароль", "kennwort", "contraseña", "senha", "wachtwoord", "hasło", "密码", "口令", "パスワード",
    "login", "curl", "wget", "http", "mysql", "mariadb", "key", "secret", "token", "credential", "токен", "ключ", "?", "&",
)  # fmt: skip
"""What a lower-cased text must hold, one of them at least, for any of ASSIGNMENTS to be worth a try."""

"""Names of secrets with what is set to them; the group `value` is the secret."""

SPELLED: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("pin", ("PIN", "CVV", "CVC", "TAN", "OTP", "asscode"), rf"\b(?:(?:PIN|CVV2?|CVC2?|TAN|TOTP|OTP)(?:[ -]?(?i:code|number|nummer))?|[Pp]asscode){_OF_WHAT}(?:{_SEPARATOR}|\s)(?P<value>\d{{4,8}})(?![\w.-]*\w)"),
    ("passphrase", ("hrase", "nemonic"), rf"(?i:passphrase|pass phrase|mnemonic|(?:seed|recovery|backup)[ _-]phrase){_OF_WHAT}{_SEPARATOR}(?P<value>[^\s\"'`,;<>]{{2,24}}(?: [^\s\"'`,;<>]{{2,24}}){{2,23}})(?=[\"'`])"),
    ("passphrase", ("hrase", "nemonic"), rf"(?i:mnemonic|(?:seed|recovery|backup)[ _-]phrase){_OF_WHAT}{_SEPARATOR}(?P<value>[a-z]{{3,8}}(?: [a-z]{{3,8}}){{11,23}})\b"),
)  # fmt: skip
"""Secrets that are written in figures or words alone, which only their name gives away."""

PLACEHOLDERS = (
    r"^(?:your|my|the|some|an?)[_.-]|^(?:xxx|\*\*\*|\.\.\.|<|\$|%|#\{|\{\{|@)|example|placeholder|changeme|change[_-]me|"
    r"redacted|dummy|not[_-]?set|undefined|process\.env|os\.environ|getenv|secrets?\.\w+$|\.env\b|\.get$|^self\.|^https?:|^//|^/\w|^~/|^\./|"
    r"^(?:null|none|true|false|required|optional|string|hidden|empty|unknown|missing)$|^[0-9a-f]{7}$|^sha\d+[:-]|^md5[:-]|\.\.\."
)
"""What stands for a secret in documentation and code, and what is plainly something else."""

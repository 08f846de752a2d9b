"""Every knob of Sheaf, each from the environment, each with a default that runs.

Importing this module starts nothing: the embedded server is started by manage.py and config.asgi. A setting of ours
has the same name here and in the environment.
"""

from __future__ import annotations

import socket
import tomllib
from pathlib import Path

from django.utils.translation import gettext_lazy as _

from config import accounts, database, env, files, kinds, logs, mail, secret
from config.machine import embedded_postgres

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["project"]["version"]

# --- Where things are -------------------------------------------------------------------------------------------------

SHEAF_VAR = Path(env.text("SHEAF_VAR", "var", "Folder for data: embedded PostgreSQL, secret key, demo accounts."))
SHEAF_VAR = SHEAF_VAR if SHEAF_VAR.is_absolute() else BASE_DIR / SHEAF_VAR

# --- The site ---------------------------------------------------------------------------------------------------------

DEBUG = env.boolean("DEBUG", False, "Django's debug pages. Never on a machine that others can reach.")
SECRET_KEY = env.text("SECRET_KEY", "", "Signs sessions; made once and kept in SHEAF_VAR when absent.", secret=True)
SECRET_KEY = SECRET_KEY or secret.kept_in(SHEAF_VAR / "secret-key")
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS", [], "Keys used before: what they signed or sealed stays good.")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"], "Host names the site answers to.")
SHEAF_HTTPS = env.boolean("SHEAF_HTTPS", False, "The site is reached over https, through a proxy that says so.")
CSRF_TRUSTED_ORIGINS = env.words("SHEAF_TRUSTED_ORIGINS", [], "Origins whose forms are accepted (https://host).")
SHEAF_METRICS_TOKEN = env.text("SHEAF_METRICS_TOKEN", "", "Opens /metrics to who sends it; empty: off.", secret=True)
SHEAF_STATIC_COLLECTED = env.boolean(
    "SHEAF_STATIC_COLLECTED", False, "Serve what collectstatic gathered (hashed names), not the source folders."
)

SHIPPED_KINDS = [
    "tasks.kinds.literature.kind.Literature",
    "tasks.kinds.notify.kinds.WebhookKind",
    "tasks.kinds.notify.kinds.MailKind",
]
SHEAF_KINDS = env.words("SHEAF_KINDS", SHIPPED_KINDS, "The batch features, as dotted paths.")

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

INSTALLED_APPS = [
    # daphne takes over runserver, which is right while developing and pointless (and slow to import) elsewhere
    *(["daphne"] if DEBUG else []),
    # before Django's admin, so that our templates come first
    "tasks.admin",
    "tasks.web",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "channels",
    "pgtrigger",
    "procrastinate.contrib.django",
    "tasks",
    "tasks.files",
    "streaming",
    # Those that come along are installed in any case: their tables are there, and a batch is deleted with its rows.
    *kinds.apps_of([*SHIPPED_KINDS, *SHEAF_KINDS]),
]

MIDDLEWARE = [
    "config.middleware.health.answers",
    "django.middleware.security.SecurityMiddleware",
    "config.middleware.csp.content_security_policy",
    "config.middleware.nul_characters.refused",
    "config.middleware.form_encoding.refused",
    "config.middleware.static.StaticFiles",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# --- Security: strict by default; what needs https waits for SHEAF_HTTPS ----------------------------------------------

globals().update(accounts.configured(https=SHEAF_HTTPS))
SECURE_SSL_REDIRECT = SHEAF_HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SHEAF_HTTPS else None
SECURE_HSTS_SECONDS = 31_536_000 if SHEAF_HTTPS else 0
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]  # an orchestrator asks these over plain http
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# --- Database ---------------------------------------------------------------------------------------------------------

DATABASE_URL = env.url(
    "DATABASE_URL",
    "",
    "The PostgreSQL server (14 to 18) to use; empty: an embedded one under SHEAF_VAR.",
    schemes=("postgresql", "postgres"),
    secret=True,
)
SHEAF_EMBEDDED_POSTGRES = not DATABASE_URL
SHEAF_POSTGRES_DIR = SHEAF_VAR / "postgres"
SHEAF_PROCESS_NAME = env.text("SHEAF_PROCESS_NAME", "sheaf", "Name of this process in pg_stat_activity.")
SHEAF_TCP_USER_TIMEOUT_S = env.seconds(
    "SHEAF_TCP_USER_TIMEOUT_S", 15, "Give up on a database that acknowledges or answers nothing.", low=1, high=600
)
DATABASES = {
    "default": database.entry(
        DATABASE_URL or embedded_postgres.url(SHEAF_POSTGRES_DIR),
        application_name=SHEAF_PROCESS_NAME,
        # Persistent connections leak under ASGI (each request may run in another context): Django's docs advise 0.
        conn_max_age_s=env.integer("SHEAF_CONN_MAX_AGE_S", 0, "Keep a web connection this long.", low=0, high=3600),
        tcp_user_timeout_s=SHEAF_TCP_USER_TIMEOUT_S,
    )
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Jobs -------------------------------------------------------------------------------------------------------------

PROCRASTINATE_AUTODISCOVER_MODULE_NAME = "jobs"
PROCRASTINATE_DATABASE_ALIAS = "default"
SHEAF_STOP_S = env.seconds(
    "SHEAF_STOP_S", 20, "After SIGTERM a worker may take this long to finish or hand back.", low=0.1, high=600
)

# --- Engine: every interval is a setting, so that fault tests run at a tenth of them ----------------------------------

SHEAF_HOST = env.text(
    "SHEAF_HOST", socket.gethostname(), "Name of this machine: limits of the kind “per machine” count by it."
)
SHEAF_WORKER_TOKEN = env.text(
    "SHEAF_WORKER_TOKEN", "", "Set by the supervisor: names a worker, so that its lanes can be freed."
)
SHEAF_LANE_RENEW_S = env.seconds("SHEAF_LANE_RENEW_S", 5, "A worker renews its lanes this often.", low=0.05, high=10)
SHEAF_LANE_STALE_S = env.seconds(
    "SHEAF_LANE_STALE_S",
    20,
    "A lane not renewed for this long (plus its queue's deadline) is given up.",
    low=0.2,
    high=600,
)
SHEAF_SWEEP_S = env.seconds(
    "SHEAF_SWEEP_S", 5, "The sweep looks for what is out of order this often.", low=0.1, high=300
)
SHEAF_LINGER_S = env.seconds("SHEAF_LINGER_S", 2, "A lane without work waits this long before it ends.", low=0, high=60)
SHEAF_YIELD_S = env.seconds(
    "SHEAF_YIELD_S", 5, "A lane gives its place to a waiting one after this long.", low=0.1, high=600
)
SHEAF_CANCEL_POLL_S = env.seconds(
    "SHEAF_CANCEL_POLL_S", 1, "A worker notices a cancelled batch within this.", low=0.05, high=60
)
SHEAF_MASK = env.patterns(
    "SHEAF_MASK", "More secrets to hide in logs and errors, beside those that are known by their looks."
)
SHEAF_LOG_FLUSH_S = env.seconds("SHEAF_LOG_FLUSH_S", 0.2, "Log lines are gathered for this long.", low=0.01, high=5)
SHEAF_CHUNK = env.integer(
    "SHEAF_CHUNK", 2000, "Children inserted, cancelled or moved back in one transaction.", low=1, high=50_000
)
SHEAF_MAX_LOST = env.integer(
    "SHEAF_MAX_LOST", 3, "A child that lost its worker this often fails as worker_lost.", low=1, high=20
)
SHEAF_BACKOFF_S = env.seconds(
    "SHEAF_BACKOFF_S", 2, "First wait before another attempt; it doubles each time.", low=0.01, high=600
)
SHEAF_ISOLATE_MIB = env.integer(
    "SHEAF_ISOLATE_MIB", 1024, "Memory a process that reads one untrusted file may use.", low=128, high=65_536
)
SHEAF_KEEP_COMPLETED_DAYS = env.integer(
    "SHEAF_KEEP_COMPLETED_DAYS", 0, "Completed batches are deleted after so many days; 0: never.", low=0, high=36_500
)
SHEAF_KEEP_FAILED_DAYS = env.integer(
    "SHEAF_KEEP_FAILED_DAYS", 0, "Failed batches are deleted after so many days; 0: never.", low=0, high=36_500
)
SHEAF_KEEP_CANCELLED_DAYS = env.integer(
    "SHEAF_KEEP_CANCELLED_DAYS", 0, "Cancelled batches are deleted after so many days; 0: never.", low=0, high=36_500
)
SHEAF_KEEP_DRAFT_DAYS = env.integer(
    "SHEAF_KEEP_DRAFT_DAYS",
    0,
    "Batches never started are deleted so many days after the last change; 0: never.",
    low=0,
    high=36_500,
)
SHEAF_KEEP_JOBS_DAYS = env.integer(
    "SHEAF_KEEP_JOBS_DAYS",
    7,
    "Rows of ended procrastinate jobs are deleted after so many days; 0: never.",
    low=0,
    high=36_500,
)
SHEAF_OLD_TRANSACTION_S = env.seconds(
    "SHEAF_OLD_TRANSACTION_S", 900, "A transaction open for longer is reported to staff; 0: never.", low=0, high=604_800
)

# --- Services: who may be called, and when a queue stops asking ------------------------------------------------------

SHEAF_SERVICES_PRIVATE = env.words(
    "SHEAF_SERVICES_PRIVATE", [], "Hosts (name or name:port) of services that may have a private address."
)
SHEAF_BREAKER_FAILURES = env.integer(
    "SHEAF_BREAKER_FAILURES", 5, "A service that fails this often in a row is left alone for a while.", low=1, high=1000
)
SHEAF_BREAKER_OPEN_S = env.seconds(
    "SHEAF_BREAKER_OPEN_S", 5, "First time that a failing service is left alone; it doubles.", low=0.05, high=3600
)
SHEAF_BREAKER_MAX_S = env.seconds(
    "SHEAF_BREAKER_MAX_S", 60, "Longest time that a failing service is left alone.", low=0.05, high=86_400
)

# --- Telling people that a batch has ended ----------------------------------------------------------------------------

SHEAF_MAIL_URL = env.url(
    "SHEAF_MAIL_URL", "", "smtp://user:password@host:587; empty: no mail.", schemes=mail.SCHEMES, secret=True
)
SHEAF_MAIL_CONFIGURED = bool(SHEAF_MAIL_URL)
SHEAF_MAIL_DOMAINS = env.words("SHEAF_MAIL_DOMAINS", [], "Mail goes to the asker's own address, or to these domains.")
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.text("SHEAF_MAIL_FROM", "sheaf@localhost", "The sender of Sheaf's mail.")
globals().update(mail.configured(SHEAF_MAIL_URL))
SHEAF_WEBHOOK_PRIVATE = env.words(
    "SHEAF_WEBHOOK_PRIVATE", [], "Hosts of SHEAF_SERVICES_PRIVATE that people's webhooks may call too."
)

# --- Live view --------------------------------------------------------------------------------------------------------

SHEAF_LIVE_POLL_S = env.seconds(
    "SHEAF_LIVE_POLL_S",
    1.5,
    "A web process looks again at every watched batch this often, notice or not.",
    low=0.05,
    high=60,
)
SHEAF_LIVE_HEARTBEAT_S = env.seconds(
    "SHEAF_LIVE_HEARTBEAT_S",
    5,
    "The LISTEN connection is tried this often, and must answer within as long.",
    low=0.05,
    high=60,
)
SHEAF_LIVE_PING_S = env.seconds(
    "SHEAF_LIVE_PING_S", 15, "A quiet live connection hears from us this often.", low=0.1, high=50
)
SHEAF_LIVE_ACK_S = env.seconds(
    "SHEAF_LIVE_ACK_S", 25, "A websocket that confirms nothing for this long is closed.", low=0.2, high=600
)
SHEAF_LIVE_RECHECK_S = env.seconds(
    "SHEAF_LIVE_RECHECK_S", 30, "Every watcher's permission is asked for again this often.", low=0.1, high=60
)
SHEAF_LIVE_CONNECTIONS = env.integer(
    "SHEAF_LIVE_CONNECTIONS", 3, "Database connections of a web process that read for live views.", low=1, high=20
)
SHEAF_LIVE_RING_KIB = env.integer(
    "SHEAF_LIVE_RING_KIB", 1024, "Latest lines of a watched batch kept in memory.", low=64, high=65_536
)

# --- Papers: what one set may hold, where its files are kept ----------------------------------------------------------

SHEAF_MAX_FILE_MIB = env.integer("SHEAF_MAX_FILE_MIB", 200, "Largest file a set takes.", low=1, high=2048)
SHEAF_MAX_SET_FILES = env.integer("SHEAF_MAX_SET_FILES", 5000, "Most files a set takes.", low=1, high=1_000_000)
SHEAF_MAX_SET_GIB = env.integer("SHEAF_MAX_SET_GIB", 50, "Most GiB a set takes.", low=1, high=10_000)
SHEAF_MAX_SET_REFERENCES = env.integer(
    "SHEAF_MAX_SET_REFERENCES", 20_000, "Most records that one reference list may give.", low=1, high=200_000
)
SHEAF_MAX_ARCHIVE_MIB = env.integer(
    "SHEAF_MAX_ARCHIVE_MIB", 1024, "Largest zip archive a set takes.", low=1, high=65_536
)
SHEAF_MAX_UNPACKED_MIB = env.integer(
    "SHEAF_MAX_UNPACKED_MIB",
    4096,
    "Most that one archive may unpack to, on the web machine's disk.",
    low=1,
    high=262_144,
)
SHEAF_OPEN_TIMEOUT_S = env.seconds(
    "SHEAF_OPEN_TIMEOUT_S", 120, "Longest time to open an upload, an archive with all in it.", low=1, high=900
)
SHEAF_MAX_PAGES = env.integer("SHEAF_MAX_PAGES", 2000, "Most pages a paper may have.", low=1, high=100_000)
SHEAF_PAPER_TIMEOUT_S = env.seconds(
    "SHEAF_PAPER_TIMEOUT_S", 70, "Longest time that reading one paper may take.", low=1, high=85
)

# --- Languages and time -----------------------------------------------------------------------------------------------

LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LANGUAGE_CODE = SHEAF_LANGUAGE = env.text(
    "SHEAF_LANGUAGE",
    "en",
    "Language of commands and checks, and of visitors whose browser asks for neither.",
    choices=tuple(code for code, _name in LANGUAGES),
)
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = USE_TZ = True
TIME_ZONE = "UTC"

# --- Static files -----------------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
# Not below SHEAF_VAR: an image gathers them while it is built
STATIC_ROOT = BASE_DIR / "var" / "static" if SHEAF_STATIC_COLLECTED else None
WHITENOISE_USE_FINDERS = not SHEAF_STATIC_COLLECTED
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_ALLOW_ALL_ORIGINS = False
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "papers": files.papers(SHEAF_VAR),
    "staticfiles": {
        "BACKEND": "config.middleware.static.HashedFiles"
        if SHEAF_STATIC_COLLECTED
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
MEDIA_ROOT = SHEAF_VAR / "files"

# --- Log: lines on stderr; whoever runs us (supervisor, container, systemd) keeps them --------------------------

SHEAF_LOG_LEVEL = env.text(
    "SHEAF_LOG_LEVEL", "INFO", "Least level that is logged.", choices=("DEBUG", "INFO", "WARNING", "ERROR")
)
SHEAF_LOG_FORMAT = env.text(
    "SHEAF_LOG_FORMAT", "lines", "Lines for people, or one JSON object a line for machines.", choices=logs.FORMATS
)
LOGGING = logs.to_stderr(SHEAF_LOG_LEVEL, SHEAF_LOG_FORMAT, process=SHEAF_PROCESS_NAME, host=SHEAF_HOST)

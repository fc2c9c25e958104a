# The lab as a server: docs/guide/serving.md. Built with `docker build -t tokenlab .`; nothing of the build is in the image.
ARG PYTHON=3.13

FROM rust:1.89-bookworm AS rust

FROM python:${PYTHON}-bookworm AS wheel
COPY --from=rust /usr/local/cargo /usr/local/cargo
COPY --from=rust /usr/local/rustup /usr/local/rustup
ENV CARGO_HOME=/usr/local/cargo RUSTUP_HOME=/usr/local/rustup PATH=/usr/local/cargo/bin:$PATH
WORKDIR /src
COPY . .
RUN make wheel

FROM python:${PYTHON}-bookworm AS packages
# Extra packages: `--build-arg EXTRAS=cluster` for workers of a cluster.
ARG EXTRAS=""
COPY deploy/prune.py /tmp/
RUN --mount=type=bind,from=wheel,source=/src/dist,target=/dist \
    python -m venv /opt/tokenlab \
    && /opt/tokenlab/bin/pip install --no-cache-dir --only-binary :all: "$(ls /dist/*.whl)${EXTRAS:+[$EXTRAS]}" \
    && /opt/tokenlab/bin/pip uninstall --yes pip
# From 480 MB to 223. What the lab imports is compiled again: nothing is written where it runs.
RUN python /tmp/prune.py /opt/tokenlab/lib/python*/site-packages \
    && TOKENLAB_DATA_DIR=/tmp/data /opt/tokenlab/bin/tokenlab encode -t gpt2 Hello \
    && /opt/tokenlab/bin/python -c "import lab_app.api.app, plotly.graph_objects, pyarrow.parquet"

FROM python:${PYTHON}-slim-bookworm
COPY --from=packages /opt/tokenlab /opt/tokenlab
RUN useradd --uid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin tokenlab \
    && install --directory --owner tokenlab --group tokenlab --mode 0700 /data
# /data and /tmp are all that is written to. (The names have TOKEN in them; the values are no secrets.)
# hadolint ignore=DL3064
ENV PATH=/opt/tokenlab/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    TOKENLAB_DATA_DIR=/data \
    TOKENLAB_HOST=0.0.0.0 \
    TOKENLAB_PORT=8000 \
    TOKENLAB_LOG_LEVEL=info \
    TOKENLAB_LOG_FORMAT=json
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
ENTRYPOINT ["tokenlab"]
CMD ["serve"]

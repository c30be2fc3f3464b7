# The command line for CI systems other than GitHub, whose action needs no image (docs/other-ci.md).
# Another base with Python 3.11 or newer, apt and pip: --build-arg BASE=...
ARG BASE=docker.io/library/python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b

FROM ${BASE} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /src
COPY requirements/build.txt requirements/runtime.txt ./requirements/
# Every wheel by its hash; pip itself does not go into the image.
RUN python3 -m venv /opt/venv \
    && python3 -m venv /opt/tools \
    && /opt/tools/bin/pip install --require-hashes --only-binary=:all: -r requirements/build.txt \
    && /opt/venv/bin/pip install --require-hashes --only-binary=:all: -r requirements/runtime.txt
COPY pyproject.toml README.md LICENSE ./
COPY plugin_eval_ci ./plugin_eval_ci
RUN /opt/tools/bin/pip wheel --no-deps --no-build-isolation --no-index --wheel-dir /wheels . \
    && /opt/venv/bin/pip install --no-deps --no-index /wheels/*.whl \
    && /opt/venv/bin/pip uninstall --yes pip \
    && /opt/venv/bin/python3 -m compileall -q /opt/venv/lib

FROM ${BASE}
ARG VERSION=0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="plugin-eval-ci" \
      org.opencontainers.image.description="Lints and scores agent skills and plugins" \
      org.opencontainers.image.source="https://github.com/plugin-eval-ci/plugin-eval-ci" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# git finds what changed (--base, diff). The checkout belongs to another user than the one in the container; nothing in it is run.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && git config --system --add safe.directory '*'
COPY --from=build /opt/venv /opt/venv
# Works under any user: nothing is written but to the working directory and /tmp.
ENV PATH=/opt/venv/bin:$PATH HOME=/tmp PYTHONDONTWRITEBYTECODE=1
RUN ["plugin-eval", "--version"]
USER 65532:65532
WORKDIR /src
ENTRYPOINT ["plugin-eval"]
CMD ["--help"]

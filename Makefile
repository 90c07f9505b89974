# The commands of this repository; `make help` lists them.

PRESET ?= quick
CORES ?= $(shell nproc)
PYTHON ?= python3

.DEFAULT_GOAL := help
.PHONY: help report gpu draft html answer accept diff settings estimate unneeded cluster lint \
	test test-reports test-models test-cluster test-conda
SHELL := bash

# What lies in ~/.local, or a module system adds, is none of .venv's; another project's profile is not ours.
export PYTHONNOUSERSITE := 1
unexport PYTHONPATH SNAKEMAKE_PROFILE PIP_PYTHON
# Packages go into .venv, all of them, whatever pip's variables and files say. Mirrors and proxies hold.
export PIP_DRY_RUN := 0
export PIP_NO_DEPS := 0
PIP = .venv/bin/python -m pip install --quiet --disable-pip-version-check \
	--no-user --target= --root=/ --prefix="$$(pwd -P)/.venv" --requirement
# Puts the programs of .venv first on PATH. The shell asks for the path, as make would paste it as code,
# and for that of the folder itself: torch.compile fails where a link to it has a space in its name.
IN_VENV = PYTHONPATH=scripts PATH="$$(pwd -P)/.venv/bin:$$PATH"
ON_GPU = PYTHONPATH="$$(pwd -P)/results/build" PATH="$$(pwd -P)/.venv/bin:$$PATH"

# An empty .venv, one whose Python is gone, and one that came here from another folder are made again. Its
# programs name their Python by its path.
INTACT = { .venv/bin/python -Ic 'import importlib.util as u; exit(not u.find_spec("snakemake"))' \
	&& test "$$(grep -om1 '/.*/bin/' .venv/bin/snakemake)" -ef .venv/bin; } 2>/dev/null
ifneq ($(shell $(INTACT) && echo yes),yes)
.PHONY: .venv/up-to-date
CLEAR := --clear
endif

# Snakemake does not start where it can keep no cache.
CAN_CACHE = at=$${XDG_CACHE_HOME:-~/.cache}/snakemake; until [ -e "$$at" ]; do at=$$(dirname "$$at"); done; \
	[ -d "$$at" -a -w "$$at" ]
ifneq ($(shell $(CAN_CACHE) && echo yes),yes)
export XDG_CACHE_HOME := $(CURDIR)/.snakemake/cache
endif

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile
	@echo "PRESET=smoke, quick (the default), standard or full chooses the sizes, as in: make report PRESET=smoke"
	@echo "CORES=2 uses two cores; the default is all of them"

# A killed run leaves Snakemake's lock behind. The kernel releases this one with its holder, so that
# the same command continues.
ALONE = flock --nonblock --conflict-exit-code 75 .snakemake/make.lock
ANOTHER = Another make report is running in this folder.

report: .venv/up-to-date ## Measure, and make results/<preset>/report/report.pdf
	@$(IN_VENV) python scripts/check_system.py
	@mkdir -p .snakemake
	@$(IN_VENV) $(ALONE) \
		snakemake --workflow-profile workflow/profiles/local --logger labs --logger-labs-preset $(PRESET) \
			--cores $(CORES) --config preset=$(PRESET) --nolock --rerun-incomplete --no-hooks \
		|| { status=$$?; \
			if [ $$status -eq 75 ]; then echo "$(ANOTHER)"; \
			else echo "make draft PRESET=$(PRESET) makes a report of what there is."; fi >&2; \
			exit $$status; }
	@$(IN_VENV) python scripts/summarize.py --report-dir results/$(PRESET)/report

# Kernels that are wrong are not timed. Under compute-sanitizer each tensor has memory of its own;
# initcheck watches torch's kernels, too, to know what they have written.
gpu: .venv/up-to-date ## On a machine with an NVIDIA GPU: test mxint_cuda there, then make report
	@$(IN_VENV) python scripts/check_gpu.py
	@$(IN_VENV) snakemake --cores $(CORES) --config preset=$(PRESET) --nolock --rerun-incomplete --no-hooks \
		-- results/build/manifest.json
	@$(ON_GPU) pytest mxint_cuda/tests -m gpu
	@export $(ON_GPU) PYTORCH_NO_CUDA_MEMORY_CACHING=1; \
		command -v compute-sanitizer >/dev/null || { echo "compute-sanitizer is not here, and left out" >&2; exit 0; }; \
		for tool in "memcheck --kernel-regex kns=mxint" "racecheck --kernel-regex kns=mxint" initcheck; do \
			compute-sanitizer --tool $$tool --error-exitcode 1 python -m pytest -q \
				mxint_cuda/tests/test_exactness.py mxint_cuda/tests/test_linear.py \
				-m gpu -k "portable and not large" || exit; \
		done
	@$(MAKE) --no-print-directory report
	@echo "To show this run elsewhere, copy results/$(PRESET)/records to report/machines/<name>/records there."

draft: .venv/up-to-date ## Make results/<preset>/draft/report/report.pdf of what there is, as after a failed run
	@$(IN_VENV) python scripts/make_draft.py --config preset=$(PRESET)

html: .venv/up-to-date ## Render report.html again, as after an edit of a template, from the tables there are
	@$(IN_VENV) LABS_NO_MEASURING=yes snakemake --quiet all --cores 1 --config preset=$(PRESET) --nolock --no-hooks \
		--allowed-rules render_html -- results/$(PRESET)/report/report.html

answer: .venv/up-to-date ## Judge and render one question again, as after an edit of a claim: QUESTION=4.2a
	@$(IN_VENV) python scripts/render_answer.py --preset $(PRESET) --question $(QUESTION)

accept: .venv/up-to-date ## Keep this run, so that later ones are compared with it
	@$(IN_VENV) python scripts/compare_runs.py --accept --results results/$(PRESET)

diff: .venv/up-to-date ## Show what differs from the accepted run
	@$(IN_VENV) python scripts/compare_runs.py --results results/$(PRESET)

settings: .venv/up-to-date ## Print every setting: its values, unit and meaning, and what is allowed
	@$(IN_VENV) python scripts/show_settings.py

estimate: .venv/up-to-date ## Print the jobs, core-hours and wall time of a run, as far as they are known
	@$(IN_VENV) python scripts/estimate.py --cores $(CORES) --config preset=$(PRESET)

unneeded: .venv/up-to-date ## List the trained points that no record of a preset needs; DELETE=yes deletes them
	@mkdir -p .snakemake
	@$(IN_VENV) $(ALONE) python scripts/unneeded_points.py --results results $(if $(DELETE),--delete) \
		|| { [ $$? -ne 75 ] || echo "$(ANOTHER)" >&2; exit 1; }

cluster: .venv/up-to-date ## Install what running on a SLURM cluster needs
	$(PIP) envs/cluster.txt

# A whole smoke run needs all cores. What comes after it runs on one, so that two of them run at once.
test: lint ## Check the style, and run all tests that need no GPU, cluster or conda
	@$(IN_VENV) python scripts/check_system.py
	$(IN_VENV) pytest tests/workflow
	@$(MAKE) --no-print-directory --jobs 2 --output-sync test-models test-reports

test-models: .venv/up-to-date ## Build mxint_cuda; test it, and the programs that train and measure
	$(IN_VENV) pytest tests/jobs mxint_cuda/tests

test-reports: .venv/up-to-date ## Test the parts by themselves, commands, and the report on the records of a real run
	$(IN_VENV) pytest tests/unit tests/method tests/commands tests/report

test-cluster: cluster ## Run the workflow on a SLURM cluster of three nodes on this machine, as root
	$(IN_VENV) tests/cluster/apart.sh pytest tests/cluster

# Without the packages the tests say so, and are skipped.
test-conda: .venv/up-to-date ## Run jobs with --use-conda, on a stand-in for conda and conda-forge
	-$(PIP) envs/conda.txt
	$(IN_VENV) pytest tests/conda

lint: .venv/up-to-date ## Check style and types
	$(IN_VENV) ruff check
	$(IN_VENV) ruff format --check
	$(IN_VENV) mypy
	$(IN_VENV) snakefmt --check Snakefile workflow
	$(IN_VENV) snakemake --lint

.venv/up-to-date: envs/requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(CLEAR) .venv
	$(PIP) envs/requirements.txt
	@$(INTACT) || { echo "pip has put the packages elsewhere than .venv: see $(PYTHON) -m pip config list" >&2; exit 1; }
	@touch $@

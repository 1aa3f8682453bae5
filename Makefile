# One command tests everything: make test. It needs Go, git, node and npm, and
# fetches the rest by name. Recipes are bash.

SHELL       := bash
.SHELLFLAGS := -eu -o pipefail -c

# A GOWORK of the caller would hide modules.
unexport GOWORK

# The modules of go.work that hold packages of ours, by their folders.
MODULES = $(or $(filter-out %/tools,$(shell env -u GOWORK go list -m -f '{{.Dir}}')),$(error go.work names no module))

# All but the house rules and the kills, which run on their own.
TESTED = $$(go list -e -find ./... | grep -vE '/internal/(houserules|crash)$$')

# The race detector needs a C compiler. Without one the tests still run, and
# say what they could not show; under CI=true that is a failure.
CC_FOUND := $(shell command -v $(firstword $(shell go env CC)) || true)

FUZZTIME ?= 30s
TIMEOUT  ?= 15m
CASES    ?= 20000
KILLS    ?= 10000
IMAGES   ?= 20000
SEEDS    ?= 2000
SEED     ?= 1

.DEFAULT_GOAL := help
.PHONY: help test format vet lint house race conformance xstate charts sim faults crash bugs bench bench-engine fuzz mutants generate clean

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

test: format vet lint house race sim faults conformance ## everything that must hold before a change lands, in every module
	@echo
	@echo "make test: all passed"

format: ## see that every Go file is as gofmt writes it
	@echo "== format"
	@files=$$(git ls-files --cached --others --exclude-standard -- '*.go' ':!*/testdata/*' | while read -r f; do [ ! -f "$$f" ] || echo "$$f"; done); \
	bad=$$(gofmt -l $$files); \
	[ -z "$$bad" ] || { echo "not as gofmt writes it; run gofmt -w on:"; echo "$$bad"; exit 1; }

# The main module is also looked at without go.work: that is how its users
# build it; and for the systems on which the tests do not run.
vet: ## go vet in every module, and for macOS and Windows
	@echo "== vet"
	@for m in $(MODULES); do (cd "$$m" && go vet ./...); done
	@GOWORK=off go vet ./...
	@for system in darwin windows; do GOOS=$$system CGO_ENABLED=0 go vet ./...; done

lint: ## staticcheck in every module, with the checks that staticcheck.conf names
	@echo "== lint"
	@for m in $(MODULES); do (cd "$$m" && go tool staticcheck ./...); done

# Never from the cache: the rules read files that the go command does not know
# of.
house: ## the house rules, with their figures
	@echo "== house rules"
	@go test -count=1 -v ./internal/houserules | { grep -vE '^(=== | *--- PASS|PASS$$)' || true; }

race: ## the tests of every module under the race detector
	@echo "== tests"
ifneq ($(CC_FOUND),)
	@for m in $(MODULES); do (cd "$$m" && go test -race -tags=invariants -timeout=$(TIMEOUT) $(TESTED)); done
else
	@echo "SKIPPED: the race detector, for want of a C compiler ($$(go env CC)); the tests run without it"
	@for m in $(MODULES); do (cd "$$m" && go test -tags=invariants -timeout=$(TIMEOUT) $(TESTED)); done
	@[ "$${CI:-}" != true ] || { echo "under CI=true nothing may be skipped"; exit 1; }
endif

conformance: ## the outside suites, with their tallies
	@echo "== outside suites"
	@cd conformance && for suites in 'TestSuites[A-Z]' 'TestSuites$$|TestXStateRandom$$'; do \
		go test -count=1 -timeout=$(TIMEOUT) -run "$$suites" -v . | { grep -vE '^(=== | *--- PASS|PASS$$|ok )' || true; }; \
	done

xstate: ## CASES (20000) random charts in XState 5 and here, from SEED (1) on
	@cd conformance && go test -count=1 -timeout 4h -v -run '^TestXStateRandom$$' . -cases $(CASES) -seed $(SEED)

charts: ## 10,000 random charts written, read and played as files; 100,000 against the oracle (a quarter of an hour)
	@go test -count=1 -timeout 2h -v -run '^TestRandomCharts$$' ./chartfile -charts 10000
	@go test -count=1 -timeout 2h -v -run '^TestDifferential$$' ./statechart -charts 100000

sim: ## play the engine under SEEDS (2000) seeds from SEED (1) on, with faults and crashes
	@echo "== simulation"
	@go test -count=1 -timeout 4h -v -run '^TestSimulation$$' ./internal/sim -seeds $(SEEDS) -seed $(SEED) | { grep -vE '^(=== | *--- PASS|PASS$$|ok )' || true; }

# Without the race detector: a process that is killed has nobody to tell.
faults: ## kill and break the real engine: 300 kills, faults of the disk, 300 power cuts, deliberate bugs
	@echo "== kills and faults"
	@go test -count=1 -timeout $(TIMEOUT) -v ./internal/crash -mutants | { grep -vE '^(=== | *--- PASS|PASS$$|ok )' || true; }

crash: ## KILLS (10000) kills at every named place and IMAGES (20000) power cuts, drawn from SEED (1)
	@go test -count=1 -timeout 12h -v -run '^(TestKill|TestKillInRecovery|TestImages)$$' ./internal/crash -kills $(KILLS) -images $(IMAGES) -seed $(SEED)

bugs: ## put deliberate bugs into the engine and see that a harness notices each
	@go test -count=1 -timeout 1h -v -run '^TestMutants$$' ./internal/crash -mutants

bench: bench-engine ## measure against peers and print the tables
	@cd bench && go run .

bench-engine: ## durable events beside a bare write and DBOS, as docs/benchmarks.md has them (some five minutes)
	@cd bench && go run ./engine

fuzz: ## run every fuzz target for FUZZTIME (30s)
	@for m in $(MODULES); do cd "$$m"; packages=$$(go list ./...); for p in $$packages; do \
		tests=$$(go test -list '^Fuzz' "$$p"); \
		for f in $$(grep '^Fuzz' <<<"$$tests" || true); do \
			echo "== $$p $$f"; \
			go test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) "$$p"; \
		done; \
	done; done

mutants: ## put deliberate bugs in and see that the tests notice each
	@go run ./internal/mutants

generate: ## write the generated files and the marked blocks of pages again
	@go test -count=1 -run '^(TestGeneratedFiles|TestPageListsTheKeys)$$' ./chartfile -update
	@go test -count=1 -run '^TestPageLists' ./expression -update
	@go test -count=1 -run '^TestGenerated$$' ./internal/houserules -update

clean: ## remove what tests and tools leave in the checkout
	@rm -rf .cache conformance/.cache conformance/node_modules
	@find . -path ./.git -prune -o -type f \( -name '*.test' -o -name coverage.out -o -name '*.prof' \) -exec rm {} +

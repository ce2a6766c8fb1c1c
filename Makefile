# The small door in front of CMake. On a fresh Debian machine `make demo` and `make check` do everything.
BUILD   ?= build
JOBS    ?= $(shell nproc)
PREFIX  ?= /usr/local
CMAKE    = cmake -S .

.PHONY: all demo test check bench papers fuzz torture install format clean deps

all: $(BUILD)/paravent

deps:
	@scripts/install-deps

$(BUILD)/CMakeCache.txt: | deps
	@$(CMAKE) -B $(BUILD) -DPV_TESTS=OFF -DCMAKE_INSTALL_PREFIX=$(PREFIX) > /dev/null

.PHONY: $(BUILD)/paravent
$(BUILD)/paravent: $(BUILD)/CMakeCache.txt
	@echo "building $@"
	@cmake --build $(BUILD) -j $(JOBS) -- --no-print-directory > $(BUILD)/build.log 2>&1 || (cat $(BUILD)/build.log; exit 1)

# Takes the built-in census through inspect, release and certificate.
demo: all
	@$(BUILD)/paravent demo --output demo --force

# Everything that must hold: both compilers, sanitizers, layering, formatting, fuzzing, tests, the explorer in a browser.
check:
	@scripts/install-deps chromium postgresql clickhouse-server odbc-postgresql libsqliteodbc
	@scripts/check

# One compiler, all unit tests: what one runs after every change. (`make check` runs the command's cases and more.)
test: deps
	@$(CMAKE) -B build-test -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O1 -DPV_REPORTS=OFF > /dev/null
	@cmake --build build-test -j $(JOBS) -- --no-print-directory > build-test/build.log 2>&1 || (cat build-test/build.log; exit 1)
	@cd build-test && ctest -j $$(($(JOBS) + 1)) --output-on-failure -L unit

# Speed and memory against their targets; results are kept in bench/.
bench: all
	@bench/run $(BUILD)

# What the papers report, recomputed: docs/papers/.
papers: all
	@papers/run $(BUILD)

# A longer run of each fuzz target: make fuzz SECONDS=600
SECONDS ?= 60
fuzz: deps
	@scripts/fuzz $(SECONDS)

# Every call that changes files, disturbed in every way (`make check` takes a sample): docs/torture.md.
torture: deps
	@scripts/torture

install: all
	@$(CMAKE) -B $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX) > /dev/null
	@cmake --build $(BUILD) -j $(JOBS) > /dev/null
	@cmake --install $(BUILD)

format:
	@scripts/format

clean:
	rm -rf $(BUILD) build-* demo web/page/dist web/page/node_modules tests/explorer/node_modules tests/duckdb/node_modules

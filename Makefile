# The commands of the project; `make` alone lists them. All of them can be repeated, none needs root,
# and none needs the network once `make setup` and a first build have been through.

DEMO   ?= run examples/collatz.uc --input 27
PREFIX ?= $(HOME)/.local
TARGET := $(or $(CARGO_TARGET_DIR),target)
LOUPE  := $(TARGET)/release/loupe

# A shell leaves the ~ of PREFIX=~/.local to us.
override PREFIX := $(patsubst ~/%,$(HOME)/%,$(PREFIX))

# cargo shares its own jobs out; the job server of `make -j` would only make it warn.
unexport MAKEFLAGS MFLAGS

say := @printf '==> %s\n'

.PHONY: help setup build demo test fuzz-loops figures score experiments corpus corpus-real projects pictures install uninstall bench lint bless clean

help: ## list the commands
	@echo 'usage: make COMMAND'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 14
	@echo 'variables: DEMO (arguments of the demo), PREFIX (where to install; ~/.local),'
	@echo '  CARGO_TARGET_DIR, LOUPE_Z3_LIB (a libz3.so to use instead of fetching one)'

setup: ## check what the machine has, fetch the library of Z3
	$(say) 'setting up'
	@sh scripts/prerequisites.sh
	@LOUPE_Z3_LIB='$(LOUPE_Z3_LIB)' python3 scripts/setup-z3.py

build: setup ## build the optimised binary
	$(say) 'building $(LOUPE)'
	@cargo build --release --locked -p loupe-cli

demo: build ## build, run a bundled example, prove one and refute another
	$(say) 'loupe $(DEMO)'
	@'$(LOUPE)' $(DEMO)
	$(say) 'loupe verify examples/race.c    (as many iterations as its inputs say: proved)'
	@'$(LOUPE)' verify examples/race.c
	$(say) 'loupe verify examples/tank.c    (a million iterations to the error: refuted)'
	@'$(LOUPE)' verify examples/tank.c || test $$? -eq 1

test: setup ## build and run all tests
	@python3 scripts/setup-cvc5.py || echo '==> going on without cvc5: tests that want a second opinion are skipped'
	$(say) 'building the tests'
	@cargo test --workspace --locked --no-run
	$(say) 'running the tests'
	@cargo test --workspace --locked --no-fail-fast

corpus: setup ## read and lower every C file of the corpus in ../shared, and show figures
	$(say) 'the corpus'
	@cargo test --locked -p loupe-tests --test c_corpus -- --nocapture

install: build ## put loupe and its library into PREFIX
	$(say) 'installing into $(PREFIX)'
	@install -d '$(PREFIX)/bin' '$(PREFIX)/lib/loupe'
	@rm -f '$(PREFIX)/lib/loupe/'libz3.so.*
	@install -m 644 .deps/z3/lib/libz3.so.* '$(PREFIX)/lib/loupe/'
	@install -m 755 '$(LOUPE)' '$(PREFIX)/bin/loupe'
	@'$(PREFIX)/bin/loupe' --version
	@case ":$$PATH:" in *:'$(PREFIX)/bin':*) ;; *) \
	  echo 'note: $(PREFIX)/bin is not on your PATH; add it:  export PATH="$(PREFIX)/bin:$$PATH"';; esac

uninstall: ## remove what install put into PREFIX
	$(say) 'removing loupe from $(PREFIX)'
	@rm -f '$(PREFIX)/bin/loupe' '$(PREFIX)/lib/loupe/'libz3.so.*
	@if [ -d '$(PREFIX)/lib/loupe' ]; then rmdir '$(PREFIX)/lib/loupe'; fi

fuzz-loops: setup ## random loops against runs, N of each kind (default 5000)
	@LOUPE_FUZZ=$(or $(N),5000) cargo test --release -p loupe-loops --test shapes random -- --nocapture

figures: build ## what loops are solved and how fast, beside executing them (PARTS="documents deep compact necessary techniques corpus fuzz verdicts")
	$(say) 'figures for loops'
	@cargo run --release --locked -p loupe-benches --bin figures -- $(PARTS)

score: build ## verdicts on the corpus in ../shared, beside their goals (TIMEOUT=10 JOBS=2 SETS="svcomp16 dp" UNDECIDED=1)
	$(say) 'verdicts on programs with known answers'
	@TIMEOUT='$(TIMEOUT)' JOBS='$(JOBS)' SETS='$(SETS)' UNDECIDED='$(UNDECIDED)' python3 scripts/score.py '$(LOUPE)'

experiments: build ## the experiments of the documents, their figures beside ours, in target/experiments (SUITES="thesis proteus rudla apc" SCALE=1 TIMEOUT=5 JOBS=2)
	@for suite in $(or $(SUITES),thesis proteus rudla apc); do \
	  test "$$suite" != proteus-projects || python3 scripts/projects.py || echo '==> going on without what is not there'; \
	  printf '==> %s\n' "$$suite"; \
	  '$(LOUPE)' bench --suite "$$suite" --resume -o "$(TARGET)/experiments/$$suite" $(if $(SCALE),--scale $(SCALE)) \
	    $(if $(TIMEOUT),--timeout $(TIMEOUT)) $(if $(JOBS),--jobs $(JOBS)) || exit; \
	done

bench: build ## measure, side by side with a baseline
	$(say) 'running the benchmarks'
	@cargo run --release --locked -p loupe-benches
	@cargo run --release --locked -p loupe-benches --bin terms
	@cargo run --release --locked -p loupe-benches --bin queries
	@cargo run --release --locked -p loupe-benches --bin paths

pictures: build ## draw the pictures of docs/techniques.md again (needs Graphviz)
	$(say) 'drawing pictures'
	@sh scripts/pictures.sh '$(LOUPE)'

corpus-real: ## fetch, build and lower real C programs (network, apt, gcc)
	$(say) 'lowering real programs'
	@cargo build --release --locked -p loupe-c --example real_stats
	@python3 scripts/corpus-real.py '$(TARGET)/release/examples/real_stats'

projects: ## fetch and build the five projects of Proteus' Tables 3 and 4 (network, apt, gcc)
	$(say) 'building projects'
	@python3 scripts/projects.py

lint: setup ## check the format, clippy and the documentation
	$(say) 'format'
	@cargo fmt --all --check
	$(say) 'clippy'
	@cargo clippy --workspace --all-targets --locked -- -D warnings
	$(say) 'documentation'
	@RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps --locked

bless: setup ## run all tests and accept their present output as expected
	$(say) 'blessing'
	@UPDATE_EXPECT=1 LOUPE_BLESS=1 cargo test --workspace --locked

clean: ## remove what was built; the library of Z3 stays
	$(say) 'cleaning'
	@cargo clean

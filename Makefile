# What everybody needs: make demo, make test. make help lists all.
SWIFT ?= swift
SUDO := $(shell [ "$$(id -u)" = 0 ] || command -v sudo)
install = Packaging/packages add $(1)
# $(call need,PROGRAM,PACKAGE): a target that needs more than Swift asks for it before it builds.
need = @PATH="$$PATH:/usr/sbin:/sbin" command -v $(1) >/dev/null || $(call install,$(2)) || \
	{ echo "$@: install this Debian package first: $(2)" >&2; exit 1; }
SLUICE := .build/release/sluice
TESTS := .build/release/sluicePackageTests.xctest
# Types are not looked up by their names, because each lookup goes through all conformances of the program: without the flag a
# start of the command takes a third more instructions. Debugging information takes 8 % of the compiler's time.
export PLAIN_FLAGS := -debug-info-format none -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# The command and the tests are of one build. That costs a start 0.4 % and a replay nothing. It does cost small classes: for each
# access to a property, a check that two do not overlap. So benchmarks and packages are built without it.
RELEASE_FLAGS := $(PLAIN_FLAGS) -Xswiftc -enable-testing
RELEASE = $(SWIFT) build -c release $(RELEASE_FLAGS)

.PHONY: all help demo test tests lint format docs docs-pictures packages clean

all: packages
	$(RELEASE)

# The targets of the three files, with the minutes that they take on two cores.
help:
	@sed -n 's/^\([a-z0-9-]*\):.* ## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | sort | while IFS="$$(printf '\t')" read -r name text; do \
		printf '%-26s %s\n' "$$name" "$$text"; done

# Two seconds of a 1 kHz timer, then a trace that was recorded on the virtual board, replayed through the operators, then five
# seconds of a simulated sensor, drawn in the terminal. What will be done is said before anything is installed.
demo: ## builds the command and records for seven seconds (7 minutes)
	@echo "make demo builds the command sluice in .build, and records for seven seconds into .build."
	@echo "The first build takes five to ten minutes on two cores, and 0.5 GB in this folder; a Raspberry Pi needs longer."
	@echo "Outside of this folder, only these Debian packages are installed, if they are missing; with sudo, it asks before:"
	@echo "  $$(Packaging/packages list)"
	@echo "  and, if there is no Swift or it does not start, swiftlang or the packages that it needs."
	@$(MAKE) --no-print-directory packages
	$(RELEASE) --product sluice
	@rm -f .build/demo-*
	$(SLUICE) record timer:1ms --duration 2s -o .build/demo-timer.csv
	@head -4 .build/demo-timer.csv; echo ...
	$(SLUICE) replay Examples/board.csv --buffer 256 --throttle 10ms --collect 50 -o .build/demo-replay.csv
	@head -4 .build/demo-replay.csv; echo ...
	$(SLUICE) record imu=sim:imu@50,seed=2,gaps=1 --count 250 -o .build/demo-imu.csv
	$(SLUICE) plot .build/demo-imu.csv --select accel_z
	@echo "Next: PATH=$(CURDIR)/.build/release:\$$PATH; sluice"

# The command under test is the one beside the tests, of the same build: users have the optimized one.
test: tests ## the unit tests and those of the command (5 minutes, and as many for the first build)
	Tests/run $(TESTS)

tests: packages
	$(RELEASE) --build-tests

# Public declarations have documentation, except those of the packages in Tests.
lint: ## the form of sources, pages and links (1 minute)
	$(call need,python3,python3)
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Examples
	@Tests/Lint/documentation Sources Examples
	@Tests/Lint/folders docs/Architecture.md Sources
	@Tests/Lint/links
	@Tests/Lint/imports

format: ## the form of all sources is set right
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests Examples

# A link that leads nowhere fails.
docs: packages ## a site of the library's modules in .build/docs/site (5 minutes)
	$(SWIFT) build
	SWIFT="$(SWIFT)" docs/site/make .build/debug .build/docs

# From the traces in Examples; PlotCommandTests compares them.
docs-pictures: packages ## the pictures of the pages
	$(RELEASE) --product sluice
	docs/pictures/make $(SLUICE)

# SLUICE_GPIO=0, SLUICE_SQLITE=0, SLUICE_ARCHIVE=0, SLUICE_HTTP=0, SLUICE_CURL=0, SLUICE_MQTT=0, SLUICE_YAML=0 leave a part out of
# the command (README.md).
packages:
	@SWIFT="$(SWIFT)" Packaging/packages install

clean: ## removes what was built
	rm -rf .build .build-*

include Tests/Makefile Packaging/Makefile

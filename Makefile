# What everybody needs: make demo, make test. What they need in turn is installed where that is possible.
SWIFT ?= swift
SUDO := $(shell [ "$$(id -u)" = 0 ] || command -v sudo)
# What is linked with, as pkg-config names it, and the Debian packages that have it.
LIBRARIES := $(strip $(if $(filter 0,$(SLUICE_GPIO)),,libgpiod) $(if $(filter 0,$(SLUICE_SQLITE)),,sqlite3) \
	$(if $(filter 0,$(SLUICE_ARCHIVE)),,libarchive zlib libzstd) $(if $(filter 0,$(SLUICE_HTTP)),,libwebsockets) \
	$(if $(filter 0,$(SLUICE_CURL)),,libcurl $(if $(filter 0,$(SLUICE_MQTT)),,libmosquitto)) $(if $(filter 0,$(SLUICE_YAML)),,yaml-0.1))
PACKAGES := $(patsubst libcurl-dev,libcurl4-openssl-dev,$(patsubst yaml-0.1,libyaml-dev,$(patsubst sqlite3,libsqlite3-dev,$(patsubst zlib,zlib1g-dev,$(patsubst lib%,lib%-dev,$(LIBRARIES)))))) pkg-config
# Without which the toolchain of swift.org does not start or link on Debian 12 (swift.org/install/linux).
TOOLCHAIN_PACKAGES := binutils-gold gcc libc6-dev libcurl4 libedit2 libncurses6 libsqlite3-0 libstdc++-12-dev libxml2 tzdata zlib1g-dev
# One at a time, because apt-get update does not wait for another one.
install = echo "installing $(1)"; flock Makefile sh -c \
	'$(SUDO) apt-get update -qq && $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(1)'
# $(call need,PROGRAM,PACKAGE): a target that needs more than Swift asks for it before it builds.
need = @PATH="$$PATH:/usr/sbin:/sbin" command -v $(1) >/dev/null || { $(call install,$(2)); } || \
	{ echo "$@: install this Debian package first: $(2)" >&2; exit 1; }
SLUICE := .build/release/sluice
# Types are not looked up by their names, because each lookup goes through all conformances of the program: without
# the flag a start of the command takes a third more instructions. Debugging information takes 8 % of the compiler's time.
export RELEASE_FLAGS := -debug-info-format none -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
RELEASE = $(SWIFT) build -c release $(RELEASE_FLAGS)
# For make install and make deb: with Swift's runtime in it. docs/Install.md has what each of these flags saves. Two builds in
# two folders give the same bytes: debugging information does not name the folder, and the compiler's own memory is where it
# was in the last build, because it orders some values by their addresses (containers may forbid that).
STATIC := .build-static/release/sluice
STEADY := $(shell setarch -R true 2>/dev/null && echo setarch -R)
STATIC_FLAGS := --static-swift-stdlib -Xswiftc -use-ld=lld \
	-Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. \
	$(foreach flag,-function-sections -internalize-at-link -disable-concrete-type-metadata-mangled-name-accessors,-Xswiftc -Xfrontend -Xswiftc $(flag)) \
	$(foreach flag,--no-export-dynamic --icf=all -z now -z pack-relative-relocs,-Xlinker $(flag)) \
	$(if $(DESTINATION),--destination $(DESTINATION) $(foreach flag,$(ADDED),-Xlinker $(flag)),-Xlinker -L$(CURDIR)/.build-static/libstdc++)
MANUALS := .build-static/manuals
PREFIX ?= /usr/local

.PHONY: all demo test test-long test-durable test-formats test-round-trip test-lines test-http test-fleet test-documentation test-devices board-tests test-debian13 test-arm64 test-tsan test-locked test-locked-arm64 test-asan test-all fuzz differential allocations bench bench-guard docs-pictures static install uninstall deb deb-debian13 deb-arm64 deb-debian12-arm64 release test-packages test-completions test-live lint format packages clean

all: packages
	$(RELEASE)

# Two seconds of a 1 kHz timer, then a trace that was recorded on the virtual board, replayed through the operators, then five
# seconds of a simulated sensor, drawn in the terminal. What will be done is said before anything is installed.
demo:
	@echo "make demo builds the command sluice in .build, and records for seven seconds into .build."
	@echo "The first build takes five to ten minutes on two cores, and 0.5 GB in this folder; a Raspberry Pi needs longer."
	@echo "Outside of this folder, only these Debian packages are installed, if they are missing:"
	@echo "  $(PACKAGES)"
	@echo "  and, if there is no Swift or it does not start, swiftlang or the packages that it needs."
	@$(MAKE) --no-print-directory packages
	$(RELEASE) --product sluice
	@rm -f .build/demo-*
	$(SLUICE) record --timer 1ms --duration 2s -o .build/demo-timer.csv
	@head -4 .build/demo-timer.csv; echo ...
	$(SLUICE) replay Examples/board.csv --buffer 256 --throttle 10ms --collect 50 -o .build/demo-replay.csv
	@head -4 .build/demo-replay.csv; echo ...
	$(SLUICE) record imu=sim:imu@50,seed=2,gaps=1 --count 250 -o .build/demo-imu.csv
	$(SLUICE) plot .build/demo-imu.csv --select accel_z
	@echo "Next: PATH=$(CURDIR)/.build/release:\$$PATH; sluice"

# SLUICE_COMMAND, with a full path, is the command that the tests run instead of the debug build, which takes a second per
# start: ArgumentParser checks all options again and again in it.
test: packages
	$(if $(SLUICE_COMMAND),$(RELEASE) --product sluice)
	$(SWIFT) build --build-tests $(TEST_FLAGS)
	$(SWIFT) test --skip-build --disable-swift-testing

# 200,000 values, and SCHEDULES in runs, through every operator; operators with 20,000 inputs; a repair of a bit
# that is flipped at each byte of a recording. It takes minutes.
SCHEDULES ?= 10000
test-long: packages
	$(SWIFT) build --build-tests $(TEST_FLAGS)
	SLUICE_LONG_TESTS=$(SCHEDULES) $(SWIFT) test --skip-build --disable-swift-testing --filter 'ContractTests|RunTests|SmallStackTests|MCAPFlipTests'

# The release build killed, cut off from its power and written to disks that fail: docs/Durability.md has what is kept.
# DURABLE=short: what a change has to pass. As root, for mounts; what is skipped is said.
test-durable: packages
	$(call need,python3,python3)
	$(call need,cc,gcc)
	$(call need,unshare,util-linux)
	$(call need,mkfs.ext4,e2fsprogs)
	$(RELEASE) --product sluice
	Tests/Durable/run $(DURABLE)

# What other programs read from the files of each format.
test-formats: packages
	$(call need,python3,python3)
	$(call need,rsvg-convert,librsvg2-bin)
	$(SWIFT) build --build-tests $(TEST_FLAGS)
	SLUICE_PYTHON=1 $(SWIFT) test --skip-build --disable-swift-testing --filter 'SeveralFormatsTests|CompressedFilesTests|DrawnPictureTests'

# What one command writes, the others must read: random pipelines for SECONDS, from a random seed on, or from FROM=seed on.
# SEED=1234 runs one of them again, prints its commands, and leaves its files.
test-round-trip: packages
	$(call need,python3,python3)
	$(RELEASE) --product RoundTrip
	.build/release/RoundTrip Tests/RoundTrip/line_protocol.py $(if $(SEED),seed $(SEED),$(or $(SECONDS),60) $(FROM))

# Lines of each grammar over a pseudo terminal, some of them damaged.
LINES ?= 100000
test-lines: packages
	$(call need,python3,python3)
	$(RELEASE) --product sluice
	Tests/Lines/run $(SLUICE) $(LINES)

# What viewers show of a recording: the page in a headless Chromium, Foxglove's protocol, Prometheus' format, what 20 viewers
# cost. HTTP=short takes one width and some seconds; PICTURES=FOLDER keeps the pictures.
test-http: packages
	$(call need,chromium,--no-install-recommends chromium)
	@/usr/bin/python3 -c 'import websockets' 2>/dev/null || { $(call install,--no-install-recommends python3-websockets); } || \
		{ echo "$@: install this Debian package first: python3-websockets" >&2; exit 1; }
	$(RELEASE) --product sluice
	Tests/HTTP/run $(SLUICE) "$(HTTP)" $(PICTURES)

# The sender against a server with faults, and against Debian's influxdb and victoria-metrics, with kills of both sides.
# FLEET=short kills less often.
test-fleet: packages
	$(call need,openssl,openssl)
	$(call need,python3,python3)
	@command -v influxd >/dev/null && command -v victoria-metrics >/dev/null || \
		{ $(call install,--no-install-recommends influxdb victoria-metrics); } || \
		echo "$@: the servers are skipped, since influxdb and victoria-metrics cannot be installed"
	@PATH="$$PATH:/usr/sbin" command -v mosquitto >/dev/null && command -v mosquitto_sub >/dev/null || \
		{ $(call install,--no-install-recommends mosquitto mosquitto-clients); } || \
		echo "$@: MQTT is skipped, since mosquitto cannot be installed"
	@[ "$$(id -u)" != 0 ] || command -v debootstrap >/dev/null || { $(call install,debootstrap); } || \
		echo "$@: RabbitMQ is skipped, since debootstrap cannot be installed"
	$(RELEASE) --product sluice
	Tests/Fleet/run $(SLUICE) $(FLEET)

# The commands of README.md and docs that need no device; those for polars and DuckDB, which Debian does not have, if they
# are there. Then the template for a sensor of one's own.
test-documentation: packages
	$(call need,sqlite3,sqlite3)
	$(call need,sigrok-cli,sigrok-cli)
	$(call need,vcd2fst,gtkwave)
	@python3 -c 'import pandas' 2>/dev/null || { $(call install,--no-install-recommends python3-pandas); } || \
		{ echo "$@: install this Debian package first: python3-pandas" >&2; exit 1; }
	$(RELEASE) --product sluice
	Tests/Documentation/run $(SLUICE)
	$(SWIFT) build --package-path Examples/Template --scratch-path .build $(TEST_FLAGS)

# On a real kernel's GPIO and IIO devices, also the commands of the documentation that need them. Status 77 says that there is
# no virtual board, and none is required.
test-devices:
	@if Tests/Board/kernel >/dev/null; then $(MAKE) --no-print-directory board-tests; \
	else [ $$? = 77 ] && echo "test-devices: skipped, since there is no virtual board"; fi

board-tests: packages
	$(call need,gpiomon,gpiod)
	$(call need,iio_readdev,libiio-utils)
	$(call need,ip,iproute2)
	$(call need,python3,python3)
	$(call need,sqlite3,sqlite3)
	$(SWIFT) build --build-tests $(TEST_FLAGS)
	$(RELEASE) --product sluice
	Tests/Board/test .build/debug/sluicePackageTests.xctest
	Tests/Board/boot Tests/Documentation/run --board $(SLUICE)

# With libgpiod 2 and Swift 6.0, in a tree of its own: a release build, the unit tests, the board tests.
test-debian13:
	$(call need,debootstrap,debootstrap)
	$(SUDO) env CI="$$CI" SLUICE_KERNEL="$$SLUICE_KERNEL" \
		SLUICE_BOARD_TESTS="$$SLUICE_BOARD_TESTS" SLUICE_WITHOUT_TESTS="$$SLUICE_WITHOUT_TESTS" Tests/Board/debian13

# On the Raspberry Pi's architecture, under qemu-user, with Debian 13's Swift 6.0; without the virtual board.
test-arm64:
	$(call need,debootstrap,debootstrap)
	$(SUDO) env DEBIAN13_ARCH=arm64 DEBIAN13_TESTS="$$DEBIAN13_TESTS" Tests/Board/debian13

# Without the tests that measure stack or memory, because instrumented code needs several times as much of both, and
# without the longest ones that have a single thread: they took two thirds of the time.
NOT_FOR_TSAN = SmallStackTests|ModelTests|PassageTests|KeyedBufferTests|KeyedThrottleTests|KeyedCollectTests|BadTraceTests|VCDTraceTests|JSONLinesTests|PlainRowTests|WideTraceTests|testActionsLeaveNothing|testTwoHundredThousandSynchronousValuesOnASmallStack|ManyKeys|TakesNoMoreAndMoreMemory|LikeANaiveModel|BoundedByTheNumberOfKeys
TSAN_TESTS = SluiceTests SluiceTestingTests SluiceExtrasTests SluiceDispatchTests SluiceFoundationTests SluiceSystemTests SluiceReadingsTests SluiceRecordingTests SluiceDevicesTests
comma := ,
space := $(subst ,, )
test-tsan: packages
	SLUICE_TESTS=$(subst $(space),$(comma),$(TSAN_TESTS) SluicePipelineTests) $(SWIFT) test --disable-swift-testing --sanitize=thread --scratch-path .build-tsan --filter '$(subst $(space),|,$(TSAN_TESTS))|SluicePipelineTests.SourceTableTests' --skip '$(NOT_FOR_TSAN)'

# Whether what a lock guards stays alive: read and replaced by two threads for LOCKED_SECONDS, and by the machine code of the
# command. Only optimized builds show it.
LOCKED_SECONDS ?= 20
test-locked: packages
	$(call need,python3,python3)
	$(call need,objdump,binutils)
	$(RELEASE) --product LockedStress
	.build/release/LockedStress $(LOCKED_SECONDS)
	$(RELEASE) --product sluice
	Tests/Locked/scan $(SLUICE)

# The same look at the machine code for a Raspberry Pi.
test-locked-arm64:
	$(call need,debootstrap,debootstrap)
	$(call need,python3,python3)
	$(call need,aarch64-linux-gnu-objdump,binutils-aarch64-linux-gnu)
	$(SUDO) env DEBIAN13_ARCH=arm64 SCAN="$(CURDIR)/Tests/Locked/scan" Tests/Board/debian13 scan

# What is used after it was freed, in an optimized build: values under locks, streams, recordings, pipelines. The runtime, with
# swift_retain, is not instrumented: it is seen when the value itself is used. NOT_FOR_ASAN has what is left out: instrumented
# code needs several times the stack, and keeps what was freed for a while, so these measure something else.
NOT_FOR_ASAN = SmallStackTests|testTwoHundredThousandSynchronousValuesOnASmallStack|TakesNoMoreAndMoreMemory|BoundedByTheNumberOfKeys
ASAN_TESTS = SluiceTests SluiceExtrasTests SluiceRecordingTests SluicePipelineTests
ASAN = SLUICE_TESTS=$(subst $(space),$(comma),$(ASAN_TESTS)) $(SWIFT)
ASAN_FLAGS = -c release $(RELEASE_FLAGS) -Xswiftc -enable-testing --sanitize=address --scratch-path .build-asan
test-asan: packages
	$(ASAN) build $(ASAN_FLAGS) --build-tests
	.build-asan/release/LockedStress $(LOCKED_SECONDS)
	$(ASAN) test $(ASAN_FLAGS) --skip-build --disable-swift-testing --skip '$(NOT_FOR_ASAN)'

# Before a release: what .ci/run has no time for. It takes hours, and needs root and 20 GB.
test-all: test-locked test-locked-arm64 test-asan test-long test-durable test-fleet test-arm64 test-packages soak

# Random schedules, the same for Sluice and OpenCombine: a difference without an explanation fails, and so does a rule that
# explains more than Explained.txt says; RECORD=1 keeps what is counted there.
differential: packages
	@ls /usr/include/c++/*/atomic >/dev/null 2>&1 || { $(call install,g++); } || \
		{ echo "$@: install this Debian package first: g++ (OpenCombine has C++)" >&2; exit 1; }
	$(SWIFT) run -c release $(RELEASE_FLAGS) --scratch-path .build --package-path Tests/Differential differential --schedules 50000 \
		--counts Tests/Differential/Explained.txt $(if $(RECORD),--record)

# What comes from outside, made up by libFuzzer: FUZZ_SECONDS=600 for each target.
fuzz: packages
	Tests/Fuzz/run

# Whether an operator allocates for each value.
allocations: packages
	$(SWIFT) run -c release $(RELEASE_FLAGS) --scratch-path .build --package-path Tests/Benchmarks Allocations

# WORKLOADS=merge: only those with this in their names.
bench: packages
	Tests/Benchmarks/run $(if $(WORKLOADS),"$(WORKLOADS)")

# Instructions per value, against those in Tests/Benchmarks/thresholds; RECORD=1 keeps what is counted as the new ones.
bench-guard: packages
	$(call need,valgrind,valgrind)
	$(call need,column,bsdextrautils)
	Tests/Benchmarks/guard $(if $(RECORD),--record)

# A site of the library's modules, in .build/docs/site; a link that leads nowhere fails.
.PHONY: docs
docs: packages
	$(SWIFT) build
	SWIFT="$(SWIFT)" docs/site/make .build/debug .build/docs

# The pictures of the documentation, from the traces in Examples; PlotCommandTests compares them.
docs-pictures: packages
	$(RELEASE) --product sluice
	docs/pictures/make $(SLUICE)

# The command for machines without Swift, and its manual pages, which are made from its help. A folder with libstdc++.a alone
# comes first: the shared library costs each start 2 million instructions.
static: packages
	@mkdir -p .build-static/libstdc++
	@ln -sf "$$(gcc -print-file-name=libstdc++.a)" .build-static/libstdc++/
	SLUICE_SMALL=1 $(STEADY) $(SWIFT) build -c release --product sluice --scratch-path .build-static $(STATIC_FLAGS)
	$(SWIFT) build --package-path .build-static/checkouts/swift-argument-parser --scratch-path .build-manual --product generate-manual
	Packaging/man/make $(STATIC) .build-manual/debug/generate-manual $(MANUALS)

# What make static has built, so that nothing is built by root after it. DESTDIR stands before every path.
install: $(if $(wildcard $(STATIC)),,static)
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" Packaging/install $(STATIC) $(MANUALS)
	@[ -n "$(DESTDIR)" ] || echo "for users, groups and devices, run as root: systemd-sysusers; systemd-tmpfiles --create; udevadm control --reload; udevadm trigger"

uninstall:
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" Packaging/install --remove $(STATIC) $(MANUALS)

# A Debian package for this release and architecture, in .build-deb.
deb: static
	$(call need,dpkg-shlibdeps,dpkg-dev)
	Packaging/deb $(STATIC) $(MANUALS) .build-deb

# The package for Debian 13, made in a tree of it.
deb-debian13:
	$(call need,debootstrap,debootstrap)
	$(SUDO) env DEBIAN13="$$DEBIAN13" SOURCE_DATE_EPOCH="$$SOURCE_DATE_EPOCH" DEBFULLNAME="$$DEBFULLNAME" DEBEMAIL="$$DEBEMAIL" Packaging/debian13

# The package for a Raspberry Pi with Debian 13: the compiler of that tree builds for a second tree of the other
# architecture, and qemu-user runs what makes the package.
deb-arm64:
	$(call need,debootstrap,debootstrap)
	$(SUDO) env DEBIAN13="$$DEBIAN13" DEBIAN13_ARCH=arm64 SOURCE_DATE_EPOCH="$$SOURCE_DATE_EPOCH" DEBFULLNAME="$$DEBFULLNAME" DEBEMAIL="$$DEBEMAIL" Packaging/debian13

# The package for a Raspberry Pi with Debian 12, by the compiler and Swift's runtime of Debian 13.
deb-debian12-arm64:
	$(call need,debootstrap,debootstrap)
	$(SUDO) env DEBIAN13="$$DEBIAN13" DEBIAN13_ARCH=arm64 DEBIAN12=1 SOURCE_DATE_EPOCH="$$SOURCE_DATE_EPOCH" DEBFULLNAME="$$DEBFULLNAME" DEBEMAIL="$$DEBEMAIL" Packaging/debian13

# All packages that can be made on amd64, with their checksums.
release:
	rm -f .build-deb/sluice_*.deb
	@. /etc/os-release && [ "$$VERSION_ID" = 13 ] || $(MAKE) deb
	$(MAKE) deb-debian13
	$(MAKE) deb-arm64
	$(MAKE) deb-debian12-arm64
	Packaging/checksums .build-deb

# The package installed, upgraded and removed in a bare Debian tree, as root.
test-packages: deb
	$(call need,debootstrap,debootstrap)
	$(call need,mkfs.ext4,e2fsprogs)
	$(SUDO) Tests/Packages/run

# The Tab key in real shells; on the virtual board, if there is one, with its lines too.
test-completions: packages
	$(call need,tmux,tmux)
	$(call need,zsh,zsh)
	$(call need,fish,fish)
	$(RELEASE) --product sluice
	Tests/Packages/completions $(SLUICE)
	@if Tests/Board/kernel >/dev/null; then Tests/Board/boot Tests/Packages/completions $(SLUICE); \
	else [ $$? = 77 ] && echo "test-completions: skipped the lines of chips, since there is no virtual board"; fi

# The view of a running recording in a real terminal: keys, sizes, messages, Ctrl-Z, kill -9, and the chart beside plot.
test-live: packages
	$(call need,tmux,tmux)
	$(RELEASE) --product sluice
	Tests/Live/run $(SLUICE)

# Reloads and marks at 1 kHz, by a client in Python: RELOADS of each.
RELOADS ?= 1000
test-control: packages
	$(call need,python3,python3)
	$(RELEASE) --product sluice
	Tests/Control/run $(SLUICE) $(RELOADS)

# A station as it lives for years, in ten minutes, or in SOAK=24h: pauses, marks, reloads, full disks, kills. Then
# BOARD_SOAK minutes on the virtual board, where the clock is set, too.
SOAK ?= 10m
BOARD_SOAK ?= 3
soak: packages
	$(call need,python3,python3)
	$(RELEASE) --product sluice
	Tests/Soak/run $(SLUICE) $(SOAK)
	@if Tests/Board/kernel >/dev/null; then SLUICE_BOARD_SECONDS=$$(($(BOARD_SOAK) * 60 + 120)) Tests/Board/boot Tests/Soak/run $(SLUICE) $(BOARD_SOAK)m; \
	else [ $$? = 77 ] && echo "soak: skipped the virtual board, since there is none"; fi

# Public declarations have documentation, except those of the packages in Tests.
lint:
	$(call need,python3,python3)
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Examples
	@Tests/Lint/documentation Sources Examples
	@Tests/Lint/folders docs/Architecture.md Sources
	@Tests/Lint/links
	@! grep -rnE '^\s*(@\w+ )*((public|internal) )?import (Foundation|Dispatch)\b' Sources/Sluice || \
		{ echo "lint: Sluice imports neither Foundation nor Dispatch" >&2; exit 1; }
	@! grep -rlE 'import Dispatch\b' Sources/SluiceTool | grep -vE '/(Signals|SignalInbox|TerminalKeys|Interruption|Progress|ServiceNotices|EventPrograms|HealthTextfile|MemoryUpkeep)\.swift$$' || \
		{ echo "lint: SluiceTool imports Dispatch for signals, the terminal, systemd, programs and memory only" >&2; exit 1; }

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests Examples

# SLUICE_GPIO=0 builds without libgpiod, SLUICE_SQLITE=0 without SQLite, SLUICE_ARCHIVE=0 without libarchive, zlib and libzstd,
# SLUICE_HTTP=0 without libwebsockets, SLUICE_CURL=0 without libcurl and libmosquitto, SLUICE_MQTT=0 without libmosquitto,
# SLUICE_YAML=0 without libyaml.
packages:
	@command -v $(SWIFT) >/dev/null || { $(call install,swiftlang); } || \
		{ echo "install Swift 6.0 or newer first: https://www.swift.org/install/linux" >&2; exit 1; }
	@$(SWIFT) --version >/dev/null 2>&1 || { $(call install,$(TOOLCHAIN_PACKAGES)); } || \
		{ echo "install what Swift needs first: $(TOOLCHAIN_PACKAGES)" >&2; exit 1; }
ifneq ($(LIBRARIES),)
	@pkg-config --exists $(LIBRARIES) 2>/dev/null || { $(call install,$(PACKAGES)); } || \
		{ echo "install these Debian packages first: $(PACKAGES); or build without GPIO, SQLite, archives, viewers, servers and station files: make SLUICE_GPIO=0 SLUICE_SQLITE=0 SLUICE_ARCHIVE=0 SLUICE_HTTP=0 SLUICE_CURL=0 SLUICE_YAML=0" >&2; exit 1; }
endif

clean:
	rm -rf .build .build-*

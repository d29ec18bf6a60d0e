// swift-tools-version: 6.0
import PackageDescription

#if os(Linux)
  /// GPIO needs libgpiod; `SLUICE_GPIO=0` leaves it out, and replay then builds where libgpiod does not exist.
  let gpio = Context.environment["SLUICE_GPIO"] != "0"
#else
  let gpio = false
#endif

/// SQLite needs libsqlite3; `SLUICE_SQLITE=0` leaves it out.
let sqlite = Context.environment["SLUICE_SQLITE"] != "0"

/// Sigrok sessions and compressed files need libarchive, zlib and libzstd; `SLUICE_ARCHIVE=0` leaves them out.
let archive = Context.environment["SLUICE_ARCHIVE"] != "0"

/// The browser's view needs the headers of libwebsockets; `SLUICE_HTTP=0` leaves it out.
let http = Context.environment["SLUICE_HTTP"] != "0"

/// Outputs that are servers need the headers of libcurl; `SLUICE_CURL=0` leaves them out.
let curl = Context.environment["SLUICE_CURL"] != "0"

/// Outputs that are brokers of MQTT need the headers of libmosquitto, too; `SLUICE_MQTT=0` leaves them out.
let mqtt = curl && Context.environment["SLUICE_MQTT"] != "0"

/// Station files need libyaml; `SLUICE_YAML=0` leaves them out.
let yaml = Context.environment["SLUICE_YAML"] != "0"

/// What is defined where outputs that are servers are named.
let servers: [SwiftSetting] =
  (curl ? [.define("SLUICE_CURL")] : []) + (mqtt ? [.define("SLUICE_MQTT")] : [])

/// What is defined where a module names those that may be left out.
let formats: [SwiftSetting] =
  (sqlite ? [.define("SLUICE_SQLITE")] : []) + (archive ? [.define("SLUICE_ARCHIVE")] : [])
  + servers

/// What is defined where the command names those that may be left out.
let parts: [SwiftSetting] = (http ? [.define("SLUICE_HTTP")] : []) + (yaml ? [.define("SLUICE_YAML")] : [])

let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

var targets: [Target] = [
  // The only module that imports the C library.
  .target(name: "SluiceSystem", dependencies: ["CLinux"]),
  // What Swift's own module of the C library leaves out, and a fence for the compiler alone.
  .systemLibrary(name: "CLinux"),
  .systemLibrary(name: "CFence"),
  .target(name: "Sluice", dependencies: ["CFence", "SluiceSystem", deque, heap]),
  .target(name: "SluiceExtras", dependencies: ["Sluice", "SluiceDispatch", deque, heap]),
  .target(name: "SluiceDispatch", dependencies: ["Sluice"]),
  .target(name: "SluiceFoundation", dependencies: ["Sluice", "SluiceDispatch"]),
  .target(name: "SluiceTesting", dependencies: ["Sluice", "SluiceSystem"]),
  .target(name: "SluiceReadings", dependencies: ["SluiceSystem"]),
  .target(name: "SluiceStages", dependencies: ["SluiceExtras", "SluiceReadings", deque]),
  // The frames of a CAN bus and DBC files, which devices and traces share.
  .target(name: "SluiceCAN", dependencies: ["SluiceReadings", "SluiceSystem"]),
  .target(
    name: "SluiceRecording",
    dependencies: ["Sluice", "SluiceCAN", "SluiceExtras", "SluiceReadings", "SluiceSystem", deque, heap]),
  .target(
    name: "SluiceDevices",
    dependencies: ["Sluice", "SluiceCAN", "SluiceDispatch", "SluiceExtras", "SluiceReadings", "SluiceSystem"]
      + (gpio ? ["CGPIO"] : []),
    swiftSettings: gpio ? [.define("SLUICE_GPIO")] : []
  ),
  .target(
    name: "SluicePipeline",
    dependencies: [
      "Sluice", "SluiceDispatch", "SluiceExtras", "SluiceReadings", "SluiceRecording", "SluiceDevices", "SluiceStages",
      "SluiceLog", "SluiceSystem", deque,
      "SluiceMCAP",
    ] + (sqlite ? ["SluiceSQLite"] : []) + (archive ? ["SluiceArchive"] : []) + (curl ? ["SluiceSend"] : []),
    swiftSettings: formats),
  // Recordings that the viewers of robotics open; without zlib and libzstd, their chunks are not compressed.
  .target(
    name: "SluiceMCAP",
    dependencies: ["Sluice", "SluiceCDR", "SluiceReadings", "SluiceRecording", "SluiceSystem"]
      + (archive ? ["CZip", "CZlib", "CZstd"] : []),
    swiftSettings: formats),
  // What is read from recordings and shown: info, verify, diff, pictures.
  // Loads librsvg with the first picture that is PNG or PDF.
  .target(name: "CSVG"),
  .target(
    name: "SluiceAnalysis",
    dependencies: [
      "CSVG", "Sluice", "SluiceReadings", "SluiceStages", "SluiceRecording", "SluicePipeline", "SluiceSystem", deque,
    ]),
  // The socket through which sluice ctl sees and controls a recording.
  .target(
    name: "SluiceControl",
    dependencies: ["Sluice", "SluicePipeline", "SluiceReadings", "SluiceRecording", "SluiceSystem"]),
  // Readings for viewers, in memory of a fixed size.
  .target(name: "SluiceLive", dependencies: ["Sluice", "SluiceReadings"]),
  // The encoding that programs for robots share.
  .target(name: "SluiceCDR", dependencies: ["SluiceReadings"]),
  // Readings that wait on a disk: the log of a spill.
  .target(name: "SluiceLog", dependencies: ["SluiceReadings", "SluiceSystem"]),
  // What sluice bench sends through the library.
  .target(
    name: "SluiceBenchmarks",
    dependencies: [
      "Sluice", "SluiceDispatch", "SluiceExtras", "SluiceLog", "SluiceReadings", "SluiceRecording", "SluiceSystem",
    ]),
  // The command, as a library: a program of one's own can be a sluice with further kinds of source.
  .target(
    name: "SluiceTool",
    dependencies: [
      "Sluice", "SluiceReadings", "SluiceRecording", "SluiceDevices", "SluicePipeline", "SluiceStages", "SluiceSystem",
      "SluiceAnalysis", "SluiceBenchmarks", "SluiceControl",
      argumentParser,
    ] + (http ? ["SluiceHTTP"] : []) + (yaml ? ["SluiceYAML"] : []) + (curl ? ["SluiceSend"] : []),
    swiftSettings: parts + servers
  ),
  .executableTarget(name: "sluice", dependencies: ["SluiceTool"]),

  // The rules for the publishers of every module.
  .target(name: "PublisherRules", dependencies: ["Sluice", "SluiceTesting"], path: "Tests/PublisherRules"),
  // The contract suites of SluiceTests run over the operators of SluiceExtras too.
  .testTarget(
    name: "SluiceTests",
    dependencies: ["Sluice", "SluiceDispatch", "SluiceExtras", "SluiceTesting", "PublisherRules", "TestFiles"]),
  .testTarget(
    name: "SluiceExtrasTests", dependencies: ["SluiceDispatch", "SluiceExtras", "SluiceTesting", "PublisherRules"]),
  .testTarget(
    name: "SluiceTestingTests", dependencies: ["Sluice", "SluiceDispatch", "SluiceExtras", "SluiceTesting"]),
  .testTarget(name: "SluiceDispatchTests", dependencies: ["Sluice", "SluiceDispatch"]),
  .testTarget(
    name: "SluiceFoundationTests",
    dependencies: ["SluiceExtras", "SluiceFoundation", "SluiceTesting", "Namesakes", "PublisherRules", "TestFiles"],
    exclude: ["CombineNames.txt"]),
  // A library for Combine that has the names of SluiceExtras; SluiceExtras is built with the tests, and not imported.
  .target(name: "Namesakes", dependencies: ["SluiceFoundation"], path: "Tests/Namesakes"),
  // Folders for one test, and the files of the checkout.
  .target(name: "TestFiles", path: "Tests/TestFiles"),
  // A disk and a server in memory, and the queues of a sink in virtual time.
  .target(name: "TestDisk", dependencies: ["SluiceRecording", "SluiceSystem"], path: "Tests/TestDisk"),
  .testTarget(name: "SluiceSystemTests", dependencies: ["SluiceSystem", "Sluice", "TestFiles"]),
  .testTarget(name: "SluiceReadingsTests", dependencies: ["SluiceReadings"]),
  .testTarget(name: "SluiceCANTests", dependencies: ["SluiceCAN", "SluiceReadings", "TestFiles"]),
  .testTarget(
    name: "SluiceStagesTests",
    dependencies: ["SluiceStages", "SluiceRecording", "SluiceTesting", "TestFiles"]),
  // Its fixtures are read where they are.
  .testTarget(
    name: "SluiceRecordingTests",
    dependencies: [
      "SluiceCAN", "SluiceRecording", "SluiceSystem", "SluiceTesting", "PublisherRules", "TestDisk", "TestFiles",
      .target(name: "CSystemCalls", condition: .when(platforms: [.linux])),
    ],
    exclude: ["Fixtures"]),
  .testTarget(
    name: "SluiceDevicesTests",
    dependencies: [
      "SluiceCAN", "SluiceDevices", "SluiceTesting", "PublisherRules", "TestFiles",
      .target(name: "CSystemCalls", condition: .when(platforms: [.linux])),
    ],
    swiftSettings: gpio ? [.define("SLUICE_GPIO")] : []),
  .testTarget(
    name: "SluicePipelineTests",
    dependencies: [
      "SluiceMCAP", "SluicePipeline", "SluiceStages", "SluiceTesting", "PublisherRules", "TestDisk", "TestFiles",
    ],
    swiftSettings: formats),
  .testTarget(
    name: "SluiceAnalysisTests", dependencies: ["SluiceAnalysis", "SluicePipeline", "SluiceTesting", "TestFiles"],
    exclude: ["Plot/Golden"]),
  .testTarget(
    name: "SluiceControlTests",
    dependencies: ["SluiceControl", "SluicePipeline", "SluiceReadings", "SluiceSystem", "TestFiles"],
    swiftSettings: formats),
  .testTarget(name: "SluiceLiveTests", dependencies: ["SluiceLive", "SluiceReadings"]),
  .testTarget(
    name: "SluiceLogTests", dependencies: ["SluiceLog", "SluiceReadings", "SluiceSystem", "TestDisk", "TestFiles"]),
  .testTarget(
    name: "SluiceMCAPTests",
    dependencies: [
      "SluiceMCAP", "SluiceCDR", "SluicePipeline", "SluiceReadings", "SluiceRecording", "SluiceSystem", "TestDisk",
      "TestFiles",
    ],
    swiftSettings: formats),
  .testTarget(name: "SluiceBenchmarksTests", dependencies: ["SluiceBenchmarks"]),
  .testTarget(
    name: "SluiceToolTests",
    dependencies: ["sluice", "SluiceTool", "SluiceAnalysis", "SluicePipeline", "TestFiles"]
      + (sqlite ? ["SluiceSQLite"] : []) + (yaml ? ["SluiceYAML"] : []) + (curl ? ["SluiceSend"] : []),
    swiftSettings: formats + parts),
  // Whether what a lock guards stays alive, as a release build: make test-locked.
  .executableTarget(
    name: "LockedStress", dependencies: ["Sluice", "SluiceSystem", "SluiceTesting"], path: "Tests/Locked",
    exclude: ["scan"]),
  // Random pipelines: what one command writes, the others must read. It is an executable, because it runs for hours as
  // a release build.
  .executableTarget(
    name: "RoundTrip",
    dependencies: [
      "Sluice", "SluiceAnalysis", "SluicePipeline", "SluiceReadings", "SluiceRecording", "SluiceStages",
    ],
    path: "Tests/RoundTrip", exclude: ["line_protocol.py"]),
  .testTarget(
    name: "RoundTripTests", dependencies: ["RoundTrip", "sluice", "SluiceTool", "SluicePipeline", "TestFiles"]),
  .target(name: "CSystemCalls", path: "Tests/CSystemCalls"),
  // Code as it is written for Combine: the older language mode is part of it.
  .testTarget(
    name: "CombineCompatibilityTests", dependencies: ["Sluice", "SluiceDispatch"],
    swiftSettings: [.swiftLanguageMode(.v5)]),
  // Runs on the virtual board only: Tests/Board boots it.
  .testTarget(
    name: "BoardTests", dependencies: ["SluiceDevices", "SluicePipeline", "SluiceStages", "SluiceTesting"],
    swiftSettings: gpio ? [.define("SLUICE_GPIO")] : []),
]

// Programs for a reader's first day, one a system. ExampleTests runs them all.
let examples = [
  "Compositions", "Contract", "DelayedDemand", "HighRateSensor", "HoldValue", "OwnOperators", "PausableSink",
  "RateControl", "ShareReplay", "Subjects", "Timer", "ZipAll",
]
/// Those that record, most of them recipes of docs/Cookbook.md, with the traces that they replay without a device.
let recipes = [
  "DHT22": ["dht22.vcd"], "DoorSwitch": ["door.vcd"], "Encoder": ["encoder.vcd"], "ManyRates": [], "PowerMeter": [],
  "Recording": [], "Thermometers": ["bus.vcd"], "Walk": [], "WaterMeter": ["water.vcd"],
]
let streams: [Target.Dependency] = ["Sluice", "SluiceDispatch", "SluiceExtras", "SluiceReadings", "SluiceRecording"]
// Like programs outside of this package, the examples see what is public, and nothing of `package`.
targets += examples.map { name in
  .executableTarget(
    name: "Example\(name)", dependencies: streams, path: "Examples/\(name)", exclude: ["expected.txt"],
    packageAccess: false)
}
targets += recipes.sorted { $0.key < $1.key }.map { name, traces in
  .executableTarget(
    name: "Example\(name)", dependencies: streams + ["SluiceDevices", "SluicePipeline", "SluiceStages"],
    path: "Examples/\(name)", exclude: ["expected.txt"] + traces, packageAccess: false)
}
targets.append(
  .executableTarget(
    name: "ExampleOwnKinds", dependencies: streams + ["SluiceDevices", "SluicePipeline", "SluiceStages", "SluiceTool"],
    path: "Examples/OwnKinds", exclude: ["expected.txt"], packageAccess: false))
targets.append(
  .testTarget(
    name: "ExampleTests",
    dependencies: ["TestFiles"]
      + (examples + recipes.keys.sorted() + ["OwnKinds"]).map { .init(stringLiteral: "Example\($0)") }))

if gpio {
  targets += [
    .systemLibrary(
      name: "CLibGPIOD", pkgConfig: "libgpiod", providers: [.apt(["libgpiod-dev"])]
    ),
    .target(name: "CGPIO", dependencies: ["CLibGPIOD"]),
  ]
}

if sqlite {
  targets += [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "SluiceSQLite", dependencies: ["CSQLite", "SluiceReadings", "SluiceRecording", "SluiceSystem"]),
    .testTarget(name: "SluiceSQLiteTests", dependencies: ["SluiceSQLite", "CSQLite", "TestFiles"]),
  ]
}

if archive {
  targets += [
    // For tests, which write archives; CZip loads libarchive when it is needed.
    .systemLibrary(name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
    .target(name: "CZip"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    .target(
      name: "SluiceArchive",
      dependencies: ["CZip", "CZlib", "CZstd", "SluiceReadings", "SluiceRecording", "SluiceSystem"]),
    // On recordings of real sensors, which are not in the repository: make test-recorded.
    .testTarget(
      name: "RecordedTests",
      dependencies: ["SluiceArchive", "SluiceReadings", "SluiceRecording", "SluiceStages", "TestFiles"]),
    .testTarget(
      name: "SluiceArchiveTests",
      dependencies: ["Sluice", "SluiceArchive", "SluiceReadings", "SluiceRecording", "CArchive", "CZlib", "TestFiles"]),
  ]
}

if http {
  targets += [
    // Needs the headers of libwebsockets; it loads the library when the first server is made.
    .target(name: "CHTTP"),
    .target(
      name: "SluiceHTTP",
      dependencies: [
        "CHTTP", "Sluice", "SluiceCDR", "SluiceLive", "SluicePipeline", "SluiceReadings", "SluiceRecording",
        "SluiceSystem",
      ],
      resources: [.embedInCode("Page/page.html")]),
    .testTarget(
      name: "SluiceHTTPTests",
      dependencies: ["SluiceHTTP", "SluiceCDR", "SluiceLive", "SluicePipeline", "SluiceReadings", "TestFiles"]),
  ]
}

if curl {
  targets += [
    // Needs the headers of libcurl; it loads the library when the first server is connected.
    .target(name: "CCurl"),
    // Readings for servers: the spool, the sender, and the protocols.
    .target(
      name: "SluiceSend",
      dependencies: ["CCurl", "Sluice", "SluiceLog", "SluiceReadings", "SluiceRecording", "SluiceSystem", deque]
        + (mqtt ? ["CMosquitto"] : []),
      swiftSettings: servers),
    .testTarget(
      name: "SluiceSendTests",
      dependencies: [
        "SluiceSend", "SluiceLog", "SluicePipeline", "SluiceReadings", "SluiceRecording", "SluiceSystem", "TestDisk",
        "TestFiles",
      ],
      swiftSettings: servers),
  ]
}

if mqtt {
  // Needs the headers of libmosquitto; it loads the library when the first broker is connected.
  targets.append(.target(name: "CMosquitto"))
}

if yaml {
  targets += [
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .target(name: "SluiceYAML", dependencies: ["CYAML", "SluicePipeline", "SluiceReadings"]),
    .testTarget(
      name: "SluiceYAMLTests",
      dependencies: ["SluiceYAML", "SluicePipeline", "SluiceReadings", "SluiceStages", "TestDisk", "TestFiles"]),
  ]
}

/// `SLUICE_TESTS=SluiceTests,SluiceDevicesTests` builds these tests alone, and no examples.
if let chosen = Context.environment["SLUICE_TESTS"]?.split(separator: ",").map(String.init) {
  targets.removeAll { $0.type == .test && !chosen.contains($0.name) || $0.path?.hasPrefix("Examples/") == true }
}
/// `SLUICE_WITHOUT_TESTS=SluiceToolTests` builds all tests but these.
if let left = Context.environment["SLUICE_WITHOUT_TESTS"]?.split(separator: ",").map(String.init) {
  targets.removeAll { $0.type == .test && left.contains($0.name) }
}

// Not for tests, because no module depends on their imports.
let upcoming = ["InternalImportsByDefault", "MemberImportVisibility"]
for target in targets where ![.test, .system].contains(target.type) && target.path == nil {
  target.swiftSettings = (target.swiftSettings ?? []) + upcoming.map { .enableUpcomingFeature($0) }
}

// Tests of an optimized build are not optimized themselves.
for target in targets where target.type == .test {
  target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
}

// Code as it is written for Combine leaves `any` out.
let others: Set = [
  "CCurl", "CGPIO", "CHTTP", "CMosquitto", "CSVG", "CSystemCalls", "CZip", "CombineCompatibilityTests",
]
for target in targets where target.type != .system && !others.contains(target.name) {
  target.swiftSettings = (target.swiftSettings ?? []) + [.enableUpcomingFeature("ExistentialAny")]
}

/// `SLUICE_SMALL=1`, as for packages, compiles for size what runs for no reading of a recording: 0.2 MB less.
if Context.environment["SLUICE_SMALL"] == "1" {
  let cold: Set = ["SluiceAnalysis", "SluiceControl", "SluiceHTTP", "SluiceTool", "SluiceYAML"]
  for target in targets where cold.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Osize"])]
  }
}

let package = Package(
  name: "sluice",
  products: [
    .library(name: "Sluice", targets: ["Sluice", "SluiceDispatch"]),
    .library(name: "SluiceExtras", targets: ["SluiceExtras"]),
    .library(name: "SluiceFoundation", targets: ["SluiceFoundation"]),
    .library(name: "SluiceReadings", targets: ["SluiceReadings"]),
    .library(name: "SluiceStages", targets: ["SluiceStages"]),
    .library(name: "SluiceRecording", targets: ["SluiceRecording"]),
    .library(name: "SluiceDevices", targets: ["SluiceDevices"]),
    .library(name: "SluicePipeline", targets: ["SluicePipeline"]),
    .library(name: "SluiceTesting", targets: ["SluiceTesting"]),
    .library(name: "SluiceTool", targets: ["SluiceTool"]),
    .executable(name: "sluice", targets: ["sluice"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
  ],
  targets: targets,
  swiftLanguageModes: [.v6]
)

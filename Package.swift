// swift-tools-version: 6.0
// Nothing is decided here by looking at the machine: libraries of C are loaded when they are first needed. In the list of targets
// there is no +, because Swift 6.0 would take minutes for its types.
import PackageDescription

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
    .library(name: "SluicePipeline", targets: ["SluicePipeline", "SluiceFormats"]),
    .library(name: "SluiceTesting", targets: ["SluiceTesting"]),
    .library(name: "SluiceTool", targets: ["SluiceTool"]),
    .executable(name: "sluice", targets: ["sluice"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-collections", from: "1.1.0")
  ],
  targets: [
    // Streams.
    .module("Sluice", ["CFence", "SluiceSystem", .deque, .heap]),
    .module("SluiceDispatch", ["Sluice"]),
    .module("SluiceExtras", ["Sluice", "SluiceDispatch", .deque, .heap]),
    .module("SluiceFoundation", ["Sluice", "SluiceDispatch"]),
    .module("SluiceTesting", ["Sluice", "SluiceSystem"]),

    // Readings, devices and files. Only SluiceSystem imports the C library.
    .module("SluiceSystem", ["CLinux"]),
    .module("SluiceReadings", ["SluiceSystem"]),
    .module("SluiceStages", ["SluiceExtras", "SluiceReadings", .deque]),
    .module("SluiceCAN", ["SluiceReadings", "SluiceSystem"]),
    .module(
      "SluiceDevices",
      ["Sluice", "SluiceCAN", "SluiceDispatch", "SluiceExtras", "SluiceReadings", "SluiceSystem"],
      part("GPIO", [.target(name: "CGPIO", condition: .when(platforms: [.linux]))])),
    .module(
      "SluiceRecording", ["Sluice", "SluiceCAN", "SluiceExtras", "SluiceReadings", "SluiceSystem", .deque, .heap]),
    .module("SluiceCDR", ["SluiceReadings"]),
    .module("SluiceMCAP", ["SluiceCDR"], .files, part("ARCHIVE", ["CZip", "CZlib", "CZstd"])),
    .module("SluiceSQLite", ["CSQLite"], .files),
    .module("SluiceArchive", ["CZip", "CZlib", "CZstd"], .files),
    .module("SluiceLog", ["SluiceReadings", "SluiceSystem"]),

    // Recordings that run.
    .module("SluiceSend", ["CCurl", "SluiceLog", .deque], .files, part("MQTT", ["CMosquitto"])),
    .module(
      "SluicePipeline",
      ["CKinds", "SluiceDispatch", "SluiceExtras", "SluiceDevices", "SluiceStages", "SluiceLog", .deque], .files),
    .module(
      "SluiceFormats", ["SluiceMCAP", "SluicePipeline", "SluiceReadings", "SluiceRecording"],
      part("SQLITE", ["SluiceSQLite"]), part("ARCHIVE", ["SluiceArchive"]), part("CURL", ["SluiceSend"])),
    .module("SluiceControl", ["SluicePipeline"], .files),
    .module("SluiceLive", ["Sluice", "SluiceReadings"]),
    .module(
      "SluiceHTTP", ["CHTTP", "SluiceCDR", "SluiceLive", "SluicePipeline"], .files,
      resources: [.embedInCode("Page/page.html")]),
    .module("SluiceYAML", ["CYAML", "SluicePipeline", "SluiceReadings"]),

    // What is shown, and the command. The command is a library, too, for programs with further kinds of source.
    .module("SluiceArguments", ["SluiceReadings"]),
    .module("SluiceAnalysis", ["CSVG", "SluiceStages", "SluicePipeline", .deque], .files),
    .module("SluiceBenchmarks", ["SluiceDispatch", "SluiceExtras", "SluiceLog"], .files),
    .module(
      "SluiceTool",
      [
        "SluiceAnalysis", "SluiceArguments", "SluiceBenchmarks", "SluiceControl", "SluiceDevices", "SluiceFormats",
        "SluicePipeline", "SluiceStages",
      ], .files, part("HTTP", ["SluiceHTTP"]), part("YAML", ["SluiceYAML"]), part("CURL", ["SluiceSend"])),
    .executableTarget(name: "sluice", dependencies: ["SluiceTool"]),

    // Libraries of C, each with the declarations that are used here. Only CHTTP needs a header of the system.
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CFence"),
    .systemLibrary(name: "CKinds"),
    .target(name: "CLibrary"),
    .library("CCurl"),
    .library("CGPIO"),
    .library("CHTTP"),
    .library("CMosquitto"),
    .library("CSQLite"),
    .library("CSVG"),
    .library("CYAML"),
    .library("CZip"),
    .library("CZlib"),
    .library("CZstd"),

    // What tests have in common.
    .shared("CArchive", ["CLibrary"]),
    .shared("CSystemCalls", []),
    .shared("Namesakes", ["SluiceFoundation"]),
    .shared("PublisherRules", ["Sluice", "SluiceTesting"]),
    .shared("TestDisk", ["SluiceRecording", "SluiceSystem"]),
    .shared("TestFiles", []),
    .tests("SluiceTests", ["SluiceDispatch", "SluiceExtras", "SluiceTesting", "PublisherRules"]),
    .tests("SluiceDispatchTests", []),
    .tests("SluiceExtrasTests", ["SluiceDispatch", "SluiceTesting", "PublisherRules"]),
    .tests("SluiceFoundationTests", ["SluiceExtras", "SluiceTesting", "Namesakes", "PublisherRules"]),
    .tests("SluiceTestingTests", ["SluiceDispatch", "SluiceExtras"]),
    .tests("SluiceSystemTests", ["Sluice"]),
    .tests("SluiceReadingsTests", ["SluiceSystem"]),
    .tests("SluiceStagesTests", ["SluiceRecording", "SluiceTesting"]),
    .tests("SluiceCANTests", ["SluiceReadings"]),
    .tests("SluiceDevicesTests", ["SluiceCAN", "SluiceTesting", "PublisherRules", .systemCalls]),
    .tests(
      "SluiceRecordingTests",
      ["SluiceCAN", "SluiceReadings", "SluiceSystem", "SluiceTesting", "PublisherRules", "TestDisk", .systemCalls]),
    .tests("SluiceMCAPTests", ["SluiceCDR", "SluiceFormats", "SluicePipeline", "TestDisk"], .files),
    .tests("SluiceSQLiteTests", ["CSQLite"]),
    .tests("SluiceArchiveTests", ["CArchive", "CZlib"], .files),
    .tests("SluiceLogTests", ["SluiceReadings", "SluiceSystem", "TestDisk"]),
    .tests("SluiceSendTests", ["SluiceFormats", "SluiceLog", "SluicePipeline", "TestDisk"], .files),
    .tests(
      "SluicePipelineTests",
      ["SluiceFormats", "SluiceMCAP", "SluiceStages", "SluiceTesting", "PublisherRules", "TestDisk"]),
    .tests("SluiceControlTests", ["SluiceFormats", "SluicePipeline"], .files),
    .tests("SluiceLiveTests", ["SluiceReadings"]),
    .tests("SluiceHTTPTests", ["SluiceCDR", "SluiceFormats", "SluiceLive", "SluicePipeline", "SluiceReadings"]),
    .tests("SluiceYAMLTests", ["SluiceFormats", "SluicePipeline", "SluiceReadings", "SluiceStages", "TestDisk"]),
    .tests("SluiceAnalysisTests", ["SluiceFormats", "SluicePipeline", "SluiceTesting"]),
    .tests("SluiceArgumentsTests", []),
    .tests("SluiceBenchmarksTests", []),
    .tests(
      "SluiceToolTests",
      ["sluice", "SluiceAnalysis", "SluiceArguments", "SluicePipeline"], part("SQLITE", ["SluiceSQLite"]),
      part("YAML", ["SluiceYAML"]),
      part("CURL", ["SluiceSend"])),
    // Code as it is written for Combine: it leaves `any` out, and is of an older language mode.
    .testTarget(
      name: "CombineCompatibilityTests", dependencies: ["Sluice", "SluiceDispatch"],
      swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-Onone"], .when(configuration: .release))]),
    // On the virtual board only: make test-devices.
    .tests(
      "BoardTests", ["SluiceDevices", "SluiceFormats", "SluicePipeline", "SluiceStages", "SluiceTesting"],
      isOfModule: false),
    // On recordings of real sensors, which are not in the repository: make test-recorded.
    .tests("RecordedTests", ["SluiceArchive", "SluiceReadings", "SluiceRecording", "SluiceStages"], isOfModule: false),
    // Programs that test for seconds or hours as release builds: make test-locked, make test-round-trip.
    .executableTarget(
      name: "LockedStress", dependencies: ["Sluice", "SluiceSystem", "SluiceTesting"], path: "Tests/Locked",
      exclude: ["scan"], swiftSettings: .common),
    .executableTarget(
      name: "RoundTrip",
      dependencies: [
        "SluiceAnalysis", "SluiceFormats", "SluicePipeline", "SluiceStages", "Sluice", "SluiceReadings",
        "SluiceRecording", "SluiceSystem",
      ],
      path: "Tests/RoundTrip", exclude: ["line_protocol.py"], swiftSettings: .common),
    .tests("RoundTripTests", ["sluice", "SluiceArguments", "SluiceTool", "SluicePipeline"]),
    // SLUICE_TESTS=SluiceTests,SluiceDevicesTests builds only these tests.
  ].filter { $0.type != .test || chosenTests?.contains($0.name) ?? true },
  swiftLanguageModes: [.v6])

/// `SLUICE_SQLITE=0` leaves a part out of the command: GPIO, SQLITE, ARCHIVE, HTTP, CURL, MQTT, YAML; SPI_BUILD=1 all.
func has(_ part: String) -> Bool {
  Context.environment["SPI_BUILD"] != "1" && Context.environment["SLUICE_\(part)"] != "0"
    && (part != "MQTT" || has("CURL"))
}
func part(_ name: String, _ dependencies: [Target.Dependency]) -> [Target.Dependency] { has(name) ? dependencies : [] }
var chosenTests: [String]? { Context.environment["SLUICE_TESTS"]?.split(separator: ",").map(String.init) }

/// SLUICE_SMALL=1, as for packages, compiles for size what runs for no reading of a recording: 0.2 MB less.
func size(of name: String) -> [SwiftSetting] {
  let cold = ["SluiceAnalysis", "SluiceControl", "SluiceHTTP", "SluiceTool", "SluiceYAML"]
  return Context.environment["SLUICE_SMALL"] == "1" && cold.contains(name) ? [.unsafeFlags(["-Osize"])] : []
}

extension [SwiftSetting] {
  static var common: Self {
    var all: Self = [.enableUpcomingFeature("ExistentialAny")]
    for name in ["SQLITE", "ARCHIVE", "HTTP", "CURL", "MQTT", "YAML"] where has(name) {
      all.append(.define("SLUICE_\(name)"))
    }
    if has("GPIO") { all.append(.define("SLUICE_GPIO", .when(platforms: [.linux]))) }
    return all
  }
  /// Tests of an optimized build are not optimized themselves.
  static var unoptimized: Self { [.unsafeFlags(["-Onone"], .when(configuration: .release))] }
}

extension Target.Dependency {
  static var deque: Self { .product(name: "DequeModule", package: "swift-collections") }
  static var heap: Self { .product(name: "HeapModule", package: "swift-collections") }
  static var systemCalls: Self { .target(name: "CSystemCalls", condition: .when(platforms: [.linux])) }
}

extension [Target.Dependency] {
  /// What all that reads or writes files needs.
  static var files: Self { ["Sluice", "SluiceReadings", "SluiceRecording", "SluiceSystem"] }
}

extension Target {
  static func module(_ name: String, _ dependencies: [Dependency]..., resources: [Resource]? = nil) -> Target {
    let upcoming = ["InternalImportsByDefault", "MemberImportVisibility"].map { SwiftSetting.enableUpcomingFeature($0) }
    return .target(
      name: name, dependencies: Array(dependencies.joined()), resources: resources,
      swiftSettings: .common + upcoming + size(of: name))
  }
  static func library(_ name: String) -> Target { .target(name: name, dependencies: ["CLibrary"]) }
  static func shared(_ name: String, _ dependencies: [Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: .common)
  }
  /// - Parameter isOfModule: Whether they are the tests of the module of this name.
  static func tests(_ name: String, _ dependencies: [Dependency]..., isOfModule: Bool = true) -> Target {
    let module: [Dependency] = isOfModule ? [.init(stringLiteral: String(name.dropLast("Tests".count)))] : []
    // Files that tests read where they are.
    let files = [
      "SluiceFoundationTests": "CombineNames.txt", "SluiceRecordingTests": "Fixtures",
      "SluiceAnalysisTests": "Plot/Golden",
    ]
    return .testTarget(
      name: name, dependencies: module + ["TestFiles"] + Array(dependencies.joined()),
      exclude: files[name].map { [$0] } ?? [],
      swiftSettings: .common + .unoptimized)
  }
}

// swift-tools-version: 6.0
// A package of its own, so that no user resolves what is only compared with.
import PackageDescription

let sluice = Target.Dependency.product(name: "Sluice", package: "sluice")

let package = Package(
  name: "benchmarks",
  dependencies: [
    .package(name: "sluice", path: "../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
  ],
  targets: [
    .target(name: "Measurement"),
    // The same source twice, once for each library.
    .target(
      name: "SluiceWorkloads",
      dependencies: ["Measurement", sluice, .product(name: "SluiceExtras", package: "sluice")],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(
      name: "OpenCombineWorkloads",
      dependencies: [
        "Measurement", .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
      ],
      swiftSettings: [.swiftLanguageMode(.v5), .define("OPENCOMBINE")]),
    .target(
      name: "RecordingWorkloads",
      dependencies: [
        "Measurement", sluice, .product(name: "SluiceExtras", package: "sluice"),
        .product(name: "SluiceReadings", package: "sluice"), .product(name: "SluiceRecording", package: "sluice"),
        .product(name: "SluiceStages", package: "sluice"),
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(
      name: "ExtrasWorkloads",
      dependencies: ["Measurement", sluice, .product(name: "SluiceExtras", package: "sluice")],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(name: "Loops", dependencies: ["Measurement"], swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "Measurement", "SluiceWorkloads", "ExtrasWorkloads", "RecordingWorkloads", "OpenCombineWorkloads", "Loops",
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // One workload and nothing else, for counting its instructions.
    .executableTarget(
      name: "Guard", dependencies: ["Measurement", "SluiceWorkloads", "ExtrasWorkloads", "RecordingWorkloads"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // A program of its own, for it counts with a malloc of its own.
    .target(name: "CAllocations"),
    .executableTarget(
      name: "Allocations", dependencies: ["CAllocations", sluice, .product(name: "SluiceExtras", package: "sluice")],
      swiftSettings: [.swiftLanguageMode(.v5)]),
  ]
)

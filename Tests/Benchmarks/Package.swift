// swift-tools-version: 6.0
// A package of its own, so that no user resolves what is only compared with.
import PackageDescription

let package = Package(
  name: "benchmarks",
  dependencies: [
    .package(name: "sluice", path: "../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    .target(name: "Measurement"),
    // The same source twice, once for each library.
    .target(
      name: "SluiceWorkloads", dependencies: ["Measurement", .product(name: "Sluice", package: "sluice")],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(
      name: "OpenCombineWorkloads",
      dependencies: ["Measurement", .product(name: "OpenCombine", package: "OpenCombine")],
      swiftSettings: [.swiftLanguageMode(.v5), .define("OPENCOMBINE")]),
    // A program of its own, for it counts with a malloc of its own.
    .target(name: "CAllocations"),
    .executableTarget(
      name: "Allocations", dependencies: ["CAllocations", .product(name: "Sluice", package: "sluice")],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
      name: "Benchmarks", dependencies: ["Measurement", "SluiceWorkloads", "OpenCombineWorkloads"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
  ]
)

// swift-tools-version: 6.0
// A package of its own, so that no user resolves what is only compared with.
import PackageDescription

let package = Package(
  name: "differential",
  dependencies: [
    .package(name: "sluice", path: "../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
  ],
  targets: [
    .target(name: "Schedules", swiftSettings: [.swiftLanguageMode(.v5)]),
    // The same source twice, once for each library.
    .target(
      name: "SluiceSide", dependencies: ["Schedules", .product(name: "Sluice", package: "sluice")],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(
      name: "OpenCombineSide",
      dependencies: ["Schedules", .product(name: "OpenCombine", package: "OpenCombine")],
      swiftSettings: [.swiftLanguageMode(.v5), .define("OPENCOMBINE")]),
    .executableTarget(
      name: "differential", dependencies: ["Schedules", "SluiceSide", "OpenCombineSide"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
  ]
)

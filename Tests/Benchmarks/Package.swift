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
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        .product(name: "Sluice", package: "sluice"), .product(name: "SluiceRecording", package: "sluice"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ],
      // OpenCombine's types are from before Swift 6.
      swiftSettings: [.swiftLanguageMode(.v5)])
  ]
)

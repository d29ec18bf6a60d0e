// swift-tools-version: 6.0
// A package of its own, since it is built with libFuzzer in everything: Tests/Fuzz/run.
import PackageDescription

let package = Package(
  name: "fuzz",
  dependencies: [.package(name: "sluice", path: "../..")],
  targets: [
    .executableTarget(
      name: "FuzzScans",
      dependencies: [
        .product(name: "SluiceDevices", package: "sluice"), .product(name: "SluiceReadings", package: "sluice"),
      ]),
    .executableTarget(
      name: "FuzzSysfs",
      dependencies: [
        .product(name: "Sluice", package: "sluice"),
        .product(name: "SluiceDevices", package: "sluice"), .product(name: "SluiceReadings", package: "sluice"),
      ]),
    .executableTarget(
      name: "FuzzEdges",
      dependencies: [
        .product(name: "SluiceDevices", package: "sluice"), .product(name: "SluiceReadings", package: "sluice"),
      ]),
    .executableTarget(
      name: "FuzzEvents",
      dependencies: [
        .product(name: "SluiceDevices", package: "sluice"), .product(name: "SluiceReadings", package: "sluice"),
      ]),
    // The modules that SluicePipeline brings with it.
    .executableTarget(
      name: "FuzzArchives",
      dependencies: [
        .product(name: "SluicePipeline", package: "sluice"), .product(name: "SluiceReadings", package: "sluice"),
        .product(name: "SluiceRecording", package: "sluice"),
      ]),
    .executableTarget(
      name: "FuzzDocuments",
      dependencies: [
        .product(name: "SluicePipeline", package: "sluice"), .product(name: "SluiceReadings", package: "sluice"),
        .product(name: "SluiceRecording", package: "sluice"), .product(name: "SluiceTool", package: "sluice"),
      ]),
    .executableTarget(
      name: "FuzzSending",
      dependencies: [
        .product(name: "SluicePipeline", package: "sluice"), .product(name: "SluiceReadings", package: "sluice"),
        .product(name: "SluiceRecording", package: "sluice"),
      ]),
    .executableTarget(
      name: "FuzzMCAP",
      dependencies: [
        .product(name: "SluicePipeline", package: "sluice"), .product(name: "SluiceReadings", package: "sluice"),
        .product(name: "SluiceRecording", package: "sluice"),
      ]),
    .executableTarget(
      name: "FuzzRawScans",
      dependencies: [
        .product(name: "SluicePipeline", package: "sluice"), .product(name: "SluiceReadings", package: "sluice"),
        .product(name: "SluiceRecording", package: "sluice"),
      ]),
    .executableTarget(
      name: "FuzzStages",
      dependencies: [
        .product(name: "SluiceExtras", package: "sluice"), .product(name: "SluiceReadings", package: "sluice"),
        .product(name: "SluiceStages", package: "sluice"),
      ]),
    .executableTarget(
      name: "FuzzTraces",
      dependencies: [
        .product(name: "SluiceReadings", package: "sluice"), .product(name: "SluiceRecording", package: "sluice"),
      ]),
  ]
)

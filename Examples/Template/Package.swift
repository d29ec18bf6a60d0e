// swift-tools-version: 6.0
// A template for a sensor of your own: docs/YourSensor.md explains it. Copy this folder, and change the path.
import PackageDescription

let package = Package(
  name: "thermometer",
  dependencies: [.package(name: "sluice", path: "../..")],
  targets: [
    .executableTarget(
      name: "thermometer",
      dependencies: [
        "Sluice", "SluiceExtras", "SluiceReadings", "SluiceDevices", "SluicePipeline", "SluiceTool",
      ].map { .product(name: $0, package: "sluice") })
  ])

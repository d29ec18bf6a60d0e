// swift-tools-version: 6.0
// Small programs for new readers, one for each system of the documents. To run one: swift run --package-path Examples ExampleTimer
import PackageDescription

let streams = ["Sluice", "SluiceExtras", "SluiceReadings", "SluiceRecording"]
let recordings = streams + ["SluiceDevices", "SluicePipeline", "SluiceStages"]

let package = Package(
  name: "examples",
  dependencies: [.package(name: "sluice", path: "..")],
  targets: [
    .example("Compositions", streams),
    .example("Contract", streams),
    .example("DelayedDemand", streams),
    .example("HighRateSensor", streams),
    .example("HoldValue", streams),
    .example("OwnOperators", streams),
    .example("PausableSink", streams),
    .example("RateControl", streams),
    .example("ShareReplay", streams),
    .example("Subjects", streams),
    .example("Timer", streams),
    .example("ZipAll", streams),
    // Those that record, most of them recipes of docs/Cookbook.md, with the traces that they replay without a device.
    .example("DHT22", recordings, ["dht22.vcd"]),
    .example("DoorSwitch", recordings, ["door.vcd"]),
    .example("Encoder", recordings, ["encoder.vcd"]),
    .example("ManyRates", recordings),
    .example("PowerMeter", recordings),
    .example("Recording", recordings),
    .example("Thermometers", recordings, ["bus.vcd"]),
    .example("Walk", recordings),
    .example("WaterMeter", recordings, ["water.vcd"]),
    .example("OwnKinds", recordings + ["SluiceTool"]),
  ],
  swiftLanguageModes: [.v6])

extension Target {
  static func example(_ name: String, _ products: [String], _ traces: [String] = []) -> Target {
    .executableTarget(
      name: "Example\(name)", dependencies: products.map { .product(name: $0, package: "sluice") }, path: name,
      exclude: ["expected.txt"] + traces, swiftSettings: [.enableUpcomingFeature("ExistentialAny")])
  }
}

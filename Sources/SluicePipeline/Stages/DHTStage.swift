public import SluiceStages

/// Decodes humidity and temperature of a DHT11 or DHT22.
package struct DHTStage: LineStage {
  package static let name = "dht"
  package static let word: StageWord? = StageWord(
    "dht", "[LINE=]dht11|dht22", "Decode humidity and temperature of a sensor on every line, or on one line.",
    isRepeated: true
  ) { Self($0) }
  package static let settings = Settings<Self>(
    .required("sensor", \.sensor, .choice), .optional("line", \.line, .text)
  ) { Self($0) }

  package var sensor: DHT.Sensor
  package var line: String?

  package init(_ sensor: DHT.Sensor, line: String? = nil) {
    self.sensor = sensor
    self.line = line
  }

  /// `dht22`, `SDA=dht22`.
  package init?(_ argument: String) {
    let sign = argument.lastIndex(of: "=")
    let name = sign.map { argument[argument.index(after: $0)...] } ?? argument[...]
    guard sign != argument.startIndex, let sensor = DHT.Sensor(rawValue: String(name)) else { return nil }
    self.init(sensor, line: sign.map { String(argument[..<$0]) })
  }

  package func decoder() -> DHT { DHT(sensor) }
}

extension StagePlan {
  /// Decodes humidity and temperature of a DHT11 or DHT22.
  /// - Parameter line: The name of the line; nil for every line.
  public static func dht(_ sensor: DHT.Sensor, line: String? = nil) -> StagePlan {
    StagePlan(DHTStage(sensor, line: line))
  }
}

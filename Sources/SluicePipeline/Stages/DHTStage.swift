package import SluiceReadings
public import SluiceStages

/// Decodes humidity and temperature of a DHT11 or DHT22.
package struct DHTStage: ProcessingStage {
  package static let name = "dht"
  package static let makes = true

  package var sensor: DHT.Sensor
  /// The name of the line; nil for every line.
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

  package func processor(for inputs: InputStreams) throws(SluiceError) -> LineProcessor<DHT> {
    try LineProcessor(DHT(sensor), line: line, inputs: inputs)
  }
}

extension DHTStage {
  private enum CodingKeys: String, CodingKey, CaseIterable { case sensor, line }

  package init(from decoder: any Decoder) throws {
    let object = try PlanObject<CodingKeys>(decoder, of: Self.self)
    self.init(try object.required(.sensor, object.choice(.sensor)), line: try object.text(.line))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(sensor.rawValue, forKey: .sensor)
    try container.encodeIfPresent(line, forKey: .line)
  }
}

extension StagePlan {
  /// Decodes humidity and temperature of a DHT11 or DHT22.
  /// - Parameter line: The name of the line; nil for every line.
  public static func dht(_ sensor: DHT.Sensor, line: String? = nil) -> StagePlan {
    StagePlan(DHTStage(sensor, line: line))
  }
}

package import SluiceReadings
package import SluiceStages

/// Passes the selected streams and channels.
package struct SelectStage: ProcessingStage {
  package static let name = "select"
  package static let leavesOut = true

  package var names: [String]

  package init(_ names: [String]) { self.names = names }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> Select { try Select(names, inputs: inputs) }
}

extension SelectStage {
  private enum CodingKeys: String, CodingKey, CaseIterable { case names }

  package init(from decoder: any Decoder) throws {
    let object = try PlanObject<CodingKeys>(decoder, of: Self.self)
    names = try object.list(.names)
    if names.isEmpty { throw object.error(.names, #" takes a list of names such as ["imu.x", "METER"]"#) }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(names, forKey: .names)
  }
}

extension StagePlan {
  /// Passes the selected streams and channels, and leaves out the others.
  /// - Parameter names: At least one name. Each is a stream, `STREAM.channel`, or a channel in any stream.
  public static func select(_ names: [String]) -> StagePlan { StagePlan(SelectStage(names)) }
}

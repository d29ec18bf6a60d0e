package import SluiceReadings
package import SluiceStages

/// Passes the selected streams and channels.
package struct SelectStage: ProcessingStage {
  package static let name = "select"
  package static let leavesOut = true
  package static let word: StageWord? = StageWord(
    "select", "NAME,...",
    "Take only these of what the sources have: STREAM, STREAM.channel, or channel for this channel of all streams.",
    commas: .list
  ) { text in
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    return names.contains("") ? nil : Self(names)
  }
  package static let settings = Settings<Self>(.required("names", \.names, list)) { Self($0) }

  private static let list = Form<[String]>(.list(.text)) { node throws(Fault) in
    let names = try node.texts()
    if names.isEmpty { throw node.fault(#" takes a list of names such as ["imu.x", "METER"]"#) }
    return names
  } json: {
    .array($0.map { .string($0) })
  }

  package var names: [String]

  package init(_ names: [String]) { self.names = names }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> Select { try Select(names, inputs: inputs) }
}

extension StagePlan {
  /// Passes the selected streams and channels, and leaves out the others.
  /// - Parameter names: At least one name. Each is a stream, `STREAM.channel`, or a channel in any stream.
  public static func select(_ names: [String]) -> StagePlan { StagePlan(SelectStage(names)) }
}

package import SluiceReadings
package import SluiceStages

/// Renames streams and channels.
package struct RenameStage: ProcessingStage {
  package static let name = "rename"
  package static let word: StageWord? = StageWord(
    "rename", "OLD=NEW", "Rename a stream, or a channel. After a join, these are the names of the table.",
    isRepeated: true,
    why: { _ in "write for example 2=temp" }
  ) { Self([$0]) }
  package static let settings = Settings<Self>(.required("names", \.names, list)) { Self(names: $0) }

  private static let list = Form<[String]>(.list(.text)) { node throws(Fault) in
    let names = try node.texts()
    guard RenameStage(names) != nil else {
      throw node.fault(" takes a list of names such as [\"old=new\"]")
    }
    return names
  } json: {
    .array($0.map { .string($0) })
  }

  /// `old=new`, at least one.
  package var names: [String]

  private init(names: [String]) { self.names = names }

  /// Nil if a text is not `old=new`.
  package init?(_ names: [String]) {
    guard !names.isEmpty, names.allSatisfy({ Self.pair($0) != nil }) else { return nil }
    self.names = names
  }

  /// A new name has no `=`, so an old one may have some.
  private static func pair(_ text: String) -> (old: String, new: String)? {
    guard let sign = text.lastIndex(of: "="), sign != text.startIndex, text.index(after: sign) != text.endIndex else {
      return nil
    }
    return (String(text[..<sign]), String(text[text.index(after: sign)...]))
  }

  /// Whether a channel with the numbers of windows may get another name.
  var isOfWindow: Bool {
    names.compactMap(Self.pair).contains { $0.old == "window" || $0.old.hasSuffix(".window") }
  }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> Rename {
    try Rename(names.compactMap(Self.pair), inputs: inputs)
  }
}

extension StagePlan {
  /// Renames streams and channels.
  /// - Parameter names: The old names and the new ones: `old=new`.
  package static func rename(_ names: [String]) -> StagePlan? { RenameStage(names).map { StagePlan($0) } }
}

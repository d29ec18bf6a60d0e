extension IIODevice {
  /// The files that give one value when they are read, raw or already scaled (`_input`): what can be polled, also where
  /// there is no buffer.
  public var inputs: [String] {
    folder.entries.filter { $0.hasPrefix("in_") && ($0.hasSuffix("_raw") || $0.hasSuffix("_input")) }
      .map { "\(path)/\($0)" }
  }
}

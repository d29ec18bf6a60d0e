extension IIODevice {
  /// The names of files with one value, raw or already scaled (`_input`). They can be polled even if the device has no
  /// buffer.
  public var inputs: [String] {
    folder.entries.filter { $0.hasPrefix("in_") && ($0.hasSuffix("_raw") || $0.hasSuffix("_input")) }
      .map { "\(path)/\($0)" }
  }
}

import SluiceReadings

extension SluiceError {
  /// Whether it may end by itself while a device that was removed comes back. It is not there yet; udev has not given it
  /// to its group yet; another program has it for a moment; or its driver refuses, as on a bus that is not yet up, or the
  /// disk is full: that may last, so it is told (``DeviceAbsence``).
  var mayPass: Bool { [.notFound, .disconnected, .permissionDenied, .busy, .failed].contains(code) }
}

/// What keeps a device that was removed from being used again, so that nobody waits in silence for what will not come.
struct DeviceAbsence {
  private var last: SluiceError?
  private var told: SluiceError?

  /// Another try failed, though something is there.
  /// - Returns: The error, if it is to be reported. It must have stopped two tries in a row, because after a single
  ///   failure the driver may still be making its files. And it must differ from the error reported last.
  mutating func add(_ error: SluiceError) -> SluiceError? {
    defer { last = error }
    guard error == last, error != told else { return nil }
    told = error
    return error
  }
}

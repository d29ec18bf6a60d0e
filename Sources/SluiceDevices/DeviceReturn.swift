import SluiceReadings

extension SluiceError {
  /// Whether the error may pass by itself while a removed device comes back. Perhaps the device does not exist yet,
  /// udev has not given it to its group yet, or another program has it for a moment. Perhaps its driver refuses, as on
  /// a bus that is not up yet, or the disk is full. These may last, so they are reported (``DeviceAbsence``).
  var mayPass: Bool { [.notFound, .disconnected, .permissionDenied, .busy, .failed].contains(code) }
}

/// Tracks the errors that prevent the return of a removed device, so that nobody waits for it in silence.
struct DeviceAbsence {
  private var last: SluiceError?
  private var told: SluiceError?

  /// Adds the error of a failed try, although the device exists.
  /// - Returns: The error, if it must be reported. It must have stopped two tries in a row, because after a single
  ///   failure the driver may still be creating its files. And it must differ from the error reported last.
  mutating func add(_ error: SluiceError) -> SluiceError? {
    defer { last = error }
    guard error == last, error != told else { return nil }
    told = error
    return error
  }
}

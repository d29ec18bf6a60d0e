import SluiceReadings

/// How a chip that was removed is waited for.
struct GPIOReconnection {
  /// In milliseconds.
  let period: Int32
  /// Told why it waits, and nil when it goes on.
  let report: @Sendable (SluiceError?) -> Void
  /// Whether an error says no more than that the chip is not there.
  var isAbsence: (SluiceError) -> Bool = { [.notFound, .disconnected].contains($0.code) }
  let open: () throws(SluiceError) -> GPIORequest
}

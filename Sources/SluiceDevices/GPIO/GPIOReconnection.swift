import SluiceReadings

/// How to wait for a removed chip.
struct GPIOReconnection {
  /// The time between tries, in milliseconds.
  let period: Int32
  /// Called with the reason for the wait, and with nil after the return.
  let report: @Sendable (SluiceError?) -> Void
  /// Whether an error only means that the chip is absent.
  var isAbsence: (SluiceError) -> Bool = { [.notFound, .disconnected].contains($0.code) }
  let open: () throws(SluiceError) -> GPIORequest
}

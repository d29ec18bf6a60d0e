import SluiceReadings

/// Requests the lines of a chip again after the chip was removed.
struct GPIOReconnection {
  /// The time between tries, in milliseconds.
  let period: Int32
  /// Called with the reason for the wait, and with nil when the chip is back.
  let report: @Sendable (SluiceError?) -> Void
  /// Whether an error only means that the chip is absent.
  var isAbsence: (SluiceError) -> Bool = { [.notFound, .disconnected].contains($0.code) }
  let open: () throws(SluiceError) -> GPIORequest
  var absence = DeviceAbsence()

  /// Begins to wait, because of this error.
  mutating func begin(_ removal: SluiceError) {
    absence = DeviceAbsence()
    report(removal)
  }

  /// Tries to request the lines again.
  /// - Returns: The new request; nil if the chip is still absent or not usable yet. After a request, the caller calls
  ///   `report(nil)`.
  mutating func reopened() throws(SluiceError) -> GPIORequest? {
    do throws(SluiceError) { return try open() } catch {
      guard error.mayPass else { throw error }
      if !isAbsence(error), let told = absence.add(error) { report(told) }
      return nil
    }
  }
}

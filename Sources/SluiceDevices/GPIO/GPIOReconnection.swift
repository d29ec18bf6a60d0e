import SluiceReadings

/// Waits for a removed chip.
struct GPIOReconnection {
  /// The time between tries, in milliseconds.
  let period: Int32
  /// Called with the reason for the wait, and with nil after the return.
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
  /// - Returns: Nil if the chip is still absent, or cannot be used yet. The caller reports the return.
  mutating func reopened() throws(SluiceError) -> GPIORequest? {
    do throws(SluiceError) { return try open() } catch {
      guard error.mayPass else { throw error }
      if !isAbsence(error), let told = absence.add(error) { report(told) }
      return nil
    }
  }
}

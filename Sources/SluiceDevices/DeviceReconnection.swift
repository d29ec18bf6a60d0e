import SluiceReadings

/// Opens a device again after it was removed.
struct DeviceReconnection<Session> {
  /// The time between tries, in milliseconds.
  let period: Int32
  /// Called with the reason for the wait, and with nil when the device is back.
  let report: @Sendable (SluiceError?) -> Void
  /// Whether an error only means that the device is absent.
  let isAbsence: (SluiceError) -> Bool
  let open: () throws(SluiceError) -> Session
  private var absence = DeviceAbsence()

  init(
    period: Int32 = 200, report: @escaping @Sendable (SluiceError?) -> Void,
    isAbsence: @escaping (SluiceError) -> Bool = { [.notFound, .disconnected].contains($0.code) },
    open: @escaping () throws(SluiceError) -> Session
  ) {
    (self.period, self.report, self.isAbsence, self.open) = (period, report, isAbsence, open)
  }

  /// Begins to wait, because of this error.
  mutating func begin(_ removal: SluiceError) {
    absence = DeviceAbsence()
    report(removal)
  }

  /// Tries to open the device again.
  /// - Returns: The open device; nil if it is still absent or not usable yet. After that, the caller calls `report(nil)`.
  mutating func reopened() throws(SluiceError) -> Session? {
    do throws(SluiceError) { return try open() } catch {
      guard error.mayPass else { throw error }
      if !isAbsence(error), let told = absence.add(error) { report(told) }
      return nil
    }
  }
}

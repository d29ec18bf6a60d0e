import SluiceReadings

/// Opens a device again after it was removed.
struct DeviceReconnection<Session> {
  /// The time between tries, in milliseconds.
  let period: Int32
  static var usualPeriod: Int32 { 200 }
  /// Called with the reason for the wait, and with nil when the device is back.
  private let report: @Sendable (SluiceError?) -> Void
  /// Whether an error only means that the device is absent.
  private let isAbsence: (SluiceError) -> Bool
  private let open: () throws(SluiceError) -> Session?
  private var absence = DeviceAbsence()

  /// - Parameter open: Opens the device; nil if it is still absent.
  init(
    period: Int32 = usualPeriod, report: @escaping @Sendable (SluiceError?) -> Void,
    isAbsence: @escaping (SluiceError) -> Bool = { [.notFound, .disconnected].contains($0.code) },
    open: @escaping () throws(SluiceError) -> Session?
  ) {
    (self.period, self.report, self.isAbsence, self.open) = (period, report, isAbsence, open)
  }

  /// Counts a removal, and begins to wait.
  mutating func begin(_ removal: SluiceError, _ losses: DeviceLosses, at time: Int64) {
    absence = DeviceAbsence()
    losses.add(.removed, at: time)
    losses.set(isAway: true)
    report(removal)
  }

  /// Tries to open the device again.
  /// - Returns: The open device; nil if it is still absent or not usable yet. After that, the caller calls ``end(_:)``.
  mutating func reopened() throws(SluiceError) -> Session? {
    do throws(SluiceError) { return try open() } catch {
      guard error.mayPass else { throw error }
      if !isAbsence(error), let told = absence.add(error) { report(told) }
      return nil
    }
  }

  /// Ends the wait: the device is back.
  func end(_ losses: DeviceLosses) {
    losses.set(isAway: false)
    report(nil)
  }
}

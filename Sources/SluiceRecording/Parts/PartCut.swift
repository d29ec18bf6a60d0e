import SluiceReadings

/// Where one part of a recording ends and the next begins, as a value.
struct PartCut {
  private let size: Int
  private let period: Int64
  /// Bytes of the part, with its header.
  private var bytes = 0
  /// The first time that is of a later part.
  private var end = Int64.max
  private(set) var isOpen = false

  init(_ rotation: Rotation) {
    size = rotation.size ?? .max
    period = rotation.period?.nanoseconds ?? 0
  }

  /// Whether a reading of this time begins a new part. One that comes late does not.
  func isDue(_ time: Int64) -> Bool { !isOpen || bytes >= size || time >= end }

  /// - Parameter header: The bytes that each part begins with.
  mutating func begin(at time: Int64, header: Int) {
    isOpen = true
    bytes = header
    guard period > 0 else { return }
    let (next, isOverflow) = (time.quotient(roundedDownBy: period) + 1).multipliedReportingOverflow(by: period)
    end = isOverflow ? .max : next
  }

  mutating func add(_ count: Int) { bytes += count }

  /// How many of these readings are of this part by their times.
  func prefix(of readings: UnsafeBufferPointer<Reading>) -> Int {
    guard period > 0 else { return readings.count }
    return readings.firstIndex { $0.time >= end } ?? readings.count
  }

  /// How many bytes more it may have.
  var room: Int { max(0, size - bytes) }
}

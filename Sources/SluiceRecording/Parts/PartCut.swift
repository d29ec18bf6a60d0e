import SluiceReadings

/// Where one part of a recording ends and the next begins, as a value.
struct PartCut {
  private let size: Int
  private let period: Int64
  /// Bytes of the part, with its header.
  private var bytes = 0
  /// The first time that is of a later part.
  private var end = Int64.max
  /// The time of the reading that came last.
  private var last = Int64.min
  private(set) var isOpen = false

  init(_ rotation: Rotation) {
    size = rotation.size ?? .max
    period = rotation.period?.nanoseconds ?? 0
  }

  /// Whether a reading of this time begins a new part. One that comes late does not, nor one that may belong to the row
  /// that is open.
  func isDue(_ time: Int64, hasOpenRow: Bool) -> Bool {
    !isOpen || time >= end || (bytes >= size && !(hasOpenRow && time == last))
  }

  /// - Parameter header: The bytes that each part begins with.
  mutating func begin(at time: Int64, header: Int) {
    isOpen = true
    bytes = header
    guard period > 0 else { return }
    let (next, isOverflow) = (time.quotient(roundedDownBy: period) + 1).multipliedReportingOverflow(by: period)
    end = isOverflow ? .max : next
  }

  mutating func add(_ count: Int) { bytes += count }
  mutating func take(_ reading: Reading) { last = reading.time }

  /// How many of these readings are of this part. The first is.
  func prefix(of readings: UnsafeBufferPointer<Reading>) -> Int {
    // What is more than it should have belongs to the row that is open.
    if bytes >= size, let time = readings.first?.time, time == last {
      return readings.firstIndex { $0.time != time } ?? readings.count
    }
    guard period > 0 else { return readings.count }
    return readings.firstIndex { $0.time >= end } ?? readings.count
  }

  /// How many bytes more it may have.
  var room: Int { max(0, size - bytes) }
}

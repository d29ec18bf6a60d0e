import SluiceReadings

/// Decides where a part of a recording ends and the next begins, as a value.
struct PartCut {
  private var size: Int
  private var period: Int64
  /// The parts to keep when the next one begins.
  private(set) var keep: Retention?
  /// The time of the first reading of the part.
  private var start: Int64 = 0
  /// The bytes of the part, including its header.
  private var bytes = 0
  /// The end of the period: the first time of a later part. Nil if there is no later time.
  private var end: Int64?
  /// The time of the last reading.
  private var last = Int64.min
  private(set) var isOpen = false
  /// Whether the part was ended by hand.
  private var isEnded = false

  init(_ rotation: Rotation) {
    size = rotation.size ?? .max
    period = rotation.period?.nanoseconds ?? 0
    keep = rotation.keep
  }

  /// Cuts in another way from now on. If the part is longer than that already, the next reading begins another.
  mutating func change(_ rotation: Rotation) {
    size = rotation.size ?? .max
    period = rotation.period?.nanoseconds ?? 0
    keep = rotation.keep
    if isOpen { setEnd() }
  }

  /// Whether a reading of this time begins a new part. A late reading never ends a period, and a reading that may
  /// belong to the open row never ends a part by its size.
  func isDue(_ time: Int64, hasOpenRow: Bool) -> Bool {
    !isOpen || end.map { time >= $0 } ?? false || (isFull && !(hasOpenRow && time == last))
  }

  /// - Parameter header: The length of the header in bytes.
  mutating func begin(at time: Int64, header: Int) {
    (isOpen, isEnded) = (true, false)
    bytes = header
    start = time
    setEnd()
  }

  private mutating func setEnd() {
    guard period > 0 else { return end = nil }
    let (next, isOverflow) = (start.quotient(roundedDownBy: period) + 1).multipliedReportingOverflow(by: period)
    end = isOverflow ? nil : next
  }

  /// Ends the part: it counts as full. Before the first part there is nothing to end.
  mutating func endPart() { isEnded = isOpen }

  private var isFull: Bool { isEnded || bytes >= size }

  mutating func add(_ count: Int) { bytes += count }
  mutating func take(_ reading: Reading) { last = reading.time }

  /// The number of these readings that belong to this part. The first one does.
  func prefix(of readings: UnsafeBufferPointer<Reading>) -> Int {
    // If the part is full, readings of the open row may still join it.
    if isFull, let time = readings.first?.time, time == last {
      return readings.firstIndex { $0.time != time } ?? readings.count
    }
    guard let end else { return readings.count }
    return readings.firstIndex { $0.time >= end } ?? readings.count
  }

  /// The number of bytes left in the part.
  var room: Int { isFull ? 0 : size - bytes }
}

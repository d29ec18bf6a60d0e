import Sluice
package import SluiceReadings

/// The rows of a trace that could not be read and were left out, as `--skip-bad` asks for. For any thread.
package final class SkippedRows: Sendable {
  private let state = Locked((count: 0, first: SluiceError?.none))

  package init() {}

  /// How many there are so far.
  package var count: Int { state.withLock { $0.count } }
  /// The fault of the first.
  package var first: SluiceError? { state.withLock { $0.first } }

  func add(_ error: SluiceError) {
    state.withLock { state in
      state.count += 1
      if state.first == nil { state.first = error }
    }
  }
}

/// The rows of one file. At the end of the file they are reported.
struct SkippedOfFile {
  private let rows: SkippedRows?
  private var count = 0
  private var first: SluiceError?
  private var isSaid = false

  init(_ rows: SkippedRows?) { self.rows = rows }

  mutating func add(_ error: SluiceError) {
    count += 1
    if first == nil { first = error }
    rows?.add(error)
  }

  /// The message about them, only once; nil if there are none.
  mutating func said(of name: String) -> String? {
    guard let first, !isSaid else { return nil }
    isSaid = true
    return count == 1
      ? "\(name): a row could not be read and is left out: \(first.cause)"
      : "\(name): \(grouped(count)) rows could not be read and are left out; the first is \(first.cause)"
  }
}

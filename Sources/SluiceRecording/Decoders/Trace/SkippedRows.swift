import Sluice
package import SluiceReadings

/// The rows of a trace that `--skip-bad` left out because they were unreadable. Any thread may use it.
package final class SkippedRows: Sendable {
  private let state = Locked((count: 0, first: SluiceError?.none))

  package init() {}

  /// The number of rows so far.
  package var count: Int { state.withLock { $0.count } }
  /// The fault of the first row.
  package var first: SluiceError? { state.withLock { $0.first } }

  package func add(_ error: SluiceError) {
    state.withLock { state in
      state.count += 1
      if state.first == nil { state.first = error }
    }
  }
}

/// The unreadable rows of one file. They are reported at the end of the file.
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

  /// The message about the rows, once per file; nil if there are none.
  mutating func said(of name: String) -> String? {
    guard let first, !isSaid else { return nil }
    isSaid = true
    return count == 1
      ? "\(name): a row could not be read and is left out: \(first.cause)"
      : "\(name): \(grouped(count)) rows could not be read and are left out; the first is \(first.cause)"
  }
}

import SluicePipeline
import SluiceReadings
import SluiceRecording

extension Plot {
  /// The names of the traces, without their folders.
  package var title: String {
    traces.map(\.title).joined(separator: ", ")
  }

  /// The number of readings, their duration and their start.
  package var subtitle: String {
    let count = traces.flatMap(\.streams).reduce(0) { $0 + $1.count }
    let shown = PlotTrace.hull(traces.flatMap(\.streams).compactMap(\.shownTimes))
    if let shown, shown.lowerBound == shown.upperBound {
      return "\(grouped(count)) reading\(count == 1 ? "" : "s") at \(Self.text(shown.lowerBound))"
    }
    let length = Self.length(UInt64(bitPattern: times.upperBound &- times.lowerBound))
    let start = clock == .relative && times.lowerBound == zero ? "" : ", from \(Self.text(times.lowerBound))"
    return "\(grouped(count)) reading\(count == 1 ? "" : "s") in \(length)\(start)"
  }

  /// The description for screen readers.
  func summary(_ panels: [PlotPanel]) -> String {
    let parts = panels.map { panel in
      let names = panel.series.prefix(16).map(\.name).joined(separator: ", ")
      switch panel.kind {
      case .levels: return "levels of \(names)"
      case .values(let unit):
        let range = panel.values.map { " from \(Self.short($0.lowerBound)) to \(Self.short($0.upperBound))" } ?? ""
        return "\(names)\(range)\(unit.isEmpty ? "" : " \(unit)")"
      }
    }
    return ([subtitle] + parts + marks.map(\.text) + notes).joined(separator: "; ")
  }

  /// `135.3 s`, `2 h 57 min`.
  static func length(_ nanoseconds: UInt64) -> String {
    guard nanoseconds >= 300_000_000_000 else { return spanText(Double(nanoseconds)) }
    let minutes = (nanoseconds / 1_000_000_000 + 30) / 60
    if minutes < 60 { return "\(minutes) min" }
    if minutes < 48 * 60 { return "\(minutes / 60) h \(minutes % 60) min" }
    return "\(grouped(Int(minutes / 1_440))) d \(minutes % 1_440 / 60) h"
  }

  /// A number with four digits.
  private static func short(_ value: Double) -> String {
    let (size, whole) = (abs(value), value.rounded())
    if size >= 1e6 || size > 0 && size < 1e-3 { return "\(value)" }
    return size >= 1_000 || whole == value ? fixed(value, 0) : fixed(value, size < 1 ? 4 : size < 100 ? 2 : 1)
  }
}

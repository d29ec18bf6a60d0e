import SluiceReadings
package import SluiceRecording

extension TraceMetadata {
  /// The totals from which the next run continues: `m is 173.5 l`, or
  /// `m is at least 173.5 l, because a run was cut off`. The metadata of an unfinished run or part has only the totals
  /// at its start. The metadata of a part that has ended has the totals at the time when this metadata was written: the
  /// last rows that these totals count are in the next part.
  package var totalTexts: [String] {
    totals.compactMap { total in
      // A total of pulses, or the position of an encoder.
      let names = ["total", "position"].filter { total.values[$0].map { !$0.isMissing } ?? false }
      guard let name = names.first, let value = total.values[name] else { return nil }
      let channel = streams?.first { $0.name.isExactly(total.stream) }?.channels.first { $0.name == name }
      let amount = "\(value)\(channel?.unit.map { " \($0)" } ?? "")"
      let verb =
        state == .unfinished
        ? "was, when the last run or part began," : total.goesOn ? "was, when the next part began," : "is"
      return "\(total.stream) \(verb) " + (total.isAtLeast ? "at least \(amount), because a run was cut off" : amount)
    }
  }
}

import Dispatch
import Sluice
public import SluiceReadings
import SluiceRecording

// What is noted in the metadata while a recording runs.

extension Recording {
  /// Marks this moment with a text, such as `door opened`.
  ///
  /// The mark has a time by the clock of the readings. It is an event, and it is in the metadata of every output, which
  /// `sluice info` shows; the metadata is written at once, so that the mark survives a kill. Any thread may call it,
  /// before the start too. A recording keeps 10,000 marks.
  /// - Throws: A `SluiceError` for a replay, for an empty text, for one of more than 1,024 bytes, and if there are
  ///   10,000 marks.
  @_spi(Preview) public func mark(_ text: String) throws(SluiceError) {
    func refused(_ cause: String, _ remedy: String) -> SluiceError {
      SluiceError(.usage, "mark", "the recording", because: cause, remedy: remedy)
    }
    if plan.replay != nil { throw refused("it is a replay, whose times are those of its trace", "mark a recording") }
    if text.isEmpty { throw refused("the mark has no text", "give it a text") }
    if text.utf8.count > 1_024 {
      throw refused("the text of the mark has \(grouped(text.utf8.count)) bytes", "give it at most 1,024")
    }
    if state.withLock({ $0.account }) != nil { throw refused("it has ended", "mark it while it runs") }
    try pipeline.mark(text)
    writeMarks()
  }

  /// Writes the marks into the metadata, on the queue, because a disk may be slow. One write has all marks that came before
  /// it.
  func writeMarks() {
    let isFirst = state.withLock { state in
      defer { state.areMarksDue = true }
      return !state.areMarksDue
    }
    guard isFirst else { return }
    queue.async { [self] in
      state.withLock { $0.areMarksDue = false }
      // It is nil before the start, which writes the marks then, and after the end, which has written them.
      guard let begun = state.withLock({ $0.metadata }) else { return }
      _ = begun.update(nil, pipeline.marks)
      for later in state.withLock({ $0.later }) {
        // Of the marks, those since it began.
        _ = later.metadata.update(nil, Array(pipeline.marks.dropFirst(later.before.marks.count)))
      }
      _ = parts.update()
    }
  }

  /// Writes a plan that was changed into the metadata, on the queue. One write has all changes before it.
  func writePlan() {
    let isFirst = state.withLock { state in
      defer { state.isPlanDue = true }
      return !state.isPlanDue
    }
    guard isFirst else { return }
    queue.async { [self] in
      let (described, begun, later) = state.withLock { state in
        state.isPlanDue = false
        return (state.described, state.metadata, state.later)
      }
      guard let described, let begun, let plan = described.plan else { return }
      for metadata in [begun] + later.map(\.metadata) { _ = metadata.update(plan: plan, described.planChanges) }
      parts.take(described.plan, described.planChanges)
      _ = parts.update()
    }
  }
}

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
  public func mark(_ text: String) throws(SluiceError) { try mark(text) { _ in } }

  /// - Parameter written: Called when the mark is in the metadata, so that a kill does not lose it, or cannot be written
  ///   there now, because a disk is full or away.
  package func mark(
    _ text: String, _ written: @escaping @Sendable (_ isWritten: Bool) -> Void
  ) throws(SluiceError) {
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
    writeMarks(written)
  }

  /// Writes the marks into the metadata, on the queue, because a disk may be slow. One write has all marks that came before
  /// it.
  /// - Parameter written: Called after that, with whether all metadata could be written.
  func writeMarks(_ written: @escaping @Sendable (Bool) -> Void = { _ in }) {
    let isFirst = state.withLock { state in
      defer { state.areMarksDue = true }
      state.marksAwaited.append(written)
      return !state.areMarksDue
    }
    guard isFirst else { return }
    queue.async { [self] in
      let awaited = state.withLock { state in
        state.areMarksDue = false
        defer { state.marksAwaited = [] }
        return state.marksAwaited
      }
      // It is nil before the start, which writes the marks then, and after the end, which has written them.
      guard let begun = state.withLock({ $0.metadata }) else { return awaited.forEach { $0(true) } }
      var isWritten = begun.update(nil, pipeline.marks)
      for later in state.withLock({ $0.later }) {
        // Of the marks, those since it began.
        let marks = Array(pipeline.marks.dropFirst(later.before.marks.count))
        isWritten = later.metadata.update(nil, marks) && isWritten
      }
      isWritten = parts.update() && isWritten
      awaited.forEach { $0(isWritten) }
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
      parts.take(plan, described.planChanges)
      _ = parts.update()
    }
  }
}

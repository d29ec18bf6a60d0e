import SluiceDevices
package import SluiceReadings

/// Checks whether losses would be counted, so that `--max-loss` can apply.
package enum MaxLoss {
  /// - Throws: If a source loses readings, or a recording has lost some, and no count would show it.
  package static func check(_ input: PipelineInput) throws(SluiceError) {
    switch input {
    case .devices(let sources):
      for source in sources where source.lossCoverage == .none {
        throw unseen(source.streams, source.coverageReason, remedy: source.coverageRemedy)
      }
    case .trace(let replay):
      let trace = replay.trace
      // In a trace without metadata one kind of loss can be counted: unreadable rows.
      if !trace.hasMetadata, replay.skippedRows != nil { return }
      if let cause = trace.unknownLosses {
        throw SluiceError(
          .unsupported, "keep", "--max-loss for \(trace.name)", because: cause,
          remedy: trace.hasMetadata
            ? "leave out --max-loss"
            : "leave out --max-loss, or give --skip-bad too to limit the rows that cannot be read")
      }
      if replay.lossCoverage == .none { throw unseen(replay.streams, "by the metadata of the recording") }
    }
  }

  private static func unseen(
    _ streams: [StreamDescription], _ reason: String?, remedy: String? = nil
  ) -> SluiceError {
    let names = streams.map(\.name).joined(separator: ", ")
    return SluiceError(
      .unsupported, "keep", "--max-loss", because: "\(reason.map { "\($0) " } ?? "")no loss of \(names) would show",
      remedy: remedy ?? "leave out --max-loss")
  }
}

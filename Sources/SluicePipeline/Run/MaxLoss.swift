import SluiceDevices
package import SluiceReadings

/// Checks whether losses would be counted, so that `--max-loss` can apply.
package enum MaxLoss {
  /// - Throws: If a source loses readings, or a recording has lost some, and no count would show it.
  package static func check(_ sources: [Source]) throws(SluiceError) {
    for source in sources {
      // In a trace without metadata one kind of loss can be counted: unreadable rows.
      if source.trace?.hasMetadata == false, source.skippedRows != nil { continue }
      if let cause = source.trace?.unknownLosses {
        throw SluiceError(
          .unsupported, "keep", "--max-loss for \(source.trace?.name ?? "standard input")", because: cause,
          remedy: source.trace?.hasMetadata == false
            ? "leave out --max-loss, or give --skip-bad too to limit the rows that cannot be read"
            : "leave out --max-loss")
      }
      guard source.lossCoverage == .none else { continue }
      let names = source.streams.map(\.name).joined(separator: ", ")
      let reason = source.trace == nil ? source.coverageReason : "by the metadata of the recording"
      throw SluiceError(
        .unsupported, "keep", "--max-loss", because: "\(reason.map { "\($0) " } ?? "")no loss of \(names) would show",
        remedy: source.coverageRemedy ?? "leave out --max-loss")
    }
  }
}

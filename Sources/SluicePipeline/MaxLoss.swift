import SluiceDevices
package import SluiceReadings

/// Whether `--max-loss` can be kept at all.
package enum MaxLoss {
  /// - Throws: If a source loses readings, or a recording has missed some, and nothing would show that.
  package static func check(_ sources: [Source]) throws(SluiceError) {
    for source in sources {
      if let cause = source.trace?.unknownLosses {
        throw SluiceError(
          .unsupported, "keep", "--max-loss for \(source.trace?.name ?? "standard input")", because: cause,
          remedy: "leave out --max-loss")
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

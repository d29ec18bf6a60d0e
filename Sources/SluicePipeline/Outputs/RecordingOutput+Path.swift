package import SluiceReadings
package import SluiceRecording
import SluiceSystem

extension RecordingOutput {
  /// Makes the output of a plan that has been checked. It checks once whether the path is a folder.
  /// - Parameters:
  ///   - traceLayout: The layout of the replayed trace. A single output file gets the same layout.
  ///   - streams: The streams to write; nil if more may come.
  package init(
    _ plan: OutputPlan, traceLayout: CSVLayout? = nil, for streams: [StreamDescription]?
  ) throws(SluiceError) {
    let (path, isInParts) = (plan.path, plan.rotation != nil)
    let kind = OutputKinds.kind(of: path)
    let isFolder = kind.folder != nil
    if isFolder, streams == nil {
      throw SluiceError(
        .unsupported, "write", path,
        because: "the streams of a trace that comes from a pipe are not known before its end",
        remedy: "write to one file and not to a folder, or give the trace as a file and not through a pipe")
    }
    if kind.hasFiles { try RecordingFormats.check(path, plan.format) }
    try kind.check()
    try RecordingFormats.checkName(of: path, plan.format)
    if let format = kind.format, let other = plan.format, other != format {
      throw SluiceError(
        .unsupported, "send", "\(other) to \(path)", because: "such a server takes \(format)",
        remedy: "leave out --format; then the name of each file sets its format")
    }
    let type = RecordingFormats.type(of: path, plan.format)
    let isPipe = path == "-" || FileIdentity(path: path).map { !$0.isRegular && !$0.isDirectory } ?? false
    if isPipe, !type.takesPipes {
      throw SluiceError(
        .unsupported, "write", outputTitle(path),
        because: "\(type.name) cannot be written to a pipe", remedy: "give a file")
    }
    let compression = isFolder ? nil : RecordingFormats.compression(of: path)
    if let compression { try Self.check(path, type, compression, plan.existing, isInParts: isInParts) }
    if isInParts, isPipe || !kind.hasFiles || !type.hasParts {
      throw SluiceError(
        .unsupported, "cut", "\(path) into parts",
        because: isPipe || !kind.hasFiles ? "it is no file" : "\(type.name) has no parts",
        remedy: "leave out --rotate for it")
    }
    if plan.existing == .append, !isInParts, kind.hasFiles, !type.canAppend {
      throw SluiceError(
        .usage, "append to", path, because: "nothing can be appended to a file of the format \(type.name)",
        remedy: "write each recording to a file of its own")
    }
    var options = FormatOptions(
      path: path, layout: plan.layout ?? (isFolder || plan.headerUnits ? .wide : nil),
      traceLayout: isFolder ? nil : traceLayout,
      streamCount: isFolder ? 1 : streams?.count { !$0.channels.isEmpty } ?? 0, isGrowing: streams == nil)
    options.encoding = plan.encoding
    self.init(
      kind, format: try type.init(options), existing: plan.existing, raw: plan.raw,
      style: RowStyle(time: plan.time, decimals: plan.decimals, headerUnits: plan.headerUnits, tags: plan.tags),
      rotation: plan.rotation, compression: compression)
  }

  private static func check(
    _ path: String, _ type: any RecordingFormat.Type, _ compression: any Compression.Type, _ existing: ExistingFile,
    isInParts: Bool
  ) throws(SluiceError) {
    guard type.isCompressible else {
      throw SluiceError(
        .unsupported, "write", path,
        because: type.takesPipes
          ? "the chunks of \(type.name) are compressed already" : "\(type.name) cannot be compressed",
        remedy: "leave out .\(compression.ending)")
    }
    if isInParts {
      throw SluiceError(
        .unsupported, "cut", "\(path) into parts", because: "sluice cannot cut a compressed file into parts",
        remedy: "leave out --rotate, or .\(compression.ending)")
    }
    if existing == .append {
      throw SluiceError(
        .usage, "append to", path, because: "a compressed file cannot be appended to",
        remedy: "write each recording to a file of its own")
    }
  }
}

package import SluiceReadings
package import SluiceRecording
import SluiceSystem

/// Checks whether new rows have the same streams and format as a file, as far as the metadata of the file shows. A new
/// part may have other streams than the parts before it.
package enum AppendCheck {
  /// - Parameters:
  ///   - files: The files that already have rows.
  ///   - streams: By output, its streams.
  ///   - parts: The paths of those files that a new part will follow.
  ///   - takesNames: Whether the user may give the streams other names.
  ///   - isGrowing: Whether the streams are not known yet, so that they cannot be compared.
  ///   - warn: Called with a sentence for each file if only its header can be compared.
  package static func run(
    _ files: [OutputFiles.Described], _ streams: [[StreamDescription]], parts: Set<String> = [],
    takesNames: Bool = false, isGrowing: Bool = false, warn: (String) -> Void
  ) throws(SluiceError) {
    for file in files {
      let path = file.file.path
      guard !isGrowing else {
        warn("the streams that come are not known yet, so only the header of \(path) is compared")
        continue
      }
      guard let metadata = try metadata(of: file, warn) else { continue }
      let (known, format) = (metadata.format, type(of: file.file.format).name)
      if let known, known != format {
        throw SluiceError(
          .malformed, "append to", path, because: "its metadata says that it is \(known), not \(format)",
          remedy: "write to another file")
      }
      let style = file.style
      if metadata.time != style.time || metadata.decimals != style.decimals {
        throw SluiceError(
          .malformed, "append to", path,
          because: "its metadata says that it was written with another --time or --decimals",
          remedy: "give the same --time and --decimals, or write to another file")
      }
      let new = Array(streams[file.output][file.file.streams])
      if let difference = difference(new, raw: file.raw, metadata) {
        let misfit = misfit(new, raw: file.raw, metadata, file)
        if parts.contains(path) {
          guard let misfit else {
            warn("\(path): \(difference), so the run begins a part with its own streams")
            continue
          }
          throw SluiceError(
            .malformed, "append to", path, because: misfit,
            remedy: "give the stream another name, NAME=KIND:WHAT, or write to another file")
        }
        // The name of a source without a device has its settings, such as the period of a timer.
        let known = metadata.streams ?? []
        let renamed =
          takesNames && known.count == new.count ? zip(known, new).first { !$0.name.isExactly($1.name) } : nil
        throw SluiceError(
          .malformed, "append to", path, because: "by its metadata \(difference)",
          remedy: (type(of: file.file.format).hasParts && misfit == nil
            ? "give --rotate, such as --rotate 24h, for a part with its own streams, or " : "")
            + (renamed.map { "give \($1.name) its earlier name, \(quotedForShell($0.name))=KIND:WHAT, or " } ?? "")
            + "write to another file")
      }
    }
  }

  /// The reason why a part with these streams could not be read together with the file and the parts of its recording;
  /// nil if it can.
  private static func misfit(
    _ streams: [StreamDescription], raw: Bool, _ metadata: TraceMetadata, _ file: OutputFiles.Described
  ) -> String? {
    for stream in streams {
      // The values of another sensor do not belong to the same stream.
      let before = metadata.streams?.first { $0.name.isExactly(stream.name) }?.device
      for part in [\StreamDescription.Device.bus, \.name] {
        if let old = before?[keyPath: part], let new = stream.device?[keyPath: part], old != new {
          return "\(stream.name) is of the device \(old), not of \(new)"
        }
      }
    }
    let written = streams.map { stream in
      var stream = stream
      stream.isScaled = stream.isScaled || !raw
      return stream
    }
    let path = file.file.path
    let recording = PartName(fileName(of: path)).map { SluiceSystem.path(of: $0.recording, beside: path) } ?? path
    let paths = RecordedParts(of: recording, Compressions.all)?.paths ?? [path]
    // A part without a row has nothing that is read, so its streams do not count.
    let empty = Set(file.empty.map { ExactName(fileName(of: $0)) })
    return RecordedParts.misfit(written, after: paths.filter { !empty.contains(ExactName(fileName(of: $0))) })
  }

  /// Nil if there is no metadata to compare.
  private static func metadata(
    of file: OutputFiles.Described, _ warn: (String) -> Void
  ) throws(SluiceError) -> TraceMetadata? {
    let (path, store) = (file.file.path, file.metadata)
    do throws(SluiceError) {
      if let metadata = try store.read() { return metadata }
      warn("\(path) has no metadata, so only its header is compared")
    } catch  where error.code == .malformed && !store.paths.isEmpty {
      // A power cut may have damaged the metadata, and the recording should continue.
      warn("\(error.object): \(error.cause): it is kept under another name, and only the header of \(path) is compared")
    }
    return nil
  }

  /// The first difference, in words; nil if there is none.
  package static func difference(_ streams: [StreamDescription], raw: Bool, _ metadata: TraceMetadata) -> String? {
    guard let known = metadata.streams else { return nil }
    guard known.map(\.name) == streams.map(\.name) else {
      return "it holds \(list(known.map(\.name))), not \(list(streams.map(\.name)))"
    }
    for (before, now) in zip(known, streams) {
      for path in [\StreamDescription.Device.bus, \.name] {
        guard let old = before.device?[keyPath: path], let new = now.device?[keyPath: path], old != new else {
          continue
        }
        return "\(now.name) is of the device \(old), not of \(new)"
      }
      guard before.channels.map(\.name) == now.channels.map(\.name) else {
        return
          "\(now.name) has the channels \(list(before.channels.map(\.name))), not \(list(now.channels.map(\.name)))"
      }
      for (old, new) in zip(before.channels, now.channels) {
        let name = "\(now.name).\(new.name)"
        let (oldUnit, newUnit) = (old.unit ?? "no unit", new.unit ?? "no unit")
        if oldUnit != newUnit { return "\(name) is in \(oldUnit), not in \(newUnit)" }
        if old.scale != new.scale { return "\(name) has the scale \(old.scale), not \(new.scale)" }
        if old.offset != new.offset { return "\(name) has the offset \(old.offset), not \(new.offset)" }
        let isScaled = new.scale != .one || new.offset.significand != 0
        if isScaled, let values = metadata.values, (values == .raw) != raw {
          return "its values are \(values.rawValue), and they would now be \(raw ? "raw" : "scaled")"
        }
      }
    }
    return nil
  }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}

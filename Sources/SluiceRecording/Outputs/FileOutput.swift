package import SluiceReadings
import SluiceSystem

/// An output that is one file, a database, or a pipe: `-` is standard output.
package struct FileOutput: OutputOfFiles {
  package let address: String

  package init(_ address: String) { self.address = address }

  package func files(of format: any RecordingFormat, for streams: [StreamDescription]) -> [OutputFile] {
    [OutputFile(path: address, format: format, streams: streams.indices)]
  }
}

/// An output that is a folder with a file for each stream, named after it.
package struct FolderOutput: OutputOfFiles {
  package let address: String

  /// `DIR/` makes the folder.
  package init?(_ address: String) {
    guard address != "-", address.hasSuffix("/") || FileIdentity(path: address)?.isDirectory ?? false else {
      return nil
    }
    self.init(path: address)
  }

  package init(path: String) { address = path }

  package var folder: String? { address }

  package func files(of format: any RecordingFormat, for streams: [StreamDescription]) -> [OutputFile] {
    let ending = type(of: format).extensions[0]
    let folder = address.hasSuffix("/") ? address : address + "/"
    return streams.enumerated().map { index, stream in
      OutputFile(path: "\(folder)\(OutputFile.name(stream.name)).\(ending)", format: format, streams: index..<index + 1)
    }
  }
}

/// An output that is files.
package protocol OutputOfFiles: OutputKind {}

extension OutputOfFiles {
  package var hasFiles: Bool { true }

  package func claim(
    _ output: RecordingOutput, number: Int, for streams: [StreamDescription], _ claims: inout OutputClaims
  ) throws(SluiceError) -> [ClaimedStore] {
    var stores: [ClaimedStore] = []
    for described in try output.files(for: streams) {
      let series =
        output.rotation == nil ? nil : output.parts(of: described, number: number, observer: claims.parts)
      let file = try claims.open(
        series?.index ?? described.path, series == nil ? output.existing : .append, series, output.compression)
      let encoded = EncoderStreams(
        Array(streams[described.streams]), from: described.streams.lowerBound, raw: output.raw, style: output.style)
      stores.append(ClaimedStore(try described.format.store(file, encoded), file))
    }
    return stores
  }
}

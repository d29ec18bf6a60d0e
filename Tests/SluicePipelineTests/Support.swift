import SluiceRecording

@testable import SluicePipeline

extension OutputFiles.Described {
  /// A file that is new.
  static func csv(_ path: String, _ layout: CSVLayout = .wide, streams: Range<Int>, raw: Bool = false) -> Self {
    OutputFiles.Described(
      file: OutputFile(path: path, format: CSVFormat(layout: layout), streams: streams), existing: .refuse, raw: raw,
      isAppended: false)
  }
}

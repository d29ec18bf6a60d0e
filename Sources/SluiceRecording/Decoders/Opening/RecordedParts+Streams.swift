package import SluiceReadings

extension RecordedParts {
  /// Why a new part with these streams could not be read together with earlier files; nil if it can be. Parts
  /// may have different streams and channels, but a channel with the same name must have the same meaning.
  /// - Parameter paths: The earlier files. Those without metadata of their streams are not compared.
  package static func misfit(_ streams: [StreamDescription], after paths: [String]) -> String? {
    var known: PartStreams?
    var last: [StreamDescription]?
    for path in paths {
      guard let described = (try? MetadataFile(beside: path).read())?.streams, described != last else { continue }
      last = described
      if known == nil {
        known = PartStreams(described, of: path, mayGrow: true)
      } else {
        // Files that do not fit each other are reported when they are read.
        try? known?.add(described, of: path)
      }
    }
    do throws(SluiceError) {
      try known?.add(streams, of: "")
      return nil
    } catch {
      return error.cause
    }
  }
}

import SluiceRecording

/// Where readings go.
package struct Output: Hashable {
  package var destination: CSVDestination
  /// Values are written without offset and scale.
  package var raw = false
  package var existing = ExistingFile.refuse

  package init(destination: CSVDestination, raw: Bool = false, existing: ExistingFile = .refuse) {
    self.destination = destination
    self.raw = raw
    self.existing = existing
  }
}

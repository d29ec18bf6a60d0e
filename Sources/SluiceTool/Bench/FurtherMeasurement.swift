/// The results of a kind of device's own measurement of a source.
struct FurtherMeasurement {
  /// Figures that are added to those of the recording.
  var figures: [Figure] = []
  /// A section, which is joined with the others of the same key.
  var section: BenchSection?
}

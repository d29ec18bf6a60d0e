/// What `sluice bench` measured of a source besides recording it.
struct FurtherMeasurement {
  /// Figures beside those of the recording.
  var figures: [Figure] = []
  /// A section, joined with the others of the same key.
  var section: BenchSection?
}

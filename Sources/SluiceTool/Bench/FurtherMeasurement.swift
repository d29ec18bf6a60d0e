/// What `sluice bench` measured of a source besides recording it.
struct FurtherMeasurement {
  /// To stand with those of the recording.
  var figures: [Figure] = []
  /// Joined with those of the same key.
  var section: BenchSection?
}

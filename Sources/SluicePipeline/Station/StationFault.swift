package import SluiceReadings

/// What is wrong at one place of a station file.
package struct StationFault: Equatable, Sendable {
  package var place: StationNode.Place
  /// `sources.imu.sampel-rate: iio has no such setting; did you mean sample-rate?`
  package var sentence: String

  package init(_ sentence: String, at place: StationNode.Place) { (self.sentence, self.place) = (sentence, place) }

  /// An error with all faults, each in a line, in the order of their places.
  /// - Parameter file: The name of the file.
  package static func error(_ faults: [StationFault], in file: String) -> SluiceError {
    let lines = faults.sorted { ($0.place, $0.sentence) < ($1.place, $1.sentence) }.map {
      "\(file):\($0.place.line):\($0.place.column): \($0.sentence)"
    }
    let count = faults.count == 1 ? "it has a fault" : "it has \(grouped(faults.count)) faults"
    var error = SluiceError(.usage, "use", "the station file \(file)", because: count)
    error.lines = lines
    return error
  }
}

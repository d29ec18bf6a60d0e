package import SluiceReadings

extension RecordingPlan {
  /// Reads the plan of a station file. It opens nothing.
  /// - Parameters:
  ///   - root: What the file has; nil if it is empty, or could not be read to its end.
  ///   - faults: What was refused while it was read.
  ///   - file: The name of the file in errors.
  ///   - followsChannels: Whether a stage that does not fit the streams of its sources is a fault.
  /// - Throws: A `SluiceError` with all faults, each in a line with its place: `walk.yaml:7:5: sources.imu.sampel-rate: iio
  ///   has no such setting; did you mean sample-rate?` Its code is `.usage`.
  package init(
    station root: StationNode?, faults: [Fault], file: String, followsChannels: Bool = false
  ) throws(SluiceError) {
    var faults = faults
    var plan: RecordingPlan?
    var made: StationNode?
    if let root {
      var form = StationForm()
      made = form.plan(root)
      faults += form.faults
      if let made { plan = Self.decode(made, &faults) }
    } else if faults.isEmpty {
      faults.append(Fault("it is empty: write what to record, and where to", at: .init(line: 1, column: 1)))
    }
    guard let plan, faults.isEmpty else { throw Fault.error(faults, in: file) }
    if followsChannels, let made, let misfit = plan.misfit {
      let place = made.found(at: misfit.place, prefersKey: false)
      throw Fault.error([Fault("\(place.path): \(misfit.error)", at: place.place)], in: file)
    }
    self = plan
  }

  /// The most faults of the plan that are shown.
  private static let mostFaults = 100

  /// Decodes a plan as often as it takes to find all faults: what is wrong is removed before the next time.
  ///
  /// A fault of several values is left out if one of them was removed: it may be wrong.
  private static func decode(_ node: StationNode, _ faults: inout [Fault]) -> RecordingPlan? {
    var node = node
    var found = 0
    while found < mostFaults {
      do throws(Fault) {
        return try RecordingPlan(plan: PlanNode(json: node.json))
      } catch {
        let fault = error
        let place = node.found(at: fault.path, prefersKey: [.key, .misspeltKey].contains(fault.subject))
        let isDue = fault.subject != .several || !place.isInLost
        if isDue {
          faults.append(Fault(place.path + fault.sentence, at: place.place))
          found += 1
        }
        let depth = isDue ? fault.path.count : place.depthOfMap
        guard node.remove(at: fault.path.prefix(depth), isLost: fault.subject != .key) else { return nil }
      }
    }
    return nil
  }
}

import SluiceDevices
import SluiceReadings

/// IIO devices that are still as a recording had them which was killed.
enum LeftoverCheck {
  static let name = "leftovers"

  /// - Parameter repair: Puts back what can be.
  static func findings(_ surroundings: Surroundings, repair: Bool) -> [Finding] {
    let roots = surroundings.roots
    let leftovers = repair ? IIOState.restoreAll(roots: roots) : IIOState.leftovers(roots: roots)
    let findings = leftovers.map { repair ? restored($0) : finding($0) } + enabled(surroundings, but: leftovers)
    return findings.isEmpty ? [.ok(name, "no IIO device is as a killed recording left it")] : findings
  }

  private static func finding(_ state: IIOState) -> Finding {
    .warning(
      name, "\(state) is as a killed recording left it", "sluice doctor --repair, or record from it again")
  }

  private static func restored(_ state: IIOState) -> Finding {
    guard var failure = state.failure else {
      return .ok(name, "\(state) was as a killed recording left it, and has been put back")
    }
    let remedy = failure.remedy ?? "sluice doctor --repair once more; dmesg may say what its driver met with"
    failure.remedy = nil
    return .problem(name, "\(state) is as a killed recording left it: \(failure)", remedy)
  }

  /// Buffers that nothing of this program accounts for.
  private static func enabled(_ surroundings: Surroundings, but leftovers: [IIOState]) -> [Finding] {
    IIODevice.ids(roots: surroundings.roots).compactMap { id in
      guard !leftovers.contains(where: { $0.device == id }) else { return nil }
      let folder = "\(surroundings.roots.sys)/bus/iio/devices/\(id)"
      let files = ["buffer0", "buffer"].map { "\(folder)/\($0)/enable" }
      guard let file = files.first(where: { Surroundings.word($0) == "1" }) else { return nil }
      return .warning(
        name, "the buffer of \(id) is enabled: a program is reading it, or one was killed",
        "where none is reading it: echo 0 > \(file)")
    }
  }
}

import SluiceDevices
import SluiceRecording

/// IIO devices that are still as a recording had them which was killed.
enum LeftoverCheck {
  static let name = "leftovers"

  /// - Parameter repair: Puts back what can be.
  static func findings(_ surroundings: Surroundings, repair: Bool) -> [Finding] {
    let leftovers = IIOState.leftovers(roots: surroundings.roots)
    // All together first, since one may use the trigger that another one changed.
    if repair { _ = IIOState.restoreAll(roots: surroundings.roots) }
    let findings = leftovers.map { repair ? restored($0) : finding($0) } + enabled(surroundings, but: leftovers)
    return findings.isEmpty ? [.ok(name, "no IIO device is as a killed recording left it")] : findings
  }

  private static func finding(_ state: IIOState) -> Finding {
    .warning(
      name, "\(state) is as a killed recording left it", "sluice doctor --repair, or record from it again")
  }

  private static func restored(_ state: IIOState) -> Finding {
    do throws(SluiceError) {
      try state.restore()
      return .ok(name, "\(state) was as a killed recording left it, and has been put back")
    } catch {
      return .problem(name, "\(state) is as a killed recording left it: \(error)", "repair it as root")
    }
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

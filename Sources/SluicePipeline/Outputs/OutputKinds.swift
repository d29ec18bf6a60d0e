package import SluiceRecording

/// The registry of the kinds of outputs.
package enum OutputKinds {
  /// In the order in which they are asked. Each address is that of a file if it is of no other kind.
  private static let all: [any OutputKind.Type] = [FolderOutput.self]

  package static func kind(of address: String) -> any OutputKind {
    all.lazy.compactMap { $0.init(address) }.first ?? FileOutput(address)
  }
}

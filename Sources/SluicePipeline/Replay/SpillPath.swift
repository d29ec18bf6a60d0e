import SluiceSystem

/// Where the log of an output is: `walk.csv-spill` for `walk.csv`.
enum SpillPath {
  static let ending = "-spill"

  /// - Parameters:
  ///   - output: The path of the output.
  ///   - folder: The folder of all logs; nil is the folder of the output.
  ///   - ending: Another ending for something else that is kept there.
  static func path(of output: String, in folder: String?, ending: String = ending) -> String {
    guard let folder else { return output + ending }
    let name = fileName(of: output)
    return "\(folder.hasSuffix("/") ? folder : folder + "/")\(name)\(ending)"
  }
}

/// The colours of a picture.
package enum PlotTheme: String, CaseIterable, Sendable {
  case light, dark
  /// Light or dark, by the setting of the reader's system; light on paper.
  case auto
}

/// Colours that people with any kind of colour vision can distinguish: the palette of Okabe and Ito without yellow,
/// darker on white and lighter on black.
struct PlotColours {
  let background: String
  let text: String
  let muted: String
  let grid: String
  let axis: String
  let lines: [String]
  let gap: String
  let loss: String

  static let light = PlotColours(
    background: "#ffffff", text: "#1f2328", muted: "#59636e", grid: "#e4e7eb", axis: "#8c959f",
    lines: ["#0072b2", "#d55e00", "#00805e", "#b0478f", "#b87700", "#2a9fd6", "#4d4d4d"], gap: "#d1242f",
    loss: "#a40e26")

  static let dark = PlotColours(
    background: "#0d1117", text: "#e6edf3", muted: "#9198a1", grid: "#262c36", axis: "#6e7681",
    lines: ["#56b4e9", "#ff8a3d", "#2bc79a", "#e290c6", "#e6b143", "#a5b4fc", "#c9d1d9"], gap: "#ff7b72",
    loss: "#ff7b72")

  /// The number of lines before dashes begin.
  static let count = light.lines.count
  /// The dashes of the first lines, of the next lines, and so on.
  static let dashes = ["", "6 3", "2 2", "8 3 2 3", "1 3"]

  /// The CSS rules for the classes of a picture.
  var rules: String {
    let lines = lines.enumerated().map { ".l\($0){stroke:\($1)}" }.joined()
    return ".b{fill:\(background)}text{fill:\(text)}.m{fill:\(muted)}.g{stroke:\(grid)}.a{stroke:\(axis)}\(lines)"
      + ".x{fill:\(gap)}.h{stroke:\(gap)}.p{fill:\(muted)}.s{fill:\(loss)}"
  }
}

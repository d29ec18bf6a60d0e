import SluiceAnalysis
import SluicePipeline
import SluiceReadings

extension Finding {
  /// Each finding as a line, with its remedy in a line below.
  static func text(_ findings: [Finding]) -> String {
    let rows = findings.map { [$0.verdict.rawValue, $0.check, $0.meaning] }
    let indent = table(findings.map { [$0.verdict.rawValue, $0.check, "|"] }).first?.count ?? 1
    var text = ""
    for (line, finding) in zip(table(rows), findings) {
      text += line + "\n"
      if let remedy = finding.remedy { text += String(repeating: " ", count: indent - 1) + "-> \(remedy.inOneLine)\n" }
    }
    return text
  }

  static func print(_ findings: [Finding], json: Bool) throws(SluiceError) {
    if json { try printOutput(Self.json(findings).text + "\n") } else { try printText(text(findings)) }
  }

  static func json(_ findings: [Finding]) -> JSON {
    .object([
      ("problems", JSON(findings.count { $0.verdict == .problem })),
      ("warnings", JSON(findings.count { $0.verdict == .warning })),
      (
        "findings",
        .array(
          findings.map {
            .object([
              ("check", .string($0.check)), ("verdict", .string($0.verdict.rawValue)), ("meaning", .string($0.meaning)),
              ("remedy", JSON($0.remedy)),
            ])
          })
      ),
    ])
  }
}

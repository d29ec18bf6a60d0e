import Foundation

/// The results as a table to read, which is Markdown too.
func printTable(_ results: [Result], _ growth: [Growth]) {
  let head = ["workload", "Sluice", "OpenCombine", "times as fast", "a loop", "times the loop", "target"]
  let rows = results.map { result in
    [
      result.workload, figure(result.sluice.median), result.openCombine.map { figure($0.median) } ?? "has none",
      result.timesAsFast.map(figure) ?? "", result.loop.map { figure($0.median) } ?? "",
      result.timesTheLoop.map(figure) ?? "", target(of: result),
    ]
  }
  print(table([head] + rows))
  guard !growth.isEmpty else { return }
  let ratios = growth.map {
    [
      $0.workload + "…", $0.ratios.map(figure).joined(separator: ", "),
      "at most \(figure($0.target))" + ($0.isMet ? "" : ": missed"),
    ]
  }
  print()
  print(table([["cost a value against that at the smallest number", "ratios", "target"]] + ratios))
}

private func target(of result: Result) -> String {
  var parts: [String] = []
  if let target = result.timesAsFastTarget, result.openCombine != nil { parts.append("\(figure(target)) times as fast") }
  if let target = result.timesTheLoopTarget { parts.append("at most \(figure(target)) times the loop") }
  return parts.joined(separator: ", ") + (result.isMet == false ? ": missed" : "")
}

private func figure(_ number: Double) -> String {
  String(format: number < 10 ? "%.2f" : number < 1_000 ? "%.1f" : "%.0f", number)
}

/// Text to the left, figures to the right.
private func table(_ rows: [[String]]) -> String {
  let columns = rows[0].indices
  let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
  let last = columns.count - 1
  func line(_ row: [String]) -> String {
    let cells = columns.map { column in
      let space = String(repeating: " ", count: widths[column] - row[column].count)
      return column == 0 || column == last ? row[column] + space : space + row[column]
    }
    return "| " + cells.joined(separator: " | ") + " |"
  }
  let rule = columns.map { column in
    String(repeating: "-", count: widths[column] + 1) + (column == 0 || column == last ? "-" : ":")
  }
  return ([line(rows[0]), "|" + rule.joined(separator: "|") + "|"] + rows.dropFirst().map(line)).joined(separator: "\n")
}

import Foundation

/// The results as a table to read, which is Markdown too.
func printTable(_ results: [Result], _ growth: [Growth]) {
  let head = [
    "workload", "Sluice", "OpenCombine", "times as fast", "a loop", "times the loop", "loop of calls", "times these",
    "target",
  ]
  let rows = results.map { result in
    [
      result.workload, figure(result.sluice.median), result.openCombine.map { figure($0.median) } ?? "has none",
      result.timesAsFast.map(figure) ?? "", result.loop.map { figure($0.median) } ?? "",
      result.timesTheLoop.map(figure) ?? "", result.calls.map { figure($0.median) } ?? "",
      result.timesTheCalls.map(figure) ?? "", result.targets.joined(separator: ", "),
    ]
  }
  print(table([head] + rows))
  guard !growth.isEmpty else { return }
  let ratios = growth.map { growth in
    let ratios = growth.ratios.map(figure).joined(separator: ", ")
    return [growth.workload + "…", ratios, figure(growth.target) + (growth.isMet ? "" : ": missed")]
  }
  print()
  print(table([["a value's cost, against the smallest number", "ratios", "at most"]] + ratios))
}

func figure(_ number: Double) -> String {
  String(format: number == number.rounded() ? "%.0f" : number < 10 ? "%.2f" : number < 1_000 ? "%.1f" : "%.0f", number)
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

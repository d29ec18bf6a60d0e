/// A cell of any role, and the number of values after it.
struct CellRun {
  let role: CellRole
  var values = 0
}

/// The roles of all columns of a file.
///
/// They are in memory without bounds checks, because an array would check its bounds for every cell.
final class CellRoles {
  let count: Int
  /// Valid as long as this object.
  let byColumn: UnsafePointer<CellRole>
  /// The roles as runs: the first run begins with the first column, and each other run with a column without values.
  /// Valid as long as this object.
  let runs: UnsafePointer<CellRun>
  let runCount: Int

  init(_ roles: [CellRole]) {
    count = roles.count
    let columns = UnsafeMutablePointer<CellRole>.allocate(capacity: max(1, roles.count))
    columns.initialize(repeating: .value, count: max(1, roles.count))
    var runs: [CellRun] = []
    for (column, role) in roles.enumerated() {
      columns[column] = role
      if role == .value, !runs.isEmpty {
        runs[runs.count - 1].values += 1
      } else {
        runs.append(CellRun(role: role))
      }
    }
    byColumn = UnsafePointer(columns)
    let memory = UnsafeMutablePointer<CellRun>.allocate(capacity: max(1, runs.count))
    memory.initialize(repeating: CellRun(role: .value), count: max(1, runs.count))
    for (index, run) in runs.enumerated() { memory[index] = run }
    self.runs = UnsafePointer(memory)
    runCount = runs.count
  }

  deinit {
    byColumn.deallocate()
    runs.deallocate()
  }
}

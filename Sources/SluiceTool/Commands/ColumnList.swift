import ArgumentParser

/// `--columns a,b,3`: names and numbers of columns. A name with a comma is given by its number.
struct ColumnList: ExpressibleByArgument {
  let columns: [String]

  init?(argument: String) {
    columns = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if columns.contains("") { return nil }
  }
}

import SluiceArguments

/// `--excel`, `--excel=de`: the language of a spreadsheet.
enum SpreadsheetArgument: String, NamedChoice {
  case en, de

  /// The name of the format.
  var format: String { self == .en ? "excel" : "excel-de" }
}

package import SluiceReadings

/// Workbooks of spreadsheets, which are refused with the way that works.
package enum SpreadsheetTrace: TraceKind {
  package static let form = "CSV saved from a spreadsheet"
  package static let extensions: [String] = []

  /// A ZIP archive whose first member is one of a workbook, or an OLE file of an old Excel.
  package static func recognizes(_ beginning: [UInt8]) -> Bool {
    if beginning.starts(with: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]) { return true }
    guard beginning.starts(with: [0x50, 0x4b, 0x03, 0x04]), beginning.count > 30 else { return false }
    let text = String(decoding: beginning[30...].prefix(200), as: UTF8.self)
    return ["[Content_Types].xml", "_rels/", "xl/", "docProps/", "mimetypeapplication/vnd.oasis.opendocument"].contains
    {
      text.hasPrefix($0)
    }
  }

  package static func open(_ file: TraceFile, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace {
    let name = file.path == "-" ? "FILE.xlsx" : quotedForShell(file.path)
    throw SluiceError(
      .unsupported, "read", file.name, because: "it is a workbook of a spreadsheet",
      remedy: "save the sheet as CSV, or let LibreOffice do it: soffice --headless --convert-to csv \(name)")
  }
}

import SluiceReadings

/// Decodes one CSV file. The type of the rows is its layout.
final class CSVDecoder<Rows: TraceRows>: TraceDecoder {
  private let file: CSVFile
  // One thread at a time reads it: Swift's check of exclusive access costs more than a cell.
  @exclusivity(unchecked) private var rows: Rows
  @exclusivity(unchecked) private var marks: TraceMarks
  @exclusivity(unchecked) private var failure: SluiceError?  // an error after the readings returned last

  init(_ file: CSVFile, _ rows: Rows, _ marks: TraceMarks) {
    self.file = file
    self.rows = rows
    self.marks = marks
    list = rows.list
  }

  var unusedMarks: TraceMarks { marks }
  let list: StreamList
  var hasNext: Bool { rows.hasPending || file.hasRow }
  var mayWait: Bool { file.mayWait }

  func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int {
    if let failure { throw failure }
    var count = 0
    while count < target.count {
      count += rows.readPlain(file, into: UnsafeMutableBufferPointer(rebasing: target[count...]))
      if count == target.count || (count > 0 && !hasNext) { break }
      do throws(SluiceError) {
        let more = try rows.readRow(file, into: UnsafeMutableBufferPointer(rebasing: target[count...]))
        if more == 0 {
          file.saySkipped()
          break
        }
        count += more
      } catch {
        do throws(SluiceError) {
          try file.leaveOut(error)
        } catch {
          failure = file.advice?.advised(error) ?? error
          break
        }
      }
    }
    if count == 0, let failure { throw failure }
    marks.flag(UnsafeMutableBufferPointer(rebasing: target[..<count]))
    return count
  }
}

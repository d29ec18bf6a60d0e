/// The points of one channel over another, in a constant number of cells for any number of points. The ranges of the
/// values need not be known before.
///
/// The width of a cell is a power of two. If the points need more cells than there are, the width is doubled. So a point
/// is at most 1/256 of the range from where it is drawn.
struct XYGrid {
  private struct Axis {
    var power: Int?
    var numbers: ClosedRange<Int64> = 0...0
    var values: ClosedRange<Double> = 0...0

    /// The number of the cell of a value, with the present width.
    func number(_ value: Double) -> Int64? { Int64(exactly: (value / width).rounded(.down)) }
    var width: Double { Double(sign: .plus, exponent: power ?? 0, significand: 1) }
  }

  static let size: Int64 = 512
  private struct Cell: Hashable {
    var x: Int64
    var y: Int64
  }

  private var cells: Set<Cell> = []
  private var x = Axis()
  private var y = Axis()
  private(set) var count = 0

  /// The ranges of the points; nil without points.
  var values: (x: ClosedRange<Double>, y: ClosedRange<Double>)? { count == 0 ? nil : (x.values, y.values) }

  mutating func add(_ xValue: Double, _ yValue: Double) {
    guard xValue.magnitude < 1e300, yValue.magnitude < 1e300 else { return }
    prepare(\.x, \.x, for: xValue)
    prepare(\.y, \.y, for: yValue)
    guard let column = x.number(xValue), let row = y.number(yValue) else { return }
    count += 1
    cells.insert(Cell(x: column, y: row))
  }

  /// Makes the cells of an axis so wide that the value has one.
  private mutating func prepare(
    _ axis: WritableKeyPath<XYGrid, Axis>, _ coordinate: WritableKeyPath<Cell, Int64>, for value: Double
  ) {
    if self[keyPath: axis].power == nil {
      // Cells of a billionth of the first value, at first.
      self[keyPath: axis].power = value == 0 ? -60 : Int(value.exponent) - 30
      if let number = self[keyPath: axis].number(value) { self[keyPath: axis].numbers = number...number }
      self[keyPath: axis].values = value...value
    }
    let values = self[keyPath: axis].values
    self[keyPath: axis].values = min(values.lowerBound, value)...max(values.upperBound, value)
    while true {
      let numbers = self[keyPath: axis].numbers
      if let number = self[keyPath: axis].number(value) {
        let wider = min(numbers.lowerBound, number)...max(numbers.upperBound, number)
        if wider.upperBound.subtractingReportingOverflow(wider.lowerBound).overflow == false,
          wider.upperBound - wider.lowerBound < Self.size
        {
          self[keyPath: axis].numbers = wider
          return
        }
      }
      self[keyPath: axis].power = (self[keyPath: axis].power ?? 0) + 1
      self[keyPath: axis].numbers = (numbers.lowerBound >> 1)...(numbers.upperBound >> 1)
      cells = Set(
        cells.map { cell in
          var cell = cell
          cell[keyPath: coordinate] >>= 1
          return cell
        })
    }
  }

  /// The middles of the cells with points, row by row. Cells side by side are one run.
  var runs: [(from: Double, to: Double, y: Double)] {
    var runs: [(from: Double, to: Double, y: Double)] = []
    let sorted = cells.sorted { $0.y == $1.y ? $0.x < $1.x : $0.y < $1.y }
    var previous: Cell?
    for cell in sorted {
      let x = (Double(cell.x) + 0.5) * x.width
      if let previous, previous.y == cell.y, previous.x + 1 == cell.x, !runs.isEmpty {
        runs[runs.count - 1].to = x
      } else {
        runs.append((from: x, to: x, y: (Double(cell.y) + 0.5) * y.width))
      }
      previous = cell
    }
    return runs
  }
}

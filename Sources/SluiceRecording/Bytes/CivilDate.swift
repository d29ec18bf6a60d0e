/// A date of the Gregorian calendar. As in ISO 8601, it also covers years before 1582.
struct CivilDate: Equatable {
  var year: Int64
  var month: Int64
  var day: Int64

  init(year: Int64, month: Int64, day: Int64) { (self.year, self.month, self.day) = (year, month, day) }

  /// Howard Hinnant's `civil_from_days`.
  init(daysSinceEpoch day: Int64) {
    let shifted = day + 719_468
    let era = shifted.quotient(roundedDownBy: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    self.day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
  }

  /// Days since 1970-01-01, by Howard Hinnant's `days_from_civil`.
  var daysSinceEpoch: Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted.quotient(roundedDownBy: 400)
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let yearOfEra = shifted - era * 400
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

extension Int64 {
  func quotient(roundedDownBy divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

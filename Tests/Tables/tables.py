#!/usr/bin/env python3
"""Random tables of sensors, each with the rows that a careful human reads in it.

    tables.py COUNT [--seed N] [--family NAME]   prints COUNT tables, one JSON object a line
    tables.py --check COUNT [--seed N] [...]     reads its own tables again, and counts the families

Each table comes from its seed alone. parts.py has the cells, the times and the layouts. The keys of an object:

    seed, family, name, options, why    where it comes from, and how it is to be read
    table                               its bytes, in base64
    columns, rows                       the right names and rows; a name is null if the documents do not say it
    question, either                    true: it has several readings; either has them all, "rows" is the first
    refusal                             "no": it is read. "advice": it is read, or refused with options or with a
                                        command that reads it so. "yes": any refusal is right, too
"""
import argparse
import base64
import csv
import io
import json
import random
import re
import sys
from collections import Counter
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from zoneinfo import ZoneInfo

sys.dont_write_bytecode = True
from parts import *  # noqa: E402,F403

# The share of each family in percent. Its function has the same name, with an underscore for each hyphen; some are lines of
# DIALECTS or LAYOUTS.
SHARES = {
    # dialects and headers
    "plain": 3, "semicolon-comma": 3, "semicolon-point": 2, "tabs": 2, "spaces": 2, "title-lines": 2, "units-row": 2,
    "units-paren": 2, "names": 2, "plotter": 2, "monitor": 2, "no-times": 2, "no-header": 2,
    # times
    "number-times": 2, "unclear-unit": 2, "zones": 2, "two-columns": 2, "day-month": 2, "day-month-unclear": 2,
    "twelve-hour": 2, "time-format": 2, "time-of-day": 2, "zone-clocks": 2, "far-dates": 2, "long-elapsed": 2,
    "serial-days": 2, "offset-title": 2,
    # layouts of other programs
    "excel": 2, "campbell": 2, "tektronix": 2, "rigol": 2, "scopes": 2, "hioki": 2, "recorders": 2, "loggers": 2,
    "race-loggers": 2,
    # cells, rows and bytes that were read wrong
    "quote-inside": 2, "same-names": 2, "carriage-return": 2, "header-again": 2, "header-order": 2, "hexadecimal": 2,
    "trailing-delimiter": 2, "wider": 2, "odd-values": 2, "sensors": 2, "encodings": 2, "thousands": 2, "comma-three": 2,
}
# The families whose cells may have quotes that they do not need, or spaces around them, or lines between them that are blank
# or a comment.
NOISE = {
    "quotes": "plain semicolon-comma semicolon-point tabs title-lines names no-times number-times unclear-unit zones two-columns "
              "day-month day-month-unclear twelve-hour time-format time-of-day zone-clocks far-dates long-elapsed serial-days "
              "quote-inside same-names carriage-return sensors encodings",
    "spaces": "plain semicolon-comma semicolon-point tabs no-times no-header number-times unclear-unit zones two-columns "
              "day-month day-month-unclear twelve-hour time-of-day zone-clocks far-dates long-elapsed same-names "
              "trailing-delimiter odd-values comma-three",
    "lines": "plain semicolon-comma semicolon-point tabs no-times number-times zones two-columns",
}

# Dialects and headers

DIALECTS = {"plain": (".", ",", "A table with commas."), "semicolon-comma": (",", ";", "Semicolons and decimal commas."),
            "semicolon-point": (".", ";", "Semicolons and decimal points."),
            "tabs": (".,", "\t", "Tabs, and decimal points or commas.")}

def dialect(t, family):
    marks, t.delimiter, t.why = DIALECTS[family]
    t.decimal, t.name = t.rng.choice(marks), "table.tsv" if family == "tabs" else t.name
    fill(t)
    any_time(t)

def spaces(t, r):
    t.name, t.delimiter, t.why = "table.txt", " ", "Columns are separated by several spaces."
    fill(t, odd_words=False)
    r.choice([time_unit, time_pair])(t)
    for column in t.columns:
        column.title = column.title.replace(" ", "")
        column.name = column.name and column.title
        column.cells = [c.replace(" ", "_") or "nan" for c in column.cells]
    right, grid = r.random() < 0.5, [[c.title, *c.cells] for c in t.columns]
    widths = [max(map(len, cells)) + r.randint(2, 4) for cells in grid]
    t.raw = ["".join(cells[i].rjust(w) if right else cells[i].ljust(w) for cells, w in zip(grid, widths)).rstrip()
             for i in range(t.n + 1)]

def title_lines(t, r):
    lines = ["ets Jun  8 2016 00:22:57", "rst:0x1 (POWERON_RESET)", "Starting logger v1.2", "Sensor found", "", "==========",
             "Device: logger 3", "Serial number: 0012345", "configsip: 0, SPIWP:0xee", "mode:DIO, clock div:1", '"Plot: pool 3"']
    t.delimiter, t.decimal = r.choice(MARKS)
    t.why = "Lines of text before the header."
    fill(t, count=r.randint(2, 6))
    any_time(t)
    t.head = [r.choice(lines) for _ in range(r.randint(1, 8))]

def units_row(t, r, left="", right=""):
    t.why = t.why or "A row of units below the header, which has the unit of the time."
    t.delimiter, t.decimal = r.choice(MARKS)
    fill(t, names=r.sample(SHORT_NAMES, r.randint(1, 5)), texts=False)
    units = {c.title: r.choice(["V", "mV", "°C", "hPa", "A", "m/s", "%", "deg"]) for c in t.columns}
    for column in t.columns:
        column.name = f"{column.title} ({units[column.title]})"
    unit = r.choice(["s", "ms", "us"])
    time_unit(t, unit, "Time", r.choice([0, 1, 3]))
    t.under = [[left + units.get(c.title, unit) + right for c in t.columns]]
    t.inserts = {0: [""]} if r.random() < 0.4 else {}

def units_paren(t, r):
    t.why = "A row of units in parentheses below the header."
    units_row(t, r, "(", ")")

def names(t, r):
    t.why = "Names with quotes, delimiters, line feeds or letters that are not ASCII."
    t.delimiter, t.decimal = r.choice(MARKS[:3])
    fill(t, names=r.sample(ODD_NAMES + LOCAL_NAMES, r.randint(1, 8)))
    any_time(t)

def period(t):
    """Rows without times. The time of row k is k divided by the rate, rounded once."""
    text, above, below = t.rng.choice([("10ms", 10 ** 7, 1), ("100ms", 10 ** 8, 1), ("1s", SECOND, 1), ("250us", 250000, 1),
                                       ("10Hz", SECOND, 10), ("44.1kHz", SECOND, 44100), ("60Hz", SECOND, 60),
                                       ("1kHz", SECOND, 1000), ("3Hz", SECOND, 3)])
    t.options += ["--period", text]
    t.times = [(2 * k * above + below) // (2 * below) for k in range(t.n)]

def pairs(t):
    """Rows such as temp:20.0,hum:50.0. Later rows may have another order, or lack some."""
    r, separator, mix, rows = t.rng, t.rng.choice([",", ",", " ", "\t", ", "]), t.rng.random() < 0.4, []
    names = r.sample(SHORT_NAMES, r.randint(2, 6))
    lists = [numbers(r, t.n) for _ in names]
    for i in range(t.n):
        keys = list(range(len(names)))
        if i and mix and r.random() < 0.4:
            keys = r.sample(keys, r.randint(1, len(keys)))
        for k, cells in enumerate(lists):
            cells[i] = cells[i] if k in keys else ""
        rows.append(separator.join(f"{names[k]}:{lists[k][i]}" for k in keys))
    t.columns, t.readable = [numbers_column(name, cells) for name, cells in zip(names, lists)], False
    return rows

def plotter(t, r):
    t.name, t.why = "plotter.txt", "Each row has names and values, as for the plotter of the Arduino."
    t.raw = pairs(t)
    period(t)

def monitor(t, r):
    t.name, t.why = "monitor.txt", "A time of day and an arrow before each row, as in the monitor of the Arduino."
    walk(t, 3, step=r.choice([1, 10, 100, 1000, 60000, 3600000]) * 10 ** 6)
    cut_days(t)
    if r.random() < 0.5:
        rows = pairs(t)
    else:
        rows, t.readable = numbers(r, t.n), False
        t.columns = [numbers_column("", rows, None)]
    t.options = ["--date", strf("%F", t.times[0])]
    t.raw = [strf("%T.%f -> ", x, 3) + row for x, row in zip(t.times, rows)]

def no_times(t, r):
    t.why = "Rows without times."
    if r.random() < 0.3:
        t.name, t.header = "numbers.txt", False
        t.columns = [numbers_column("", numbers(r, t.n), None)]
    else:
        fill(t, count=r.randint(2, 6))
    period(t)

def no_header(t, r):
    t.header, kind = False, r.choice(["options", "options", "advice", "blynk"])
    t.why = "It has no header."
    if kind == "blynk":
        t.why = "Rows of value, milliseconds since 1970 and 0, without a header."
        walk(t, 3)
        t.columns = [numbers_column("", numbers(r, t.n)), numbers_column("", ["0"] * t.n)]
        t.time_columns, t.how = [Column("", [str(x // 10 ** 6) for x in t.times])], "number:6"
        t.columns[1:1] = t.time_columns
    else:
        fill(t, names=r.sample(SHORT_NAMES, r.randint(2, 6)), texts=False)
        r.choice([time_unit, time_iso] if kind == "options" else [time_iso])(t)
    if kind == "options":
        unit = {"number:9": "_s", "number:6": "_ms", "number:3": "_us", "number:0": "_ns"}.get(t.how, "")
        t.time_columns[0].title, t.refusal = "time" + unit, "no" if unit else t.refusal
        t.options = ["--column-names", ",".join(c.title for c in t.columns)]
    else:
        t.allow("advice")
        for column in t.columns:
            column.name = None

# Times

def number_times(t, r):
    t.why = "Times are numbers."
    t.delimiter, t.decimal = r.choice(MARKS)
    fill(t)
    r.choice([time_unit, time_epoch])(t)
    if t.how == "number:9" and r.random() < 0.25:
        t.time_columns[0].cells = [science(x, 18) for x in t.times]

def unclear_unit(t, r):
    t.why = "Nothing says the unit of the time."
    fill(t)
    start, step = r.choice([0, 0, 1, r.randrange(1000)]), r.choice([1, 1, 2, 5, 10, 100])
    counts = [start + step * i + (t.n == 1) for i in range(t.n)]
    place(t, [Column(r.choice(["Time", "time"]), [str(c) for c in counts])])
    t.either = []
    for scale in SCALES.values():
        t.times = [c * 10 ** scale for c in counts]
        t.either.append(t.reading())

def zones(t, r):
    digits = draw_digits(r)
    t.why = "Each time has its own offset from UTC."
    fill(t)
    walk(t, digits)
    offsets = r.choice([[0], [60, 120], [-210], [-300, -240], [330], [r.randrange(-720, 841, 15)]])
    change, colon, pattern, cells = r.randrange(t.n), r.choice(":::: "), "%Y-%m-%dT%H:%M:%S" + (".%f" if digits else ""), []
    for i, time in enumerate(t.times):
        minutes = offsets[0 if i < change else -1]
        zone = "Z" if minutes == 0 and r.random() < 0.5 else offset_text(minutes, colon.strip())
        cells.append(strf(pattern, time + minutes * 60 * SECOND, digits) + zone)
    if colon == " ":
        t.allow("advice")
    place(t, [Column(draw_title(t, STAMP_TITLES), cells)], "%Y-%m-%dT%H:%M:%S%z")

def two_columns(t, r):
    t.delimiter, t.decimal = r.choice(MARKS)
    t.why = "Date and time of day are in two columns."
    fill(t)
    if r.random() < 0.3:
        time_pair(t, titles=r.choice([("day", "clock"), ("D", "T"), ("when", "at")]))
        t.options = ["--time-column", ",".join(c.title for c in t.time_columns)]
        t.why += " Only the option says which."
    else:
        time_pair(t)

def slashes(t, day_first, title=None, years=("%Y",)):
    """Dates with the day or the month first. Returns the option for them."""
    r = t.rng
    year, mark, bare = r.choice(years), r.choice("//-"), r.choice(["", "dm"])
    date = mark.join(["%d", "%m", year] if day_first else ["%m", "%d", year])
    columns = [Column(title or "Time", [strf(date + " %T", x, 0, bare) for x in t.times])]
    if r.random() < 0.3 and title is None:
        columns = [Column("Date", [strf(date, x, 0, bare) for x in t.times]), Column("Time", [strf("%T", x) for x in t.times])]
    place(t, columns, date + " %H:%M:%S")
    return ["--time-format", date + " %H:%M:%S"]

def day_month(t, r):
    fill(t)
    kind = r.choice(["option", "option", "later", "later", "title"])
    if kind == "option":
        t.why = "An option says whether the day or the month comes first."
        walk(t)
        t.options = slashes(t, r.random() < 0.5, years=["%Y", "%y"])
    elif kind == "later":
        t.why = "Whether the day or the month comes first is only clear from a later row."
        days, hours = r.randint(0, min(11, t.n - 1)), r.choice([24, 24, 12])
        start = epoch(r.randint(2001, 2036), r.randint(1, 12), 13 - days, r.randrange(12))
        t.times = [start + i * hours * HOUR for i in range(t.n)]
        if all(strf("%d", x) <= "12" for x in t.times):
            t.times = [x + 12 * DAY for x in t.times]
        slashes(t, r.random() < 0.5)
        t.allow("advice")
    else:
        t.why = "The title says that the day comes first."
        walk(t, step=60 * SECOND)
        slashes(t, True, title=r.choice(["Time(dd/mm/yyyy)", "Date Time (dd/mm/yyyy)"]))
        t.allow("yes")

def day_month_unclear(t, r):
    t.why = "The day or the month may come first."
    t.n = min(t.n, 80)
    fill(t)
    (day, month), year = r.sample(range(1, 13), 2), r.randint(2001, 2036)
    walk(t, start=epoch(year, month, day, r.randrange(8)), step=r.choice([1, 10, 30]) * SECOND)
    slashes(t, True)
    t.either, shift = [t.reading()], epoch(year, day, month) - epoch(year, month, day)
    t.times, t.how = [x + shift for x in t.times], None
    t.either.append(t.reading())

def twelve_hour(t, r):
    if r.random() < 0.5:
        t.why = "Times with AM and PM."
        fill(t)
        pattern = r.choice(["%m/%d/%Y %I:%M:%S %p", "%d/%m/%Y %I:%M:%S %p", "%Y-%m-%d %I:%M:%S %p", "%m/%d/%y %I:%M %p"])
        own_format(t, pattern, bare=r.choice(["", "I", "mdI"]))
        if r.random() < 0.3:
            t.time_columns[0].cells = [c.lower() for c in t.time_columns[0].cells]
        return
    t.name, t.delimiter, t.why, t.n = "davis.txt", "\t", "Times such as 1:30a, and names in two rows.", min(t.n, 40)
    start = epoch(r.randint(2001, 2036), r.randint(1, 12), r.randint(13, 27), r.randrange(24))
    walk(t, start=start, step=r.choice([5, 10, 30]) * 60 * SECOND)
    t.times = [x // (60 * SECOND) * 60 * SECOND for x in t.times]
    clocks = [strf("%I:%M", x, 0, "I").rjust(5) + strf("%p", x)[0].lower() for x in t.times]
    t.time_columns = [Column("Date", [strf("%m/%d/%y", x, 0, "m") for x in t.times]), Column("Time", clocks)]
    t.columns = t.time_columns + [numbers_column(n, numbers(r, t.n, 1), None) for n in ("Out", "Temp", "Hum")]
    t.head = ["\t\tTemp\tHi\tOut"]
    t.allow("yes")

def time_format(t, r):
    fill(t)
    pattern = r.choice(["%d-%b-%Y %H:%M:%S.%f", "%Y-%j %H:%M:%S", "%Y/%m/%d/%H:%M:%S.%f", "%b %d %Y %H:%M:%S", "%F %T",
                            "%Y%m%d%H%M%S", "%Y%m%dT%H%M%S", "%d.%m.%y %H:%M:%S", "%d %b %y, %H:%M", "%m/%d/%y %H:%M", "%s",
                            "%H:%M:%S %d/%m/%Y", "%D %R", "%T.%f %F", "%Y-%m-%d_%H-%M-%S", "%d.%m.%Y, %H.%M.%S"])
    t.why = f"Times are written as {pattern}."
    own_format(t, pattern, r.randint(1, 9) if "%f" in pattern else 0)

def time_of_day(t, r):
    fill(t)
    colon = r.random() < 0.3
    t.why = "Times of day" + (", with a colon before the milliseconds." if colon else ", perhaps over midnight.")
    digits = 3 if colon else draw_digits(r)
    walk(t, digits, step=r.choice([None, None, 1, 60, 3600, 5 * 3600]) and r.choice([1, 60, 3600, 5 * 3600]) * SECOND)
    cut_days(t)
    pattern, bare = "%H:%M:%S" + (":%f" if colon else ".%f" if digits else ""), r.choice(["", "", "", "H"])
    place(t, [Column(r.choice(["Time", "time"]), [strf(pattern, x, digits, bare) for x in t.times])])
    t.options = ["--date", strf("%F", t.times[0])]

def zone_clocks(t, r):
    nights = {"Europe/Berlin": ([2023, 10, 29, 1], [2024, 10, 27, 1], [2018, 10, 28, 1]),       # in UTC
              "America/New_York": ([2023, 11, 5, 6], [2024, 11, 3, 6])}
    kind = r.choice(["back", "back", "forward", "far"])
    name = r.choice(["Asia/Kolkata", "Australia/Sydney", "America/St_Johns"] if kind == "far" else list(nights))
    name = "Europe/Berlin" if kind == "forward" else name
    zone, t.options, t.n, zero = ZoneInfo(name), ["--timezone", name], max(t.n, 4), datetime(1970, 1, 1, tzinfo=timezone.utc)
    t.why = f"Local times of {name}, " + ("far from" if kind == "far" else "in") + " a night in which clocks are set."
    fill(t)
    step = r.choice([60, 300, 600, 900, 1200]) * SECOND
    if kind == "far":
        walk(t, start=epoch(r.randint(2010, 2030), r.choice([1, 6, 7, 12]), r.randint(2, 10), r.randrange(24)), step=step)
    elif kind == "back":
        moment, before = epoch(*r.choice(nights[name])), r.randint(0, t.n)
        t.times = [moment + (i - before) * step for i in range(t.n)]
    else:                                           # the second time is one that the clocks did not show
        moment = epoch(*r.choice([(2024, 3, 31, 1), (2023, 3, 26, 1)]))
        t.times = [moment - step, moment + r.randrange(3600) * SECOND, *(moment + HOUR + i * step for i in range(t.n - 2))]
    shown = [(zero + timedelta(seconds=x // SECOND)).astimezone(zone).replace(tzinfo=None) for x in t.times]
    if kind == "forward":
        shown[1] = shown[0] + timedelta(seconds=(t.times[1] - t.times[0]) // SECOND)
    # An hour that occurs twice is the first one, until its times go back. From there on it is the second.
    back = False
    for i, c in enumerate(shown):
        back = back or (i > 0 and c < shown[i - 1])
        t.times[i] = int((c.replace(tzinfo=zone, fold=int(back)).astimezone(timezone.utc) - zero).total_seconds()) * SECOND
    place(t, [Column("Time", [c.strftime(ISO) for c in shown])])

def far_dates(t, r):
    t.why = "Dates before 1970, after 2038, or 29 February."
    low, high = r.choice([(-2208988800, -10 ** 5), (-100, 100), (2147483600, 2147483700), (2150000000, 4102444800),
                              (951778800, 951868800), (1709161200, 1709251200), (3223148400, 3223238400)])
    fill(t)
    r.choice([time_iso, time_dots, time_pair])(t, low=low, high=high)

def long_elapsed(t, r):
    t.why, t.n = "A column of elapsed times that goes on above 24 hours.", max(t.n, 2)
    fill(t)
    digits = r.choice([0, 0, 1, 2, 3])
    walk(t, digits, start=r.choice([0, SECOND // 2 if digits else 0, 20 * HOUR]), step=r.choice([60, 600, 3600]) * SECOND)
    if t.times[-1] < DAY:
        at = r.randint(1, t.n - 1)
        t.times = [x + (DAY if i >= at else 0) for i, x in enumerate(t.times)]
    wide, pattern = r.choice([1, 2]), "%M:%S" + (".%f" if digits else "")
    cells = [f"{x // HOUR:0{wide}}:" + strf(pattern, x, digits) for x in t.times]
    place(t, [Column(r.choice(["Elapsed", "Elapsed", "Elapsed Time"]), cells)])
    t.allow("advice")

def serial_days(t, r):
    zero = -25569 * DAY
    t.delimiter, t.decimal = r.choice([(";", ","), (",", "."), ("\t", ",")])
    t.why = "Times are serial dates of a spreadsheet, days since 1899-12-30."
    fill(t, texts=False)
    places, unit = r.choice([(7, 675), (10, 1)])    # a day has 128 times 675 s, so 7 places are exact
    walk(t, step=r.choice([1, 2, 16, 32, 128] if unit > 1 else [1, 60, 600]) * unit * SECOND)
    t.times = [x // (unit * SECOND) * unit * SECOND for x in t.times]
    days = [((x - zero) * 10 ** places * 2 + DAY) // (2 * DAY) for x in t.times]
    place(t, [Column(r.choice(["Time", "Datum", "Date"]), [plain(fixed(d, places)) for d in days], decimal=True)])
    t.either = [t.reading()]
    t.times = [d * (DAY // 10 ** places) + zero for d in days]
    t.either += [t.reading()] if t.reading() != t.either[0] else []

def offset_title(t, r):
    minutes = r.choice([-240, -420, 0, 60, 120, 330, -210, 600])
    title, shift = f"Date Time, GMT{offset_text(minutes)}", minutes * 60 * SECOND
    t.why = f"The title of the time is {title}."
    walk(t)
    if r.random() < 0.5:
        fill(t, texts=False)
        place(t, [Column(title, [strf(ISO, x + shift) for x in t.times])])
        t.options = ["--time-column", str([c is t.time_columns[0] for c in t.columns].index(True) + 1)]
    else:
        t.why += " It is as in an export of HOBO."
        t.head, t.columns = ['"Plot Title: pool 3"'], [numbers_column(Raw('"#"'), [str(i + 1) for i in range(t.n)], "#")]
        fill(t, names=r.sample(["Temp, °C", "Intensity, Lux", "RH, %", "Abs Pres, kPa"], r.randint(1, 3)), texts=False)
        t.columns.insert(1, Column(title, [strf("%m/%d/%y %I:%M:%S %p", x + shift) for x in t.times]))
        t.options = ["--skip-lines", "1", "--time-column", "2", "--time-format", "%m/%d/%y %I:%M:%S %p"]
    t.options += ["--timezone=" + offset_text(minutes)] if r.random() < 0.5 else []

# Layouts of other programs

def excel(t, r):
    t.why = "A table as sluice writes it for a spreadsheet."
    t.delimiter, t.decimal, pattern = r.choice([(";", ",", "%d.%m.%Y %H:%M:%S,%f"), (",", ".", "%Y-%m-%d %H:%M:%S.%f")])
    fill(t, names=r.sample(UNIT_NAMES, r.randint(1, 6)), texts=False)
    walk(t, 3)
    t.time_columns, t.how = [Column("Time", [strf(pattern, x, 3) for x in t.times])], pattern[:-3]
    t.columns = t.time_columns + t.columns
    t.mark = any(not c.title.isascii() for c in t.columns)

def layout(t, family):
    r = t.rng
    kind = r.choice(list(LAYOUTS[family]))
    look = LAYOUT | LAYOUTS[family][kind]
    t.why, t.name, t.delimiter, t.n = f"The layout of {kind}.", look["file"], look["delimiter"], max(t.n, look["low"])
    t.decimal = r.choice(".,") if kind == "LabVIEW" else "."
    step = r.choice([1, 2, 4, 10, 20, 50, 100, 200, 400, 1000, 2000, 10 ** 4, 10 ** 5, 10 ** 6])
    if look["start"] in ("trigger", "zero"):
        t.times = [step * (i - (t.n // 2 if look["start"] == "trigger" else 0)) for i in range(t.n)]
    elif look["start"] == "day":                    # a file for each day
        walk(t, 0, r.randrange(12000, 24000) * DAY + HOUR, 60 * SECOND)
        t.times = [x for x in t.times if x < t.times[0] + 22 * HOUR]
        t.n = len(t.times)
    else:
        walk(t, look["digits"])
    count, first, left = r.randint(1, look["count"] or 1), r.randint(0, 1), look.get("left", "").split("|")
    time_text = {"e": lambda x: science(x, 9, "e"), "E": science, "f": lambda x: fixed(x, 9),
                 "short": lambda x: exponent(Decimal(x).scaleb(-9).normalize(), "e") if x else "0"}[look["time"]]

    def each(text):
        return re.sub(r"\*([^*]+)\*", lambda m: "".join(m[1].replace("#", str(k + 1)) for k in range(count)), text)

    def value():
        number, form = fixed(r.randint(-10 ** 5, 10 ** 5), int(look["value"]) if look["value"] in "012345" else 5), look["value"]
        return number if form in "012345" else exponent(Decimal(number), ".6" + form)

    def cell(piece, i):
        parts = {"t": time_text, "i": lambda x: str(i + 1), "i0": lambda x: str(i), "e": lambda x: str(r.randint(0, 1)),
                 "p": lambda x: str(r.randint(0, 9)) if i % 2 else '""', "level": lambda x: str((i + first) % 2),
                 "w": lambda x: r.choice("VMX"), "a": lambda x: (left[i:] + [""])[0].split(",")[0],
                 "b": lambda x: (left[i:] + [","])[0].partition(",")[2]}
        piece = re.sub(r"<(.*?)>", lambda m: strf(m[1], t.times[i], look["digits"]), piece)
        if family == "campbell" and piece[:2] == "{v" and i and r.random() < 0.03:
            return Raw('"NAN"')
        return Raw(re.sub(r"\{(\w+)\}", lambda m: value() if m[1][0] == "v" else parts[m[1]](t.times[i]), piece))

    fields = {"n": t.n, "step": fixed(step, 9) if look["time"] == "f" else science(step, 6), "rate": SECOND // step,
              "first": science(t.times[0], 6) if look["start"] == "trigger" else "", "count": count}
    head = re.sub(r"\{(\w+)\}", lambda m: str(fields[m[1]]), look["head"]).replace("***", "\0")
    t.head, t.header = each(head).replace("\0", "***").split("|") if head else [], False
    if t.decimal == ",":
        t.head = [re.sub(r"(\d)\.(\d)|\.$", r"\1,\2", line) for line in t.head]
    patterns = []
    for piece in each(look["row"]).lstrip(",").split(t.delimiter):
        cells, key = [cell(piece, i) for i in range(t.n)], "".join(re.findall(r"\{(\w+)\}", piece))
        if key[:1] == "v" or key in look["known"].split() and key:
            t.columns.append(numbers_column("", cells, None))
        else:
            t.columns.append(Column("", cells, decimal=key == "t"))
        if key == "t" or "<" in piece:
            t.time_columns.append(t.columns[-1])
            patterns += re.findall("<(.*?)>", piece)
    t.how = None if look["start"] == "day" else " ".join(patterns) or ("number:9" if t.time_columns else None)
    for column, name in zip(t.numbers(), look["names"] or []):
        column.name = name
    t.options = [strf(o, t.times[0]) if o == "%Y-%m-%d" else o for o in look["options"]]
    t.inserts = {t.n: ["$TSP end"]} if kind == "Tisch" else {}
    t.allow(look["refusal"])

def race_loggers(t, r):
    t.n, t.readable = max(3, min(t.n, 60)), False
    if r.random() < 0.5:
        t.name, t.why = "race.log", "Names with bars and quotes, as of RaceCapture; the first column has the milliseconds."
        walk(t, 3, r.randrange(10 ** 6) * 10 ** 6, r.choice([10, 20, 40]) * 10 ** 6)
        lists = [[fixed(r.randint(-99, 999), k) if r.random() < 0.7 or i == 0 else "" for i in range(t.n)] for k in (2, 1)]
        titles = ['"Utc"|"ms"|0|0|1', '"AccelX"|"G"|-3.0|3.0|25', '"Speed"|"mph"|0.0|150.0|10']
        t.columns = [Column(Raw('"Interval"|"ms"|0|0|1'), [str(x // 10 ** 6) for x in t.times])]
        t.columns += [numbers_column(Raw(x), cells, None) for x, cells in zip(titles, [["0"] * t.n, *lists])]
        t.allow("advice")
    else:
        t.name, t.why = "vbox.vbo", "Times such as 140059.80, hours, minutes and seconds in one number."
        day, start = epoch(r.randint(2005, 2030), r.randint(1, 12), r.randint(13, 28)), 60 * r.randint(1, 1400) - 1
        clocks = [start * SECOND + (i + 8) * 10 ** 8 for i in range(t.n)]
        t.columns = [numbers_column("sats", [f"{r.randint(5, 12):03}" for _ in clocks], None),
                     numbers_column("velocity", [f"{r.randrange(200):03}.{r.randrange(100):02}" for _ in clocks], None)]
        t.raw = [strf("File created on %d/%m/%Y at ", day) + strf("%T", clocks[0]), "", "[header]", "satellites", "time",
                 "velocity kmh", "", "[column names]", "sats time velocity", "", "[data]"]
        t.raw += [f"{a} {strf('%H%M%S.%f', x, 2)} {b}" for x, a, b in zip(clocks, *(c.cells for c in t.columns))]
        t.times, t.either = [day + x for x in clocks], []
        t.either.append(t.reading())
        t.times = clocks
        t.either.append(t.reading())

# Cells, rows and bytes that were read wrong

def quote_inside(t, r):
    t.why = "Quotes inside of cells, which are text."
    t.delimiter, t.decimal = r.choice(MARKS)
    fill(t, count=r.randint(1, 4), texts=False)
    odd = [Raw(x) for x in ('hung on 3" pipe', '19"', '21" rack', 'moved to 4" pipe', '3" to 4"', 'a "big" one')]
    cells = [r.choice(odd) if r.random() < 0.5 else r.choice(WORDS + ODD_WORDS) for _ in range(t.n)]
    cells[-1] = r.choice(odd)
    t.columns.insert(r.randint(0, len(t.columns)), Column("note", cells))
    any_time(t)

def same_names(t, r):
    seen = Counter()
    t.why = "Several columns have the same name."
    twice, *others = r.sample(SHORT_NAMES, r.randint(1, 4))
    fill(t, names=r.sample(names := [twice] * r.choice([2, 2, 2, 3]) + others, len(names)), texts=False)
    for column in t.columns:
        seen[column.title] += 1
        column.name += f"_{seen[column.title]}" if seen[column.title] > 1 else ""
    any_time(t)

def carriage_return(t, r):
    t.delimiter, t.decimal = r.choice(MARKS)
    fill(t, odd_words=False)
    any_time(t)
    t.end, t.why = "\r", "Lines end with a carriage return alone."
    t.allow("advice")

def header_again(t, r):
    t.why, t.n = "The same header comes again.", max(t.n, 2)
    names = ["Core 0 [°C]", "Power [W]", "Fan [RPM]", "Vcore [V]", "Clock [MHz]"]
    fill(t, names=r.sample(names, r.randint(1, 4)), texts=False, missing=False)
    digits, bare = r.choice([0, 3]), r.choice(["", "dm", "dmH", "dmHMS"])
    walk(t, digits)
    pattern = "%H:%M:%S" + (".%f" if digits else "")
    place(t, [Column("Date", [strf("%d.%m.%Y", x, 0, bare) for x in t.times]),
              Column("Time", [strf(pattern, x, digits, bare) for x in t.times])], LOCAL)
    again = t.row([c.title for c in t.columns], [False] * len(t.columns))
    for at in {r.choice([t.n, r.randint(1, t.n)]), r.choice([t.n, r.randint(1, t.n)])}:
        t.inserts.setdefault(at, []).append(again)
    if r.random() < 0.4 and not t.mark:
        latin(t, "latin-1")

def latin(t, encoding):
    """Each byte of a name that is not ASCII may be shown as another letter."""
    t.encoding, t.mark = encoding, False
    t.why += f" The bytes are {encoding}."
    for column in t.numbers():
        column.name = column.name if column.title.isascii() else None

def header_order(t, r):
    t.why, t.n, t.readable = "A second header has the same names in another order.", max(t.n, 2), False
    fill(t, names=r.sample(SHORT_NAMES, r.randint(2, 5)), texts=False, missing=False)
    time_unit(t)
    at, right, order = r.randint(1, t.n - 1), t.reading(), list(range(len(t.columns)))
    while order == sorted(order):
        r.shuffle(order)
    rows = [[c.title for c in t.columns], *([c.cells[i] for c in t.columns] for i in range(t.n))]
    rows = rows[:at + 1] + [[row[k] for k in order] for row in [rows[0], *rows[at + 1:]]]
    t.raw = [",".join(row) for row in rows]
    t.either = [right, {"columns": right["columns"], "rows": right["rows"][:at]}]

def hexadecimal(t, r):
    t.readable = False

    def hex_column(title, width, shape):
        """One cell at least has a letter that no decimal number has."""
        values = [r.randrange(16 ** width) if r.random() < 0.5 else int(str(r.randrange(10 ** width)), 16) for _ in range(t.n)]
        values[t.n // 2] = 0x1E5 if width == 3 else values[t.n // 2]
        values[r.choice([0, t.n - 1])] = int(r.choice("ABCDF") + "1" * (width - 1), 16)
        return Column(title, [shape.format(v) for v in values], [str(v) for v in values], title)

    if r.random() < 0.35:
        t.why = "Cells such as 0x1F."
        fill(t, count=r.randint(1, 3), texts=False)
        groups = [[hex_column("status", 2, r.choice(["0x{:02X}", "0x{:x}"]))]]
        t.columns += groups[0]
        time_unit(t)
    else:
        t.why = "Hexadecimal cells of which some have only digits, or look like 1E5; a comma at the end of each row."
        walk(t, 6)
        groups = [[hex_column("ID", 3, "{:08X}")], [hex_column(f"D{k + 1}", 2, "{:02X}") for k in range(r.randint(1, 8))]]
        size = str(len(groups[1]))
        t.columns = [Column("Time Stamp", [str(x // 1000) for x in t.times]), *groups[0], Column("Extended", ["false"] * t.n),
                     Column("Dir", ["Rx"] * t.n), numbers_column("Bus", ["0"] * t.n), numbers_column("LEN", [size] * t.n),
                     *groups[1]]
        t.tail = ","
    t.either = []                                   # each group is read, or left out with a message
    for mask in range(2 ** len(groups)):
        left_out = [id(c) for k, group in enumerate(groups) if mask >> k & 1 for c in group]
        kept = [c for c in t.numbers() if id(c) not in left_out]
        t.either.append(reading([c.name for c in kept], t.times, [c.values for c in kept]))

def trailing_delimiter(t, r):
    t.delimiter, t.decimal = r.choice(MARKS)
    fill(t)
    any_time(t)
    if r.random() < 0.5:
        t.tail, t.why = t.delimiter, "A delimiter at the end of each row, but not of the header."
    else:
        t.columns.append(Column("", [""] * t.n))
        t.why = "A delimiter at the end of each row and of the header."

def wider(t, r):
    t.why, t.n, t.readable = "Rows become wider in the middle.", max(3, t.n), False
    fill(t, count=r.randint(1, 4), texts=False, missing=False)
    r.choice([time_unit, time_iso, time_pair])(t)
    t.columns = t.time_columns + t.numbers()        # the new cells stand behind a value
    at, narrow = r.randint(1, t.n - 1), t.reading()
    extra = [numbers_column("", [c if i >= at else "" for i, c in enumerate(numbers(r, t.n))]) for _ in range(r.choice([1, 1, 2]))]
    wide = reading(narrow["columns"] + [None] * len(extra), t.times, [c.values for c in t.numbers() + extra])
    t.raw = [t.row([c.title for c in t.columns], [False] * len(t.columns))]
    for i in range(t.n):
        t.raw.append(",".join(t.cell(c.cells[i]) for c in t.columns + (extra if i >= at else [])))
    t.either = [wide, narrow, {"columns": narrow["columns"], "rows": narrow["rows"][:at]}]

def odd_values(t, r):
    t.n = max(3, t.n)
    fill(t, names=r.sample(SHORT_NAMES, r.randint(2, 5)), missing=False, texts=False)
    time_unit(t)
    words, dashes = r.choice([(["--"], True), (["---"], True), (["ERR"], True), (["∞", "-∞"], False), (["∞", "-∞"], False),
                              (["inf", "-inf"], False), (["nan"], False), (["NaN", "Inf"], False)])
    t.why = f"Values such as {words[0]}, which are missing."
    columns = t.numbers()[1:]                       # the first column has all its values
    bad = {(0, t.n - 1)} | {(k, i) for k in range(len(columns)) for i in range(1, t.n) if r.random() < 0.15}
    for k, i in sorted(bad):
        columns[k].cells[i], columns[k].values[i] = r.choice(words), None
    if dashes:                                      # a message says that they are missing, or that rows are left out
        t.readable, whole = False, t.reading()
        rows = [row for i, row in enumerate(whole["rows"]) if i not in {i for _, i in bad}]
        t.either = [whole, {"columns": whole["columns"], "rows": rows}]

def sensors(t, r):
    t.why = "A row for each value; a column says of which sensor it is."
    kinds, steps = r.sample(["temp", "hum", "lux", "flow"], r.choice([2, 2, 3])), max(2, min(t.n, 60))
    t.n = steps
    walk(t)
    moments, values = t.times, [numbers(r, steps) for _ in kinds]
    cells = [(m, k) for m in range(steps) for k in range(len(kinds))]
    if r.random() < 0.4:
        cells.sort(key=lambda c: c[1])              # one sensor after the other
    t.n, t.times = len(cells), [moments[m] for m, _ in cells]
    mixed = numbers_column("value", [values[k][m] for m, k in cells])
    which = Column(r.choice(["sensor", "name", "Series", "_field", "id"]), [kinds[k] for _, k in cells])
    time = Column(r.choice(["_time", "Time", "time"]), [strf("%FT%TZ", x) for x in t.times])
    t.columns, t.time_columns, t.how = [time, *r.sample([mixed, which], 2)], [time], "%Y-%m-%dT%H:%M:%S%z"
    apart = [[v if k == j else None for v, (_, k) in zip(mixed.values, cells)] for j in range(len(kinds))]
    joined, unnamed = [[plain(c) for c in cells] for cells in values], [None] * len(kinds)
    order = sorted(range(t.n), key=lambda i: t.times[i])
    t.either = [t.reading(), reading(unnamed, t.times, apart), reading(unnamed, moments, joined)]
    t.either += [reading(unnamed, sorted(t.times), [[a[i] for i in order] for a in apart])] if order != sorted(order) else []

def encodings(t, r):
    t.encoding = r.choice(["latin-1", "cp1252", "utf-16-le", "utf-16-be", "utf-8"])
    t.delimiter, t.decimal = r.choice(MARKS)
    names = r.sample(["Höhe", "Druck", "temp (°C)", "Größe", "Température"], r.randint(1, 4))
    fill(t, names=names + (["Preis (€)"] if t.encoding == "cp1252" else []), texts=False)
    if r.random() < 0.4:
        t.columns.append(Column("note", [r.choice(["geöffnet", "zu", "naïve"]) for _ in range(t.n)]))
    r.choice([time_iso, time_dots, time_pair])(t)
    if t.encoding[:3] == "utf":
        t.mark, t.why = True, f"The bytes are {t.encoding}, with a byte order mark."
        t.allow("yes" if "16" in t.encoding else "no")
    else:
        latin(t, t.encoding)

def thousands(t, r):
    kind, t.n = r.choice(["semicolon", "quoted", "german"]), max(3, t.n)
    t.why = "Thousands are written as " + ("1.042,5." if kind == "german" else "1,042.")
    t.delimiter, t.decimal = {"semicolon": (";", "."), "quoted": (",", "."), "german": (";", ",")}[kind]
    places = 0 if kind == "semicolon" else 1
    values = [fixed(r.randrange(10 ** r.randint(3, 5)), 0) + (f".{r.randint(1, 9)}" if places else "") for _ in range(t.n)]
    values[0], values[-1] = f"{r.randint(100, 999)}.{r.randint(1, 9)}", f"{r.randint(1001, 9999)}" + (".5" if places else "")
    order = r.sample(range(t.n), t.n)
    values = [values[k] for k in order]
    texts = [f"{Decimal(v):,}".translate(str.maketrans(",.", ".," if kind == "german" else ",.")) for v in values]
    cells = [x if kind == "quoted" else Raw(x) for x in texts]
    t.columns = [Column("Level", cells, [plain(v) for v in values], "Level")]
    fill(t, names=["Load"], texts=False)
    walk(t)
    place(t, [Column("Time", [strf("%FT%TZ", x) for x in t.times])])
    t.readable = False
    t.allow("yes")

def comma_three(t, r):
    t.delimiter, t.readable = r.choice(";\t"), False
    t.why = "Each comma has three digits behind it: it may be a decimal comma, or stand for thousands."
    names = r.sample(SHORT_NAMES, r.randint(1, 3))
    lists = [[f"{r.randint(1, 999)},{r.randint(0, 999):03}" for _ in range(t.n)] for _ in names]
    t.columns = [Column(x, cells, [plain(c.replace(",", ".")) for c in cells], x) for x, cells in zip(names, lists)]
    walk(t)
    place(t, [Column("Time", [strf(ISO, x) for x in t.times])])
    t.either = [t.reading(), reading(names, t.times, [[c.replace(",", "") for c in cells] for cells in lists])]

# Output

def family_of(r):
    return r.choices(list(SHARES), list(SHARES.values()))[0]

def draw(seed):
    r = random.Random(seed)
    family = family_of(r)
    t = Table(r, r.choices([1, r.randint(2, 5), r.randint(6, 40), r.randint(41, 400)], [3, 32, 48, 17])[0])
    if family in LAYOUTS or family in DIALECTS:
        (layout if family in LAYOUTS else dialect)(t, family)
    else:
        globals()[family.replace("-", "_")](t, r)
    noise(t, [kind for kind, families in NOISE.items() if family in families.split()])
    if t.end == "\r" and "carriage" not in t.why:
        t.why += " Lines end with a carriage return alone."
    data, best = t.bytes(), t.either[0] if t.either else t.reading()
    result = {"seed": seed, "family": family, "name": t.name, "options": t.options, "table": base64.b64encode(data).decode(),
              "columns": best["columns"], "rows": best["rows"], "question": t.either is not None,
              "refusal": "yes" if t.either else t.refusal, "why": t.why.strip()}
    return t, data, result | ({"either": t.either} if t.either else {})

def seeds(start, count, family):
    """The seeds that draw a family, or all."""
    while count > 0:
        if family is None or family_of(random.Random(start)) == family:
            yield start
            count -= 1
        start += 1

# --check: reads the bytes again, with Python's own csv and strptime

def read_time(text, how):
    if how.startswith("number:"):
        return Decimal(text.replace(",", ".")) * 10 ** int(how[7:])
    for short, long in (("%F", "%Y-%m-%d"), ("%T", "%H:%M:%S"), ("%D", "%m/%d/%y"), ("%R", "%H:%M")):
        how = how.replace(short, long)
    nanos, marks = 0, "[.,:]" if ":%f" in how else "[.,]"
    fraction = re.search(r"(:\d{1,2}:\d{1,2})" + marks + r"(\d{1,9})(?!\d)", text)
    if fraction:
        text, nanos = text.replace(fraction[0], fraction[1]), int(fraction[2].ljust(9, "0"))
    if how == "%s":
        return int(text) * SECOND
    time = datetime.strptime(text, re.sub("[.:]%f", "", how))
    whole = time.replace(tzinfo=time.tzinfo or timezone.utc) - datetime(1970, 1, 1, tzinfo=timezone.utc)
    return (whole.days * 86400 + whole.seconds) * SECOND + nanos

def fault_of_form(result):
    """What is wrong with the form of the expected rows."""
    for one in result.get("either", [result]):
        for row in one["rows"]:
            if len(row) != len(one["columns"]) + 1 or not re.fullmatch(r"0|-?[1-9]\d*", row[0]):
                return f"form of {row}"
            if any(c is not None and not re.fullmatch(r"0|-?(0|[1-9]\d*)(\.\d*[1-9])?", c) for c in row[1:]):
                return f"value in {row}"
            if all(c is None for c in row[1:]):
                return f"no value in {row}"
    if any(x == y for k, x in enumerate(result.get("either", [])) for y in result["either"][:k]):
        return "two readings are the same"
    return None

def fault_of_cells(t, data):
    """Whether the expected values and times stand in the cells."""
    text = data.decode(t.encoding).removeprefix("\ufeff")
    if t.delimiter == " ":
        records = [line.split() for line in text.splitlines()]
    else:
        records = list(csv.reader(io.StringIO(text, newline=""), delimiter=t.delimiter))
    records = [[c.strip() for c in r] for r in records if "".join(r).strip() and not r[0].startswith("# ")]
    titles = [c.title.strip('"') if isinstance(c.title, Raw) else c.title for c in t.columns]
    before = len([x for x in t.head if x.strip() and not x.startswith("# ")])
    if t.header and records[before] != titles:
        return f"no header {titles}"
    records = [r for r in records[before + len(t.under) + t.header:] if not t.header or r != titles]
    if len(records) != len(t.times) + len(t.inserts.get(t.n, [])) * t.why.endswith("Tisch."):
        return f"{len(records)} rows, not {len(t.times)}"
    for i, record in enumerate(records[:t.n]):
        for cell, column in zip(record, t.columns):
            value = column.values and column.values[i]
            if column.values and (value is None) != (cell in NO_VALUES):
                return f"row {i}: {cell}, not {value}"
            if value is not None and Decimal(cell.replace(t.decimal, ".")) != Decimal(value):
                return f"row {i}: {cell}, not {value}"
        cells = [cell for column in t.time_columns for cell, c in zip(record, t.columns) if c is column]
        if t.how and read_time(" ".join(cells), t.how) != t.times[i]:
            return f"row {i}: {cells} is not {t.times[i]}"
    return None

def main():
    parser = argparse.ArgumentParser(description="Random tables, with the rows that a careful human reads in them.")
    parser.add_argument("count", type=int, nargs="?")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--family", choices=list(SHARES))
    parser.add_argument("--check", type=int, metavar="COUNT")
    options = parser.parse_args()
    if options.check is None and options.count is None:
        parser.error("give the number of tables")
    drawn, again, questions, faults = Counter(), Counter(), Counter(), 0
    for seed in seeds(options.seed, options.check or options.count, options.family):
        t, data, result = draw(seed)
        if options.check is None:
            print(json.dumps(result, ensure_ascii=False))
            continue
        fault = fault_of_form(result) or (fault_of_cells(t, data) if t.readable else None)
        if draw(seed)[2] != result:
            fault = "another table from the same seed"
        drawn[result["family"]] += 1
        again[result["family"]] += t.readable
        questions[result["family"]] += result["question"]
        if fault:
            faults += 1
            print(f"seed {seed}, {result['family']}: {fault}")
    if options.check is not None:
        for family in SHARES:
            print(f"{family:20} {drawn[family]:6} drawn, {again[family]:6} read again, {questions[family]:6} questions")
        print(f"{drawn.total()} tables, {again.total()} read again, {faults} faults")
    return 1 if faults else 0

if __name__ == "__main__":
    sys.exit(main())

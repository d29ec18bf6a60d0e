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
    if t.columns[0].title.strip() == "time_ns":     # as in a recording, where such a value is a sign of damage
        t.allow("yes")
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

MORE_SHARES = {"dashboards": 2, "ros-echo": 2, "tracks": 2, "phone-apps": 2, "energy-meters": 2, "weather-stations": 2,
               "weather-services": 2, "climate-loggers": 2, "locale-sheets": 2, "bench": 2}

# Ten families of someone who had not seen the reader: dashboards, ROS, cars and GPS, phones, energy meters, weather stations and
# services, climate loggers, spreadsheets of several countries, and instruments of a bench.

def steady(t, step, low=978307200, high=2082758400, align=None):
    """Times with one step between them, and now and then a gap. They are multiples of align."""
    align = align or step
    time, t.times = t.rng.randrange(low * SECOND // align, high * SECOND // align) * align, []
    for _ in range(t.n):
        t.times.append(time)
        time += step * (1 if t.rng.random() > 0.01 else t.rng.randint(2, 50))

def swapped(ns):
    """The time whose day and month are exchanged, or none."""
    days, rest = divmod(ns, DAY)
    c = datetime(1970, 1, 1) + timedelta(days=days)
    return epoch(c.year, c.day, c.month) + rest if c.day <= 12 else None

def day_question(t):
    """The dates have the day or the month first, and nothing in the rows may say which."""
    other = [swapped(x) for x in t.times]
    if None not in other and other != t.times:
        t.either = [t.reading(), reading([c.name for c in t.numbers()], other, [c.values for c in t.numbers()])]
    t.allow("advice")

def stamp(t, title, pattern, digits=0, bare="", at=0, option=0.5, known=False, shift=0, quiet=False):
    """A column of times. With an option for it, it is read; without one, it may be refused with that option."""
    column = Column(title, [strf(pattern, x + shift, digits, bare) for x in t.times])
    t.columns.insert(at, column)
    t.time_columns, t.how = [column], pattern
    if shift:
        t.readable = False
    if t.rng.random() < option:
        t.options += ["--time-column", str(t.columns.index(column) + 1), "--time-format", pattern]
    elif re.match("%[dm][/-]%[dm]", pattern):
        day_question(t)
    elif not known:
        t.allow("yes" if quiet else "advice")

def level(r, n, places, low, high, holes=0.0, word=""):
    """Cells that go up and down between two bounds; the first one is there."""
    scale = 10 ** places
    value, cells = r.randint(low * scale, high * scale), []
    for i in range(n):
        value = min(high * scale, max(low * scale, value + r.randint(-3 * scale, 3 * scale) // r.choice([1, 2, 10])))
        cells.append(word if i and r.random() < holes else fixed(value, places))
    return cells

def holes(r):
    return r.choice([0, 0, 0, 0.1, 0.4])

def put(t, title, cells, name="="):
    """A column of values; a minus and null are missing values."""
    values = [None if c.strip() in NO_VALUES | {"-", "null"} else plain(c.strip()) for c in cells]
    t.columns.append(Column(title, cells, values, title if name == "=" else name, True))

def text(t, title, cells):
    t.columns.append(Column(title, cells))

def quoted(cell):
    return Raw('"' + str(cell).replace('"', '""') + '"')

def quote_all(t, header=True, cells=True):
    for c in t.columns:
        c.title = quoted(c.title) if header else c.title
        c.cells = [quoted(x) for x in c.cells] if cells else c.cells

# Families

def dashboards(t, r):
    r.choice([home_assistant, home_assistant, grafana, grafana, influx_annotated, influx_pivot, influx_cli])(t, r)

def home_assistant(t, r):
    t.why = "The history of Home Assistant."
    kinds = r.sample([("sensor.kitchen_temperature", 1, -10, 40), ("sensor.shellyplug_power", 2, 0, 3000),
                      ("sensor.bath_humidity", 0, 10, 99), ("sensor.co2", 0, 400, 2000)], r.choice([1, 1, 1, 2, 3]))
    states, cells, times = [], [], []
    for name, places, low, high in kinds:
        walk(t, 3, step=r.choice([1, 10, 60, 300]) * SECOND, low=1600000000)
        values = level(r, t.n, places, low, high)
        for i in range(t.n):
            if r.random() < 0.05 and t.n > 1:
                values[i] = r.choice(["unavailable", "unknown"])
        if all(v[:2] == "un" for v in values):
            values[-1] = "1"
        states, cells, times = states + [name] * t.n, cells + values, times + t.times
    t.n, t.times = len(times), times
    known = [None if c[:2] == "un" else plain(c) for c in cells]
    t.columns = [Column("entity_id", states), Column("state", cells, known, "state")]
    stamp(t, "last_changed", "%Y-%m-%dT%H:%M:%S.%fZ", 3, at=2, option=0)
    if r.random() < 0.5:
        t.options = ["--time-column", "last_changed"]
        t.refusal = "no"
    t.readable = False
    if len(kinds) > 1:                              # mixed, or a column for each
        apart = [[v if s == name else None for v, s in zip(known, states)] for name, *_ in kinds]
        order = sorted(range(t.n), key=lambda i: t.times[i])
        t.either = [t.reading(), reading([None] * len(kinds), t.times, apart),
                    reading([None] * len(kinds), [t.times[i] for i in order], [[a[i] for i in order] for a in apart])]
        t.either = [x for k, x in enumerate(t.either) if x not in t.either[:k]]

def grafana(t, r):
    t.why = "An export of Grafana."
    t.delimiter = r.choice([",", ",", ";"])
    names = r.sample(["temp kitchen", "outdoor {room=\"roof\"}", "node_load1", "A-series", "mean", "power W", "up{job=\"pi\"}"],
                     r.randint(1, 4))
    kind = r.choice(["date", "date", "millis", "ms", "zone"])
    steady(t, r.choice([1, 15, 60, 300]) * SECOND, low=1500000000, align=SECOND)
    for k, name in enumerate(names):
        put(t, name, level(r, t.n, r.choice([0, 1, 3]), -20, 300, holes(r) if k else 0, r.choice(["", "null", ""])))
    if r.random() < 0.3:                            # the unit of the panel is a part of each cell: a text
        unit = r.choice([" °C", "%", " kW", " V"])
        cells = [c + unit for c in level(r, t.n, 1, 1, 99)]
        t.columns.append(Column("with unit", cells))
        units = [plain(c[:-len(unit)]) for c in cells]
    else:
        units = None
    if kind == "ms":
        t.columns.insert(0, Column("Time", [str(x // 10 ** 6) for x in t.times]))
        t.time_columns, t.how = [t.columns[0]], "number:6"
    elif kind == "zone":
        minutes = r.choice([60, 120, -240, 0])
        stamp(t, "Time", "%Y-%m-%dT%H:%M:%S" + offset_text(minutes), option=0, known=True, shift=minutes * 60 * SECOND)
    else:
        digits = 3 if kind == "millis" else 0
        stamp(t, "Time", "%Y-%m-%d %H:%M:%S" + (".%f" if digits else ""), digits, option=0, known=True)
    if units:
        one = t.reading()
        t.either = [one, reading(one["columns"] + [None], t.times, [c.values for c in t.numbers()] + [units])]
    quote_all(t, cells=r.random() < 0.3)
    if r.random() < 0.4:
        t.head = ["sep=" + t.delimiter]
    t.readable = False

def bare_first(t):
    """The first column has no name and no values. It is left out, or called by its number. So may "result" be: it has only texts
    in the annotations that come again."""
    first = t.reading()
    less = {"columns": first["columns"][1:], "rows": [[row[0], *row[2:]] for row in first["rows"]]}
    t.either = [first, less] + (t.either or [])[1:]
    t.either += [{"columns": [None, *x["columns"]], "rows": [[row[0], None, *row[1:]] for row in x["rows"]]} for x in t.either]
    t.either = [x for k, x in enumerate(t.either) if x not in t.either[:k]]

def influx_annotated(t, r):
    """Annotated CSV of Flux: a table of one field, or several with a blank line and their annotations between them."""
    t.why, t.readable = "Annotated CSV of InfluxDB; the time is _time.", False
    fields, again = r.sample(["temp", "hum", "usage_user", "rssi"], r.choice([1, 1, 2])), r.random() < 0.5
    host, digits, step = r.choice(["pi", "pi, roof", "host.local"]), r.choice([0, 0, 3, 6, 9]), r.choice([1, 10, 60]) * SECOND
    walk(t, digits, step=step, low=1500000000)
    begin, end = t.times[0] // DAY * DAY, (t.times[-1] // DAY + 1) * DAY
    notes = ["#group,false,false,true,true,false,false,true,true,true",
             "#datatype,string,long,dateTime:RFC3339,dateTime:RFC3339,dateTime:RFC3339,double,string,string,string",
             "#default,_result,,,,,,,,"]
    if r.random() < 0.5:
        notes[0], notes[1] = notes[1], notes[0]
    head = ",result,table,_start,_stop,_time,_value,_field,_measurement,host"

    def rfc(ns):
        shown = len(f"{ns % SECOND:09}".rstrip("0")) if ns % SECOND else 0
        return strf("%Y-%m-%dT%H:%M:%S" + (".%f" if shown else "") + "Z", ns, shown)

    t.raw, tables, values, times, which = [*notes, head], [], [], [], []
    shown = host if "," not in host else f'"{host}"'
    for k, name in enumerate(fields):
        if k and again:
            t.raw += ["", *notes, head]
        for x, v in zip(t.times, level(r, t.n, r.choice([0, 1, 2]), -20, 99)):
            t.raw.append(f",,{k},{rfc(begin)},{rfc(end)},{rfc(x)},{v},{name},weather,{shown}")
            tables.append(str(k)), values.append(plain(v)), times.append(x), which.append(k)
    if r.random() < 0.5:
        t.raw.append("")
    t.n, t.times = len(times), times
    empty = [None] * t.n
    t.columns = [Column("result", [], empty, "result"), Column("table", [], tables, "table"), Column("_value", [], values, "_value")]
    if len(fields) > 1:
        apart = [[v if k == j else None for v, k in zip(values, which)] for j in range(len(fields))]
        t.either = [t.reading(), reading([None] * len(fields), times, apart),
                    reading([None] * (2 + len(fields)), times, [empty, tables, *apart])]
    bare_first(t)
    if r.random() < 0.4:
        t.options = ["--time-column", "_time"]

def influx_pivot(t, r):
    t.why, t.readable = "Annotated CSV of InfluxDB after pivot().", False
    names = r.sample(["temp", "hum", "co2", "battery (V)", "rssi"], r.randint(1, 4))
    walk(t, 0, step=r.choice([1, 10, 60]) * SECOND, low=1500000000)
    t.columns = [Column("", [""] * t.n), Column("result", [""] * t.n, [None] * t.n, "result"), numbers_column("table", ["0"] * t.n)]
    for k, name in enumerate(names):
        put(t, name, level(r, t.n, 1, -20, 99, holes(r) if k else 0))
    t.head = ["#group,false,false" + ",false" * (1 + len(names)),
              "#datatype,string,long,dateTime:RFC3339" + ",double" * len(names), "#default,_result" + "," * (2 + len(names))]
    stamp(t, "_time", "%Y-%m-%dT%H:%M:%SZ", at=3, option=0)
    if r.random() < 0.3:
        t.head = []
    bare_first(t)

def influx_cli(t, r):
    t.why, t.readable = "CSV of the command line of InfluxDB 1: measurement, tags and nanoseconds.", False
    walk(t, 9, step=r.choice([1, 10, 60]) * SECOND, low=1500000000)
    t.columns = [Column("name", ["weather"] * t.n), Column("tags", ["host=pi"] * t.n),
                 Column("time", [str(x) for x in t.times])]
    for k, name in enumerate(r.sample(["temperature", "humidity", "pressure", "mean"], r.randint(1, 4))):
        put(t, name, level(r, t.n, r.choice([0, 2]), 1, 1100, holes(r) if k else 0))
    if r.random() < 0.3:
        t.columns.pop(1)
    t.time_columns = [c for c in t.columns if c.title == "time"]

def ros_echo(t, r):
    """rostopic echo -p. A time is always in nanoseconds, since 1970 or, in a simulation, since its start."""
    t.readable = False
    simulated = r.random() < 0.3
    walk(t, 9, start=r.randrange(1, r.choice([10, 1000, 20000])) * SECOND + r.randrange(SECOND) if simulated else None, low=1000000000,
         step=r.choice([1, 10, 50, 100, 1000]) * 10 ** 6)
    t.why = "rostopic echo -p" + (" in a simulation." if simulated else ".")
    kind = r.choice(["imu", "temperature", "odom", "float"])
    names = {"imu": [f"orientation.{a}" for a in "xyzw"] + [f"orientation_covariance{k}" for k in range(r.choice([1, 9]))] +
             [f"angular_velocity.{a}" for a in "xyz"] + [f"linear_acceleration.{a}" for a in "xyz"],
             "temperature": ["temperature", "variance"], "odom": ["pose.pose.position.x", "pose.pose.position.y", "twist.twist.linear.x"],
             "float": ["data"]}[kind]
    t.columns = [Column("%time", [str(x) for x in t.times])]
    if kind != "float":
        put(t, "field.header.seq", [str(i + 7) for i in range(t.n)])
        late = r.randrange(0, 10 ** 6)
        put(t, "field.header.stamp", [str(x - late) for x in t.times])
        text(t, "field.header.frame_id", [r.choice(["imu_link", "base_link"])] * t.n)
        if kind == "odom":
            text(t, "field.child_frame_id", ["base_link"] * t.n)
    for k, name in enumerate(names):
        cells = []
        for i in range(t.n):
            number = Decimal(r.randint(-10 ** 12, 10 ** 12)).scaleb(-r.choice([12, 12, 11, 9]))
            cells.append("nan" if (k or kind != "float") and i and r.random() < 0.01 else
                         exponent(number.scaleb(-5), f".{r.randint(0, 11)}e") if r.random() < 0.1 else plain(str(number)) + ".0" * (number == int(number)))
        cells = ["0.0"] * t.n if "covariance" in name else cells
        put(t, "field." + name, cells)
    t.time_columns = [t.columns[0]]
    if r.random() < 0.4:
        t.options = ["--time-column", "1", "--time-unit", "ns"]
    else:
        t.allow("advice")

def tracks(t, r):
    r.choice([torque, torque, car_scanner, obd_fusion, columbus, qstarz, gps_logger])(t, r)

def torque(t, r):
    t.why, t.readable = "A track of Torque: two times, spaces before names, and - for what is not known.", False
    names = r.sample(["Engine RPM(rpm)", "Speed (OBD)(km/h)", "Engine Coolant Temperature(°C)", "Engine Load(%)",
                      "Trip Time(Since journey start)(s)", "Air Fuel Ratio(Measured)(:1)", "Fuel flow rate/hour(l/hr)"], r.randint(1, 5))
    walk(t, 3, step=r.choice([100, 1000, 5000]) * 10 ** 6, low=1300000000)
    zone, minutes = r.choice([("GMT+01:00", 60), ("EDT", -240), ("CEST", 120), ("GMT", 0)])
    days = "Thu Fri Sat Sun Mon Tue Wed".split()
    gps = [days[x // DAY % 7] + strf(" %b %d %H:%M:%S ", x) + zone + strf(" %Y", x) for x in t.times]
    lost = r.choice([0, 0, 0.1])
    fix = [i > 0 and r.random() < lost for i in range(t.n)]
    text(t, "GPS Time", ["-" if f else g for g, f in zip(gps, fix)])
    text(t, " Device Time", [strf("%d-%b-%Y %H:%M:%S.%f", x, 3) for x in t.times])
    for title, places, low, high in [(" Longitude", 8, -180, 180), (" Latitude", 8, -90, 90), ("GPS Speed (Meters/second)", 2, 0, 60),
                                     (" Horizontal Dilution of Precision", 1, 1, 40), (" Altitude", 1, -10, 3000),
                                     (" Bearing", 1, 0, 359), (" G(x)", 8, -9, 9), (" G(y)", 8, -9, 9)]:
        cells = level(r, t.n, places, low, high)
        if title in (" Longitude", " Latitude", " Bearing"):
            cells = ["-" if f else c for c, f in zip(cells, fix)]
        put(t, title, cells, None)
    for name in names:
        put(t, name, [("-" if r.random() < 0.05 else c) for c in level(r, t.n, r.choice([1, 8]), 0, 5000)])
    if r.random() < 0.3 and t.n > 2:                # the car was started again
        t.inserts = {r.randint(1, t.n - 1): [",".join(c.title for c in t.columns)]}
    t.time_columns = [t.columns[1]]
    if r.random() < 0.6:
        t.options = ["--time-column", r.choice(["2", "Device Time"]), "--time-format", "%d-%b-%Y %H:%M:%S.%f"]
    else:
        t.allow("advice")

def car_scanner(t, r):
    t.why, t.delimiter, t.readable = "Car Scanner: a row for each value, seconds since midnight.", ";", False
    kinds, place = r.sample([("Engine RPM", "rpm", 0, 0, 5000), ("Speed (GPS)", "km/h", 2, 0, 200), ("Coolant", "°C", 0, -20, 120)],
                            r.choice([1, 2, 2, 3])), r.random() < 0.5
    walk(t, 6, start=r.randrange(3600, 80000) * SECOND, step=r.choice([100, 400, 1000]) * 10 ** 6)
    which = [i % len(kinds) for i in range(t.n)]
    lists = [level(r, t.n, k[2], k[3], k[4]) for k in kinds]
    values = [lists[k][i] for i, k in enumerate(which)]
    text(t, "SECONDS", [plain(fixed(x // 1000, 6)) if i else fixed(x // 1000, 6) for i, x in enumerate(t.times)])
    text(t, "PID", [kinds[k][0] for k in which])
    put(t, "VALUE", values)
    text(t, "UNITS", [kinds[k][1] for k in which])
    if place:
        put(t, "LATITUDE", level(r, t.n, 7, 40, 50)), put(t, "LONGTITUDE", level(r, t.n, 7, 10, 20))
    t.time_columns = [t.columns[0]]
    if len(kinds) > 1 and t.n > 1:
        apart = [[plain(v) if k == j else None for v, k in zip(values, which)] for j in range(len(kinds))]
        rest = [c.values for c in t.numbers()[1:]]
        t.either = [t.reading(), reading([None] * (len(kinds) + len(rest)), t.times, apart + rest)]
    quote_all(t)
    t.columns[-1].title = Raw(t.columns[-1].title + ";")
    t.tail = ";"
    t.allow("advice")

def obd_fusion(t, r):
    t.why, t.readable = "OBD Fusion: a comment with the start, and spaces after the commas.", False
    walk(t, 3, start=0, step=r.choice([100, 500, 1000]) * 10 ** 6)
    t.head = [strf("# StartTime = %m/%d/%Y %I:%M:%S.%f %p", epoch(r.randint(2012, 2030), r.randint(1, 12), r.randint(1, 28)), 4)]
    text(t, "Time (sec)", [Raw(fixed(x // 10 ** 6, 3)) for x in t.times])
    for k, name in enumerate(r.sample(["Engine RPM (rpm)", "Vehicle speed (km/h)", "Latitude (deg)", "Boost (bar)"], r.randint(1, 4))):
        put(t, name, level(r, t.n, r.choice([1, 3, 6]), 0, 100, holes(r) if k else 0), name)
    for c in t.columns[1:]:
        c.title, c.cells = Raw(" " + c.title), [Raw(" " + x) for x in c.cells]
        c.name = None
    t.time_columns = [t.columns[0]]
    t.allow("advice")

def columbus(t, r):
    """Columbus V-900 and V-1000: dates and times of six digits, and letters behind latitude and longitude."""
    t.why, t.readable = "A track of Columbus: 240314,140005 are date and time.", False
    steady(t, r.choice([1, 5, 10]) * SECOND, align=SECOND)
    pad = r.random() < 0.5
    put(t, "INDEX", [str(i + 1) for i in range(t.n)])
    text(t, "TAG", [r.choice("TTTTTTVC") for _ in range(t.n)])
    text(t, "DATE", [strf("%y%m%d", x) for x in t.times])
    text(t, "TIME", [strf("%H%M%S", x) for x in t.times])
    text(t, "LATITUDE N/S", [c.zfill(9) + "N" for c in level(r, t.n, 6, 40, 50)])
    text(t, "LONGITUDE E/W", [c.zfill(10) + "E" for c in level(r, t.n, 6, 0, 20)])
    for title, high, places in [("HEIGHT", 900, 0), ("SPEED", 99, 0 if pad else 1), ("HEADING", 359, 0)]:
        put(t, title, level(r, t.n, places, 0, high))
    if pad:
        text(t, "VOX", [""] * t.n)
        t.columns[-1].values, t.columns[-1].name = [None] * t.n, "VOX"
        for c in t.columns:
            if c.title in ("INDEX", "HEIGHT", "SPEED", "HEADING", "VOX"):
                width = {"INDEX": 6, "HEIGHT": 5, "SPEED": 4, "HEADING": 3, "VOX": 9}[c.title]
                c.cells = [Raw(x.ljust(width)) for x in c.cells]
    t.time_columns = t.columns[2:4]
    if r.random() < 0.5:
        t.options = ["--time-column", "DATE,TIME", "--time-format", "%y%m%d %H%M%S"]
    else:
        t.allow("yes")

def qstarz(t, r):
    t.why, t.readable = "A track of Qstarz or i-Blue: units in cells, a comma at the end of rows and header.", False
    steady(t, r.choice([1, 5, 10]) * SECOND, align=SECOND)
    put(t, "INDEX", [str(i + 1) for i in range(t.n)])
    text(t, "RCR", ["T"] * t.n)
    text(t, "DATE", [strf("%Y/%m/%d", x) for x in t.times])
    text(t, "TIME", [strf("%H:%M:%S", x) for x in t.times])
    text(t, "VALID", [r.choice(["SPS", "DGPS"])] * t.n)
    put(t, "LATITUDE", level(r, t.n, 6, 0, 80)), text(t, "N/S", [r.choice("NS")] * t.n)
    put(t, "LONGITUDE", level(r, t.n, 6, 0, 179)), text(t, "E/W", [r.choice("EW")] * t.n)
    high = [f"{c} M" for c in level(r, t.n, 3, 0, 900)]
    speed = [f"{c} km/h" for c in level(r, t.n, 3, 0, 99)]
    if r.random() < 0.5:
        text(t, "HEIGHT", high), text(t, "SPEED", speed)
    else:
        put(t, "HEIGHT(m)", [c[:-2] for c in high]), put(t, "SPEED(km/h)", [c[:-5] for c in speed])
    put(t, "HEADING", level(r, t.n, 6, 0, 359)) if r.random() < 0.5 else put(t, "HDOP", level(r, t.n, 1, 0, 9))
    if r.random() < 0.5:
        text(t, "NSAT (USED/VIEW)", [f"{r.randint(4, 9)}({r.randint(9, 14)})" for _ in range(t.n)])
    text(t, "DISTANCE", [f"{c} M" for c in level(r, t.n, 2, 0, 40)])
    text(t, "", [""] * t.n)
    t.time_columns = t.columns[2:4]

def gps_logger(t, r):
    t.why, t.readable = "GPSLogger for Android: two times, and columns that stay empty.", False
    digits = r.choice([0, 3])
    walk(t, digits, step=r.choice([1, 10, 60]) * SECOND, low=1400000000)
    stamp(t, "time", "%Y-%m-%dT%H:%M:%S" + (".%f" if digits else "") + "Z", digits, option=0, known=True)
    put(t, "lat", level(r, t.n, 7, -80, 80)), put(t, "lon", level(r, t.n, 7, -179, 179))
    put(t, "elevation", level(r, t.n, r.choice([1, 13]), 0, 900, holes(r)))
    put(t, "accuracy", level(r, t.n, 1, 3, 60)), put(t, "bearing", level(r, t.n, 2, 0, 359, holes(r)))
    put(t, "speed", level(r, t.n, 2, 0, 40, holes(r))), put(t, "satellites", level(r, t.n, 0, 3, 20))
    text(t, "provider", [r.choice(["gps", "network"]) for _ in range(t.n)])
    for name in ("hdop", "vdop", "pdop"):
        put(t, name, [""] * t.n)
    put(t, "battery", level(r, t.n, 0, 5, 100))
    if r.random() < 0.4:
        text(t, "annotation", [r.choice(["home", "bus, late", "x"]) for _ in range(t.n)])
    if r.random() < 0.5:
        put(t, "timestamp_ms", [str(x // 10 ** 6) for x in t.times])
        text(t, "time_offset", [strf("%Y-%m-%dT%H:%M:%S", x + HOUR) + "+01:00" for x in t.times])

def phone_apps(t, r):
    r.choice([phyphox, phyphox, phyphox, andro_sensor, andro_sensor, sensor_log, sensor_logger, physics_toolbox])(t, r)

def phyphox(t, r):
    t.why, t.readable = "phyphox: exponents, in one of its five dialects.", False
    t.delimiter, t.decimal = r.choice([(",", "."), ("\t", "."), (";", "."), ("\t", ","), (";", ",")])
    german, comma = r.random() < 0.3, t.decimal == ","
    names = r.choice([["Acceleration x (m/s^2)", "Acceleration y (m/s^2)", "Acceleration z (m/s^2)", "Absolute acceleration (m/s^2)"],
                      ["Pressure (hPa)"], ["Latitude (°)", "Longitude (°)", "Height (m)", "Velocity (m/s)", "Satellites"],
                      ["Illuminance (lx)"], ["Gyroscope x (rad/s)", "Gyroscope y (rad/s)", "Gyroscope z (rad/s)"]])
    if german:
        names = [n.replace("Acceleration", "Beschleunigung").replace("Pressure", "Druck").replace("Absolute", "Absolute") for n in names]
    walk(t, 9, start=r.randrange(0, 10 ** 8), step=r.choice([2, 5, 10, 200]) * 10 ** 6)

    def java(number):                               # 1.234000000E-2, as DecimalFormat writes it
        mantissa, power = f"{Decimal(number):.9E}".split("E")
        return f"{mantissa}E{int(power)}"

    text(t, "Zeit (s)" if german else "Time (s)", [])
    t.times = [int(Decimal(java(Decimal(x).scaleb(-9))).scaleb(9).to_integral_value()) if Decimal(java(Decimal(x).scaleb(-9))).scaleb(9) ==
               Decimal(java(Decimal(x).scaleb(-9))).scaleb(9).to_integral_value() else x // 10 ** 4 * 10 ** 4 for x in t.times]
    t.columns[0].cells = [java(Decimal(x).scaleb(-9)) for x in t.times]
    for x, c in zip(t.times, t.columns[0].cells):
        assert Decimal(c).scaleb(9) == x
    t.columns[0].decimal = True
    empty = r.choice([0, 0, 0.1]) if len(names) > 1 else 0
    for name in names:
        put(t, name, ["NaN" if i and r.random() < empty else java(Decimal(r.randint(-10 ** 9, 10 ** 9)).scaleb(-r.randint(5, 11)))
                      for i in range(t.n)])
    t.time_columns = [t.columns[0]]
    quote_all(t, cells=False)

def andro_sensor(t, r):
    """AndroSensor: the last two columns are the time, as milliseconds and as a date with a colon before the milliseconds."""
    t.why, t.delimiter, t.readable = "AndroSensor: milliseconds since the start, and a date.", ";", False
    names = ["ACCELEROMETER X (m/s²)", "ACCELEROMETER Y (m/s²)", "ACCELEROMETER Z (m/s²)", "GRAVITY X (m/s²)", "LIGHT (lux)",
             "SOUND LEVEL (dB)", "LOCATION Latitude : ", "LOCATION Longitude : ", "LOCATION Altitude ( m)",
             "LOCATION Speed ( Kmh)", "LOCATION ORIENTATION (°)"]
    names = [n for n in names if r.random() < 0.6] or names[:1]
    step = r.choice([5, 20, 100, 500, 1000])
    since = [i * step + r.randrange(step) // 4 + 3 for i in range(t.n)]
    start = r.randrange(1300000000, 1900000000) * SECOND + r.randrange(1000) * 10 ** 6
    for name in names:
        put(t, name, level(r, t.n, r.choice([1, 4, 6]), -20, 80), None if name != name.strip() else name)
    if r.random() < 0.5:
        text(t, "Satellites in range", [f"{r.randint(0, 9)} / {r.randint(9, 20)}" for _ in range(t.n)])
    title = "Time since start in ms "
    dates = Column("YYYY-MO-DD HH-MI-SS_SSS", [strf("%Y-%m-%d %H:%M:%S:%f", start + s * 10 ** 6, 3) for s in since])
    count = numbers_column(title, [str(s) for s in since], None)
    values = [c for c in t.numbers()]
    kind = r.choice(["ms", "date", "open"])
    t.columns += [count, dates]
    if kind == "date":
        t.times, t.time_columns = [start + s * 10 ** 6 for s in since], [dates]
        t.options = ["--time-column", str(len(t.columns)), "--time-format", "%Y-%m-%d %H:%M:%S:%f"]
    else:
        t.times, t.time_columns = [s * 10 ** 6 for s in since], [count]
        count.values = None
        if kind == "ms":
            t.options = ["--time-column", str(len(t.columns) - 1), "--time-unit", "ms"]
        else:
            first = t.reading()
            t.either = [first, reading(first["columns"] + [None], [start + s * 10 ** 6 for s in since],
                                       [c.values for c in values] + [[str(s) for s in since]])]
    if r.random() < 0.2:
        latin(t, "cp1252")

def sensor_log(t, r):
    t.why, t.readable = "SensorLog for iOS: its first column is the time, others are since the start of the phone.", False
    minutes = r.choice([60, 120, -420, 0])
    walk(t, 3, step=r.choice([10, 33, 100, 1000]) * 10 ** 6, low=1500000000)
    old = r.random() < 0.3
    put(t, "loggingSample(N)", [str(i) for i in range(t.n)])
    boot = r.randrange(1000, 900000)
    if r.random() < 0.6:
        put(t, "locationTimestamp_since1970(s)", [fixed(x // 10 ** 3 // (5 * 10 ** 6) * 5 * 10 ** 6, 6) for x in t.times])
        put(t, "locationLatitude(WGS84)", level(r, t.n, 6, 40, 50)), put(t, "locationLongitude(WGS84)", level(r, t.n, 6, 5, 15))
    put(t, "accelerometerTimestamp_sinceReboot(s)", [fixed(boot * 10 ** 6 + (x - t.times[0]) // 1000, 6) for x in t.times])
    for a in "XYZ":
        put(t, f"accelerometerAcceleration{a}(G)", level(r, t.n, 6, -2, 2))
    if r.random() < 0.5:
        put(t, "label(N)", [str(r.randint(0, 1))] * t.n)
    zone = offset_text(minutes, "" if old else ":")
    stamp(t, "loggingTime(txt)", "%Y-%m-%d %H:%M:%S.%f " + zone if old else "%Y-%m-%dT%H:%M:%S.%f" + zone, 3, option=0,
          shift=minutes * 60 * SECOND)
    t.allow("advice")

def sensor_logger(t, r):
    t.why, t.readable = "Sensor Logger: nanoseconds since 1970, and the seconds since the start.", False
    walk(t, 9, step=r.choice([5, 10, 1000]) * 10 ** 6 + r.randrange(1000), low=1600000000)
    text(t, "time", [str(x) for x in t.times])
    put(t, "seconds_elapsed", [fixed(x - t.times[0] + 12345678, 9) for x in t.times])
    for name in r.choice([["z", "y", "x"], ["pressure", "relativeAltitude"], ["dBFS"], ["yaw", "qx", "qz", "roll", "qw", "qy", "pitch"]]):
        put(t, name, [plain(str(Decimal(r.randint(-10 ** 16, 10 ** 16)).scaleb(-r.randint(14, 17)))) for _ in range(t.n)])
    t.time_columns = [t.columns[0]]

def physics_toolbox(t, r):
    t.why, t.readable = "Physics Toolbox: seconds, perhaps with decimal commas, or times of day with a colon.", False
    names = r.choice([["gFx", "gFy", "gFz", "TgF"], ["ax", "ay", "az"], ["Bx", "By", "Bz", "TeslaTotal"], ["Pressure"]])
    t.delimiter, t.decimal = r.choice([(",", "."), (",", "."), (";", ",")])
    if r.random() < 0.5:
        walk(t, 9, start=r.randrange(10 ** 6, 10 ** 7), step=r.choice([5, 20, 200]) * 10 ** 6 + r.randrange(1000))
        text(t, "time", [fixed(x, 9) for x in t.times])
        t.columns[0].decimal = True
        t.allow("advice")
    else:
        walk(t, 3, step=r.choice([5, 20, 200]) * 10 ** 6)
        cut_days(t)
        text(t, "time", [strf("%H:%M:%S:%f", x, 3, r.choice(["", "", "H"])) for x in t.times])
        t.options = ["--date", strf("%F", t.times[0])]
    for name in names:
        put(t, name, level(r, t.n, 4, -5, 5))
    t.time_columns = [t.columns[0]]
    if r.random() < 0.3:
        t.tail = t.delimiter                        # a delimiter at the end of each row

def energy_meters(t, r):
    r.choice([shelly, fronius, fronius, sunny_explorer, sunny_explorer, enphase, e3dc])(t, r)

def shelly(t, r):
    t.why, t.readable = "Shelly EM: times in UTC without seconds; letters in parentheses are phases.", False
    steady(t, r.choice([1, 10]) * 60 * SECOND, low=1500000000)
    for phase in "ABC"[:r.choice([1, 3])]:
        put(t, f"Active energy Wh ({phase})", level(r, t.n, r.choice([1, 2]), 0, 900))
        put(t, f"Returned energy Wh ({phase})", level(r, t.n, 1, 0, 9, holes(r)))
    if r.random() < 0.3:
        put(t, "T (°C)", level(r, t.n, 1, 10, 40))
    if r.random() < 0.5:
        put(t, "Min V", level(r, t.n, 1, 220, 240)), put(t, "Max V", level(r, t.n, 1, 230, 250))
    stamp(t, "Date/time UTC", r.choice(["%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M", "%d/%m/%Y %H:%M"]), option=0.4)

def fronius(t, r):
    """Solar.web: the unit of the time in the row below the header is how the dates are written."""
    t.why, t.readable = "Solar.web of Fronius: the row below the header says how dates are written.", False
    steady(t, r.choice([5, 15]) * 60 * SECOND, low=1400000000)
    pattern, shown, t.decimal, t.delimiter = r.choice(
        [("%d.%m.%Y %H:%M", "dd.MM.yyyy HH:mm", ",", ";"), ("%d.%m.%Y %H:%M", "dd.MM.yyyy HH:mm", ".", ","),
         ("%m/%d/%Y %H:%M", "MM/dd/yyyy HH:mm", ".", ","), ("%d/%m/%Y %H:%M", "dd/MM/yyyy HH:mm", ".", ","),
         ("%Y-%m-%d %H:%M", "yyyy-MM-dd HH:mm", ".", ",")])
    names = r.sample(["Energy | Symo 8.2-3-M (1)", "Total system", "Consumption", "Current DC MPP1 | Primo", "PV production"], r.randint(1, 4))
    for k, name in enumerate(names):
        put(t, name, level(r, t.n, r.choice([1, 2]), 0, 900, holes(r) if k else 0), None)
    units = [r.choice(["[Wh]", "[A]", "[V]"]) for _ in names]
    stamp(t, r.choice(["Date and time", "Datum und Uhrzeit"]), pattern, option=0.4)
    t.either = None                                 # the row below the header says it
    if "/" in pattern and not t.options:
        t.allow("yes")
    t.under = [[f"[{shown}]", *units]]
    if r.random() < 0.3:
        quote_all(t)
        t.under = [[quoted(c) for c in t.under[0]]]

def sunny_explorer(t, r):
    """Sunny Explorer of SMA: eight lines before the rows; the last one has the form of the dates, and the units."""
    t.why, t.readable, t.delimiter = "Sunny Explorer of SMA: the line above the rows has the form of the dates and the units.", False, ";"
    t.decimal, mark = r.choice([(",", "comma"), (".", "dot")])
    count, daily = r.choice([1, 1, 2, 3]), r.random() < 0.4
    date, shown = r.choice([("%d.%m.%Y", "dd.MM.yyyy"), ("%d/%m/%Y", "dd/MM/yyyy"), ("%Y-%m-%d", "yyyy-MM-dd")])
    pattern, shown = (date, shown) if daily else (date + " %H:%M:%S", shown + " HH:mm:ss")
    steady(t, DAY if daily else 300 * SECOND, low=1200000000)
    serials = [str(r.randint(2100000000, 2139999999)) for _ in range(count)]
    second = "Day yield" if daily else "Power"
    german = r.random() < 0.5
    t.head = ["sep=;", f"Version CSV1|Tool SE|Linebreaks CR/LF|Delimiter semicolon|Decimalpoint {mark}|Precision 3", "",
              "".join(f";SN: {s};SN: {s}" for s in serials), ";SB 4000TL-20;SB 4000TL-20" * count,
              "".join(f";{s};{s}" for s in serials),
              (";Gesamtertrag;" + ("Tagesertrag" if daily else "Leistung") if german else f";Total yield;{second}") * count,
              ";Counter;Analog" * count]
    pad = r.random() < 0.4
    for s in serials:
        put(t, "kWh", [str(r.randint(70, 79)) + f"{i:03}.{r.randint(100, 999)}" for i in range(t.n)], None)
        put(t, "kWh" if daily else "kW", level(r, t.n, 3, 0, 6), None)
    for c in t.columns if pad else []:
        c.cells = [Raw(" " + x) for x in c.cells]
    stamp(t, shown, pattern, option=0.5)
    t.either = None                                 # its header says it
    if t.options:
        t.options = ["--skip-lines", "8"] + t.options if r.random() < 0.5 else t.options
    if not t.options:
        t.allow("yes")
    t.allow("advice")

def enphase(t, r):
    t.why, t.readable = "Enlighten of Enphase: a space before the offset, perhaps a total in the last row.", False
    minutes = r.choice([-300, -420, 60])
    steady(t, r.choice([900, 86400]) * SECOND, low=1400000000, align=900 * SECOND)
    zone = offset_text(minutes, "")
    t.times = [x - minutes * 60 * SECOND for x in t.times]
    put(t, "Energy Produced (Wh)", level(r, t.n, 0, 0, 9000))
    if r.random() < 0.4:
        put(t, "Energy Consumed (Wh)", level(r, t.n, 0, 0, 9000, holes(r)))
    stamp(t, "Date/Time", "%Y-%m-%d %H:%M:%S " + zone, option=0, shift=minutes * 60 * SECOND)
    if r.random() < 0.3:
        t.inserts = {t.n: ["Total," + ",".join(str(r.randint(10 ** 4, 10 ** 6)) for _ in t.numbers())]}
        t.allow("yes")

def e3dc(t, r):
    t.why, t.delimiter, t.readable = "The portal of E3DC: whole numbers, and German dates.", ";", False
    steady(t, 900 * SECOND, low=1400000000)
    for title, high in [("Ladezustand [%]", 100), ("Solarproduktion [W]", 9000), ("Batterie Laden [W]", 3000), ("Netzbezug [W]", 3000)]:
        if r.random() < 0.7 or not t.columns:
            put(t, title, level(r, t.n, 0, 0, high))
    stamp(t, "Zeitstempel", "%d.%m.%Y %H:%M:%S", option=0, known=True)
    quote_all(t, cells=False)

def weather_stations(t, r):
    r.choice([ecowitt, ecowitt, netatmo, netatmo, weatherlink, weatherlink, cumulus])(t, r)

def ecowitt(t, r):
    t.why, t.readable = "Ecowitt: dates with slashes and without zeros, or a line for missing values.", False
    steady(t, r.choice([1, 5, 30]) * 60 * SECOND, low=1500000000)
    names = ["Indoor Temperature(℃)", "Indoor Humidity(%)", "Outdoor Temperature(℃)", "Dew Point(℃)", "Wind(m/s)", "Gust(m/s)",
             "Wind Direction(deg)", "ABS Pressure(hPa)", "Solar Rad(w/m2)", "UV-Index", "Hourly Rain(mm)", "Daily Rain(mm)"]
    for k, name in enumerate(names):
        if k == 0 or r.random() < 0.6:
            put(t, name, level(r, t.n, 1, 0, 99, holes(r) if k else 0, r.choice(["", "-"])))
    pattern = r.choice(["%Y/%m/%d %H:%M", "%Y-%m-%d %H:%M", "%Y/%m/%d %H:%M"])
    stamp(t, "Time", pattern, bare="md" if "/" in pattern and r.random() < 0.6 else "", option=0, known=True)

def netatmo(t, r):
    """Netatmo: a small table with the place of the station stands above the table of values."""
    t.why, t.delimiter, t.readable = "Netatmo: a table of the station above the table of values; seconds since 1970, and local dates.", ";", False
    name = r.choice(["Europe/Berlin", "Europe/Oslo", "America/New_York"])
    zone = ZoneInfo(name)
    walk(t, 0, step=r.choice([300, 301, 1800]) * SECOND, low=1420000000, high=1900000000)
    text(t, "Timestamp", [str(x // SECOND) for x in t.times])
    local = [datetime.fromtimestamp(x // SECOND, zone) for x in t.times]
    text(t, f"Timezone : {name}", [quoted(c.strftime("%Y/%m/%d %H:%M:%S")) for c in local])
    for k, title in enumerate(r.choice([["Temperature", "Humidity", "CO2", "Noise", "Pressure"], ["Temperature", "Humidity"], ["sum_rain"]])):
        put(t, title, level(r, t.n, 1 if title in ("Temperature", "Pressure", "sum_rain") else 0, 1, 99, holes(r) if k else 0))
    t.columns[1].title = quoted(t.columns[1].title)
    t.head = ["Name;Long;Lat;ModuleName;ModuleType",
              f'"Roof";{fixed(r.randint(10 ** 6, 10 ** 7), 6)};{fixed(r.randint(4 * 10 ** 7, 5 * 10 ** 7), 6)};"Out";"Outdoor"']
    t.time_columns = [t.columns[0]]
    if r.random() < 0.3:
        t.options = ["--skip-lines", "2"]
    else:
        t.allow("advice")

def weatherlink(t, r):
    t.why, t.readable = "weatherlink.com: all is in quotes, lines before the header, -- for what is missing, and AM and PM.", False
    steady(t, r.choice([5, 15, 60]) * 60 * SECOND, low=1500000000, high=1900000000)
    names = r.sample(["Barometer - mb", "Temp - °C", "High Temp - °C", "Hum - %", "Wind Speed - km/h", "Rain - mm", "Solar Rad - W/m^2"],
                     r.randint(2, 6))
    for name in names:
        put(t, name, level(r, t.n, r.choice([0, 1]), 0, 1100))
    pattern, bare = r.choice([("%m/%d/%y %I:%M %p", "mdI"), ("%m/%d/%y %H:%M", "md"), ("%d/%m/%y %H:%M", "")])
    stamp(t, "Date & Time", pattern, bare=bare, option=0.5)
    dashes = r.random() < 0.3 and t.n > 2
    if dashes and not t.either:
        whole, bad = t.reading(), sorted({r.randrange(1, t.n) for _ in range(3)})
        for i in bad:
            t.columns[-1].cells[i], t.columns[-1].values[i] = "--", None
        whole = t.reading()
        t.either = [whole, {"columns": whole["columns"], "rows": [row for i, row in enumerate(whole["rows"]) if i not in bad]}]
    t.head = ['"Station: Roof"', '"Generated On: 3/1/25 2:00 PM"', '"Data interval: 15 minutes"', '""', '""'][:r.choice([0, 3, 5])]
    quote_all(t)

def cumulus(t, r):
    t.why, t.header, t.readable = "The monthly log of Cumulus: no header.", False, False
    steady(t, r.choice([1, 10]) * 60 * SECOND, low=1300000000)
    t.delimiter, t.decimal = r.choice([(",", "."), (";", ",")])
    mark = r.choice("/-.")
    pattern = mark.join(["%d", "%m", "%y"])
    text(t, "", [strf(pattern, x) for x in t.times]), text(t, "", [strf("%H:%M", x) for x in t.times])
    names = ["temp", "hum", "dew", "wind", "gust"][:r.randint(1, 5)]
    for name in names:
        put(t, "", level(r, t.n, 0 if name == "hum" else 1, 0, 99), name)
    t.options = ["--column-names", ",".join(["date", "time", *names]), "--time-format", pattern + " %H:%M"]
    t.time_columns = t.columns[:2]

def weather_services(t, r):
    r.choice([dwd, dwd, dwd, meteo_france, meteo_swiss, meteo_swiss, knmi, ndbc])(t, r)

def dwd(t, r):
    """Deutscher Wetterdienst: 2025011900 is 00:00 on 19 January 2025, not a count of seconds."""
    pattern, step, name = r.choice([("%Y%m%d%H", HOUR, "MESS_DATUM"), ("%Y%m%d%H", HOUR, "MESS_DATUM"), ("%Y%m%d%H", HOUR, "AAAAMMJJHH"),
                                    ("%Y%m%d%H%M", 600 * SECOND, "MESS_DATUM"), ("%Y%m%d", DAY, "MESS_DATUM")])
    t.why, t.delimiter, t.readable = f"Deutscher Wetterdienst or Météo-France: {pattern} as one number.", ";", False
    steady(t, step, low=0, high=1900000000)
    station, pad = str(r.choice([44, 3, 433, 5705])), r.random() < 0.7
    put(t, "STATIONS_ID" if name[0] == "M" else "NUM_POSTE", [station] * t.n)
    text(t, name, [strf(pattern, x) for x in t.times])
    put(t, "QN_9", [str(r.choice([1, 3, 10]))] * t.n)
    for title in r.sample(["TT_TU", "RF_TU", "PP_10", "T", "F", "D"], r.randint(1, 4)):
        put(t, title, ["-999" if r.random() < 0.03 else c for c in level(r, t.n, r.choice([0, 1, 1]), -20, 100)])
    if r.random() < 0.7:
        text(t, "eor", ["eor"] * t.n)
    for c in t.columns:
        if pad and c.title not in (name, "eor"):
            c.cells = [Raw(x.rjust(11 if c.title in ("STATIONS_ID", "NUM_POSTE") else 6)) for x in c.cells]
    t.time_columns = [t.columns[1]]
    kind = r.choice(["format", "column", "open"])
    if kind == "format":
        t.options = ["--time-column", name, "--time-format", pattern]
    else:
        t.options = ["--time-column", name] if kind == "column" else []
        t.allow("yes")

def meteo_france(t, r):
    t.why, t.delimiter, t.readable = "Météo-France: 20240314120000, and mq for what is missing.", ";", False
    steady(t, 3 * HOUR, low=820454400)
    put(t, "numer_sta", [r.choice(["07005", "61968"])] * t.n)
    text(t, "date", [strf("%Y%m%d%H%M%S", x) for x in t.times])
    for title in r.sample(["pmer", "tend", "dd", "ff", "t", "td", "u"], r.randint(2, 5)):
        put(t, title, level(r, t.n, r.choice([0, 6]), 0, 1000))
    if t.n > 2 and r.random() < 0.5:
        bad = sorted({r.randrange(1, t.n) for _ in range(r.randint(1, 3))})
        for i in bad:
            t.columns[-1].cells[i], t.columns[-1].values[i] = "mq", None
        whole = t.reading()
        t.either = [whole, {"columns": whole["columns"], "rows": [row for i, row in enumerate(whole["rows"]) if i not in bad]}]
    text(t, "", [""] * t.n)
    t.time_columns = [t.columns[1]]
    if r.random() < 0.6:
        t.options = ["--time-column", "date", "--time-format", "%Y%m%d%H%M%S"]
    else:
        t.allow("yes")

def meteo_swiss(t, r):
    t.why, t.delimiter, t.readable = "MeteoSwiss: codes as names, - for what is missing.", ";", False
    steady(t, 600 * SECOND, low=1400000000)
    kind = r.choice(["old", "new", "open"])
    text(t, {"old": "stn", "new": "Station/Location", "open": "station_abbr"}[kind], [r.choice(["TAE", "BER", "DAV"])] * t.n)
    for k, title in enumerate(r.sample(["tre200s0", "rre150z0", "ure200s0", "prestas0", "T", "T [°C]"], r.randint(1, 5))):
        put(t, title, level(r, t.n, 1, 0, 99, holes(r) if k else 0, "-" if kind != "open" else ""))
    if kind == "old":
        t.head = ["MeteoSchweiz / MeteoSuisse / MeteoSvizzera / MeteoSwiss", r.choice(["", " "])]
    title = {"old": "time", "new": "Date", "open": "reference_timestamp"}[kind]
    stamp(t, title, "%d.%m.%Y %H:%M" if kind == "open" else "%Y%m%d%H%M", at=1, option=0.5, quiet=True)

def knmi(t, r):
    t.why, t.readable = "KNMI: the last comment is the header; days as one number, perhaps beside an hour from 1 to 24.", False
    hourly = r.random() < 0.4
    steady(t, HOUR if hourly else DAY, low=0, high=1900000000)
    put(t, "STN", ["  260"] * t.n, None)
    text(t, "YYYYMMDD", [strf("%Y%m%d", (x - 1) // DAY * DAY if hourly else x) for x in t.times])
    if hourly:
        put(t, "   HH", [str(((x - 1) % DAY) // HOUR + 1).rjust(5) for x in t.times], None)
    for title in r.sample(["FG", "TG", "RH", "Q"], r.randint(1, 3)):
        put(t, title.rjust(5), [c.rjust(5) for c in level(r, t.n, 0, -50, 200, holes(r))], None)
    for c in t.columns:
        c.cells = [Raw(x) for x in c.cells]
    notes = ["# BRON: KONINKLIJK NEDERLANDS METEOROLOGISCH INSTITUUT (KNMI)", "# Opmerking: door stationsverplaatsingen",
             "# STN         LON(east)   LAT(north)  ALT(m)      NAME", "# 260         5.180       52.100      1.90        De Bilt",
             "# TG        : Etmaalgemiddelde temperatuur (in 0.1 graden Celsius)"]
    t.header, t.head = False, [*notes[:r.choice([0, 2, 5])], "# " + ",".join(c.title for c in t.columns)]
    if r.random() < 0.3:
        t.head.append("# ")
    t.time_columns = [t.columns[1]]
    if not hourly and r.random() < 0.6:
        t.options = ["--time-column", "YYYYMMDD", "--time-format", "%Y%m%d"]
        t.allow("yes" if t.head[-1] == "# " else "advice")
    elif hourly:                                    # the end of the hour, or its beginning; the hour may stay a value
        hours = t.columns[2]
        full = t.reading()
        less = [c for c in t.numbers() if c is not hours]
        t.either = [full] + [reading([None] * len(less), [x - d for x in t.times], [c.values for c in less]) for d in (0, HOUR)]
        t.either.append(reading([None] * len(full["columns"]), [x - HOUR for x in t.times], [c.values for c in t.numbers()]))
    else:
        t.allow("yes")

def ndbc(t, r):
    """NDBC buoys: year, month, day, hour and minute are columns; the newest row comes first, MM is missing."""
    t.why, t.name, t.readable = "A buoy of NDBC: the date is in five columns, a row of units below.", "buoy.txt", False
    steady(t, 600 * SECOND, low=1200000000)
    t.times.reverse()
    names, units = zip(*r.sample([("WDIR", "degT"), ("WSPD", "m/s"), ("PRES", "hPa"), ("ATMP", "degC"), ("WTMP", "degC")], r.randint(2, 5)))
    lists = [level(r, t.n, 0 if n == "WDIR" else 1, 0, 99, holes(r), "MM") for n in names]
    t.columns = [Column(n, c, [None if x == "MM" else plain(x) for x in c]) for n, c in zip(names, lists)]
    t.raw = ["#YY  MM DD hh mm " + " ".join(n.rjust(5) for n in names), "#yr  mo dy hr mn " + " ".join(u.rjust(5) for u in units)]
    t.raw += [strf("%Y %m %d %H %M ", x) + " ".join(c[i].rjust(5) for c in lists) for i, x in enumerate(t.times)]
    t.allow("yes")

def climate_loggers(t, r):
    r.choice([easy_log, easy_log, hobo, hobo, hobo_connect, testo, elitech, elitech, toaci1])(t, r)

def easy_log(t, r):
    """EasyLog (Lascar): only the first row has the serial number, so it has a cell more than the others."""
    t.why, t.readable = "EasyLog: the first column has the name of the logger, and only the first row the serial number.", False
    steady(t, r.choice([1, 5, 30]) * 60 * SECOND, low=1200000000, align=SECOND)
    put(t, r.choice(["Garage", "EL-USB-2", "Comedor"]), [str(i + 1) for i in range(t.n)])
    names = ["Celsius(°C)", "Humidity(%rh)", "Dew Point(°C)"][:r.choice([1, 3, 3])]
    for name in names:
        put(t, name, level(r, t.n, 1, 0, 90))
    serial = r.choice(["010012345", "10012345"])
    pattern = r.choice(["%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M:%S", "%d/%m/%Y %H:%M:%S"])
    put(t, "Serial Number", [serial] + [""] * (t.n - 1))
    stamp(t, "Time", pattern, at=1, option=0.3, known=True)
    titles = [c.title for c in t.columns]
    t.raw = [",".join(titles)] + [",".join(c.cells[i] for c in (t.columns if i == 0 else t.columns[:-1])) for i in range(t.n)]
    if r.random() < 0.4:
        latin(t, "cp1252")
    if t.n > 1:
        t.allow("yes")

def hobo(t, r):
    """HOBOware: an offset in the title, commas in titles, and events in columns of their own."""
    t.why, t.readable = "HOBOware: events such as Logged stand in columns of their own; the last rows have nothing else.", False
    minutes = r.choice([-300, 60, 0, -210])
    steady(t, r.choice([1, 15, 60]) * 60 * SECOND, low=1300000000, align=SECOND)
    events = r.sample(["Coupler Detached", "Coupler Attached", "Host Connected", "Stopped", "End Of File"], r.randint(1, 4))
    serial = f"LGR S/N: {r.randint(10 ** 7, 2 * 10 ** 7)}"
    last = r.randint(0, min(len(events), t.n - 1))
    put(t, "#", [str(i + 1) for i in range(t.n)])
    for name in r.sample(["Temp, °C", "RH, %", "Intensity, Lux", "Abs Pres, kPa"], r.randint(1, 2)):
        cells = level(r, t.n, 3, 0, 99)
        for i in range(t.n - last, t.n):
            cells[i] = ""
        put(t, f"{name} ({serial}, SEN S/N: {serial[9:]})", cells)
    first = r.random() < 0.4 and t.n > 1            # the event of the launch stands in the first row
    for k, name in enumerate(events):
        text(t, f"{name} ({serial})", ["Logged" if i >= t.n - last and (i - t.n + last == k) or (first and k == 0 and i == 0) else "" for i in range(t.n)])
        if not any(t.columns[-1].cells):
            t.columns[-1].values, t.columns[-1].name = [None] * t.n, t.columns[-1].title
    pattern = r.choice(["%m/%d/%y %I:%M:%S %p", "%m/%d/%y %I:%M:%S %p", "%Y-%m-%d %H:%M:%S", "%d.%m.%Y %H:%M:%S"])
    stamp(t, f"Date Time, GMT{offset_text(minutes)}", pattern, at=1, option=0.6 if pattern[1] == "m" else 0, shift=minutes * 60 * SECOND)
    if t.either:
        t.either = None
        t.options = ["--time-column", "2", "--time-format", pattern]
    if r.random() < 0.7:
        t.head = ['"Plot Title: pool 3"']
        if t.options and r.random() < 0.5:
            t.options = ["--skip-lines", "1"] + t.options
    quote_all(t, cells=False)
    t.allow("advice")

def hobo_connect(t, r):
    t.why, t.readable = "HOBOconnect: the zone stands in the title.", False
    zone = r.choice(["Europe/Berlin", "America/New_York"])
    short = {"Europe/Berlin": "(CET)", "America/New_York": "(EST/EDT)"}[zone]
    steady(t, r.choice([5, 15]) * 60 * SECOND, low=1600000000, high=1900000000)
    month = r.choice([1, 2, 12, 6, 7])              # far from a night in which clocks are set
    start = epoch(r.randint(2020, 2029), month, r.randint(3, 9), r.randrange(24))
    t.times = [start + (x - t.times[0]) for x in t.times]
    if t.times[-1] - t.times[0] > 14 * DAY:
        t.times = [start + i * 300 * SECOND for i in range(t.n)]
    local = [datetime.fromtimestamp(x // SECOND, ZoneInfo(zone)) for x in t.times]
    put(t, "#", [str(i + 1) for i in range(t.n)])
    pattern = r.choice(["%m/%d/%Y %H:%M:%S", "%Y-%m-%d %H:%M:%S"])
    text(t, f"Date-Time {short}", [c.strftime(pattern) for c in local])
    for name in ["Temperature , °C", "RH , %", "Dew Point , °C"][:r.randint(1, 3)]:
        put(t, name, level(r, t.n, 2, 0, 90))
    t.time_columns = [t.columns[1]]
    t.options = ["--time-column", "2", "--time-format", pattern, "--timezone", zone]

def testo(t, r):
    t.why, t.readable = "testo: numbered rows, and - for what is missing.", False
    t.delimiter, t.decimal = r.choice([(";", ","), (";", "."), ("\t", ",")])
    steady(t, r.choice([1, 15]) * 60 * SECOND, low=1200000000, align=SECOND)
    number = r.random() < 0.6
    for k, name in enumerate([r.choice(["1 [°C]", "T [°C]", "T"]), "2 [%rF]", "Taupunkt [°Ctd]"][:r.randint(1, 3)]):
        put(t, name, level(r, t.n, r.choice([1, 2]), -30, 99, holes(r) if k else 0, "-"))
    if r.random() < 0.5:
        stamp(t, r.choice(["Datum / Uhrzeit", "Datum/Zeit", "Date/time"]), "%d.%m.%Y %H:%M:%S", option=0)
    else:
        text(t, "", []), text(t, "", [])
        t.columns = t.columns[-2:] + t.columns[:-2]
        t.columns[0].title, t.columns[0].cells = "Datum", [strf("%d.%m.%Y", x) for x in t.times]
        t.columns[1].title, t.columns[1].cells = "Zeit", [strf("%H:%M:%S", x) for x in t.times]
        t.time_columns = t.columns[:2]
    if number:
        t.columns.insert(0, numbers_column("id", [str(i + 1) for i in range(t.n)]))

def elitech(t, r):
    """Elitech: pairs of a word and a number stand before the table, in rows of their own."""
    t.why, t.readable = "Elitech: a report stands before the table, with numbers in it.", False
    steady(t, r.choice([1, 10, 30]) * 60 * SECOND, low=1400000000, align=SECOND)
    put(t, "No.", [str(i + 1) for i in range(t.n)])
    for name in ["Temperature(℃)", "Humidity(%RH)"][:r.randint(1, 2)]:
        put(t, name, level(r, t.n, 1, -30, 90))
    wide = r.random() < 0.3
    lines = [f"Device Model,{r.choice(['RC-5', 'RC-51H', 'GSP-6'])}", f"Serial Number,{r.randint(10 ** 9, 10 ** 10)}", "Firmware,V1.4", "",
             "Log Interval,10m", "Alarm Limit,8.0", "Max,25.3", "Min,20.1", "Average,22.0", "MKT,22.1", strf("First Reading,%Y-%m-%d %H:%M:%S", t.times[0]), f"Data Points,{t.n}", ""]
    t.head = [x for x in lines if r.random() < 0.7]
    if wide:
        t.head = [x + "," * (len(t.columns) + 1 - max(2, x.count(",") + 1)) if x else x for x in t.head]
    stamp(t, r.choice(["Time", "Time", "Date Time"]), r.choice(["%Y-%m-%d %H:%M:%S", "%Y/%m/%d %H:%M:%S"]), at=1, option=0, known=True)
    t.allow("advice")

def toaci1(t, r):
    t.why, t.readable = "TOACI1 of Campbell: one line before the header, none below it.", False
    digits = r.choice([0, 0, 1, 2])
    walk(t, digits, step=r.choice([10, 60, 1800]) * SECOND)
    put(t, "RECNBR", [str(i + 57541) for i in range(t.n)])
    for k, name in enumerate(r.sample(["Batt_volt", "TU_Avg", "WindSp_WVT", "WD", "2fg", "Fc_wpl[mg/(m^2s)]"], r.randint(1, 5))):
        put(t, name, ["NAN" if k and i and r.random() < 0.03 else c for i, c in enumerate(level(r, t.n, r.choice([2, 3]), -20, 99))])
    stamp(t, "TMSTAMP", "%Y-%m-%d %H:%M:%S" + (".%f" if digits else ""), digits, option=0)
    t.columns[0].cells = [quoted(x) for x in t.columns[0].cells]
    for c in t.columns:
        c.title = quoted(c.title)
        c.cells = [quoted(x) if x == "NAN" else x for x in c.cells]
    t.head, t.name = ['"TOACI1","CR1000","Table1"'], "table.dat"

def locale_sheets(t, r):
    """A sheet that LibreOffice or Excel saved as CSV, in the language of a country."""
    t.readable = False
    country = r.choice(["de", "de", "ch", "fr", "us", "gb", "se"])
    t.why = f"A sheet saved as CSV, in the language of {country}."
    t.delimiter, t.decimal, group = {"de": (";", ",", "."), "ch": (";", ".", r.choice("'’")), "fr": (";", ",", r.choice("\u202f\u00a0")),
                                     "us": (",", ".", ","), "gb": (",", ".", ","), "se": (";", ",", "\u00a0")}[country]
    pattern, bare = {"de": r.choice([("%d.%m.%Y %H:%M:%S", ""), ("%d.%m.%Y %H:%M", ""), ("%d.%m.%y %H:%M", "")]), "ch": ("%d.%m.%Y %H:%M:%S", ""),
                     "fr": ("%d/%m/%Y %H:%M", ""), "us": r.choice([("%m/%d/%Y %H:%M", "mdH"), ("%m/%d/%y %I:%M %p", "")]),
                     "gb": r.choice([("%d/%m/%Y %H:%M:%S", ""), ("%d/%m/%Y %H:%M", "")]), "se": ("%Y-%m-%d %H:%M", "")}[country]
    steady(t, r.choice([1, 15, 60, 1440]) * 60 * SECOND, low=1000000000)
    put(t, r.choice(["Temperatur", "Temp", "T außen", "T", "T (°C)"]), level(r, t.n, 1, -30, 90))
    if r.random() < 0.5:
        put(t, "Druck", level(r, t.n, r.choice([1, 2]), 0, 90, holes(r)))
    bad, left = [], []
    if r.random() < 0.5:                            # digits in groups of three
        values = [fixed(r.randint(0, 9 * 10 ** r.randint(2, 8)), 2) for _ in range(t.n)]
        values[0] = r.choice([values[0], "123456.25"])
        shown = [f"{Decimal(v):,.2f}".replace(",", "\0").replace(".", t.decimal).replace("\0", group) for v in values]
        cells = [x if t.delimiter == "," else Raw(x) for x in shown]
        column = Column("Energie", cells, [plain(v) for v in values], "Energie")
        t.columns.append(column)
        if any(group in x for x in shown):
            t.allow("yes")
            if group not in ".,":                   # such a number is no number to the documents, so its column may be a text
                left.append(column)
    if r.random() < 0.25:
        column = Column("Feuchte", [c.replace(".", t.decimal) + ("%" if country in ("us", "gb") else " %") for c in level(r, t.n, 1, 0, 99)])
        t.columns.append(column)
        shares = [c.rstrip(" %").replace(t.decimal, ".") for c in column.cells]
    else:
        shares = None
    if t.n > 2 and r.random() < 0.2:
        bad = sorted({r.randrange(1, t.n) for _ in range(2)})
        word = r.choice(["#DIV/0!", "#N/A", "#WERT!" if country == "de" else "#VALUE!"])
        cells = [word if i in bad else f"0.{r.randint(1, 9)}" for i in range(t.n)]
        t.columns.append(Column("Quotient", cells, [None if i in bad else plain(c) for i, c in enumerate(cells)], "Quotient", True))
    stamp(t, {"de": "Datum", "ch": "Zeit", "fr": "Date", "us": "Date", "gb": "Date", "se": "Tid"}[country], pattern, bare=bare,
          option=0.4, known=country in ("de", "ch"))
    first = t.either or [t.reading()]
    if bad:
        first = first + [{"columns": x["columns"], "rows": [row for i, row in enumerate(x["rows"]) if i not in bad]} for x in first]
    if left:
        at = t.numbers().index(left[0])
        first = first + [{"columns": x["columns"][:at] + x["columns"][at + 1:], "rows": [row[:at + 1] + row[at + 2:] for row in x["rows"]]} for x in first]
    if shares:                                      # the documents leave it out; its numbers are right, too
        at = len([c for c in t.columns[:[c.title for c in t.columns].index("Feuchte")] if c.values is not None])
        more = []
        for x in first:
            if left and len(x["columns"]) < len(t.numbers()):
                continue
            lost = set(range(t.n)) - set(bad) if bad and len(x["rows"]) < t.n else set(range(t.n))
            rows = [row[:at + 1] + [plain(shares[i])] + row[at + 1:] for row, i in zip(x["rows"], sorted(lost))]
            more.append({"columns": x["columns"][:at] + [None] + x["columns"][at:], "rows": rows})
        first = first + more
    if len(first) > 1:
        t.either = first
    width = len(t.columns) - 1
    if r.random() < 0.3:
        t.head = [r.choice(["Messprotokoll", "Pool 3, Sommer" if t.delimiter == ";" else "Pool 3"]) + t.delimiter * width, t.delimiter * width][:r.randint(1, 2)]
    if r.random() < 0.25:                           # rows of the sheet that were cleared
        t.inserts = {t.n: [t.delimiter * width] * r.randint(1, 5)}
        t.allow("yes")
    if country != "us" and r.random() < 0.3 and all("’" not in str(x) and "\u202f" not in str(x) for c in t.columns for x in c.cells):
        latin(t, "cp1252")

def bench(t, r):
    r.choice([digilent, digilent, dsview, sigrok, ppk2, multimeter, multimeter, lvm_two, lvm_none, lab_times, lab_times])(t, r)

def digilent(t, r):
    t.why, t.readable = "WaveForms of Digilent: settings in comments with commas and colons.", False
    t.delimiter = r.choice([",", ",", "\t", ";"])
    step = r.choice([100, 1000, 5000, 10 ** 5])
    t.times = [step * (i - t.n // 2) for i in range(t.n)]
    text(t, "Time (s)", [r.choice([plain(fixed(x, 9))]) if r.random() < 0.8 else science(x, 12, "e") for x in t.times])
    names = ["Channel 1 (V)", "Channel 2 (V)", "Math 1 (V)"][:r.randint(1, 3)]
    for name in names:
        put(t, name, [fixed(r.randint(-10 ** 8, 10 ** 8), 12) if r.random() < 0.9 else f"{r.randint(1, 9)}.{r.randint(0, 99)}e-05" for _ in range(t.n)])
    t.head = ["#Digilent WaveForms Oscilloscope Acquisition", "#Device Name: Discovery2", "#Serial Number: SN:210321A36DA1",
              strf("#Date Time: %Y-%m-%d %H:%M:%S", r.randrange(1500000000, 1900000000) * SECOND) + ".123.456.789",
              f"#Sample rate: {SECOND // step}Hz", f"#Samples: {t.n}",
              "#Trigger: Source: Channel 1 Type: Edge Condition: Rise Level: 0 V Hyst.: Auto HoldOff: 0 s",
              "#Channel 1: Range: 500 mV/div Offset: -1 V Attenuation: 1 X"][:r.randint(1, 8)]
    t.head += ["#Note: lab 3; second run, again"] if r.random() < 0.2 else []
    t.head += [""] if r.random() < 0.7 else []
    t.time_columns = [t.columns[0]]

def dsview(t, r):
    t.why, t.readable = "DSView: comments begin with a semicolon, and a row is an edge.", False
    count, unit = r.randint(1, 8), r.choice([10 ** 3, 10 ** 4])
    times = sorted(r.sample(range(1, 10 ** 7), t.n))
    t.times = [0, *(x * unit for x in times[1:])]
    text(t, "Time(s)", [plain(fixed(x, 9)) for x in t.times])
    for k in range(count):
        put(t, f"D{k}" if r.random() < 0.5 else str(k), [str(r.randint(0, 1)) for _ in range(t.n)], None)
    for c in t.columns[1:]:
        c.title = Raw(" " + c.title)
    t.head = ["; CSV, generated by libsigrok4DSL 0.2.0 on Sun Nov 05 15:33:50 2023", f"; Channels ({count}/16)", "; Sample rate: 1 MHz",
              "; Sample count: 2.896 M Samples"]
    t.time_columns = [t.columns[0]]
    t.allow("advice")

def sigrok(t, r):
    t.why, t.readable = "sigrok-cli: comments with a semicolon, and rows of levels without header and times.", False
    count, rate = r.randint(2, 6), r.choice([(1000, "1 kHz", "1kHz"), (10 ** 6, "1 MHz", "1MHz"), (24 * 10 ** 6, "24 MHz", "24MHz")])
    t.header = False
    names = [f"D{k}" for k in range(count)]
    for k in range(count):
        put(t, "", [str(r.randint(0, 1)) for _ in range(t.n)], None)
    t.head = ["; CSV, generated by libsigrok 0.5.2 on Wed Nov 30 12:09:06 2016", f"; Channels ({count}/8): {', '.join(names)}", f"; Samplerate: {rate[1]}"]
    t.times = [(2 * k * SECOND + rate[0]) // (2 * rate[0]) for k in range(t.n)]
    kind = r.choice(["skip", "skip", "period", "open"])
    t.options = {"skip": ["--skip-lines", "3", "--column-names", ",".join(names), "--period", rate[2]],
                 "period": ["--period", rate[2]], "open": []}[kind]
    if kind != "skip":
        t.allow("yes")
    else:
        for c, name in zip(t.columns, names):
            c.name = name

def ppk2(t, r):
    """Power Profiler Kit II of Nordic: the levels of eight lines are one text of digits."""
    t.why, t.readable = "Power Profiler Kit: eight digits are eight lines.", False
    step = r.choice([10, 100, 1000]) * 1000
    start = r.randrange(0, 10 ** 6) * step
    t.times = [start + i * step for i in range(t.n)]
    text(t, "Timestamp(ms)", [plain(fixed(x // 10 ** 3, 3)) for x in t.times])
    put(t, "Current(uA)", level(r, t.n, 3, -1, 9000))
    t.time_columns = [t.columns[0]]
    kind = r.choice(["none", "one", "one", "eight"])
    if kind == "one":
        cells = ["".join(r.choice("01") for _ in range(8)) for _ in range(t.n)]
        t.columns.append(Column("D0-D7", cells))
        one = t.reading()                           # digits of two, or the number that they are to a program
        t.either = [one, reading(one["columns"] + [None], t.times, [t.columns[1].values, [plain(c) for c in cells]])]
    elif kind == "eight":
        for k in range(8):
            put(t, f"D{k}", [str(r.randint(0, 1)) for _ in range(t.n)])

def multimeter(t, r):
    """A handheld multimeter with a radio link: the unit of each value is in a column of its own."""
    t.why, t.readable = "A multimeter: the unit stands in a column of its own.", False
    steady(t, r.choice([1, 2, 60]) * SECOND, low=1400000000, align=SECOND)
    unit = r.choice(["V", "mV", "Ω", "kΩ", "mA", "°C"])
    put(t, r.choice(["No.", "Number"]), [str(i + 1) for i in range(t.n)])
    pair = r.random() < 0.5
    if pair:
        text(t, "Date", [strf("%Y-%m-%d", x) for x in t.times]), text(t, "Time", [strf("%H:%M:%S", x) for x in t.times])
        t.time_columns = t.columns[1:3]
    else:
        text(t, "Time", [strf("%Y/%m/%d %H:%M:%S", x) for x in t.times])
        t.time_columns = t.columns[1:2]
    values = level(r, t.n, r.choice([2, 3, 4]), -1, 60)
    lost = t.n > 2 and r.random() < 0.3
    bad = sorted({r.randrange(1, t.n) for _ in range(2)}) if lost else []
    word = r.choice(["OL", "O.L", "----", "0L"])
    values = [word if i in bad else v for i, v in enumerate(values)]
    t.columns.append(Column("Value", values, [None if i in bad else plain(v) for i, v in enumerate(values)], "Value"))
    text(t, "Unit", [unit] * t.n)
    if r.random() < 0.5:
        text(t, "Mode", [r.choice(["AUTO", "MANU"])] * t.n)
    if bad:
        whole = t.reading()
        t.either = [whole, {"columns": whole["columns"], "rows": [row for i, row in enumerate(whole["rows"]) if i not in bad]}]

LVM = ["LabVIEW Measurement\t", "Writer_Version\t2", "Reader_Version\t2", "Separator\tTab", "Decimal_Separator\t{d}", "Multi_Headings\tNo",
       "X_Columns\t{x}", "Time_Pref\tRelative", "Operator\tlab", "Date\t2024/03/14", "Time\t14:00:00{d}25", "***End_of_Header***\t", "\t"]

def lvm_head(t, columns, count, x, delta):
    tabs = "\t\t" if x == "Multi" else "\t"
    lines = [f"Channels\t{count}" + tabs, "Samples" + f"{tabs}{t.n}" * count if x != "Multi" else "Samples" + f"\t{t.n}\t" * count,
             "Date" + "".join(f"\t2024/03/14{tabs[1:]}" for _ in range(count)), "Y_Unit_Label" + f"\tVolts{tabs[1:]}" * count,
             "X_Dimension" + f"\tTime{tabs[1:]}" * count, "X0" + f"\t0{t.decimal}0000000000000000E+0{tabs[1:]}" * count,
             "Delta_X" + f"\t{delta}{tabs[1:]}" * count, "***End_of_Header***" + "\t" * columns]
    t.head = [s.format(d=t.decimal, x=x) for s in LVM] + lines
    t.name, t.delimiter = "labview.lvm", "\t"

def lvm_two(t, r):
    """LabVIEW with X_Columns Multi: each channel has a time of its own, here the same."""
    t.why, t.readable, t.decimal = "LabVIEW, a time beside each channel.", False, r.choice(".,")
    step, count = r.choice([1, 10, 1000]) * 10 ** 6, r.randint(1, 3)
    t.times = [i * step for i in range(t.n)]
    shown = [fixed(x // 1000, 6) for x in t.times]
    for k in range(count):
        x = numbers_column("X_Value", shown, None)
        t.columns += [x, numbers_column("Untitled" + (f" {k}" if k else ""), level(r, t.n, 6, -9, 9))]
    t.columns[0].values = None
    t.columns.append(Column("Comment", [""] * t.n))
    lvm_head(t, 2 * count, count, "Multi", f"{t.decimal}".join(["0", f"{step // 1000:06}"]) if step < SECOND else "1" + t.decimal + "0")
    t.time_columns = [t.columns[0]]
    comment = t.columns[-1]
    one = t.reading()
    few = [c for c in t.numbers() if c.title != "X_Value"]
    t.either = [reading([*one["columns"], None], t.times, [*(c.values for c in t.numbers()), [None] * t.n]), one]
    if count > 1:
        t.either += [reading([c.name for c in few] + [None], t.times, [*(c.values for c in few), [None] * t.n]),
                     reading([c.name for c in few], t.times, [c.values for c in few])]
    comment.values = None

def lvm_none(t, r):
    """LabVIEW with X_Columns No: the cells of X_Value are empty, and the header has the step."""
    t.why, t.readable, t.decimal = "LabVIEW without times; Delta_X in its header is the step.", False, r.choice(".,")
    step, count = r.choice([1, 10, 100]) * 10 ** 6, r.randint(1, 3)
    t.times = [i * step for i in range(t.n)]
    text(t, "X_Value", [""] * t.n)
    for k in range(count):
        put(t, "Untitled" + (f" {k}" if k else ""), level(r, t.n, 6, -9, 9))
    lvm_head(t, count, count, "No", f"0{t.decimal}{step // 10 ** 6:03}000")
    text(t, "Comment", [""] * t.n)
    one = t.reading()
    empty = [None] * t.n
    t.either = [one, reading(one["columns"] + [None], t.times, [c.values for c in t.numbers()] + [empty]),
                reading([None] + one["columns"] + [None], t.times, [empty] + [c.values for c in t.numbers()] + [empty])]
    if r.random() < 0.5:
        t.options = ["--period", f"{step // 10 ** 6}ms"]

def lab_times(t, r):
    """A chromatograph, a balance or a furnace: the time is in minutes, hours or days, as its title says."""
    t.why, t.readable = "Times in minutes, hours or days, as the title says.", False
    t.delimiter, t.decimal = r.choice([(",", "."), (";", ","), ("\t", ".")])
    unit, titles = r.choice([(60, ["Time (min)", "Time [min]", "Zeit [min]", "Time/min", "Retention Time (min)", "t (min)"]),
                             (3600, ["Time (h)", "Time [h]", "Elapsed (hours)", "Zeit (h)", "time_h"]), (86400, ["Time (days)", "t [d]"])])
    places, step = r.choice([(1, 5), (2, 1), (3, 1), (3, 125), (0, 1)])
    counts = [i * step for i in range(t.n)]
    t.times = [c * unit * SECOND // 10 ** places for c in counts]
    text(t, r.choice(titles), [fixed(c, places) for c in counts])
    t.columns[0].decimal = True
    t.time_columns = [t.columns[0]]
    for name in r.sample(["Absorbance (mAU)", "Mass (mg)", "Temp (°C)", "pH", "Ewe/V"], r.randint(1, 3)):
        put(t, name, level(r, t.n, r.choice([1, 2, 4]), -5, 99))
    if r.random() < 0.3:
        t.head = ["Sample: 12-B", "Method: gradient_2"]
    t.allow("yes")

SHARES |= MORE_SHARES

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
            if all(c is None for c in row[1:]) and result["family"] not in ("dashboards", "weather-services", "bench"):
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

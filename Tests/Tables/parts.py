"""What the tables of tables.py are made of: names, layouts of other programs, cells, columns of values and of times."""
import random
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

SECOND = 10 ** 9
HOUR, DAY = 3600 * SECOND, 86400 * SECOND
SCALES = {"s": 9, "ms": 6, "us": 3, "ns": 0}
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
NO_VALUES = {"", "nan", "NaN", "NAN", "inf", "-inf", "Inf", "∞", "-∞"}
ISO, LOCAL = "%Y-%m-%d %H:%M:%S", "%d.%m.%Y %H:%M:%S"
MARKS = [(",", "."), (",", "."), (";", ","), ("\t", ".")]       # delimiters with decimal marks

SHORT_NAMES = ["temp", "hum", "pressure", "flow", "voltage", "current", "co2", "pm25", "rpm", "lux", "accel_x", "gyro_z",
               "Level", "Torque", "Load", "RxBt", "Speed", "Druck", "Feuchte", "Strom"]
UNIT_NAMES = ["temp (°C)", "Power [W]", "p (hPa)", "x (g)", "speed (m/s)", "Hum (%)", "U [V]", "I (mA)", "Alt(m)",
              "Flow [l/min]", "Beschleunigung x (m/s^2)", "Channel A", "Channel B"]
LOCAL_NAMES = ["Température", "presión", "Außen", "温度", "влажность", "Δp", "O₂", "Höhe über NN", "€/kWh", "umidità", "Λ"]
ODD_NAMES = ['say "hi"', 'pipe 3"', "temp, inside", "a;b", "tank\nlow", "two\nlines, and a comma", 'x "y", z', "it's",
             "tab\there", "100 %", "a=b", "a/b", "temp: 1", "(raw)", "-x", "x|y", "[top]"]
WORDS = ["ok", "running", "idle", "false", "true", "Rx", "moved to tank", "open", "hung", "pump on"]
ODD_WORDS = ["ok, again", 'the "old" pump', "one; two", "two\nlines", 'a 3" pipe, new', "größer"]

# Titles of time columns: those that the documents name, then others that a human knows.
UNIT_TITLES = {"s": (["time_s", "Time (s)"], ["t_s", "Time [s]", "time(s)", "Zeit (s)", "Temps (s)", "Tiempo (s)"]),
               "ms": (["time_ms", "t_ms"], ["Time (ms)", "Time [ms]", "Zeit (ms)", "Tempo (ms)"]),
               "us": (["time_us"], ["Time (us)", "Time (µs)", "t_us"]), "ns": (["time_ns"], ["Time (ns)", "t_ns"])}
STAMP_TITLES = (["Time", "time"], ["Timestamp", "timestamp", "Date Time", "datetime", "Zeit", "Zeitstempel", "Temps",
                                   "Tiempo", "Tempo", "Datum", "Fecha"])
PAIR_TITLES = ([("Date", "Time"), ("Datum", "Uhrzeit")], [("Data", "Ora"), ("Fecha", "Hora"), ("Date", "Heure")])

# Layouts of other programs. "|" ends a line. "*,V#*" stands for each channel, and "#" is its number. In a row, {t} is the
# time in seconds as "time" says, <%H:%M> the time as a date, {v1} a value with the places or the exponent of "value", {i}
# the number of the row, {e} 0 or 1, {p} a number or an empty text, {w} a word, {a} and {b} a line of "left". "known" are the
# expected columns besides the values. "names" are their names, if the documents say them. Times begin before 0 ("trigger"),
# at 0 ("zero") or on a date. What a layout does not say is as in the first line.
LAYOUT = dict(head="", row="", time="E", value="5", count=4, start="trigger", known="", names=None, options=[], delimiter=",",
              refusal="no", digits=0, low=2, file="table.csv")
LAYOUTS = {
    "tektronix": {
        "TDS": dict(row="{a},{b},,{t},{v1},", time="f", count=1, low=20,
                    left="Record Length,2.5e+03|Sample Interval,4e-07|Trigger Point,1.25e+03||||Source,CH1|Vertical Units,V|"
                    "Vertical Scale,5.0e-01|Vertical Offset,0.0e+00|Horizontal Units,s|Horizontal Scale,2.5e-04|Pt Fmt,Y|"
                    "Yzero,0.0e+00|Probe Atten,1.0e+00|Model Number,TDS2014B|Serial Number,C03|Firmware Version,FV:v22.01"),
        "MDO": dict(head="Model,MDO3014|Firmware Version,1.26||Point Format,Y,*,*|Horizontal Units,s,*,*|Horizontal Scale,"
                    "0.004,*,*|Sample Interval,{step},*,*|Record Length,{n},*,*|Gating,0.0% to 100.0%,*,*|Vertical Units,V,*,*|"
                    "Vertical Offset,0,*,*|Label,,*,*|TIME*,CH#*", row="{t}*,{v#}*", time="e"),
        "TDS 420A": dict(row="{t},{v1}", value="4", count=1, names=["CH1"], options=["--column-names", "time_s,CH1"])},
    "rigol": {
        "DS1000E": dict(head="X,*CH#,*|Second,*Volt,*", row="{t},*{v#},*", value="e", time="e"),
        "DS1000Z": dict(head="X,*CH#,*Start,Increment,|Sequence,*Volt,*{first},{step}", row="{i0},*{v#},*,", value="e"),
        "MSO5000": dict(head="*CH#V,*t0 ={first}, tInc = {step},", row="*{v#},*,", value="e")},
    "scopes": {
        "Siglent SDS": dict(head="Record Length,{n}|Sample Interval,{step}|Vertical Units*,V*|Vertical Scale*,0.50*|Vertical "
                            "Offset*,0.0*|Horizontal Units,s|Horizontal Scale,1.00E-06|Model Number,SDS1104X-E|"
                            "Serial Number,SDSM0|Software Version,8.2.6|Source*,CH#*|Second*,Volt*", row="{t}*,{v#}*"),
        "an older Siglent SDS": dict(head="Record Length,Analog:{n}|Sample Rate,{rate}.0|Vertical Scale,CH1: 0.05|Vertical Offset,"
                                     "CH1:0.00000|Horizontal Scale, 0.000010000|Second,Volt", row="{t},{v1}", time="f", count=1),
        "Keysight": dict(head="x-axis*,#*|second*,Volt*", row="{t}*,{v#}*", value="E"),
        "R&S RTM": dict(head="[s]*,CH#[V]*", row="{t}*,{v#}*", value="E"),
        "R&S RTC1000": dict(head="in s*,CH# in V*", row="{t}*,{v#}*", value="E"),
        "LeCroy": dict(head="LECROYWP725Zi,50011,Waveform|Segments,1,SegmentSize,{n}|Segment,TrigTime,TimeSinceSegment1|"
                       "#1,14-Mar-2024 14:00:00,0|Time,Ampl", row="{t},{v1}", time="short", count=1),
        "Yokogawa DL1540": dict(head='"Model Name","DL1540"|"BlockNumber",1|"TraceName"*,"CH#"*|"BlockSize",{n}|"VUnit"*,"V"*|'
                                '"SampleRate",{rate}|"HUnit","s"|"Date","2024/03/14"|"Time","14:00:00"', row="*,{v#}*",
                                start="zero", refusal="advice"),
        "Hantek": dict(head="nr,time*,ch#*", row="{i0},{t}*,{v#}*", time="short", start="zero", known="i0",
                       names=["nr", "ch1", "ch2", "ch3", "ch4"], options=["--time-unit", "s"])},
    "hioki": {
        kind: dict(
            head='"File name","AUTO0001.CSV","V 1.00"|"Title comment",""|"Trigger Time","\'24-03-14 14:00:00"|"Ch"*,"CH#"*,|'
            '"Mode"*,"Voltage"*,|"Range"*,"10V"*,|"Comment"*,""*,|"Scaling"*,"Off"*,|"Ratio"*," 1.00000E+00"*,|'
            f'"Offset"*," 0.00000E+00"*,|"Time"*,"CH#[V]"*,{pulse}"Event",', row="{t}*,{v#}*," + cells + "{e},", value="E",
            start="zero", known=known)
        for kind, pulse, cells, known in [("MR8880", "", "", "e"), ("LR8402", '"PLS1",', "{p},", "p e")]
    } | {
        "LR8431": dict(head='"File name","WAVE0001.CSV"|"Trigger Time","\'24-03-14 14:00:00"|"CH","Mode","Range","Comment"|'
                       '*"CH#","Voltage","100mV",""|*"Time"*,"CH#[V]"*', row="{t}*,{v#}*", value="E", start="zero",
                       refusal="advice"),
        "8860": dict(head='"HEADER"|"MODEL","8860"|"DATE","2024/03/14"|"TIME","14:00:00"|"SIGNAL","Time[s]"*,"CH#[V]"*|"DATA"',
                     row="{t}*,{v#}*", value="E", start="zero", refusal="advice")},
    "recorders": {
        "Keysight 34972A": dict(head="Scan,Time*,10# (VDC)*", row="{i},<%m/%d/%Y %H:%M:%S:%f>*,{v#}*", value="2", known="i",
                                names=["Scan", "101 (VDC)", "102 (VDC)", "103 (VDC)", "104 (VDC)"], digits=3, start="date",
                                options=["--time-format", "%m/%d/%Y %H:%M:%S:%f"]),
        "LabVIEW": dict(head="LabVIEW Measurement\t|Writer_Version\t2|Separator\tTab|Decimal_Separator\t.|Multi_Headings\tNo|"
                        "X_Columns\tOne|Time_Pref\tRelative|Date\t2024/03/14|Time\t14:00:00.25|***End_of_Header***\t|\t|"
                        "Channels\t{count}|Samples*\t{n}*|Date*\t2024/03/14*|Time*\t14:00:00.25*|Y_Unit_Label*\tVolts*|"
                        "X_Dimension*\tTime*|X0*\t0.0*|Delta_X*\t{step}*|***End_of_Header***\t\t|X_Value*\tVoltage #*\tComment",
                        row="{t}*\t{v#}*\t", time="f", start="zero", delimiter="\t", file="labview.lvm"),
        "Saleae Logic 2": dict(head="Time [s],Channel 0", row="{t},{level}", time="f", start="zero", known="level", count=0)},
    "loggers": {
        "Neon": dict(row="<%d-%m-%Y>,<%H:%M:%S>,{w},{v1},{w},{v2}", value="2", names=["temp", "rh"], start="date",
                     options=["--column-names", "date,time,a,temp,b,rh", "--time-format", "%d-%m-%Y %H:%M:%S"]),
        "WTW": dict(row="<%d.%m.%y>;<%H:%M:%S>;{i};{v1};NTU;{w};", value="1", known="i", names=["ID", "turbidity"],
                    options=["--column-names", "date,time,ID,turbidity,unit,state", "--time-format", "%d.%m.%y %H:%M:%S"],
                    delimiter=";", start="date"),
        "akYtec": dict(head="Time;CH1;CH2;;", row="<%H:%M:%S>;{v1};{v2};;", value="1", names=["CH1", "CH2"], delimiter=";",
                       options=["--date", "%Y-%m-%d"], start="day"),
        "XGT": dict(head="DATE,INDEX,D00100,D00101", row="<%Y/%m/%d/%H:%M:%S.%f>,{i},{v1},{v2}", value="0", known="i", digits=3,
                    names=["INDEX", "D00100", "D00101"], start="date",
                    options=["--time-column", "1", "--time-format", "%Y/%m/%d/%H:%M:%S.%f"]),
        "MCHobby": dict(head="Time, Nr, hPa, Temp", row="<%d/%m/%Y %H:%M:%S>, {i}, {v1}, {v2}", value="2", known="i",
                        names=["Nr", "hPa", "Temp"], start="date", options=["--time-format", "%d/%m/%Y %H:%M:%S"]),
        "Tisch": dict(head="$TSP begin", row="!1,{i},{e},<%m-%d-%y %H:%M:%S>,{v1},{v2},{v3},{v4}", known="i e", value="1",
                      names="b c temp shelter mmHg flow".split(), start="date",
                      options=["--skip-lines", "1", "--column-names", "a,b,c,time,temp,shelter,mmHg,flow", "--time-format",
                               "%m-%d-%y %H:%M:%S", "--skip-bad"]),
        "exelerus": dict(head="Timestamp;X;Y;Z", row="<%Y-%m-%d %H:%M:%S>;{v1};{v2};{v3}", value="1", names=["X", "Y", "Z"],
                         start="date", delimiter=";", refusal="advice")},
    "campbell": {
        "TOA5": dict(head='"TOA5","CR5000","CR5000","1234","CR5000.Std.06","CPU:a.CR5","5","Table1"|"TIMESTAMP","RECORD"*,"Sensor#"*'
                     '|"TS","RN"*,"Volts"*|"",""*,"Avg"*', row='"<%Y-%m-%d %H:%M:%S.%f>",{i0}*,{v#}*', value="2", known="i0",
                     digits=2, start="date", file="table.dat")},
}

# Numbers and times

def plain(text):
    """The exact value of a number, without an exponent and without zeros at its end."""
    value = format(Decimal(text), "f")
    value = value.rstrip("0").rstrip(".") if "." in value else value
    return "0" if value == "-0" else value

def fixed(units, places):
    """A whole number of 10^-places as a decimal number."""
    digits = str(abs(units)).rjust(places + 1, "0")
    return ("-" if units < 0 else "") + (digits[:-places] + "." + digits[-places:] if places else digits)

def exponent(number, form):
    """A number with an exponent of two digits."""
    return re.sub(r"(?<=[eE][+-])(?=\d$)", "0", format(number, form))

def science(ns, places=9, letter="E"):
    """Nanoseconds as seconds with an exponent, exactly."""
    text = exponent(Decimal(ns).scaleb(-9), f".{places}{letter}")
    assert Decimal(text) * SECOND == ns
    return text

def epoch(*parts):
    return int((datetime(*parts) - datetime(1970, 1, 1)).total_seconds()) * SECOND

def strf(pattern, ns, digits=0, bare=""):
    """A time as text. The letters in bare have no leading zeros. Fractions are cut to the digits."""
    for short, long in (("%F", "%Y-%m-%d"), ("%T", "%H:%M:%S"), ("%D", "%m/%d/%y"), ("%R", "%H:%M")):
        pattern = pattern.replace(short, long)
    seconds, nanos = divmod(ns, SECOND)
    c = datetime(1970, 1, 1) + timedelta(seconds=seconds)
    parts = {"Y": f"{c.year:04}", "y": f"{c.year % 100:02}", "m": f"{c.month:02}", "d": f"{c.day:02}",
             "j": f"{c.timetuple().tm_yday:03}", "H": f"{c.hour:02}", "I": f"{(c.hour + 11) % 12 + 1:02}",
             "M": f"{c.minute:02}", "S": f"{c.second:02}", "p": "AM" if c.hour < 12 else "PM",
             "b": MONTHS[c.month - 1], "f": f"{nanos:09}"[:digits], "s": str(seconds)}
    return re.sub("%(.)", lambda m: str(int(parts[m[1]])) if m[1] in bare else parts[m[1]], pattern)

def offset_text(minutes, colon=":"):
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}{colon}{abs(minutes) % 60:02}"

def reading(names, times, lists):
    return {"columns": names, "rows": [[str(t), *(v[i] for v in lists)] for i, t in enumerate(times)]}

# A table

class Raw(str):
    """A cell that is written without quotes of the writer."""

@dataclass
class Column:
    title: str                    # as the header has it
    cells: list                   # with decimal points
    values: list = None           # the expected values; none for a text or a time
    name: str = None              # the expected name; none if the documents do not say it
    decimal: bool = False         # its cells take the decimal mark of the table

def numbers_column(title, cells, name="="):
    values = [None if c.strip(' "') in NO_VALUES else plain(c) for c in cells]
    return Column(title, cells, values, title if name == "=" else name, True)

@dataclass
class Table:
    rng: random.Random
    n: int
    name: str = "table.csv"
    delimiter: str = ","
    decimal: str = "."
    options: list = field(default_factory=list)
    head: list = field(default_factory=list)        # lines before the header
    header: bool = True
    under: list = field(default_factory=list)       # rows of cells below the header
    columns: list = field(default_factory=list)     # the columns of the file, times among them
    time_columns: list = field(default_factory=list)
    times: list = field(default_factory=list)
    raw: list = None                                # all lines, if it is no grid of cells
    end: str = None
    last_end: bool = True
    encoding: str = "utf-8"
    mark: bool = False
    force: float = 0.0                              # share of the cells with quotes that they do not need
    pad: bool = False                               # spaces around cells
    inserts: dict = field(default_factory=dict)     # lines that come before a row
    tail: str = ""                                  # what comes behind each row, but not behind the header
    either: list = None
    refusal: str = "no"
    why: str = ""
    how: str = None                                 # how --check reads the times: "number:SCALE" or a format
    readable: bool = True                           # --check can read it again

    def allow(self, level):
        self.refusal = max(self.refusal, level, key=["no", "advice", "yes"].index)

    def numbers(self):
        return [c for c in self.columns if c.values is not None]

    def reading(self):
        return reading([c.name for c in self.numbers()], self.times, [c.values for c in self.numbers()])

    def cell(self, text, decimal=False):
        if decimal:
            text = type(text)(text.replace(".", self.decimal))
        if isinstance(text, Raw):
            return text
        if any(c in text for c in (self.delimiter, '"', "\n", "\r")) or self.rng.random() < self.force:
            return '"' + text.replace('"', '""') + '"'
        return " " * self.rng.randrange(3) + text + " " * self.rng.randrange(2) if self.pad and text else text

    def row(self, cells, decimals):
        return self.delimiter.join(self.cell(c, d) for c, d in zip(cells, decimals))

    def lines(self):
        if self.raw is not None:
            return self.raw
        decimals, none = [c.decimal for c in self.columns], [False] * len(self.columns)
        titles = [[c.title for c in self.columns]] if self.header else []
        lines = self.head + [self.row(x, none) for x in titles + self.under]
        for i in range(self.n):
            lines += [*self.inserts.get(i, []), self.row([c.cells[i] for c in self.columns], decimals) + self.tail]
        return lines + self.inserts.get(self.n, [])

    def bytes(self):
        text = self.end.join(self.lines()) + (self.end if self.last_end else "")
        return (("\ufeff" if self.mark else "") + text).encode(self.encoding)

def noise(t, kinds):
    """What programs do to any table. Line ends, the mark of UTF-8 and a missing last line end are always drawn."""
    r = t.rng
    if "quotes" in kinds and r.random() < 0.12:
        t.force = r.choice([0.2, 1])
    elif "spaces" in kinds and r.random() < 0.1:
        t.pad = True
    if "lines" in kinds and len(t.columns) > 1:
        for _ in range(r.choice([0] * 9 + [1, 2])):
            t.inserts.setdefault(r.choice([0, r.randint(0, t.n), t.n]), []).append("")
        if r.random() < 0.06:
            t.head = ["# " + r.choice(["logger 3", "site: roof", "made by hand"]) for _ in range(r.randint(1, 3))] + t.head
        if r.random() < 0.02 and t.n > 2:
            t.inserts.setdefault(r.randint(1, t.n - 1), []).append("# pump on")
            t.allow("advice")
    feeds = any("\n" in c for column in t.columns for c in [column.title, *column.cells])
    t.end = t.end or r.choices(["\n", "\r\n", "\n" if feeds else "\r"], [60, 38.5, 1.5])[0]
    if t.end == "\r":
        t.allow("advice")
    t.mark = t.mark or (t.encoding == "utf-8" and r.random() < 0.08)
    t.last_end = r.random() < 0.85
    if t.n == 1 and (t.head or t.under or not t.header):
        t.allow("yes")                              # too small to tell where its header is

# Columns of values

def numbers(r, n, places=None):
    """Cells of one column, with decimal points."""
    kind = r.choice(["walk", "walk", "walk", "constant", "exponent", "plus", "small"] + ["whole", "long"] * (places is None))
    places = places or r.choice([1, 1, 2, 2, 3, 4, 6])
    sign = r.choice([1, 1, 1, -1])
    if kind in ("whole", "long"):
        low, high = (0, 10 ** r.randint(1, 5)) if kind == "whole" else (10 ** 14, 10 ** 15)
        return [str(sign * r.randrange(low, high)) for _ in range(n)]
    if kind == "constant":
        return [fixed(sign * r.randrange(10 ** (places + 2)), places)] * n
    if kind == "exponent":
        letter = r.choice("eE")
        return [f"{r.choice(['', '', '-', '+'])}{r.randint(1, 9)}.{r.randrange(10 ** places):0{places}}{letter}"
                f"{r.choice('+-')}{r.randint(0, 12):02}" for _ in range(n)]
    value, spread, cells = r.randrange(10 ** (places + 2)), r.choice([10, 100, 10 ** places]), []
    for _ in range(n):
        value += r.randint(-spread, spread)
        text = fixed(sign * value, places)
        if kind == "small":                         # .5 instead of 0.5
            text = re.sub(r"^(-?)0\.", r"\1.", text)
        cells.append("+" + text if kind == "plus" and text[0] != "-" else text)
    return cells

def fill(t, count=None, texts=True, names=None, missing=True, odd_words=True):
    """Adds columns of values. The first one has all its values, and shows that its decimal mark is not for thousands."""
    r = t.rng
    if names is None:
        pool = [n for n in SHORT_NAMES if r.random() < 0.7] + [n for n in UNIT_NAMES + LOCAL_NAMES if r.random() < 0.4]
        names = r.sample(pool, min(len(pool), count or r.choice([1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 8, 11])))
    for k, name in enumerate(names):
        cells = numbers(r, t.n, r.choice([1, 2, 4]) if k == 0 and t.delimiter != "," else None)
        if missing and k and r.random() < 0.2:
            rate, word = r.choice([0.1, 0.5]), r.choice(["", "", "", "nan", "NaN"])
            holes = [c if r.random() > rate else word for c in cells]
            cells = holes if any(c != word for c in holes) else cells
        t.columns.append(numbers_column(name, cells))
    if texts and r.random() < 0.25:
        words = WORDS if r.random() < 0.6 or not odd_words else WORDS + ODD_WORDS
        column = Column(r.choice(["note", "state", "remark"]), [r.choice(words) for _ in range(t.n)])
        t.columns.insert(r.randint(0, len(t.columns)), column)

# Times

def walk(t, digits=0, start=None, step=None, low=978307200, high=2082758400):
    """Times that grow, with that many digits of a second. They are the times of the table."""
    r, unit = t.rng, 10 ** (9 - digits)
    time = r.randrange(low, high) * SECOND + r.randrange(10 ** digits) * unit if start is None else start
    step = step or unit * r.choice([1, 2, 5, 10, 25, 50, 100, 250, 1000] if digits else [1, 5, 10, 60, 600, 900, 3600])
    jitter, t.times = r.random() < 0.3, []
    for _ in range(t.n):
        t.times.append(time)
        time += step + (r.randrange(step // unit + 1) * unit if jitter else 0) + (50 * step if r.random() < 0.01 else 0)

def cut_days(t):
    """Times of day tell a new day only if they are less than twelve hours apart."""
    for i in range(1, t.n):
        t.times[i] = min(t.times[i], t.times[i - 1] + 11 * HOUR)

def draw_digits(r):
    return r.choice([0, 0, 0, 0, 1, 2, 3, 3, 3, 4, 5, 6, 6, 7, 8, 9])

def draw_title(t, titles):
    """A title of a list. The documents do not name all, so there may be a refusal that names the option."""
    known = t.rng.random() < 0.6
    if not known:
        t.allow("advice")
    return t.rng.choice(titles[0] if known else titles[1])

def place(t, columns, how=None):
    """Puts the columns of the time where most programs have them, or elsewhere."""
    t.how, t.time_columns = how, columns
    at = 0 if t.rng.random() < 0.9 else t.rng.randint(0, len(t.columns))
    t.columns[at:at] = columns

def time_unit(t, unit=None, title=None, digits=9):
    r = t.rng
    unit = unit or r.choice(["s", "s", "ms", "ms", "us", "ns"])
    scale = SCALES[unit]
    digits = min(scale, r.choice([0, 0, 1, 2, 3, 6, 9]), digits)
    base = 10 ** (scale - digits)
    step = base * r.choice([1, 2, 5, 10, 25, 100, 250, 1000])
    walk(t, 9 - scale + digits, r.choice([0, 0, step, base * r.randrange(10 ** 6), -step * r.randint(1, t.n)]), step)
    trim = plain if r.random() < 0.3 else str
    title = title or draw_title(t, UNIT_TITLES[unit])
    place(t, [Column(title, [trim(fixed(x // base, digits)) for x in t.times], decimal=True)], f"number:{scale}")

def time_epoch(t):
    unit = t.rng.choice(["s", "s", "ms", "ms", "us", "ns"])
    digits, shown = {"s": (d := t.rng.choice([0, 0, 1, 3, 6]), d), "ms": (3, 0), "us": (6, 0), "ns": (9, 0)}[unit]
    walk(t, digits, low=10 ** 9)
    cells = [fixed(x // 10 ** (SCALES[unit] - shown), shown) for x in t.times]
    title = t.rng.choice(["Time Stamp", "timestamp", "Timestamp", "time", "Time"])
    place(t, [Column(title, cells, decimal=True)], f"number:{SCALES[unit]}")
    t.allow("advice")

def stamps(t, pattern, digits, bare="", shift=0):
    """The times of the table as texts. Now and then each has only the digits that it needs, or a comma."""
    trim, comma, cells = t.rng.random() < 0.15, t.rng.random() < (0.8 if t.decimal == "," else 0.03), []
    if comma and digits and t.decimal != ",":
        t.allow("advice")
    for time in t.times:
        shown = len(f"{time % SECOND:09}".rstrip("0")) if trim else digits
        fraction = (",%f" if comma else ".%f") if shown else ""
        cells.append(strf(pattern.replace("%S", "%S" + fraction), time + shift, shown, bare))
    return cells

def time_iso(t, **limits):
    r, digits = t.rng, draw_digits(t.rng)
    walk(t, digits, **limits)
    pattern, bare = r.choice([ISO, ISO, ISO.replace(" ", "T")]), "mdH" if r.random() < 0.06 else ""
    minutes = r.choice([None, None, None, 0, r.randrange(-12, 15) * 60])
    zone = "" if minutes is None else "Z" if minutes == 0 else offset_text(minutes)
    if bare:
        t.allow("advice")
    cells = [c + zone for c in stamps(t, pattern, digits, bare, (minutes or 0) * 60 * SECOND)]
    place(t, [Column(draw_title(t, STAMP_TITLES), cells)], pattern + ("%z" if zone else ""))

def time_dots(t, **limits):
    digits = draw_digits(t.rng)
    walk(t, digits, **limits)
    place(t, [Column(draw_title(t, STAMP_TITLES), stamps(t, LOCAL, digits, t.rng.choice(["", "", "", "dm"])))], LOCAL)

def time_pair(t, titles=None, **limits):
    digits, bare, pattern = draw_digits(t.rng), t.rng.choice(["", "", "", "dm", "H"]), t.rng.choice([ISO, LOCAL])[:8]
    walk(t, digits, **limits)
    if bare and pattern[1] == "Y":
        t.allow("advice")
    names = titles or draw_title(t, PAIR_TITLES)
    columns = [Column(names[0], stamps(t, pattern, 0, bare)), Column(names[1], stamps(t, "%H:%M:%S", digits, bare))]
    place(t, columns, pattern + " %H:%M:%S")

def any_time(t):
    t.rng.choice([time_unit, time_unit, time_epoch, time_iso, time_iso, time_dots, time_pair])(t)

def own_format(t, pattern, digits=0, bare=""):
    """Times of one column that need --time-format."""
    whole = re.search("%[STs]", pattern) is not None
    walk(t, digits, step=None if whole else t.rng.choice([60, 300, 3600]) * SECOND)
    t.times = t.times if whole else [x // (60 * SECOND) * 60 * SECOND for x in t.times]
    place(t, [Column("Time", [strf(pattern, x, digits, bare) for x in t.times])], pattern)
    t.options += ["--time-format", pattern]

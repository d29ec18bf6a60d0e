/// Station files that are refused, each with all that is said about it, as LINE:COLUMN: SENTENCE.
enum BrokenStations {
  /// `=== NAME`, the file, `=>`, its faults.
  static let all = #"""
    === nothing

    =>
    1:1: it is empty: write what to record, and where to
    === only comments
    # nothing yet
    =>
    1:1: it is empty: write what to record, and where to
    === a list
    - a
    - b
    =>
    1:1: a station file has keys with values, such as sources: and outputs:
    === a text
    walk
    =>
    1:1: a station file has keys with values, such as sources: and outputs:
    === no outputs
    sources: {t: timer:1s}
    =>
    1:1: it has no "outputs": say where to write
    === no sources
    outputs: [x.csv]
    =>
    1:1: it has no "sources" and no "replay": say what to record
    === sources and a replay
    sources: {t: timer:1s}
    outputs: [x.csv]
    replay: a.csv
    =>
    1:1: it has "sources" and a "replay": leave out one of them
    === a misspelt key
    sorces: {t: timer:1s}
    outputs: [x.csv]
    =>
    1:1: sorces: there is no such key; did you mean sources?
    === a version
    version: 1
    sources: {t: timer:1s}
    outputs: [x.csv]
    =>
    1:1: version is a key of plans, which --plan runs; a station file has none, so leave it out
    === keys without a value
    sources:
      imu:
      t: timer:1s
    outputs: [x.csv]
    limits:
    sync:
    =>
    2:3: sources.imu has no value: write one, or leave the key out
    5:1: limits has no value: write one, or leave the key out
    6:1: sync has no value: write one, or leave the key out
    === sources as a text
    sources: timer:1s
    outputs: x.csv
    =>
    1:10: sources takes a map of sources by their names, or a list of them
    2:10: outputs takes a list of files, or a map with what is said about each
    === a source as a list
    sources:
      t: [timer:1s]
      u:
        kind: iio
    outputs: [x.csv]
    =>
    2:6: sources.t takes KIND:WHAT, such as iio:bmi160, or a map with kind: and what:
    4:5: sources.u has no "what"
    === a kind that does not exist
    sources:
      a: gpoi:gpiochip0:3
      b: {kind: tmier, what: 1s}
      c: gpiochip0
    outputs: [x.csv]
    =>
    2:6: sources.a: gpoi:gpiochip0:3: there is no kind of source "gpoi"; did you mean gpio?
    3:13: sources.b.kind: there is no kind of source "tmier"; did you mean timer?
    4:6: sources.c: gpiochip0 is not a source: write KIND:WHAT, such as gpio:gpiochip0:3; the kinds are gpio, gpio-name, gpio-values, iio, iio-events, input, pps, can, lines, serial, exec, tcp, udp, poll, timer, sim, marks
    === settings that do not exist
    sources:
      imu:
        kind: iio
        what: bmi160
        sampel-rate: 100
        edges: both
      t:
        kind: timer
        what: 1s
        latency: 1ms
    outputs: [x.csv]
    =>
    5:5: sources.imu.sampel-rate: iio has no such setting; did you mean sample-rate?
    6:5: sources.imu.edges: iio has no such setting; the keys are kind, what, name, sample-rate, trigger, watermark, latency, length, reconnect, si, stages
    10:5: sources.t.latency: timer has no such setting; the keys are kind, what, name, stages
    === a setting in WHAT
    sources:
      imu: {kind: iio, what: 'bmi160,sample-rate=100'}
    outputs: [x.csv]
    =>
    2:26: sources.imu.what: sample-rate is a setting; write it beside "what"
    === values of other types
    sources:
      door:
        kind: gpio
        what: gpiochip0:3
        edges: up
        active-low: no
        debounce: 5
        fifo: 4k
      imu:
        kind: iio
        what: bmi160
        sample-rate: fast
        watermark: 1.5
        length: [8]
    outputs: [x.csv]
    =>
    5:12: sources.door.edges takes both, rising, falling, not "up"
    6:17: sources.door.active-low takes true or false, not "no"
    7:15: sources.door.debounce takes a time with its unit, such as 10ms, or a rate, such as 100Hz, not "5"
    8:11: sources.door.fifo takes a whole number, not "4k"
    12:18: sources.imu.sample-rate takes a number of hertz, such as 200 or 12.5, not "fast"
    13:16: sources.imu.watermark takes a whole number, not "1.5"
    14:13: sources.imu.length takes a whole number, not a list
    === two settings for one thing
    sources:
      imu:
        kind: iio
        what: a
        watermark: 5
        latency: 1ms
    outputs: [x.csv]
    =>
    5:16: sources.imu.watermark and latency set the same thing: give one of them
    === names that no source can have
    sources:
      a/b: timer:1s
      c: d=timer:2s
      e:
        kind: timer
        what: 3s
        name: f
    outputs: [x.csv]
    =>
    2:3: sources["a/b"].name: the name "a/b" has a slash, which no file's name can have; if it is a path, put a name before it: NAME=PATH
    3:6: sources.c: its name is the key before it; leave out the other
    7:5: sources.e.name: its name is the key before it; leave this one out
    === a name with a slash
    name: green/house
    sources: {t: timer:1s}
    outputs: [x.csv]
    =>
    1:7: name cannot be "green/house", because it has a slash
    === stages that do not exist
    sources: {t: timer:1s}
    outputs: [x.csv]
    stages:
      - throtle: 1s
      - low-pass
      - dedup
    =>
    4:5: stages[0].stage: there is no stage "throtle"; did you mean throttle?
    5:5: stages[1].stage: there is no stage "low-pass"; there are buffer, select, settle, pulse-width, frequency, pulses, quadrature, dht, one-wire, scale, while, around, where, dedupe, on-change, resample, reduce, join, rename, every, throttle, collect
    6:5: stages[2].stage: there is no stage "dedup"; did you mean dedupe?
    === stages with wrong values
    sources: {t: timer:1s}
    outputs: [x.csv]
    stages:
      - throttle: 5
      - every: 0
      - every: {count: 0}
      - where: 'a >'
      - where: {condition: '> 1'}
      - reduce: {interval: 1m, functions: [mean, mode]}
      - dedupe: maybe
      - collect: {}
      - resample: 1s:cubic
      - select: {names: imu}
    =>
    4:15: stages[0].throttle takes T[:first], not "5": a time has a unit, such as 5ms, 5s or 5m
    5:12: stages[1].every takes N, not "0": N is a whole number, 1 or more
    6:20: stages[2].every.count takes a whole number of 1 or more, not "0"
    7:12: stages[3].where takes CONDITION, not "a >": at column 4, a number or a channel was expected, but it ends; write for example 'voltage0 > 1.5 and accel_x < 0'
    8:24: stages[4].where.condition: cannot read the condition '> 1': at column 1, a number or a channel was expected, but there is "> 1"; write for example 'voltage0 > 1.5 and accel_x < 0'
    9:39: stages[5].reduce.functions takes a list of min, mean, max, count, each once
    10:13: stages[6].dedupe takes no value, not "maybe"
    11:5: stages[7].collect has neither "count" nor "interval": say when a group is complete
    12:15: stages[8].resample takes T[:mean|last|linear], not "1s:cubic"
    13:21: stages[9].select.names takes a list, not "imu"
    === a channel that no source has
    sources: {w: sim:meter}
    stages: [scale: "rate=60,0,l/min", where: temp > 5]
    outputs: {q.csv: {existing: append}}
    =>
    2:17: stages[0].scale: cannot scale rate: there is no channel of this name; the channel is w
    === a channel that this source does not have
    sources: {w: {kind: sim, what: meter, stages: [where: x > 5]}, t: timer:1s}
    stages: [every: 2, where: w > 5]
    outputs: {q.csv: {existing: append}}
    =>
    1:55: sources.w.stages[0].where: cannot find x: there is no channel of this name; the channel is w
    === a channel that this output does not get
    sources: {room: "serial:/dev/ttyUSB0,as=numbers,names=temp+hum"}
    outputs: {q.csv: {stages: [select: temp, where: hum > 5]}}
    =>
    2:49: outputs["q.csv"].stages[1].where: cannot find hum: there is no channel of this name; the channel is room
    === settings of stages
    sources: {t: timer:1s}
    outputs: [x.csv]
    stages:
      - throttle: {intervall: 1s}
      - throttle: {interval: 1s, keep: all}
      - settle
      - buffer: {size: 5, speed: 6}
      - every: {stage: every, count: 2}
      - dedupe: [a]
    =>
    4:16: stages[0].throttle.intervall: throttle has no such setting; did you mean interval?
    5:36: stages[1].throttle.keep takes latest, first, not "all"
    6:5: stages[2].settle has no "time"
    7:23: stages[3].buffer.speed: buffer has no such setting; the keys are size, when-full, stage
    8:13: stages[4].every.stage: its name is the key before it; leave this one out
    9:13: stages[5].dedupe takes no settings
    === stages in other forms
    sources: {t: timer:1s}
    outputs: [x.csv]
    stages:
      - {throttle: 1s, keep: first}
      - [dedupe]
      -
    =>
    4:5: stages[0] is one stage: its name, and behind the colon its setting, as in throttle: 1s, or its settings, as in throttle: {interval: 1s, keep: first}
    5:5: stages[1] takes the name of a stage, or a name with settings
    6:4: stages[2]: nothing stands here
    === stages as a map
    sources: {t: timer:1s}
    outputs: [x.csv]
    stages: {throttle: 1s}
    =>
    3:9: stages takes a list of stages, such as [dedupe, throttle: 1s]
    === a buffer and none
    sources: {t: timer:1s}
    outputs: [x.csv]
    stages: [buffer: none, buffer: 5]
    =>
    3:24: stages: the buffer of this line, and none; leave out one of them
    === a buffer of a source
    sources:
      a: timer:1s,buffer=5
      b: {kind: timer, what: 2s, stages: [buffer]}
    outputs: [x.csv]
    =>
    2:6: sources.a: timer:1s,buffer=5: buffer is for all sources, or for one output; give --buffer instead
    3:39: sources.b.stages[0].buffer: a buffer is for all sources, or for one output; write it into the "stages" of the plan
    === outputs
    sources: {t: timer:1s}
    outputs:
      - x.csv
      - x.csv
      - {layout: long}
      - {path: y.csv, lay-out: long}
      - {path: z.csv, layout: tall, existing: keep, decimals: 19}
      - [a]
      - 'w.csv,evry=5'
      - 'v.csv,every=no'
    =>
    4:5: outputs[1].path: "x.csv" is an output already
    5:5: outputs[2] has no "path"
    6:19: outputs[3].lay-out: there is no such key; did you mean layout?
    7:27: outputs[4].layout takes wide, long, not "tall"
    7:43: outputs[4].existing takes refuse, append, overwrite, not "keep"
    7:59: outputs[4].decimals takes 0 to 18, not "19"
    8:5: outputs[5] takes a path, or a map with path:
    9:5: outputs[6]: there is no stage evry; did you mean every? If it is a part of the file's name, write a plan
    10:5: outputs[7]: every takes N, not "no": N is a whole number, 1 or more
    === parts
    sources: {t: timer:1s}
    outputs:
      a.csv: {keep: 7d}
      b.csv: {rotate: often, keep: 7d}
      c.csv: {rotate: 1h, keep: 100}
      '-': {rotate: 1h}
      d.csv: {path: e.csv}
      f.csv: 1h
    =>
    3:17: outputs["a.csv"].keep is for parts: give "rotate" too
    4:19: outputs["b.csv"].rotate takes a size, a time, or both, such as 100M, 1h or 1h,100M, not "often"
    5:29: outputs["c.csv"].keep takes an age, a size, a number of parts, or several of them, such as 7d, 10G or 100parts, not "100"
    6:17: outputs["-"].rotate needs a file, and - is standard output, which has no parts
    7:11: outputs["d.csv"].path: its path is the key before it; leave this one out
    8:10: outputs["f.csv"] takes a map with what is said about this output, such as {rotate: 1h}
    === YAML's traps
    sources: {t: timer:1s}
    outputs: [x.csv]
    limits:
      duration: 1:30
      count: no
      max-loss: 0o17
      min-free: 1_000k
      grace: 1e3
    sync: on
    start-paused: yes
    =>
    4:13: limits.duration takes a time with its unit, such as 250us, 10ms or 2s, not "1:30"
    5:10: limits.count takes a whole number of 1 or more, not "no"
    6:13: limits.max-loss takes a whole number of 0 or more, not "0o17"
    7:13: limits.min-free takes an amount of data, such as 512k, 100M or 1G, not "1_000k"
    8:10: limits.grace takes a time with its unit, such as 250us, 10ms or 2s, not "1e3"
    9:7: sync takes a time with its unit, such as 10ms, or a rate, such as 100Hz, batch or none, not "on"
    10:15: start-paused takes true or false, not "yes"
    === numbers that are too large
    sources: {t: timer:1s}
    outputs: [x.csv]
    limits: {count: 9223372036854775808}
    stages: [buffer: 99999999999999999999]
    =>
    3:17: limits.count takes a whole number of 1 or more, not "9223372036854775808"
    4:18: stages[0].buffer.size takes a whole number of 0 or more, not "99999999999999999999"
    === limits of a replay
    replay: {file: a.csv, loop: 0, rate: fast, max-gap: 5s}
    outputs: [x.csv]
    limits: {duration: 5s, count: 5}
    pause-mode: discard
    =>
    1:29: replay.loop takes a number of rounds above 0, or forever, not "0"
    1:38: replay.rate takes a number above 0, or max, not "fast"
    === notes
    sources: {t: timer:1s}
    outputs: [x.csv]
    meta:
      site: [a]
      '': b
      where:
    =>
    4:9: meta.site takes a text
    5:3: meta[""].key is empty: give the value a name
    6:3: meta.where has no value: write one, or leave the key out
    === notes as a list
    sources: {t: timer:1s}
    outputs: [x.csv]
    meta: [{key: a, value: b}]
    =>
    3:7: meta takes a map of notes, such as {site: Cellar}
    === variables of the environment
    sources: {t: timer:1s}
    outputs: [x.csv]
    meta: {site: '${SITE}'}
    sync: ${SYNC
    name: $${OK}
    =>
    3:14: meta.site: only secrets come from the environment, and this is none; write the value of SITE here, or $${ for ${ itself
    4:7: sync: a ${ is not followed by a name and }; write $${ for ${ itself
    === an anchor and its alias
    sources: &s {t: timer:1s}
    outputs: [x.csv]
    meta: *s
    =>
    1:10: the anchor &s: a station file has none; write out what it stands for
    3:7: the alias *s: a station file has none; write out what it stands for
    === a merge key
    sources:
      a: {kind: timer, what: 1s}
      b:
        <<: {kind: timer}
        what: 2s
    outputs: [x.csv]
    =>
    4:5: the merge key <<: a station file has none; write the keys out
    === a tag
    sources: {t: timer:1s}
    outputs: [x.csv]
    limits: {count: !!int 5}
    =>
    3:17: the tag tag:yaml.org,2002:int: a station file has none, since its keys say what a value is; leave it out
    === a key that stands twice
    sources: {t: timer:1s}
    outputs: [x.csv]
    sources: {u: timer:2s}
    =>
    3:1: the key sources stands here for the second time: it is in line 1 too
    === two documents
    sources: {t: timer:1s}
    outputs: [x.csv]
    ---
    sources: {t: timer:1s}
    outputs: [x.csv]
    =>
    3:1: a second document begins: a station file has one
    === a tab
    sources:
    <TAB>t: timer:1s
    outputs: [x.csv]
    =>
    2:1: a tab stands where YAML takes spaces only: write spaces
    === a bracket that is not closed
    sources: {t: timer:1s
    outputs: [x.csv]
    =>
    2:8: this is no YAML: did not find expected ',' or '}' (while parsing a flow mapping, which began in line 1)
    === a hyphen without quotes
    sources: {t: timer:1s}
    outputs:
      - path: -
    =>
    3:11: a hyphen begins an element of a list, which cannot be here; "-" is a text
    === a line that is too far to the left
    sources:
        t: timer:1s
      u: timer:2s
    outputs: [x.csv]
    =>
    3:3: this is no YAML: did not find expected key (while parsing a block mapping, which began in line 1)
    === JSON of a plan
    {"version": 1, "sources": [{"kind": "timer", "what": "1ms"}], "stages": [{"stage": "every", "count": 2}], "outputs": [{"path": "t.csv"}]}
    =>
    1:2: version is a key of plans, which --plan runs; a station file has none, so leave it out
    1:74: stages[0] is one stage: its name, and behind the colon its setting, as in throttle: 1s, or its settings, as in throttle: {interval: 1s, keep: first}
    """#
}

"""The page in a headless Chromium: page.py SLUICE FOLDER [short]

It is looked at in FOLDER, where its pictures are. `short` takes one width.
"""

import asyncio
import os
import sys

from browser import Browser
from recorder import Recorder

SLUICE, FOLDER, SHORT = sys.argv[1], sys.argv[2], "short" in sys.argv[3:]
LOOKS = [(1440, 1000, "light")] if SHORT else [
    (width, height, scheme) for width, height in [(360, 780), (1440, 1000)] for scheme in ["light", "dark"]]
SPIKE, AT = 1_000_000, 654_321


def path(name):
    return os.path.join(FOLDER, name)


def check(condition, what):
    if not condition:
        raise AssertionError(what)


async def looks(browser, recorder, width, height, scheme):
    await browser.look(width, height, scheme)
    browser.errors.clear()
    browser.requests.clear()
    await browser.go(recorder.url + "/")
    await browser.until("cache && cache.streams.size > 0 && panels.length === 2")
    check(await browser.value("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the screen")
    inked = "new Set(new Uint32Array(panels[0].canvas.getContext('2d').getImageData(0, 0, panels[0].canvas.width, panels[0].canvas.height).data.buffer)).size > 8"
    await browser.until(inked)
    # Another time, by the wheel, by keys, and by hand.
    await browser.value("document.querySelector('[data-span=\"10\"]').click()")
    await browser.until("Math.abs(view.to - view.from - 10e9) < 1e6 && cache.power <= Math.ceil(Math.log2(10e9 / width()))")
    x, y = await browser.value("(r => [r.left + r.width / 2, r.top + 60])(panels[0].canvas.getBoundingClientRect())")
    await browser.mouse("mouseWheel", x=x, y=y, deltaX=0, deltaY=-200)
    await browser.until("view.to - view.from < 6e9")
    await browser.mouse("mousePressed", x=x, y=y, button="left", clickCount=1)
    for step in range(1, 6):
        await browser.mouse("mouseMoved", x=x + 20 * step, y=y, button="left", buttons=1)
    await browser.mouse("mouseReleased", x=x + 100, y=y, button="left", clickCount=1)
    await browser.until("!view.follow")
    await browser.value("charts.focus()")
    before = await browser.value("view.from")
    await browser.key("ArrowLeft", shift=True)
    check(await browser.value("view.from") < before, "Shift and an arrow move in time")
    await browser.key("Home")
    await browser.until("view.all")
    await browser.key("End")
    await browser.until("view.follow")
    await browser.key("ArrowLeft")
    await browser.until("$('read').textContent.includes('m/s^2')")
    for _ in range(14):
        span = await browser.value("view.to - view.from")
        await browser.key("+")
        await browser.until(f"view.to - view.from < {span}")
    await browser.until("$('read').textContent.includes('single readings')")
    await browser.key("Escape")
    await browser.key("End")
    await browser.value("document.querySelector('[data-span=\"10\"]').click()")
    await browser.mouse("mouseMoved", x=x, y=y)
    await browser.until("$('read').textContent.length > 0")
    await browser.until("cache.from <= view.from && cache.power === Math.ceil(Math.log2((view.to - view.from) / width()))")
    await browser.value("document.activeElement.blur()")
    await browser.picture(path(f"page-{width}-{scheme}.png"))
    # Nothing for a page that nobody sees.
    await browser.value("Object.defineProperty(document, 'hidden', {get: () => true, configurable: true})")
    # What it has asked for still comes; then it asks for nothing, however much there is.
    await browser.until("!frameAsked && !stateAsked")
    frames = browser.frames
    await asyncio.get_event_loop().run_in_executor(None, recorder.wait_for, 2_000)
    check(browser.frames == frames, f"{browser.frames - frames} frames for a hidden page")
    await browser.value("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
    generation = await browser.value("cache.generation")
    await browser.until(f"cache.generation > {generation}")
    check(not browser.errors, browser.errors)
    check(all(url.startswith((recorder.url, "data:", "ws:")) for url in browser.requests), browser.requests)
    # Every control has a name.
    nameless = await browser.value(
        "[...document.querySelectorAll('button, input, a')].filter(e => !(e.textContent.trim() || e.ariaLabel || e.labels?.length)).length")
    check(nameless == 0, "a control without a name")
    print(f"page: {width} pixels, {scheme}")


async def controls(browser):
    """The token, a mark, a pause; then the recorder is gone, and comes back."""
    token = path("token")
    with open(os.open(token, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write("a token of this test\n".replace(" ", "-"))
    sources = ["imu=sim:imu@1000,gaps=0.05", "meter=sim:meter@20,seed=5"]
    recorder = Recorder(SLUICE, "record", *sources, "-o", "control.csv", "--force", "--http", "0",
                        "--http-token", token, "--http-control", folder=FOLDER)
    port = recorder.url.rsplit(":", 1)[1]
    await browser.look(1440, 1000, "dark")
    await browser.go(recorder.url + "/")
    await browser.until("!$('login').hidden")
    await browser.value("$('token').value = 'a-token-of-this-tesT'; $('login').requestSubmit()")
    await browser.until("$('wrong').textContent.includes('not the token')")
    await browser.value("$('token').value = 'a-token-of-this-test'; $('login').requestSubmit()")
    await browser.until("cache && cache.streams.size > 0 && !$('control').hidden")
    check("token-of" not in await browser.value("document.cookie + location.href + document.body.innerHTML"),
          "the token is left in the page")
    await browser.value("document.querySelector('[data-span=\"10\"]').click()")
    await browser.value("$('text').value = 'door opened'; $('control').requestSubmit()")
    await browser.until("state.marks.length === 1 && state.marks[0][1] === 'door opened'")
    await browser.value("$('pause').click()")
    await browser.until("state.isPaused && $('state').textContent === 'paused'")
    # A second, so that it is seen.
    await browser.until("state.pauses.length === 1 && BigInt(state.now) - BigInt(state.pauses[0][0]) > 1000000000n")
    await browser.value("$('pause').click()")
    await browser.until("!state.isPaused && state.pauses.length === 1 && state.pauses[0][1]")
    await browser.until("cache.edge > off(state.pauses[0][1]) + 2e9")
    check(await browser.value("cache.streams.get(0).flags.some(f => f & GAP)"), "no gap among 5,000 readings of which 0.05 % are left out")
    check(await browser.value("panels.some(p => p.isLevels)"), "the meter is no line with steps")
    await browser.picture(path("page-control.png"))
    recorder.kill()
    await browser.until("!$('gone').hidden && $('state').textContent === 'not connected'")
    recorder = Recorder(SLUICE, "record", *sources, "-o", "control.csv", "--force", "--http", port, folder=FOLDER)
    await browser.until("$('gone').hidden && $('state').textContent === 'recording' && cache && cache.streams.size > 0", 30)
    recorder.end()
    print("page: token, mark, pause, the recorder gone and back")


async def pinch(browser, recorder):
    """Two fingers on a phone: the moment between them stays there; then one finger moves the picture."""
    await browser.look(360, 780, "light")
    await browser.go(recorder.url + "/")
    await browser.until("cache && cache.streams.size > 0 && panels.length === 2")
    await browser.value("document.querySelector('[data-span=\"10\"]').click()")
    x, y = await browser.value("(r => [r.left + left() + width() / 2, r.top + 60])(panels[0].canvas.getBoundingClientRect())")
    await browser.value("set(rangeTo - 8e9, rangeTo)")
    middle = "(view.from + view.to) / 2"
    before, span = await browser.value(middle), await browser.value("view.to - view.from")
    for kind, factor in [("in", 3), ("out", 1 / 3)]:
        near, far = (20, 60) if factor > 1 else (60, 20)
        await browser.touch("touchStart", (x - near, y), (x + near, y))
        for step in range(1, 9):
            at = near + (far - near) * step / 8
            await browser.touch("touchMove", (x - at, y), (x + at, y))
        await browser.touch("touchEnd")
        span /= factor
        await browser.until(f"Math.abs((view.to - view.from) / {span} - 1) < 0.02")
        moved = abs(await browser.value(middle) - before) / span
        check(moved < 0.02, f"what is between the fingers moves by {moved:.3f} of the picture when they zoom {kind}")
    await browser.touch("touchStart", (x, y))
    for step in range(1, 9):
        await browser.touch("touchMove", (x + 10 * step, y))
    await browser.touch("touchEnd")
    await browser.until(f"Math.abs(({before} - {middle}) / (80 / width() * {span}) - 1) < 0.02")
    check(not browser.errors, browser.errors)
    print("page: two fingers, and one")


async def spike(browser):
    """One reading in a million is seen however far the picture is."""
    trace = path("spike.csv")
    with open(trace, "w") as file:
        file.write("time_ns,v\n")
        begin = 1_790_000_000_000_000_000
        file.writelines(f"{begin + i * 100_000},{SPIKE if i == AT else i % 7}\n" for i in range(1_000_000))
        # The replay waits for it, so that it does not end meanwhile.
        file.write(f"{begin + 2_000 * 10**9},0\n")
    recorder = Recorder(SLUICE, "replay", trace, "--rate", "20", "-o", path("spike-copy.csv"), "--force", "--http", "0")
    await browser.look(1440, 1000, "light")
    await browser.go(recorder.url + "/")
    await browser.until("state && state.newest[0] && state.newest[0][0] > 960000", 90)
    await browser.value(f"set({AT} * 1e5 - 50e9, {AT} * 1e5 + 40e9)")
    span = 90e9
    while span > 2e6:
        await browser.value(f"set({AT} * 1e5 - {span} * 0.4, {AT} * 1e5 + {span} * 0.6)")
        await browser.until(
            f"cache.from <= view.from && cache.power === Math.ceil(Math.log2((view.to - view.from) / width())) && Math.max(...cache.streams.get(0).ch[0][1]) === {SPIKE}")
        # It is drawn too: the scale goes up to it.
        await browser.until(f"panels[0].y && panels[0].y({SPIKE}) >= panels[0].top && panels[0].y({SPIKE}) < panels[0].top + 30")
        span /= 3
    await browser.value("showAll()")
    await browser.until(f"cache.from <= 0 && view.all && Math.max(...cache.streams.get(0).ch[0][1]) === {SPIKE}")
    await browser.picture(path("page-spike.png"))
    recorder.end()
    print("page: a spike of one reading in a million, from all of it to 2 ms")


async def main():
    recorder = Recorder(SLUICE, "record", "sim:imu@1000", "-o", path("page.csv"), "--force", "--http", "0")
    async with Browser() as browser:
        for look in LOOKS:
            await looks(browser, recorder, *look)
        await pinch(browser, recorder)
        said = recorder.end()
        check("nothing lost" in said, said)
        await controls(browser)
        if not SHORT:
            await spike(browser)


asyncio.run(main())

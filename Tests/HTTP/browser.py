"""A headless Chromium, over the protocol of its developer tools (Debian: chromium, python3-websockets)."""

import asyncio
import base64
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time

import websockets


class Browser:
    """One page of a browser. What the page says on its console as an error is in `errors`."""

    async def __aenter__(self):
        self.folder = tempfile.mkdtemp(prefix="sluice-chromium-")
        program = shutil.which("chromium") or "chromium-browser"
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--remote-debugging-port=0", f"--user-data-dir={self.folder}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        path = os.path.join(self.folder, "DevToolsActivePort")
        await wait_for(lambda: os.path.exists(path) and open(path).read().count("\n") > 0, "chromium", 60)
        port, where = open(path).read().split("\n")[:2]
        self.line = await websockets.connect(f"ws://127.0.0.1:{port}{where}", max_size=None)
        self.numbers, self.answers = itertools.count(1), {}
        self.session, self.errors, self.requests, self.frames = None, [], [], 0
        self.reading = asyncio.ensure_future(self.read())
        target = await self.call("Target.createTarget", url="about:blank")
        attached = await self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self.session = attached["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            await self.call(domain + ".enable")
        return self

    async def __aexit__(self, *_):
        self.reading.cancel()
        await self.line.close()
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    async def read(self):
        async for text in self.line:
            message = json.loads(text)
            if "id" in message:
                self.answers.pop(message["id"]).set_result(message)
            method, what = message.get("method"), message.get("params", {})
            if method == "Runtime.exceptionThrown":
                self.errors.append(what["exceptionDetails"].get("exception", {}).get("description", str(what)))
            elif method == "Log.entryAdded" and what["entry"]["level"] == "error":
                self.errors.append(what["entry"]["text"] + " " + what["entry"].get("url", ""))
            elif method == "Network.requestWillBeSent":
                self.requests.append(what["request"]["url"])
            elif method in ("Network.webSocketFrameReceived", "Network.webSocketFrameSent"):
                self.frames += 1

    async def call(self, method, **params):
        number = next(self.numbers)
        self.answers[number] = asyncio.get_event_loop().create_future()
        message = {"id": number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        answer = self.answers[number]
        await self.line.send(json.dumps(message))
        message = await asyncio.wait_for(answer, 60)
        if "error" in message:
            raise RuntimeError(f"{method}: {message['error']}")
        return message["result"]

    async def look(self, width, height, scheme):
        """The size of the screen, and whether it is light or dark."""
        self.screen = (width, height)
        await self.size(width, height)
        await self.call("Emulation.setTouchEmulationEnabled", enabled=width < 500, maxTouchPoints=2)
        await self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    async def size(self, width, height):
        await self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                        mobile=width < 500)

    async def go(self, url):
        await self.call("Page.navigate", url=url)

    async def value(self, expression):
        found = await self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"].get("exception", {}).get("description"))
        return found["result"].get("value")

    async def until(self, expression, seconds=20):
        """Waits until an expression of the page is true."""
        end = time.monotonic() + seconds
        while True:
            try:
                if await self.value(expression):
                    return
            except RuntimeError:
                pass
            if time.monotonic() > end:
                raise AssertionError(f"the page never had: {expression}")
            await asyncio.sleep(0.1)

    async def key(self, key, shift=False):
        for kind in ("keyDown", "keyUp"):
            text = {"text": key} if len(key) == 1 and kind == "keyDown" else {}
            await self.call("Input.dispatchKeyEvent", type=kind, key=key, modifiers=8 if shift else 0, **text)

    async def mouse(self, kind, x, y, **more):
        await self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    async def touch(self, kind, *points):
        """Fingers at places of the screen."""
        fingers = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        await self.call("Input.dispatchTouchEvent", type=kind, touchPoints=fingers)

    async def picture(self, path):
        """The whole page. Chromium does not draw what can be scrolled and is outside of the screen, so the screen grows."""
        await self.size(self.screen[0], await self.value("document.documentElement.scrollHeight"))
        await self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        shot = await self.call("Page.captureScreenshot", format="png")
        await self.size(*self.screen)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))


async def wait_for(condition, what, seconds):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come within {seconds} s")
        await asyncio.sleep(0.05)

"""The server of the page: a few addresses, each a call of the dialogue."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from samekind.app.ask.dialogue import Dialogue
from samekind.app.ask.guard import Guard
from samekind.asking import StaleAsk

STATIC = {
    "/": ("page.html", "text/html; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
}
LONGEST_NAME = 80
Finish = Callable[[], dict[str, Any]]


def application(dialogue: Dialogue, finish: Finish) -> Starlette:
    """The addresses of the page.

    Parameters
    ----------
    dialogue : Dialogue
    finish : callable
        Writes the results, and says what was written.
    """

    async def static(request: Request) -> Response:
        name, kind = STATIC[request.url.path]
        return Response(files(__package__).joinpath("static", name).read_bytes(), media_type=kind)

    async def no_icon(request: Request) -> Response:
        return Response(status_code=204)

    def getter(call: Callable[[Request], Any]) -> Callable[[Request], Any]:
        async def get(request: Request) -> Response:
            return await _guarded(lambda: call(request))

        return get

    async def picture(request: Request) -> Response:
        row = request.path_params["row"]
        samples, things = dialogue.things.samples, dialogue.things
        if things.kind != "picture" or not 0 <= row < samples.X.shape[0]:
            return JSONResponse({"problem": "there is no such picture"}, 404)
        return Response(await run_in_threadpool(things.picture, row), media_type="image/png")

    async def say(request: Request) -> Response:
        verb = request.path_params["verb"]
        if verb not in VERBS:
            return JSONResponse({"problem": "there is no such verb"}, 404)
        try:
            body = json.loads(await request.body())
            if not isinstance(body, dict):
                raise ValueError("an object is expected")
        except ValueError as error:
            return JSONResponse({"problem": f"no JSON: {error}"}, 400)
        if verb == "finish":
            return await _guarded(finish)
        return await _guarded(lambda: _said(dialogue, verb, body))

    return Starlette(
        routes=[
            *(Route(path, static) for path in STATIC),
            Route("/favicon.ico", no_icon),
            Route("/state", getter(lambda request: dialogue.state())),
            Route("/wall", getter(lambda request: dialogue.wall())),
            Route("/doubts", getter(lambda request: {"doubts": dialogue.doubts()})),
            Route(
                "/group/{number:int}",
                getter(lambda request: dialogue.inside(request.path_params["number"])),
            ),
            Route("/picture/{row:int}", picture),
            Route("/say/{verb}", say, methods=["POST"]),
        ]
    )


def _whole(body: dict[str, Any], name: str) -> int:
    value = body.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{name} has to be a whole number, got {value!r}")
    return value


def _text(body: dict[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or len(value) > LONGEST_NAME:
        raise ValueError(f"{name} has to be a text of at most {LONGEST_NAME} characters")
    return value


def _answer(d: Dialogue, body: dict[str, Any]) -> None:
    d.answer(_text(body, "ask"), None if body.get("none") is True else _whole(body, "same"))


def _change(d: Dialogue, body: dict[str, Any]) -> None:
    same = None if body.get("none") is True or body.get("unsure") is True else _whole(body, "same")
    none, unsure = body.get("none") is True, body.get("unsure") is True
    with d.alone() as q:
        q.change(_whole(body, "seq"), same=same, none=none, unsure=unsure)


def _rows(body: dict[str, Any]) -> list[int]:
    rows = body.get("rows")
    if not isinstance(rows, list):
        raise ValueError("rows has to be a list of row numbers")
    return rows


def _pure(d: Dialogue, body: dict[str, Any]) -> None:
    with d.alone() as q:
        q.pure(_rows(body))


def _stray(d: Dialogue, body: dict[str, Any]) -> None:
    with d.alone() as q:
        q.stray(_whole(body, "row"), _whole(body, "group"))


def _name(d: Dialogue, body: dict[str, Any]) -> None:
    with d.alone() as q:
        q.name(_whole(body, "group"), _text(body, "name").strip())


def _confirm(d: Dialogue, body: dict[str, Any]) -> None:
    with d.alone() as q:
        q.confirm(_whole(body, "seq"))


VERBS: dict[str, Callable[[Dialogue, dict[str, Any]], None] | None] = {
    "answer": _answer,
    "unsure": lambda d, body: d.unsure(_text(body, "ask")),
    "undo": lambda d, body: d.undo(_whole(body, "seq")),
    "change": _change,
    "confirm": _confirm,
    "pure": _pure,
    "stray": _stray,
    "name": _name,
    "merge": lambda d, body: d.merge(_whole(body, "group"), _whole(body, "other")),
    "finish": None,
}


def _said(dialogue: Dialogue, verb: str, body: dict[str, Any]) -> dict[str, Any]:
    call = VERBS[verb]
    assert call is not None
    call(dialogue, body)
    return dialogue.state()


async def _guarded(work: Callable[[], Any]) -> Response:
    """The result as JSON; what the person did wrong, or too late, as a sentence."""
    try:
        return JSONResponse(await run_in_threadpool(work))
    except StaleAsk as error:
        return JSONResponse({"problem": str(error)}, 409)
    except (ValueError, TypeError, OSError) as error:
        return JSONResponse({"problem": str(error)}, 422)


class PageServer:
    """The page on 127.0.0.1, until it is finished, stopped or idle for long.

    Parameters
    ----------
    dialogue : Dialogue
    finish : callable
        Writes the results, and says what was written; the server ends after it.
    port : int
        0 for any that is free.
    idle : float
        Seconds without a request after which the server ends; answers are on the disk.
    """

    def __init__(
        self, dialogue: Dialogue, finish: Finish, port: int = 0, idle: float = 4 * 3600.0
    ) -> None:
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind(("127.0.0.1", port))
            self._socket.listen()  # the link is told before the server runs: who follows it waits
        except OSError as error:
            self._socket.close()
            raise OSError(
                f"port {port} cannot be used ({error.strerror}); name another by --port"
            ) from None
        self._idle, self._finish, self._alone = idle, finish, threading.Lock()
        self.written: dict[str, Any] | None = None
        port = self._socket.getsockname()[1]
        self.guard = Guard(application(dialogue, self.finish), port)
        config = uvicorn.Config(
            self.guard, log_level="error", lifespan="off", access_log=False, server_header=False
        )
        self._server = uvicorn.Server(config)

    def finish(self) -> dict[str, Any]:
        """Write the results, once: a page that missed the reply asks again."""
        with self._alone:
            if self.written is None:
                self.written = self._finish()
            return self.written

    def run(self) -> None:
        """Serve; Ctrl-C ends it."""
        asyncio.run(self._run())

    def stop(self) -> None:
        """End soon; may be called from another thread."""
        self._server.should_exit = True

    async def _run(self) -> None:
        serving = asyncio.ensure_future(self._server.serve(sockets=[self._socket]))
        while not serving.done():
            await asyncio.sleep(0.2)
            if self.written is not None or time.monotonic() - self.guard.last_request > self._idle:
                await asyncio.sleep(0.5)  # the page gets its last reply
                self._server.should_exit = True
                break
        await serving

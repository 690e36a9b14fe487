"""Who may talk to the server: the browser that opened the link, and nobody else.

Another page in the same browser can send requests to 127.0.0.1, and a name server can point a
foreign name there. So the Host has to be ours with its port, a one-time link sets a cookie that
other sites do not get sent, and what changes something has to come from our own page.
"""

import hmac
import secrets
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

LARGEST_BODY = 4096  # bytes
ENTER = "/enter"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
}


class Guard:
    """An ASGI application around another: checks every request, and adds headers."""

    def __init__(self, app: Any, port: int) -> None:
        self._app, self._host = app, f"127.0.0.1:{port}"
        # Cookies do not know of ports, and two dialogues may be open at once.
        self._cookie = f"samekind-{port}"
        self._session = secrets.token_urlsafe(32)
        self._tokens: set[str] = set()
        self.last_request = time.monotonic()

    def link(self) -> str:
        """A new address that opens the page once."""
        token = secrets.token_urlsafe(32)
        self._tokens.add(token)
        return f"http://{self._host}{ENTER}?token={token}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, refuse, or hand on to the application."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        if headers.get("host") != self._host:
            await _reply(send, 403, "this server answers to its own address alone")
        elif scope["path"] == ENTER:
            await self._enter(scope, send)
        elif not self._knows(headers.get("cookie", "")):
            await _reply(send, 401, "open the link that the terminal shows; Enter there makes one")
        elif (problem := self._problem(scope["method"], headers)) is not None:
            await _reply(send, *problem)
        else:
            self.last_request = time.monotonic()
            await self._pass_on(scope, receive, send)

    async def _enter(self, scope: Scope, send: Send) -> None:
        token = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0].encode()
        found = next(
            (one for one in self._tokens if hmac.compare_digest(one.encode(), token)), None
        )
        if scope["method"] != "GET" or found is None:
            await _reply(
                send, 403, "this link was used, or is none; Enter in the terminal makes one"
            )
            return
        self._tokens.discard(found)
        cookie = f"{self._cookie}={self._session}; HttpOnly; SameSite=Strict; Path=/"
        await _reply(send, 303, "", {"location": "/", "set-cookie": cookie})

    def _knows(self, cookies: str) -> bool:
        pairs = (one.strip().partition("=") for one in cookies.split(";"))
        return any(
            name == self._cookie and hmac.compare_digest(value.encode(), self._session.encode())
            for name, _, value in pairs
        )

    def _problem(self, method: str, headers: MutableMapping[str, str]) -> tuple[int, str] | None:
        site = headers.get("sec-fetch-site")
        if method in ("GET", "HEAD"):
            return None if site in (None, "none", "same-origin") else (403, "from another site")
        if method != "POST":
            return 405, "GET and POST alone"
        if headers.get("origin") != f"http://{self._host}" or site != "same-origin":
            return 403, "from another site"
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return 415, "JSON is expected"
        length = headers.get("content-length", "")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            return 413, f"a body of at most {LARGEST_BODY} bytes, with its length, is expected"
        return None

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_encoded(HEADERS)]
            await send(message)

        await self._app(scope, receive, with_headers)


def _encoded(headers: MutableMapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers.items()]


async def _reply(send: Send, status: int, text: str, more: dict[str, str] | None = None) -> None:
    headers = {"content-type": "text/plain; charset=utf-8"} | HEADERS | (more or {})
    start = {"type": "http.response.start", "status": status, "headers": _encoded(headers)}
    await send(start)
    await send({"type": "http.response.body", "body": text.encode()})

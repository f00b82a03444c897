"""Answers that are the same for everybody: packed once, and sent as they are."""

from __future__ import annotations

import gzip
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response


def pack(content: bytes) -> bytes:
    """As browsers unpack it; the same content always gives the same bytes."""
    return gzip.compress(content, mtime=0)


def send_packed(
    request: Request, packed: bytes, kind: str, headers: Mapping[str, str] | None = None
) -> Response:
    """An answer from what `pack` made, for a client that unpacks it or for one that cannot."""
    if "gzip" in request.headers.get("accept-encoding", ""):
        more = {"content-encoding": "gzip", "vary": "Accept-Encoding"}
        return Response(packed, 200, {**(headers or {}), **more}, kind)
    return Response(gzip.decompress(packed), 200, headers, kind)

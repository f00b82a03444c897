"""Describes the server in OpenAPI 3.1, from the table of its addresses."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from typing import Any

import msgspec

from apennine import __version__
from apennine.server.messages import Failure
from apennine.server.routes import JSON, Endpoint

REF = "#/components/schemas/{name}"
_PART = re.compile(r"\{(\w+)(?::(\w+))?\}")


def describe_api(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """The whole description."""
    kinds = [Failure]
    kinds += [e.gives for e in endpoints if e.kind == JSON]
    kinds += [e.takes for e in endpoints if e.takes is not None and e.body_kind == JSON]
    schemas, components = msgspec.json.schema_components(kinds, ref_template=REF)
    by_kind = {id(kind): schema for kind, schema in zip(kinds, schemas, strict=True)}
    failed = schemas[0]
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        path = _PART.sub(r"{\1}", endpoint.path)
        described = _describe(endpoint, by_kind, failed)
        paths.setdefault(path, {})[endpoint.method.lower()] = described
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Apennine",
            "version": __version__,
            "description": "Matches of hex-and-counter wargames, rules enforced. "
            "The WebSocket is described in docs/server.md.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The token of a seat, from the link after the #.",
                }
            },
        },
    }


def _describe(endpoint: Endpoint, by_kind: dict[int, Any], failed: Any) -> dict[str, Any]:
    refusals = {421, 429, 503, *endpoint.refusals}
    if endpoint.method != "GET":
        refusals.add(403)
    if endpoint.takes is not None:
        refusals |= {400, 408, 413}
    if endpoint.query:
        refusals.add(400)
    described: dict[str, Any] = {
        "operationId": endpoint.handler.__name__.strip("_"),
        "summary": endpoint.about,
        "responses": {
            str(endpoint.status): {
                "description": "As asked.",
                "content": _content(endpoint, by_kind),
            },
            **{
                str(status): {
                    "description": "Refused.",
                    "content": {JSON: {"schema": failed}},
                }
                for status in sorted(refusals)
            },
        },
    }
    parameters = [_path(part, kind) for part, kind in _PART.findall(endpoint.path)]
    parameters += [
        {
            "name": name,
            "in": "query",
            "required": query.required,
            "description": query.about,
            "schema": msgspec.json.schema(query.type),
        }
        for name, query in endpoint.query.items()
    ]
    if parameters:
        described["parameters"] = parameters
    if endpoint.takes is not None:
        text = endpoint.body_kind != JSON
        schema = {"type": "string"} if text else by_kind[id(endpoint.takes)]
        described["requestBody"] = {
            "required": True,
            "content": {endpoint.body_kind: {"schema": schema}},
        }
    if endpoint.token:
        described["security"] = [{"token": []}, {}]
    return described


def _content(endpoint: Endpoint, by_kind: dict[int, Any]) -> dict[str, Any]:
    if endpoint.kind != JSON:
        return {endpoint.kind: {"schema": {"type": "string"}}}
    return {JSON: {"schema": by_kind[id(endpoint.gives)]}}


def _path(part: str, kind: str) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string", "minLength": 1}
    if kind == "int":
        schema = {"type": "integer", "minimum": 0, "maximum": 1_000_000_000}
    return {"name": part, "in": "path", "required": True, "schema": schema}


def main() -> None:
    """Write the description to standard output: `python -m apennine.server.openapi`."""
    from apennine.server.app import make_app
    from apennine.server.settings import Settings

    app = make_app(Settings(database="sqlite://", games=("crossing",)))
    document: dict[str, Any] = app.state.openapi
    sys.stdout.write(json.dumps(document, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()

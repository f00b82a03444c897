"""What can be asked about the games themselves: their maps, rules, charts and symbols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import msgspec
from starlette.responses import Response

from apennine.bots import offered, title_of
from apennine.server import maps, odds
from apennine.server.books import (
    BoardInfo,
    ChartTable,
    GameInfo,
    GamePack,
    GameScenario,
    GameSwitch,
    GuideHint,
    RuleRow,
)
from apennine.server.errors import Refused
from apennine.server.headers import PICTURE_POLICY
from apennine.server.house import House
from apennine.server.packed import pack, send_packed
from apennine.server.routes import CSS, JSON, SVG, Call, Endpoint
from apennine.server.studio import Studio
from apennine.server.symbols import LONGEST, symbol

FOR_EVER = "public, max-age=31536000, immutable"
A_WHILE = "public, max-age=300"


class Library:
    """The games of the server, as clients learn of them."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.studio = Studio(house.catalogue, str(house.settings.cache_folder()))
        self._versions: dict[str, str] = {}
        self._books: dict[str, bytes] = {}
        """What there is to read about the games, packed."""

    def endpoints(self) -> list[Endpoint]:
        """The addresses of all this."""
        get, game, none = "GET", "/api/games/{key}", (404,)
        return [
            Endpoint(
                get, "/api/games", self.games, "The games that can be played.", list[GameInfo]
            ),
            Endpoint(
                get,
                f"{game}/board",
                self.board,
                "Where things lie on a map.",
                BoardInfo,
                refusals=none,
            ),
            Endpoint(
                get,
                f"{game}/board.svg",
                self.board_svg,
                "A map, without its style.",
                str,
                refusals=none,
                kind=SVG,
            ),
            Endpoint(
                get,
                f"{game}/board.css",
                self.board_css,
                "The style of a map.",
                str,
                refusals=none,
                kind=CSS,
            ),
            Endpoint(
                get,
                f"{game}/thumbnail.svg",
                self.thumbnail,
                "A map as a small picture.",
                str,
                refusals=none,
                kind=SVG,
            ),
            Endpoint(
                get,
                f"{game}/rules",
                self.rules,
                "The rules, in our own words.",
                list[RuleRow],
                refusals=none,
            ),
            # Some books number their rules 13.2/2c.
            Endpoint(
                get, f"{game}/rules/{{id:path}}", self.rule, "One rule.", RuleRow, refusals=none
            ),
            Endpoint(
                get,
                f"{game}/charts",
                self.charts,
                "The charts, with their sources.",
                list[ChartTable],
                refusals=none,
            ),
            Endpoint(
                get,
                f"{game}/odds",
                self.sand_table,
                "What an attack may be put together from, from nothing.",
                odds.SandTable,
                refusals=none,
            ),
            Endpoint(
                "POST",
                f"{game}/odds",
                self.explore,
                "The exact chances of such an attack, and what would change them.",
                odds.Odds,
                odds.AskOdds,
                refusals=(404,),
                budget="replays",
            ),
            Endpoint(
                get,
                f"{game}/guide",
                self.guide,
                "The hints of the guided game.",
                list[GuideHint],
                refusals=none,
            ),
            Endpoint(
                get,
                "/symbols/{troops}/{size}.svg",
                self.symbol,
                "The NATO symbol of a unit.",
                str,
                refusals=none,
                kind=SVG,
            ),
        ]

    async def games(self, call: Call) -> Response:
        return await self._book(call, "", lambda: [self._game(key) for key in self.house.catalogue])

    async def _book(self, call: Call, name: str, make: Callable[[], Any]) -> Response:
        """An answer that never changes: made once, in the thread of the rules."""
        key = f"{call.path.get('key', '')} {name}"
        if key not in self._books:
            self._books[key] = await self.house.rules(lambda: pack(msgspec.json.encode(make())))
        return send_packed(call.request, self._books[key], JSON)

    def _game(self, key: str) -> GameInfo:
        game = self.house.game(key)
        version = self._version(key)
        place = f"/api/games/{quote(key)}"
        bots = offered(game)
        return GameInfo(
            key=key,
            title=game.title,
            summary=game.summary,
            sides=list(game.sides),
            scenarios=[GameScenario(*scenario) for scenario in game.scenarios],
            switches=[GameSwitch(*switch) for switch in game.switches],
            bots=bots,
            bot=bots[0],
            bot_titles={bot: title_of(bot) for bot in bots},
            length=game.length,
            difficulty=game.difficulty,
            guided=bool(game.guide),
            odds=game.sand_table is not None,
            packs=[GamePack(pack.name, pack.title, pack.source) for pack in game.packs],
            overlays=list(game.overlays),
            map=f"{place}/board.svg?v={version}",
            style=f"{place}/board.css?v={version}",
            thumbnail=f"{place}/thumbnail.svg?v={version}",
        )

    def _version(self, key: str) -> str:
        if key not in self._versions:
            self._versions[key] = maps.version(self.house.game(key))
        return self._versions[key]

    async def _drawn(self, call: Call) -> maps.Drawn:
        key: str = call.path["key"]
        self.house.game(key)
        return await self.studio.map(key)

    def _kept(self, call: Call, packed: bytes, kind: str) -> Response:
        """An answer that may be kept: for ever if the address has the right fingerprint."""
        version = self._version(call.path["key"])
        fresh = call.request.query_params.get("v") == version
        tag = f'"{version}"'
        headers = {"cache-control": FOR_EVER if fresh else A_WHILE, "etag": tag}
        if call.request.headers.get("if-none-match") == tag:
            return Response(None, 304, headers)
        return send_packed(call.request, packed, kind, headers)

    async def board(self, call: Call) -> Response:
        return self._kept(call, (await self._drawn(call)).board, JSON)

    async def board_svg(self, call: Call) -> Response:
        return self._kept(call, (await self._drawn(call)).svg, SVG)

    async def board_css(self, call: Call) -> Response:
        return self._kept(call, (await self._drawn(call)).css, CSS)

    async def thumbnail(self, call: Call) -> Response:
        response = self._kept(call, (await self._drawn(call)).thumbnail, SVG)
        response.headers["content-security-policy"] = PICTURE_POLICY
        return response

    async def rules(self, call: Call) -> Response:
        game = self.house.game(call.path["key"])
        return await self._book(call, "rules", lambda: [_rule(row) for row in game.ledger])

    async def rule(self, call: Call) -> RuleRow:
        game, id = self.house.game(call.path["key"]), call.path["id"]
        ledger = await self.house.rules(lambda: game.ledger)
        if id not in ledger:
            raise Refused(404, f"{game.title} has no rule {id!r}.")
        return _rule(ledger[id])

    async def charts(self, call: Call) -> Response:
        game = self.house.game(call.path["key"])
        return await self._book(call, "charts", lambda: [_chart(chart) for chart in game.charts])

    async def guide(self, call: Call) -> Response:
        game = self.house.game(call.path["key"])

        def hints() -> list[GuideHint]:
            return [
                GuideHint(hint.title, hint.text, hint.rule, hint.phase, hint.verb)
                for hint in game.guide
            ]

        return await self._book(call, "guide", hints)

    async def sand_table(self, call: Call) -> Response:
        key: str = call.path["key"]
        self.house.game(key)
        return await self._book(call, "odds", lambda: odds.lay(self.house.catalogue[key]))

    async def explore(self, call: Call) -> odds.Odds:
        key: str = call.path["key"]
        self.house.game(key)
        return await self.house.archive.run(odds.on_table, self.house.catalogue[key], call.body)

    async def symbol(self, call: Call) -> Response:
        troops, size = call.path["troops"], call.path["size"]
        if max(len(troops), len(size)) > LONGEST:
            raise Refused(404, "There is no such symbol.")
        drawn = symbol(troops, size)
        return Response(drawn, 200, {"cache-control": "public, max-age=86400"}, SVG)


def _rule(row: Any) -> RuleRow:
    return RuleRow(row.id, row.scope, row.kind, row.obligation, getattr(row, "ruling", ""))


def _chart(chart: Any) -> ChartTable:
    return ChartTable(
        key=chart.key,
        title=chart.title,
        source=chart.source,
        reconstructed=chart.reconstructed,
        columns=list(chart.columns),
        rows=[list(row) for row in chart.rows],
        note=getattr(chart, "note", ""),
        rule=chart.rule,
    )

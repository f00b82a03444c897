"""What can be asked about matches: the handlers of their addresses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Concatenate, ParamSpec

from msgspec import Meta
from starlette.responses import Response

from apennine import __version__
from apennine.server import archive, odds, rows
from apennine.server.errors import Refused
from apennine.server.founding import create
from apennine.server.messages import (
    Act,
    Answer,
    Because,
    Chronicle,
    Foreseen,
    Health,
    Hexes,
    Join,
    Joined,
    ListedMatch,
    MadeMatch,
    Moments,
    Name,
    NewMatch,
    Nothing,
    RawOption,
    Rename,
    RollBack,
    Say,
    Scheduled,
    SeenPart,
    SetPace,
    State,
    Throw,
    Tickets,
    Undo,
    Warned,
    Why,
)
from apennine.server.room import Room
from apennine.server.routes import HTML, JSON, TEXT, Call, Endpoint, Query
from apennine.server.saves import upload
from apennine.server.schedule import schedule
from apennine.server.service import Guest, Service
from apennine.server.state import Eyes

A = ParamSpec("A")
Number = Annotated[int, Meta(ge=0, le=1_000_000_000)]
AS = {"as": Query("through the eyes of which of the sides that one holds")}
OPTION = Query("verb,unit,hex,value as the menu has them", required=True)
SEATS = Query(
    "who plays, such as Allied=me,German=bot or the same as JSON; unless told, all sides are me"
)


class Api:
    """The matches of the server, as clients play them."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.house = service.house

    def endpoints(self) -> list[Endpoint]:
        """The addresses of all this."""
        get, post, matches = "GET", "POST", "/api/matches"
        uploaded = {"seats": SEATS, "name": Query("your name", Name)}
        most = self.house.settings.limits.save
        return [
            Endpoint(
                post,
                matches,
                self.create,
                "Make a match.",
                MadeMatch,
                NewMatch,
                status=201,
                refusals=(404, 422),
                budget="matches",
            ),
            Endpoint(get, matches, self.listed, "The public matches.", list[ListedMatch]),
            Endpoint(
                post,
                "/api/mine",
                self.mine,
                "The matches of some tokens.",
                list[ListedMatch],
                Tickets,
            ),
            Endpoint(
                post,
                "/api/saves",
                self.upload,
                "Make a match from a save.",
                MadeMatch,
                str,
                uploaded,
                201,
                (422,),
                body_kind=TEXT,
                most=most,
                budget="uploads",
            ),
            Endpoint(
                post,
                f"{matches}/{{match}}/join",
                self.join,
                "Take an open seat.",
                Joined,
                Join,
                refusals=(404, 409, 422),
            ),
            *self._of_a_match(f"{matches}/{{match}}"),
            Endpoint(get, "/healthz", self.health, "Whether the server is well.", Health),
        ]

    def _of_a_match(self, match: str) -> list[Endpoint]:
        get, post = "GET", "POST"
        about = {
            "name": Query("one of the game's overlays", required=True),
            "side": Query("about which side"),
            "unit": Query("about which unit"),
        }
        numbers = {
            "from": Query("the first number", Number),
            "to": Query("the number after the last", Number),
        }
        listed = [
            Endpoint(
                get,
                f"{match}/state",
                self.state,
                "The match as you see it.",
                State,
                None,
                AS,
                refusals=(422,),
            ),
            Endpoint(
                post, f"{match}/act", self.act, "Take an option.", State, Act, refusals=(409, 422)
            ),
            Endpoint(
                post,
                f"{match}/undo",
                self.undo,
                "Take your last choice back.",
                State,
                Undo,
                refusals=(409,),
            ),
            Endpoint(
                post,
                f"{match}/roll",
                self.throw,
                "Give dice thrown by hand.",
                State,
                Throw,
                refusals=(409, 422),
            ),
            Endpoint(
                post,
                f"{match}/rollback",
                self.roll_back,
                "Go back, or ask to.",
                State,
                RollBack,
                refusals=(409, 422),
            ),
            Endpoint(
                post,
                f"{match}/rollback/answer",
                self.answer,
                "Agree to go back, or not.",
                State,
                Answer,
                refusals=(409,),
            ),
            Endpoint(post, f"{match}/resign", self.resign, "Give up.", State, refusals=(409,)),
            Endpoint(
                post, f"{match}/chat", self.say, "Say something.", Nothing, Say, refusals=(422,)
            ),
            Endpoint(
                post,
                f"{match}/name",
                self.rename,
                "Take a name.",
                Nothing,
                Rename,
                refusals=(422,),
            ),
            Endpoint(
                post, f"{match}/pace", self.pace, "Set the pace of the bots.", Nothing, SetPace
            ),
            Endpoint(
                get,
                f"{match}/preview",
                self.preview,
                "What an option would lead to.",
                Foreseen | None,
                None,
                {"option": OPTION},
                refusals=(422,),
            ),
            Endpoint(
                post, f"{match}/why", self.why, "Why an option is not in the menu.", Because, Why
            ),
            Endpoint(
                post,
                f"{match}/odds",
                self.odds,
                "The exact chances of an attack of one's own, and what would change them.",
                odds.Odds,
                odds.AskAttack,
                refusals=(403, 422),
                budget="replays",
            ),
            Endpoint(
                get,
                f"{match}/overlay",
                self.overlay,
                "Hexes to show over the map.",
                Hexes,
                None,
                about | AS,
                refusals=(422,),
            ),
            Endpoint(
                get,
                f"{match}/warnings",
                self.warnings,
                "What to look at before going on.",
                list[Warned],
            ),
            Endpoint(
                get,
                f"{match}/log",
                self.log,
                "A part of the log, at most 1000 entries.",
                SeenPart,
                None,
                numbers | AS,
                refusals=(422,),
                budget="replays",
            ),
            Endpoint(
                get,
                f"{match}/chronicle",
                self.chronicle,
                "The story by chapters, with points and losses, and how the dice fell.",
                Chronicle,
                None,
                AS,
                refusals=(422,),
                budget="replays",
                cost=5,
            ),
            Endpoint(
                get,
                f"{match}/replay",
                self.moments,
                "How long the replay is.",
                Moments,
                None,
                AS,
                refusals=(422,),
                budget="replays",
            ),
            Endpoint(
                get,
                f"{match}/replay/{{k:int}}",
                self.moment,
                "The match as you saw it after k entries.",
                State,
                None,
                AS,
                refusals=(422,),
                budget="replays",
            ),
            Endpoint(
                get,
                f"{match}/schedule",
                self.schedule,
                "Who comes and goes, turn by turn.",
                list[Scheduled],
                None,
                AS,
                refusals=(422,),
            ),
            Endpoint(
                get,
                f"{match}/report",
                self.report,
                "The after-action report of a match that is over, or that one plays alone.",
                str,
                refusals=(409,),
                kind=HTML,
                budget="reports",
            ),
            Endpoint(
                get,
                f"{match}/save",
                self.save,
                "The match as a file.",
                str,
                None,
                AS,
                refusals=(422,),
                kind=TEXT,
                budget="saves",
            ),
        ]
        return [
            made._replace(token=True, refusals=tuple(sorted({401, 403, 404, *made.refusals})))
            for made in listed
        ]

    async def create(self, call: Call) -> MadeMatch:
        return await create(self.house, call.body)

    async def upload(self, call: Call) -> MadeMatch:
        call.guard.spend(call.client, "matches")
        wanted, name = call.query["seats"] or "", call.query["name"] or ""
        return await upload(self.house, call.body, wanted, name)

    async def listed(self, call: Call) -> list[ListedMatch]:
        return await self.service.listed()

    async def mine(self, call: Call) -> list[ListedMatch]:
        return await self.service.mine(call.body.tokens)

    async def join(self, call: Call) -> Joined:
        return await self.service.join(call.path["match"], call.body)

    async def _guest(self, call: Call) -> Guest:
        return await self.service.guest(call.path["match"], call.token)

    async def state(self, call: Call) -> State:
        return await self.service.state(await self._guest(call), call.query["as"])

    async def act(self, call: Call) -> State:
        guest = await self._guest(call)
        await self.service.act(guest, call.body)
        return await self.service.state(guest)

    async def undo(self, call: Call) -> State:
        guest = await self._guest(call)
        await self.service.undo(guest, call.body)
        return await self.service.state(guest)

    async def throw(self, call: Call) -> State:
        guest = await self._guest(call)
        await self.service.throw(guest, call.body)
        return await self.service.state(guest)

    async def roll_back(self, call: Call) -> State:
        guest = await self._guest(call)
        await self.service.roll_back(guest, call.body)
        return await self.service.state(guest)

    async def answer(self, call: Call) -> State:
        guest = await self._guest(call)
        await self.service.answer(guest, call.body)
        return await self.service.state(guest)

    async def resign(self, call: Call) -> State:
        guest = await self._guest(call)
        await self.service.resign(guest)
        return await self.service.state(guest)

    async def say(self, call: Call) -> Nothing:
        guest = await self._guest(call)
        call.guard.lines.take(call.client)
        await self.service.say(guest, call.body)
        return Nothing()

    async def rename(self, call: Call) -> Nothing:
        await self.service.rename(await self._guest(call), call.body)
        return Nothing()

    async def pace(self, call: Call) -> Nothing:
        await self.service.set_pace(await self._guest(call), call.body)
        return Nothing()

    async def preview(self, call: Call) -> Foreseen | None:
        option = read_option(call.query["option"])
        return await self.service.preview(await self._guest(call), option)

    async def odds(self, call: Call) -> odds.Odds:
        guest = await self._guest(call)
        return await self.service.look_back(guest, None, odds.in_match, call.body)

    async def why(self, call: Call) -> Because:
        return await self.service.why(await self._guest(call), call.body.option)

    async def overlay(self, call: Call) -> Hexes:
        query = call.query
        guest = await self._guest(call)
        return await self.service.overlay(
            guest, query["name"], query["side"], query["unit"], query["as"]
        )

    async def warnings(self, call: Call) -> list[Warned]:
        return await self.service.warnings(await self._guest(call))

    async def log(self, call: Call) -> Response:
        start, stop = call.query["from"] or 0, call.query["to"]
        stop = 1_000_000_000 if stop is None else stop
        return await self._look_back(call, archive.log, start, stop)

    async def chronicle(self, call: Call) -> Response:
        return await self._look_back(call, archive.chronicle)

    async def moments(self, call: Call) -> Response:
        return await self._look_back(call, archive.moments)

    async def moment(self, call: Call) -> Response:
        online = self.house.online(call.path["match"])
        return await self._look_back(call, archive.moment, call.path["k"], online)

    async def _look_back(
        self,
        call: Call,
        job: Callable[Concatenate[Room, Eyes, A], bytes],
        *args: A.args,
        **more: A.kwargs,
    ) -> Response:
        guest = await self._guest(call)
        made = await self.service.look_back(guest, call.query["as"], job, *args, **more)
        return Response(made, media_type=JSON)

    async def save(self, call: Call) -> Response:
        guest = await self._guest(call)
        name, text = await self.service.look_back(guest, call.query["as"], archive.saved)
        return _file(name, text, TEXT)

    async def report(self, call: Call) -> Response:
        name, page = await self.service.look_back(await self._guest(call), None, archive.report)
        return _file(name, page, HTML)

    async def schedule(self, call: Call) -> list[Scheduled]:
        return await schedule(self.service, await self._guest(call), call.query["as"])

    async def health(self, call: Call) -> Health:
        await self.house.storage.read(rows.ping)
        return Health(True, __version__)


def _file(name: str, text: str, kind: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, 200, headers, kind)


def read_option(text: str) -> RawOption:
    """An option as it stands in an address; the three numbers come last."""
    parts = text.rsplit(",", 3)
    try:
        verb, unit, hex, value = parts
        return verb, int(unit), int(hex), int(value)
    except ValueError:
        raise Refused(400, "An option reads verb,unit,hex,value, with -1 for none.") from None

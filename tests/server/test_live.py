"""The WebSocket of a match: it pushes what changed, no more, and takes orders like HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from apennine.kernel.match import Match
from tests.server.playing import ALONE, INVITED, Player, begin, begin_with, eager
from tests.waiting import LONGEST


class Wire:
    """An open socket, and what the client behind it knows."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.state: dict[str, Any] = {}
        self.log: list[dict[str, Any]] = []
        self._ear = ThreadPoolExecutor(1)

    def hear(self) -> dict[str, Any]:
        """The next message."""
        heard = self._ear.submit(self.socket.receive_json)
        try:
            message = heard.result(LONGEST)
        except TimeoutError:
            self.socket.close()
            raise AssertionError("nothing was sent") from None
        if message["type"] == "state":
            self.state = message
            start = message["log"]["from"]
            assert start <= len(self.log), "entries are missing"
            self.log = self.log[:start] + message["log"]["entries"]
        return message

    def until(self, kind: str) -> dict[str, Any]:
        while True:
            message = self.hear()
            if message["type"] == kind:
                return message

    def order(self, kind: str, n: int = 1, **more: Any) -> dict[str, Any]:
        """Send an order and wait for its reply."""
        self.socket.send_json({"type": kind, "n": n} | more)
        reply = self.until("reply")
        assert reply["n"] == n
        return reply

    def quiet(self) -> None:
        """Nothing was sent since: the reply to a question is the next message."""
        self.socket.send_json({"type": "overlay", "n": 99, "name": "nonsense"})
        message = self.hear()
        assert (message["type"], message["n"]) == ("reply", 99), message


@contextmanager
def wire(player: Player, **hello: Any) -> Iterator[Wire]:
    assert isinstance(player.client, TestClient)
    with player.client.websocket_connect(f"/api/matches/{player.id}/live") as socket:
        socket.send_json({"token": player.token} | hello)
        made = Wire(socket)
        made.until("state")
        yield made


def test_the_first_message_is_the_whole_state(client: TestClient):
    ann = begin(client)
    ann.act()
    with wire(ann) as live:
        told = ann.state()
        assert {key: live.state[key] for key in told} == told


def test_an_action_is_answered_and_the_new_state_pushed_with_the_new_entries_alone(
    client: TestClient,
):
    ann, guests = begin_with(client, INVITED)
    bert = guests["German"]
    bert.act()
    with wire(ann) as live:
        known = len(live.log)
        pick = eager(3)
        for n in range(1, 12):
            if live.state["decision"]["waiting"]:
                break
            option = pick(live.state["decision"]["options"])
            live.socket.send_json(
                {"type": "act", "n": n, "at": live.state["at"], "option": option[:4]}
            )
            # Who hears that the order was taken has seen what came of it.
            assert [live.hear()["type"], live.hear()["type"]] == ["state", "reply"]
            assert live.state["log"]["from"] == known
            known = len(live.log)
        told = ann.state()
        assert live.log == told["log"]["entries"]
        assert live.state["at"] == told["at"]
        assert n > 2


def test_the_other_side_and_those_who_watch_are_told_too(client: TestClient):
    ann, guests = begin_with(client, INVITED)
    guests["German"].act()
    with wire(guests["German"]) as bert, wire(guests["watch"]) as carl:
        ann.act()
        for live, player in ((bert, guests["German"]), (carl, guests["watch"])):
            live.until("state")
            assert live.state["at"] == player.state()["at"]
            assert live.log == player.state()["log"]["entries"]


def test_after_an_undo_the_log_is_cut(client: TestClient):
    ann = begin(client)
    ann.act()
    with wire(ann) as live:
        start = list(live.log)
        went = next(o for o in live.state["decision"]["options"] if o[0] == "move")
        assert live.order("act", at=live.state["at"], option=went[:4])["ok"]
        while len(live.log) == len(start):
            live.hear()
        assert live.order("undo", at=live.state["at"])["ok"]
        while len(live.log) > len(start):
            live.hear()
        assert live.log == start == ann.state()["log"]["entries"]


def test_secret_choices_of_the_other_side_are_not_even_noticed(client: TestClient):
    """To take a secret back and choose again changes nothing that the enemy sees."""
    ann, guests = begin_with(client, INVITED)
    bert = guests["German"]
    with wire(ann) as live:
        first = bert.state()
        live.until("presence")
        live.quiet()
        seen = live.state["at"]
        bert.post("chat", {"text": "thinking"})
        live.until("chat")
        bert.post("act", {"at": first["at"], "option": first["decision"]["options"][0][:4]})
        live.until("state")
        after = live.state["at"]
        assert after != seen
        if bert.state()["may_undo"]:
            bert.post("undo", {"at": bert.state()["at"]})
            live.until("state")
            assert live.state["at"] == seen


def test_nothing_is_pushed_when_nothing_changed(client: TestClient):
    ann, guests = begin_with(client, INVITED)
    with wire(ann) as live:
        guests["German"].state()  # who was invited takes the seat
        live.until("presence")
        live.quiet()
        ann.state()
        ann.get("replay/0")
        ann.post("act", {"at": "old", "option": ["go", 0, 0, 0]})
        live.quiet()


def test_presence_is_told_when_players_come_and_go(client: TestClient):
    ann, guests = begin_with(client, INVITED)
    guests["German"].state()

    def online(message: dict[str, Any]) -> list[bool]:
        return [seat["online"] for seat in message["seats"]]

    with wire(ann) as live:
        while online(live.state) != [True, False]:
            live.state = live.hear()
        with wire(guests["German"]):
            assert online(live.until("presence")) == [True, True]
        assert online(live.until("presence")) == [True, False]


def test_chat_reaches_all_seats_with_names(client: TestClient):
    ann, guests = begin_with(client, INVITED, name="Ann")
    with wire(ann) as live, wire(guests["German"]) as bert:
        live.socket.send_json({"type": "chat", "n": 1, "text": "  <b>Hello</b>  there "})
        for side in (live, bert):
            (line,) = side.until("chat")["chat"]["lines"]
            assert (line["name"], line["side"]) == ("Ann", "Allied")
            assert line["text"] == "<b>Hello</b> there"
            assert line["n"] == 0
        assert live.until("reply")["ok"]
        assert not live.order("chat", text="")["ok"]
        assert not live.order("chat", text="x" * 1001)["ok"]


def test_orders_have_the_same_checks_as_http(client: TestClient):
    ann, guests = begin_with(client, INVITED)
    guests["German"].act()
    with wire(ann) as live:
        option = live.state["decision"]["options"][0][:4]
        stale = live.order("act", at="x", option=option)
        assert (stale["ok"], stale["status"]) == (False, 409)
        wrong = live.order("act", at=live.state["at"], option=["attack", -1, 0, 0])
        assert (wrong["status"], bool(wrong["rule"])) == (422, True)
        assert live.order("undo", at=live.state["at"])["status"] == 409
        assert live.order("pace", pace="lazy")["status"] == 400
        assert live.order("rollback", to=10**6)["status"] == 422
        assert live.order("answer", accept=True)["status"] == 409
        assert live.order("as", **{"as": "German"})["status"] == 403
    with wire(guests["watch"]) as watching:
        state = watching.state
        assert state["you"] == []
        assert state["as"] is None
        for order in ("act", "undo", "chat", "pace", "rollback", "answer"):
            more = {"at": state["at"], "text": "hello", "pace": "fast", "to": 0}
            assert watching.order(order, **more)["status"] == 403
        assert watching.order("preview", option=option)["status"] == 403
        assert watching.order("why", option=option)["status"] == 403


def test_previews_reasons_and_overlays_come_as_replies(client: TestClient):
    ann = begin(client)
    ann.act()
    with wire(ann) as live:
        assert live.order("overlay", name="zone", side="German")["hexes"]
        assert live.order("why", option=["attack", -1, 3, 0])["why"]["rule"]
        option = live.state["decision"]["options"][0][:4]
        assert live.order("preview", option=option)["ok"]


def test_a_preview_says_whether_the_dice_fall_at_once(client: TestClient):
    ann = begin(client, seed="1")
    pick, told = eager(11), set[tuple[bool, bool]]()
    for _ in range(90):
        state = ann.state()
        if state["decision"] is None:
            break
        options = [one[:4] for one in state["decision"]["options"] if one[0] in ("attack", "go")]
        with wire(ann) as live:
            for option in options[:3]:
                shown = live.order("preview", option=option)["preview"] or {"final": False}
                told.add((option[0] == "attack", shown["final"]))
        ann.act(pick)
    # An attack by one unit rolls at once, a move never does.
    assert told == {(False, False), (True, True)}


def test_a_preview_looks_past_ones_own_orders_and_past_nothing_else(client: TestClient):
    ann = begin(client)
    ann.act()
    with wire(ann) as live:
        mover = next(one for one in live.state["decision"]["options"] if one[0] == "move")[:4]
        before = live.state["at"]
        halt = ["halt", mover[1], -1, 0]
        assert live.order("preview", option=halt)["status"] == 422
        assert live.order("preview", option=halt, after=[mover])["ok"]
        assert live.order("preview", option=halt, after=[halt])["status"] == 422
        # Nothing has happened meanwhile.
        assert live.order("act", at=before, option=mover)["ok"]


@pytest.mark.parametrize(
    "message", ["", "nonsense", "[]", '{"type": "fly"}', '{"type": "act", "option": 7}', "{}"]
)
def test_messages_that_make_no_sense_are_refused_and_the_socket_lives_on(
    client: TestClient, message: str
):
    ann = begin(client)
    with wire(ann) as live:
        live.socket.send_text(message)
        reply = live.until("reply")
        assert (reply["ok"], reply["status"]) == (False, 400)
        assert live.order("overlay", name="zone")["ok"]


@pytest.mark.parametrize(
    "hello", [{"token": "wrong"}, {}, {"token": None}, {"tokens": 1}, {"token": 5}, []]
)
def test_who_has_no_right_to_see_a_match_is_told_so_and_sent_away(client: TestClient, hello: Any):
    ann = begin(client)
    with client.websocket_connect(f"/api/matches/{ann.id}/live") as socket:
        socket.send_json(hello)
        message = socket.receive_json()
        assert message["type"] == "error"
        assert message["status"] in (400, 401)
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 4000 + message["status"]


def test_another_page_may_not_open_a_socket(client: TestClient):
    ann = begin(client)
    path = f"/api/matches/{ann.id}/live"
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(path, headers={"origin": "https://elsewhere.example"}),
    ):
        pass
    with client.websocket_connect(path, headers={"origin": "http://testserver"}) as socket:
        socket.send_json({"token": ann.token})
        assert socket.receive_json()["type"] == "state"


def test_one_who_plays_all_sides_may_look_through_either_pair_of_eyes(client: TestClient):
    ann = begin(client, ALONE)
    with wire(ann, **{"as": "Allied"}) as live:
        assert live.state["as"] == "Allied"
        assert live.state["decision"]["options"] == []
        live.order("as", **{"as": "German"})
        while live.state["as"] != "German":
            live.hear()
        assert live.state["decision"]["options"]


def test_a_fault_in_the_rules_is_told_and_leaves_the_socket_and_the_match_alone(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
):
    ann = begin(client)
    with wire(ann) as live:
        option = live.state["decision"]["options"][0][:4]

        def fail(*_: object) -> None:
            raise RuntimeError("a mistake in a game")

        with monkeypatch.context() as broken:
            broken.setattr(Match, "choose", fail)
            reply = live.order("act", at=live.state["at"], option=option)
        assert (reply["ok"], reply["status"]) == (False, 500)
        assert "mistake" not in reply["error"]
        assert live.order("act", at=live.state["at"], option=option)["ok"]

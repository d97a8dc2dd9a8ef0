"""What the page offers and says, piece by piece."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.hands import Keyboard, Mouse, expect_placed
from tests.web.player import Player, View, is_over, is_showdown, own, sensible_placements, street_is
from tests.web.scenes import (
    DESKTOP,
    PHONE,
    SCENES,
    foul,
    found,
    is_at_risk,
    is_fouled,
    open_page,
    opened,
    place,
    played_to,
    prepared,
    to_a_choice,
)
from tests.web.waiting import wait_until

SCENE = {scene.name: scene for scene in SCENES}
STREET_2, STREET_3 = played_to(street_is(2)), played_to(street_is(3))


def tray(page: Page) -> list[str]:
    """The cards in the tray, as they lie."""
    cards = page.get_by_test_id("tray").locator("[data-testid^=card-]").all()
    return [(card.get_attribute("data-testid") or "").removeprefix("card-") for card in cards]


def remember(key: str, value: object) -> str:
    """A script that puts something into the page's memory; an empty page has none."""
    return f"if (location.protocol !== 'about:') localStorage.setItem('ofc.{key}', {json.dumps(json.dumps(value))})"


# ------------------------------------------------------------------------------------------ arranging cards


def test_cards_can_be_taken_back_until_confirmed(server: Server, open_browser: Opener) -> None:
    with prepared(server, STREET_2) as player:
        page = open_page(open_browser(), player)
        mouse = Mouse(page)
        first, second = sensible_placements(player.view)
        mouse.put(**first)
        mouse.put(**second)
        page.get_by_test_id(f"placed-{first['card']}").click()
        expect(page.get_by_test_id(f"card-{first['card']}")).to_be_visible()
        expect_placed(page, **second)
        expect(page.get_by_test_id("confirm")).to_have_text("Place one more")
        page.get_by_test_id("undo").click()
        assert sorted(tray(page)) == sorted(player.view["cards"])
        expect(page.get_by_test_id("undo")).to_have_attribute("aria-disabled", "true")
        expect(page.get_by_test_id("confirm")).to_have_text("Place two cards")


def test_what_is_left_over_is_discarded_unless_another_is_chosen(server: Server, open_browser: Opener) -> None:
    with prepared(server, STREET_2) as player:
        page = open_page(open_browser(), player)
        cards = player.view["cards"]
        chosen, row = cards[0], sensible_placements(player.view)[0]["row"]
        page.get_by_test_id(f"card-{chosen}").click()
        page.get_by_test_id("discard").click()
        expect(page.get_by_test_id(f"card-{chosen}")).to_have_accessible_name(re.compile("goes to the discards"))
        # A second one cannot go there: its place is taken, and it stays chosen.
        page.get_by_test_id(f"card-{cards[1]}").click()
        page.get_by_test_id("discard").click()
        expect(page.get_by_test_id(f"card-{cards[1]}")).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("Escape")
        free = rows_with_room(player.view, row)
        place(page, [{"card": card, "row": where} for card, where in zip(cards[1:], free, strict=False)])
        page.get_by_test_id("confirm").click()
        player.wait(lambda view: own(view)["discarded"] == 1)
        assert own(player.view)["discards"] == [chosen]


def rows_with_room(view: View, first: str) -> list[str]:
    """Rows with a free place each, this one first."""
    board = own(view)["board"]
    free = {row: size - len(board[row]) for row, size in (("top", 3), ("middle", 5), ("bottom", 5))}
    return [row for row in (first, "bottom", "middle", "top") for _ in range(min(free[row], 1))]


def test_a_card_is_dragged_from_row_to_row_and_back_to_the_tray(server: Server, open_browser: Opener) -> None:
    with prepared(server, played_to(street_is(1))) as player:
        page = open_page(open_browser(), player)
        card = player.view["cards"][0]
        Mouse(page).drag(card, "top")
        page.get_by_test_id(f"placed-{card}").drag_to(page.get_by_test_id("row-bottom"))
        expect_placed(page, card, "bottom")
        page.get_by_test_id(f"placed-{card}").drag_to(page.get_by_test_id("tray"))
        expect(page.get_by_test_id(f"card-{card}")).to_be_visible()


def test_sorting_by_rank_and_suit(server: Server, open_browser: Opener) -> None:
    ranks = "23456789TJQKA"
    with prepared(server, STREET_2) as player:
        page = open_page(open_browser(), player)
        expect(page.get_by_test_id("tray").locator(".tray-card")).to_have_count(3)
        assert tray(page) == player.view["cards"]
        page.get_by_test_id("sort").click()
        by_rank = sorted(player.view["cards"], key=lambda card: (-ranks.index(card[0]), "shdc".index(card[1])))
        expect_tray(page, by_rank)
        page.keyboard.press("r")
        expect_tray(page, sorted(by_rank, key=lambda card: "shdc".index(card[1])))


def expect_tray(page: Page, cards: list[str]) -> None:
    for number, card in enumerate(cards):
        expect(page.get_by_test_id("tray").locator(".tray-card").nth(number)).to_have_attribute(
            "data-testid", f"card-{card}"
        )


# ------------------------------------------------------------------------------ what the server says of them


def test_a_chosen_card_previews_every_row_in_the_servers_words(server: Server, open_browser: Opener) -> None:
    with prepared(server, STREET_3) as player:
        page = open_page(open_browser(), player)
        card = player.view["cards"][0]
        outlook = player.ask([], [card])
        page.get_by_test_id(f"card-{card}").click()
        for row, preview in outlook["chosen"].items():
            hint = page.get_by_test_id(f"hint-{row}")
            if not preview["fits"]:
                continue
            if preview["fouls"]:
                expect(hint).to_contain_text(preview["message"])
            else:
                expect(hint).to_contain_text(re.compile(re.escape(preview["hand"]), re.IGNORECASE))


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_moves_while_choosing(server: Server, open_browser: Opener, size: tuple[int, int]) -> None:
    with prepared(server, STREET_3) as player:
        page = open_page(open_browser(size), player)
        rows = [page.get_by_test_id(f"row-{row}") for row in ("top", "middle", "bottom")]
        expect(page.get_by_test_id("tray").locator(".tray-card")).to_have_count(3)
        before = [row.bounding_box() for row in rows]
        for card in player.view["cards"]:
            page.get_by_test_id(f"card-{card}").click()
            expect(page.locator(".hint .then").first).to_be_visible()
            assert [row.bounding_box() for row in rows] == before


def test_a_row_at_risk_names_what_saves_it(server: Server, open_browser: Opener) -> None:
    with prepared(server, to_a_choice(4, is_at_risk)) as player:
        page = open_page(open_browser(), player)
        placements = found(player, is_at_risk)
        place(page, placements)
        rows = player.ask(placements)["rows"]
        for row, outlook in rows.items():
            if outlook["status"] == "at-risk":
                expect(page.get_by_test_id(f"hint-{row}")).to_contain_text(outlook["note"] or outlook["hand"])
                expect(page.get_by_test_id(f"row-{row}")).to_have_class(re.compile("at-risk"))
        expect(page.get_by_test_id("confirm")).to_contain_text("Confirm")
        expect(page.get_by_test_id("confirm")).not_to_contain_text("foul")


def test_a_foul_is_asked_about_once_and_never_blocked(server: Server, open_browser: Opener) -> None:
    with prepared(server, to_a_choice(5, is_fouled)) as player:
        page = open_page(open_browser(), player)
        foul(page, player)
        message = page.get_by_test_id("outlook-message")
        expect(message).to_contain_text("This hand fouls")
        page.get_by_test_id("confirm").click()
        expect(page.get_by_test_id("confirm")).to_contain_text("Confirm anyway")
        expect(message).to_contain_text("Confirm anyway?")
        assert message.inner_text().count("This hand fouls") == 1
        # Undoing takes the question back.
        page.get_by_test_id("undo").click()
        expect(page.get_by_test_id("confirm")).to_contain_text("Place one more")
        page.get_by_test_id("undo").click()
        foul(page, player)
        page.get_by_test_id("confirm").click()
        page.get_by_test_id("confirm").click()
        player.wait(is_showdown)
        assert player.view["result"]["players"][player.view["you"]]["fouled"]


# ------------------------------------------------------------------------------------------------ showdown


@pytest.mark.parametrize(("rules", "shown"), [("ultimate", True), ("tournament", False)])
def test_opponents_discards_after_the_showdown(server: Server, open_browser: Opener, rules: str, shown: bool) -> None:
    with prepared(server, played_to(is_showdown), rules=rules) as player:
        page = open_page(open_browser(), player)
        page.get_by_test_id("stay").click()
        for seat in player.view["seats"]:
            discards = page.get_by_test_id(f"result-{seat['seat']}").locator(".disc .card")
            if seat["seat"] == player.view["you"] or shown:
                expect(discards).to_have_count(4)
            else:
                assert seat["discards"] is None
                expect(discards).to_have_count(0)


def has_capped_transfer(player: Player) -> bool:
    played_to(lambda view: view["phase"] != "placing")(player)
    return any(pair["capped_by"] for pair in player.view["result"]["pairs"])


def test_a_capped_transfer_is_explained(server: Server, open_browser: Opener) -> None:
    with prepared(server, has_capped_transfer, money={"stack": 60, "price": 10}) as player:
        page = open_page(open_browser(), player)
        result, view = player.view["result"], player.view
        for pair in result["pairs"]:
            mine = {pair["a"], pair["b"]}
            card = page.locator(",".join(f"[data-testid=pair-{a}-{b}]" for a, b in ((*mine,), (*reversed([*mine]),))))
            expect(card).to_contain_text("chips")
            if pair["capped_by"]:
                expect(card).to_contain_text(re.compile(r"capped: \w+ had \d+ chips left"))
                expect(card).to_contain_text(f"{abs(pair['points'])} × {view['price']}")
        for one in result["players"]:
            expect(page.get_by_test_id(f"result-{one['seat']}")).to_contain_text(f"now {one['stack']}")


def is_price_held(view: View) -> bool:
    return view["phase"] == "placing" and view["price_next"] is not None


def test_a_held_price_shows_both_prices(server: Server, open_browser: Opener) -> None:
    """No rule set of the quick start raises its price; a page that is told of one shows both."""
    with prepared(server, STREET_2, money={"stack": 2000, "price": 10}) as player:
        context = open_browser()

        def raise_price(message: str | bytes) -> str | bytes:
            return str(message).replace('"price_next":null', '"price_next":20')

        def relay(socket: Any) -> None:
            upstream = socket.connect_to_server()
            upstream.on_message(lambda message: socket.send(raise_price(message)))

        context.route_web_socket(re.compile("/socket$"), relay)
        page = open_page(context, player)
        expect(page.get_by_text("Price held")).to_be_visible()
        expect(page.get_by_role("group", name="Table")).to_contain_text(re.compile(r"10.*next 20"))


def test_the_next_hand_starts_itself_unless_one_stays(server: Server, open_browser: Opener) -> None:
    context = open_browser()
    with prepared(server, played_to(is_showdown), hands=24) as player:
        player.lend_to(context)
        page = context.new_page()
        page.clock.install()
        page.goto(player.url)
        expect(page.get_by_test_id("next")).to_contain_text("8 s")
        page.keyboard.press("s")
        expect(page.get_by_test_id("stay")).to_have_text(re.compile("Staying"))
        page.clock.run_for(20_000)
        expect(page.get_by_test_id("next")).not_to_contain_text(re.compile(r"\d s"))
        expect(page.get_by_test_id("showdown")).to_be_visible()
        page.get_by_test_id("stay").click()
        page.clock.run_for(9_000)
        player.wait(lambda view: view["hand"] == 2)
        page.clock.run_for(1_000)
        expect(page.get_by_test_id("turn")).to_be_visible()


# --------------------------------------------------------------------------------------- match and lobby


def test_ending_a_match_asks_first(server: Server, open_browser: Opener) -> None:
    with prepared(server, STREET_2) as player:
        page = open_page(open_browser(), player)
        page.get_by_test_id("menu").click()
        page.get_by_test_id("end-match").click()
        expect(page.get_by_test_id("end-dialog")).to_contain_text("The hand under way does not count")
        page.get_by_test_id("keep-playing").click()
        expect(page.get_by_test_id("end-dialog")).to_have_count(0)
        expect(page.get_by_test_id("turn")).to_have_text("Your turn")
        page.get_by_test_id("menu").click()
        page.get_by_test_id("end-match").click()
        page.get_by_test_id("end-match-confirm").click()
        expect(page.get_by_test_id("match-over")).to_be_visible()
        player.wait(is_over)
        page.get_by_test_id("lobby").click()
        expect(page.get_by_test_id("past-matches").get_by_role("listitem")).to_have_count(1)
        expect(page.get_by_test_id(f"running-{player.table}")).to_have_count(0)


@pytest.mark.parametrize(("rules", "seats"), [("classic", 4), ("casual", 3)])
def test_other_rules_are_chosen_in_the_lobby(server: Server, open_browser: Opener, rules: str, seats: int) -> None:
    page = open_browser().new_page()
    page.goto(server.url)
    page.get_by_test_id("rules-…more").click()
    page.get_by_test_id(f"choose-{rules}").click()
    page.get_by_test_id(f"seats-{seats}").click()
    page.get_by_test_id("deal").click()
    expect(page.get_by_test_id("street")).to_contain_text("Street 1")
    for seat in range(seats):
        expect(page.get_by_test_id(f"seat-{seat}")).to_be_visible()
    expect(page.locator(".brand")).to_contain_text(rules.capitalize())
    expect(page.get_by_test_id("tray").locator(".tray-card")).to_have_count(5)
    # What was chosen is chosen again, and the match can be gone on with.
    page.goto(server.url)
    expect(page.get_by_test_id(f"seats-{seats}")).to_have_attribute("aria-pressed", "true")
    page.get_by_test_id("continue").click()
    expect(page.get_by_test_id("tray").locator(".tray-card")).to_have_count(5)


def test_the_servers_refusal_is_shown_in_the_lobby(server: Server, open_browser: Opener) -> None:
    page = open_browser(refused=400).new_page()
    page.goto(server.url)
    page.locator("summary").click()
    page.get_by_test_id("hands-in-match").fill("1001")
    page.locator("form").evaluate("form => { form.noValidate = true }")
    page.get_by_test_id("deal").click()
    expect(page.get_by_test_id("start-problem")).to_contain_text("hands is a whole number from 1 to 1000")


def test_an_unfinished_hand_and_an_unknown_table_say_so(server: Server, open_browser: Opener) -> None:
    context = open_browser(refused=404)
    with prepared(server, STREET_2) as player:
        page = open_page(context, player, "/hands/1")
        expect(page.get_by_test_id("message")).to_contain_text("not finished")
        page.goto(f"{server.url}/table/nowhere")
        expect(page.get_by_test_id("message")).to_contain_text("No such table")


@pytest.mark.parametrize("path", ["/nothing", "/table/a/b/c", "/%ff", "/event/x/none", "/t/%E0%A4%A", "/calculator/x"])
def test_a_wrong_address_has_a_card_that_leads_to_the_lobby(server: Server, open_browser: Opener, path: str) -> None:
    page = open_browser(refused=404).new_page()
    page.goto(server.url + path)
    expect(page).to_have_title("No such page · ofc")
    expect(page.get_by_role("heading")).to_have_text("No such page")
    page.get_by_role("link", name="Back to lobby").click()
    expect(page.get_by_test_id("deal")).to_be_visible()


# ---------------------------------------------------------------------------------- layout, taste, hearing


def test_the_panel_is_a_drawer_under_1100_px(server: Server, open_browser: Opener) -> None:
    with prepared(server, played_to(lambda view: bool(view["hand"] == 2))) as player:
        page = open_page(open_browser(), player)
        expect(page.get_by_test_id("panel").get_by_test_id("standing")).to_be_visible()
        expect(page.get_by_test_id("panel").get_by_test_id("hand-1")).to_be_visible()
        page.set_viewport_size({"width": 1099, "height": 800})
        expect(page.get_by_test_id("panel")).to_have_count(0)
        page.get_by_test_id("menu").click()
        expect(page.get_by_test_id("drawer").get_by_test_id("standing")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_test_id("drawer")).to_have_count(0)


def test_sound_is_switched_and_remembered(server: Server, open_browser: Opener) -> None:
    with prepared(server, STREET_2) as player:
        page = open_page(open_browser(), player)
        switch = page.get_by_role("button", name="Sound", exact=True)
        expect(switch).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("m")
        expect(switch).to_have_attribute("aria-pressed", "false")
        page.reload()
        expect(switch).to_have_attribute("aria-pressed", "false")


COUNT_NOTES = """
window.notes = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...all) { window.notes += 1; return start.apply(this, all); };
"""


@pytest.mark.parametrize("sound", [True, False])
def test_title_and_sound_say_when_it_is_ones_turn(server: Server, open_browser: Opener, sound: bool) -> None:
    context = open_browser()
    context.add_init_script(COUNT_NOTES)
    context.add_init_script(remember("sound", sound))
    with prepared(server, STREET_2) as player:
        page = open_page(context, player)
        expect(page).to_have_title("Your turn · Hand 1 · ofc")
        place(page, sensible_placements(player.view))
        page.evaluate("window.notes = 0")
        page.get_by_test_id("confirm").click()
        expect(page.get_by_test_id("street")).to_contain_text("Street 3")
        expect(page).to_have_title("Your turn · Hand 1 · ofc")
        if sound:
            wait_until(page, "window.notes >= 2")
        assert page.evaluate("window.notes > 0") == sound
        player.wait(street_is(3))
        player.play_until(is_showdown)
        expect(page).to_have_title("Showdown · Hand 1 · ofc")


def test_opponents_moves_and_ones_turn_are_announced(server: Server, open_browser: Opener) -> None:
    context = open_browser()
    # What was said, all of it: the region holds only the last.
    context.add_init_script("""
        window.said = [];
        addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
            const text = document.querySelector('[data-testid=live]')?.textContent;
            if (text && window.said.at(-1) !== text) window.said.push(text);
        }).observe(document, { subtree: true, childList: true, characterData: true }));
    """)
    with prepared(server, STREET_2) as player:
        page = open_page(context, player)
        live = page.get_by_test_id("live")
        expect(live).to_have_attribute("aria-live", "polite")
        expect(live).to_contain_text("Your turn. Place two cards of: ")
        place(page, sensible_placements(player.view))
        page.get_by_test_id("confirm").click()
        view = player.wait(street_is(3))
        wait_until(page, "window.said.join(' ').split('Your turn').length > 2")
        said = " ".join(page.evaluate("window.said"))
        for seat in view["seats"]:
            if seat["seat"] != view["you"]:
                assert re.search(rf"{seat['name']}: \w+ of \w+ (top|middle|bottom), \w+ of \w+", said), said
        player.play_until(is_showdown)
        expect(live).to_contain_text(re.compile(r"Showdown: You [+−\d]+ points?"))


@pytest.mark.parametrize(
    ("system", "saved", "shown"),
    [
        ("dark", None, "dark"),
        ("light", None, "light"),
        ("dark", "light", "light"),
        ("light", "dark", "dark"),
    ],
)
def test_theme_is_set_before_the_first_paint(
    server: Server, open_browser: Opener, system: str, saved: str | None, shown: str
) -> None:
    context = open_browser(color_scheme=system)
    if saved:
        context.add_init_script(remember("theme", saved))
    page = context.new_page()
    # Without the application nothing else can set it; and the body is not there yet when it is set.
    page.route(re.compile(r"/assets/.*\.js$"), lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto(server.url)
    assert page.evaluate("document.documentElement.dataset.theme") == shown
    assert page.evaluate("document.querySelector('script').closest('head') !== null")
    assert page.evaluate("(({ defer, async }) => !defer && !async)(document.querySelector('script[src*=theme]'))")


def test_theme_is_switched_and_saved(server: Server, open_browser: Opener) -> None:
    page = open_browser(color_scheme="dark").new_page()
    page.goto(server.url)
    page.get_by_test_id("theme").click()
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "light"


def test_keyboard_map(server: Server, open_browser: Opener) -> None:
    with prepared(server, STREET_2) as player:
        page = open_page(open_browser(), player)
        keyboard = Keyboard(page)
        card = player.view["cards"][0]
        expect(page.get_by_test_id(f"card-{card}")).to_be_visible()
        keyboard.key("?")
        shown = page.get_by_test_id("keyboard-map")
        for name in ("1 – 9", "Q A Z", "X", "U", "Enter", "Esc", "R", "S", "M", "?"):
            expect(
                shown.locator("kbd").get_by_text(re.compile("^" + re.escape(name).replace(r"\ ", r"\s+") + "$"))
            ).to_be_visible()
        # Behind an open dialog no key acts.
        keyboard.key("1")
        keyboard.key("Escape")
        expect(shown).to_have_count(0)
        expect(page.get_by_test_id(f"card-{card}")).to_have_attribute("aria-pressed", "false")
        keyboard.key("1")
        expect(page.get_by_test_id(f"card-{card}")).to_have_attribute("aria-pressed", "true")
        keyboard.key("Escape")
        expect(page.get_by_test_id(f"card-{card}")).to_have_attribute("aria-pressed", "false")
        keyboard.key("1")
        keyboard.key("x")
        expect(page.get_by_test_id(f"card-{card}")).to_have_accessible_name(re.compile("goes to the discards"))
        keyboard.key("u")
        expect(page.get_by_test_id(f"card-{card}")).not_to_have_accessible_name(re.compile("goes to the discards"))


def test_replay_with_keys(server: Server, open_browser: Opener) -> None:
    with opened(server, open_browser(), SCENE["replay"]) as (page, _):
        keyboard = Keyboard(page)
        keyboard.key("ArrowLeft")
        expect(page.get_by_test_id("replay-step")).to_contain_text("8 of")
        keyboard.key("ArrowRight")
        keyboard.key("ArrowRight")
        expect(page.get_by_test_id("replay-step")).to_contain_text("10 of")
        keyboard.key("Home")
        expect(page.get_by_test_id("replay-step")).to_contain_text("1 of")
        keyboard.key("Escape")
        expect(page.get_by_test_id("turn")).to_be_visible()


def test_in_fantasyland_the_others_can_be_looked_at_on_a_phone(server: Server, open_browser: Opener) -> None:
    with opened(server, open_browser(PHONE), SCENE["fantasyland"]) as (page, player):
        page.get_by_test_id("clear").tap()
        expect(page.get_by_test_id("tray").locator(".ghost")).to_have_count(0)
        page.get_by_test_id("sort-suit").tap()
        expect(page.get_by_test_id("sort-suit")).to_have_attribute("aria-pressed", "true")
        suits = [card[1] for card in tray(page)]
        assert suits == sorted(suits, key="shdc".index)
        assert player.view["seats"][1]["placed"] >= 0


def test_policy_is_strict_and_kept(server: Server, open_browser: Opener) -> None:
    context = open_browser(DESKTOP)
    context.add_init_script("""
        window.violations = [];
        addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective));
    """)
    with opened(server, context, SCENE["choosing"]) as (page, _):
        answer = page.request.get(page.url)
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert page.evaluate("window.violations") == []

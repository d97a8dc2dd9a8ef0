"""What a director is told of a deed, with its undo, lies over nothing that can be tapped."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.director import Director, lend, opened_event
from tests.web.event_scenes import PLAYERS, STRUCTURE, drawn
from tests.web.scenes import DESKTOP, PHONE

COVERED = """() => {
  const toast = document.querySelector('[data-testid=toast]');
  const over = toast.getBoundingClientRect();
  const clipped = (element) => {
    let box = element.getBoundingClientRect();
    let [top, bottom] = [box.top, box.bottom];
    for (let at = element.parentElement; at; at = at.parentElement) {
      if (!/auto|scroll|hidden/.test(getComputedStyle(at).overflowY)) continue;
      const frame = at.getBoundingClientRect();
      [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
    }
    return { top, bottom, left: box.left, right: box.right };
  };
  return [...document.querySelectorAll('button, a, input, select')]
    .filter((element) => !toast.contains(element) && element.checkVisibility())
    .filter((element) => {
      const box = clipped(element);
      return Math.min(box.bottom, over.bottom) - Math.max(box.top, over.top) > 0.5
        && Math.min(box.right, over.right) - Math.max(box.left, over.left) > 0.5;
    })
    .map((element) => element.dataset.testid || element.textContent);
}"""
"""Controls that the toast overlaps, what is scrolled away left out."""

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "laptop"])


def covered(page: Page) -> list[str]:
    expect(page.get_by_test_id("toast")).to_be_visible()
    found: list[str] = page.evaluate(COVERED)
    return found


@SIZES
def test_setting_up(server: Server, open_browser: Opener, size: tuple[int, int]) -> None:
    event = opened_event(server, [f"Player {number}" for number in range(30)], STRUCTURE)
    page = open_browser(size).new_page()
    lend(event, page)
    page.goto(event.page("/setup"))
    director = Director(page)
    director.tap("show-all")
    at = director.at("draw").bounding_box()
    director.at("add-name").fill("Zoe")
    director.tap("add-go")
    assert covered(page) == []
    assert director.at("draw").bounding_box() == at
    expect(director.at("toast")).to_be_in_viewport(ratio=1)


@SIZES
@pytest.mark.parametrize("tab", ["floor", "clock", "players", "log"])
def test_on_the_floor(server: Server, open_browser: Opener, size: tuple[int, int], tab: str) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, drawn)
    page = open_browser(size).new_page()
    lend(event, page)
    page.goto(event.page("/direct"))
    director = Director(page)
    page.get_by_test_id("pause-clock").locator("visible=true").first.click()
    expect(director.at("toast")).to_be_visible()
    if size == PHONE:
        director.tap(f"go-{tab}")
    assert covered(page) == []
    expect(director.at("toast")).to_be_in_viewport(ratio=1)

"""What the looks of a page are tested for: axe finds nothing, nothing is cut off, covered or scrolls."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.web.waiting import wait_until

OF_COLOUR = ("color-contrast", "link-in-text-block")
"""The rules of axe that depend on the theme."""
_LOOKS, _PAUSE_MS = 100, 50
_CUT = """(but) => [...document.querySelectorAll('body *')].filter((element) => {
        const words = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        if (!words || element.closest('.sr, svg, select, textarea') || element.closest(but)) return false;
        if (!element.checkVisibility()) return false;
        const style = getComputedStyle(element);
        if (style.display === 'inline') {
            let holder = element.parentElement;
            while (['inline', 'contents'].includes(getComputedStyle(holder).display)) holder = holder.parentElement;
            return element.getBoundingClientRect().right > holder.getBoundingClientRect().right + 1;
        }
        return element.scrollWidth > element.clientWidth + 1;
    }).map((element) => element.outerHTML.slice(0, 160))"""


def faults_of(page: Page, *, only: tuple[str, ...] = ()) -> list[str]:
    """What axe finds, in words; by some of its rules or by all."""
    # axe's own frame tests need nothing here; colours settle at once with reduced motion.
    options = {"resultTypes": ["violations"], **({"runOnly": list(only)} if only else {})}
    violations = Axe().run(page, options=options).response["violations"]
    return [
        f"{violation['id']}: {violation['help']}: {node['html'][:160]}"
        for violation in violations
        for node in violation["nodes"]
    ]


def expect_axe_finds_nothing(page: Page, *sizes: tuple[int, int]) -> None:
    """At each of these sizes, in the dark theme by all rules and in the light one by those of colour."""
    found = {}
    for size in sizes:
        resize(page, size)
        for theme, rules in (("dark", ()), ("light", OF_COLOUR)):
            page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
            found[f"{theme}, {size[0]} px"] = faults_of(page, only=rules)
    assert not any(found.values()), found


def resize(page: Page, size: tuple[int, int]) -> None:
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    wait_until(page, "width => innerWidth === width", width)


def expect_no_scrolling(page: Page) -> None:
    wait_until(page, "document.scrollingElement.scrollHeight <= innerHeight")
    expect_no_sideways_scrolling(page)


def expect_no_sideways_scrolling(page: Page) -> None:
    wait_until(page, "document.scrollingElement.scrollWidth <= innerWidth")


def expect_uncovered(page: Page, selector: str) -> None:
    """Nothing lies over the left upper corners, where a card has its index, of what matches."""
    covered = page.evaluate(
        """(selector) => [...document.querySelectorAll(selector)].filter((element) => {
            if (element.closest('.mini, .fan')) return false;
            const box = element.getBoundingClientRect();
            const top = document.elementFromPoint(box.left + box.width * 0.3, box.top + box.height * 0.4);
            return !(top && (element.contains(top) || top.contains(element)));
        }).map((element) => element.outerHTML.slice(0, 120))""",
        selector,
    )
    assert covered == [], covered


def expect_nothing_cut(page: Page, *, but: str = ".sr") -> None:
    """No words are cut by an ellipsis or an edge, and none spill out of the box that they are in.

    `but` selects what may be.
    """
    for left in range(_LOOKS, 0, -1):  # a page that was resized changes its parts a moment later
        cut = page.evaluate(_CUT, but)
        if not cut:
            break
        assert left > 1, cut
        page.wait_for_timeout(_PAUSE_MS)


_FOCUS = """() => {
    const element = document.activeElement;
    if (element === document.body) return { what: '', seen: false, inside: false };
    const rings = (one, part) => {
        const style = getComputedStyle(one, part);
        return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
    };
    const near = [element, element.parentElement, element.parentElement?.parentElement, element.closest('li')];
    const box = element.getBoundingClientRect();
    return {
        what: element.outerHTML.slice(0, 120),
        seen: near.some((one) => one && [null, '::before', '::after'].some((part) => rings(one, part))),
        inside: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    };
}"""


def expect_focus_seen(page: Page, stops: int) -> None:
    """Go on by Tab, and see each time where one is."""
    seen = set()
    for _ in range(stops):
        page.keyboard.press("Tab")
        focus = page.evaluate(_FOCUS)
        if focus["what"]:  # else the browser's own bars
            assert focus["seen"], focus
            assert focus["inside"], focus
            seen.add(focus["what"])
    assert len(seen) > 2

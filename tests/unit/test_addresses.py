"""The address that phones on the network open."""

from __future__ import annotations

import socket

import pytest

from ofc.web import addresses
from ofc.web.addresses import is_own, network_address, reachable_url


@pytest.mark.parametrize("host", [None, "localhost", "127.0.0.1", "::1", "0.0.0.0", "::"])  # noqa: S104  # a name only
def test_names_for_this_machine_alone(host: str | None) -> None:
    assert is_own(host)


@pytest.mark.parametrize("host", ["192.168.1.5", "ofc.example", "fe80::1"])
def test_names_that_others_can_use(host: str) -> None:
    assert not is_own(host)


def test_an_address_that_others_can_use_stays() -> None:
    assert reachable_url("http://ofc.example:8000") == "http://ofc.example:8000"


def test_this_machines_own_name_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "network_address", lambda: "192.168.1.5")
    assert reachable_url("http://127.0.0.1:8000") == "http://192.168.1.5:8000"
    assert reachable_url("http://localhost") == "http://192.168.1.5"


def test_a_machine_on_no_network_keeps_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "network_address", lambda: None)
    assert reachable_url("http://127.0.0.1:8000") == "http://127.0.0.1:8000"


def test_the_network_is_asked_without_sending_anything() -> None:
    found = network_address()
    assert found is None or not is_own(found)


def test_without_a_way_out_there_is_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoWay(socket.socket):
        def connect(self, address: object, /) -> None:
            raise OSError(f"no way to {address}")

    monkeypatch.setattr(socket, "socket", NoWay)
    assert network_address() is None

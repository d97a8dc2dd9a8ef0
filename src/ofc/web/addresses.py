"""The address by which other machines on the network reach this one."""

from __future__ import annotations

import ipaddress
import socket
from typing import Final
from urllib.parse import urlsplit, urlunsplit

_ANYWHERE: Final = ("192.0.2.1", 9)
"""An address kept for documentation: nothing is sent to it, the system only says which way it would go."""


def network_address() -> str | None:
    """Return this machine's address on its network, None if it is on none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(_ANYWHERE)
            address: str = way.getsockname()[0]
        except OSError:
            return None
    return None if ipaddress.ip_address(address).is_loopback else address


def reachable_url(url: str) -> str:
    """Return a page's address as phones on the network can open it: this machine's own name for itself replaced.

    A server that listens to this machine alone cannot be reached by any address; the url then says what would be.
    """
    parts = urlsplit(url)
    address = network_address() if is_own(parts.hostname) else None
    if address is None:
        return url
    port = f":{parts.port}" if parts.port else ""
    return urlunsplit(parts._replace(netloc=f"{address}{port}"))


def is_own(host: str | None) -> bool:
    """Whether a host's name is only this machine's name for itself, or for all its addresses."""
    if host is None or host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified

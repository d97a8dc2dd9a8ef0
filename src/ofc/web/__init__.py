"""The web face: pages, HTTP and the table's WebSocket (docs/protocol.md)."""

from ofc.web.app import create_app

__all__ = ["create_app"]

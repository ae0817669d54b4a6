"""uvicorn's configuration with a doorkeeper."""

from typing import Any

import uvicorn

from railbird.interfaces.web.wire.doorkeeper import Doorkeeper


class WireConfig(uvicorn.Config):
    """The configuration that uvicorn passes to every connection, with the doorkeeper added."""

    def __init__(self, app: Any, door: Doorkeeper, **options: Any) -> None:
        super().__init__(app, **options)
        self.door = door


def door_of(config: uvicorn.Config) -> Doorkeeper:
    """The doorkeeper of a server."""
    assert isinstance(config, WireConfig)
    return config.door

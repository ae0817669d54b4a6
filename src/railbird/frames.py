"""Results as data frames of Polars, which is imported at the first use because it is an optional extra."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from railbird.extras import require_extra

if TYPE_CHECKING:
    import polars as pl


def data_frame(
    rows: Sequence[Mapping[str, Any]] | Sequence[Sequence[Any]], text_columns: Sequence[str] | None = None
) -> "pl.DataFrame":
    """Rows as a data frame; with `text_columns`, rows are texts in the order of these columns."""
    require_extra("frames", "polars", "a data frame")
    import polars as pl

    if text_columns is None:
        return pl.DataFrame(rows)
    return pl.DataFrame(rows, schema=dict.fromkeys(text_columns, pl.String), orient="row")

"""Units of measure as people write them, each with its dimension and its size in the base unit."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_TABLE = """
time        1e-9            ns nanosecond nanoseconds
time        1e-6            us µs μs microsecond microseconds
time        1e-3            ms msec millisecond milliseconds
time        1               s sec secs second seconds
time        60              min mins minute minutes
time        3600            h hr hrs hour hours
time        86400           day days
time        604800          week weeks
time        2629746         month months
time        31556952        year years yr yrs
length      0.001           mm millimeter millimeters millimetre millimetres
length      0.01            cm centimeter centimeters centimetre centimetres
length      1               m meter meters metre metres
length      1000            km kilometer kilometers kilometre kilometres
length      0.0254          inch inches
length      0.3048          ft foot feet
length      0.9144          yard yards
length      1609.344        mile miles
mass        1e-6            mg milligram milligrams
mass        0.001           g gram grams
mass        1               kg kilo kilos kilogram kilograms
mass        1000            t tonne tonnes
mass        0.45359237      lb lbs pound pounds
mass        0.028349523125  oz ounce ounces
volume      0.001           ml milliliter milliliters millilitre millilitres
volume      1               l liter liters litre litres
frequency   1               hz hertz
frequency   1e3             khz
frequency   1e6             mhz
frequency   1e9             ghz
power       0.001           mw milliwatt milliwatts
power       1               w watt watts
power       1000            kw kilowatt kilowatts
voltage     1               v volt volts
share       0.01            % percent pct
celsius     1               °c celsius
fahrenheit  1               °f fahrenheit
dollar      1               $ usd dollar dollars
dollar      0.01            cent cents
euro        1               € eur euro euros
sterling    1               £ gbp
rate        1               rps qps
"""

_BYTE_TABLE = """
0  b byte bytes
1  kb kib kilobyte kilobytes
2  mb mib megabyte megabytes
3  gb gib gigabyte gigabytes
4  tb tib terabyte terabytes
5  pb pib petabyte petabytes
"""


def _read_units(table: str) -> dict[str, tuple[str, float]]:
    rows = [row.split() for row in table.strip().splitlines()]
    return {name: (dimension, float(size)) for dimension, size, *names in rows for name in names}


def _read_powers(table: str) -> dict[str, int]:
    rows = [row.split() for row in table.strip().splitlines()]
    return {name: int(power) for power, *names in rows for name in names}


UNITS: Mapping[str, tuple[str, float]] = MappingProxyType(_read_units(_TABLE))
"""Case-folded unit to (dimension, size in the dimension's base unit)."""

BYTE_POWERS: Mapping[str, int] = MappingProxyType(_read_powers(_BYTE_TABLE))
"""Units of information to their power of 1000, or of 1024: people mean either."""

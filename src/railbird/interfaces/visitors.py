"""What counts as one visitor where visitors are counted by their addresses."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

_NETWORK_BITS = 64
"""Of an IPv6 address: who has one has all with the same first half."""


def address_in(text: str) -> IPv4Address | IPv6Address | None:
    """The address that a text is; an IPv4 address may come as an IPv6 one.

    >>> address_in("::ffff:10.0.0.1"), address_in("nowhere")
    (IPv4Address('10.0.0.1'), None)
    """
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return address if mapped is None else mapped


def visitor_at(host: str) -> str:
    """Under which name a visitor is counted: the address, of IPv6 the network that one customer has.

    >>> visitor_at("10.0.0.1"), visitor_at("2001:db8:1:2::9")
    ('10.0.0.1', '2001:db8:1:2::/64')
    """
    address = address_in(host)
    if address is None:
        return host
    if isinstance(address, IPv6Address):
        return str(ip_network((int(address), _NETWORK_BITS), strict=False))
    return str(address)

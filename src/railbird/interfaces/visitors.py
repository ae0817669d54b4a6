"""How visitors are identified where limits are counted by address."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

_NETWORK_BITS = 64
"""The network part of an IPv6 address: a customer usually has the whole /64 network."""


def address_in(text: str) -> IPv4Address | IPv6Address | None:
    """Parse an IP address; an IPv4-mapped IPv6 address becomes IPv4. None if the text is not an address.

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
    """The key under which a visitor is counted: the IPv4 address, or the /64 network of an IPv6 address.

    >>> visitor_at("10.0.0.1"), visitor_at("2001:db8:1:2::9")
    ('10.0.0.1', '2001:db8:1:2::/64')
    """
    address = address_in(host)
    if address is None:
        return host
    if isinstance(address, IPv6Address):
        return str(ip_network((int(address), _NETWORK_BITS), strict=False))
    return str(address)

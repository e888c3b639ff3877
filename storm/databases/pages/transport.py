"""Connects to checked addresses only: a name is resolved once, and the checked address is the one connected to."""

from __future__ import annotations

import ssl

import httpx

from storm.databases.pages.addresses import IPAddress, MayConnect, Resolve, permitted_addresses, read_host_port

#: The number of a host's addresses to try, since the first may be of a family that this network lacks.
MAX_ADDRESSES = 4


class CheckedTransport(httpx.AsyncBaseTransport):
    """Sends each request to an address that `may_connect` permits, under the URL's own host name.

    The Host header, the TLS server name and the certificate check stay those of the URL. Raises Blocked before
    anything is sent, ServiceDown if the name has no address. `network` makes the connections and must keep none alive:
    names that share an address must not share a connection.
    """

    def __init__(self, network: httpx.AsyncBaseTransport, *, resolve: Resolve, may_connect: MayConnect) -> None:
        self._network = network
        self._resolve = resolve
        self._may_connect = may_connect

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        server = read_host_port(str(request.url))
        addresses = (await permitted_addresses(server, self._resolve, self._may_connect))[:MAX_ADDRESSES]
        for address in addresses[:-1]:
            try:
                return await self._network.handle_async_request(_address_request(request, address, server.host))
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        return await self._network.handle_async_request(_address_request(request, addresses[-1], server.host))

    async def aclose(self) -> None:
        await self._network.aclose()


def _address_request(request: httpx.Request, address: IPAddress, name: str) -> httpx.Request:
    return httpx.Request(
        request.method,
        request.url.copy_with(host=str(address)),
        headers=request.headers,
        extensions={**request.extensions, "sni_hostname": name},
    )


def direct_network(tls: ssl.SSLContext) -> httpx.AsyncBaseTransport:
    """Direct connections, one per request, without a proxy, which would resolve the name again."""
    return httpx.AsyncHTTPTransport(verify=tls, limits=httpx.Limits(max_keepalive_connections=0))

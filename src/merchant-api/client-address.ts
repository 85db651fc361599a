// Where a request comes from. Whoever is connected may say that it only passes the request on (X-Forwarded-For), and is
// believed if it is a trusted proxy; so may the one it names, and so on.
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

export type ClientAddress = (request: IncomingMessage) => string

export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return connectedAddress
  const trusted = addressList(trustedProxies)
  return (request) => {
    const named = String(request.headers['x-forwarded-for'] ?? '').match(/[^\s,]+/g) ?? []
    let address = connectedAddress(request)
    while (named.length > 0 && isListed(trusted, address)) address = named.pop() ?? ''
    return address
  }
}

function connectedAddress({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? ''
}

/** Of addresses and ranges (CIDR). */
export function addressList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [network = '', prefix] = entry.split('/')
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(network, family)
    else list.addSubnet(network, Number(prefix), family)
  }
  return list
}

export function isListed(list: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

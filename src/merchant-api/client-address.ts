// Where a request comes from. Whoever is connected may say that it only passes the request on (X-Forwarded-For), and is
// believed if it is a trusted proxy; so may the one it names, and so on.
import type { IncomingMessage } from 'node:http'
import { addressList, isListed } from '../base/address-list.ts'

export type ClientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string

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

function connectedAddress({ socket }: Pick<IncomingMessage, 'socket'>): string {
  return socket.remoteAddress ?? ''
}

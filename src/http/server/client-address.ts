// The address that a request comes from. A trusted proxy is believed when it names the client in X-Forwarded-For; the
// client may be another trusted proxy, and so on.
import type { IncomingMessage } from 'node:http'
import { addressList, isListed } from '../address-list.ts'

export type ClientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string

/** `stranger` is called with an address that forwards without being trusted: perhaps a proxy that is missing in the list. */
export function clientAddress(
  trustedProxies: readonly string[],
  stranger: (address: string) => void = () => {},
): ClientAddress {
  const trusted = addressList(trustedProxies)
  return (request) => {
    const forwarded = request.headers['x-forwarded-for']
    let address = connectedAddress(request)
    if (forwarded === undefined) return address
    if (!isListed(trusted, address)) stranger(address)
    const named = String(forwarded).match(/[^\s,]+/g) ?? []
    while (named.length > 0 && isListed(trusted, address)) address = named.pop() ?? ''
    return address
  }
}

function connectedAddress({ socket }: Pick<IncomingMessage, 'socket'>): string {
  return socket.remoteAddress ?? ''
}

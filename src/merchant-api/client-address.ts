// Where a request comes from. Whoever is connected may say that it only passes the request on (X-Forwarded-For), and is
// believed if it is a trusted proxy; so may the one it names, and so on.
import type { IncomingMessage } from 'node:http'
import { addressList, isListed } from '../http/address-list.ts'

export type ClientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string

/** `stranger` is told who is connected and passes on for others without being trusted: perhaps a proxy that nobody listed. */
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

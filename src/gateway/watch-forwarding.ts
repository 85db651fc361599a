// Reports X-Forwarded-For from an address that is not a trusted proxy. The header is ignored, because any client may send it.
// But if the sender is a proxy that was not listed, all clients behind it share its address, for limits and address lists
// alike. So it is reported once in the log, with the address, and at /readyz, which the doctor reads.
import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { clientAddress } from '../http/addresses.ts'

export type Forwarding = {
  byStranger(address: string): void
  /** `direct`: no proxy has named the client of this request. */
  healthFor(request: Pick<IncomingMessage, 'headers' | 'socket'>): 'ok' | 'direct' | 'untrusted'
}

export function watchForwarding(
  log: Pick<FastifyBaseLogger, 'warn'>,
  trustedProxies: readonly string[],
): Forwarding {
  let isSeen = false
  const byStranger = (address: string) => {
    if (isSeen) return
    isSeen = true
    log.warn(
      { address },
      'X-Forwarded-For from an address that is not trusted: if it is your proxy, add it to TOLLGATE_TRUSTED_PROXIES',
    )
  }
  return {
    byStranger,
    healthFor(request) {
      // Whoever asks through the public address sees its proxy, even if no merchant has called yet. A monitor that sends the
      // header itself is nobody's proxy, so this is not remembered.
      let isUntrusted = isSeen
      const note = () => {
        isUntrusted = true
      }
      clientAddress(trustedProxies, note)(request)
      if (isUntrusted) return 'untrusted'
      return request.headers['x-forwarded-for'] === undefined ? 'direct' : 'ok'
    },
  }
}

// Reports X-Forwarded-For from an address that is not a trusted proxy. The gateway ignores such a header, because any
// client may send one. However, the sender may be a proxy that is missing from the setting. All clients of that proxy
// then share the proxy's address in rate limits and address lists. The first such address is logged. /readyz reports
// the problem to the command `doctor`.
import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { clientAddress } from '../platform/http/addresses.ts'

export type Forwarding = {
  byStranger(address: string): void
  /**
   * `untrusted` if an untrusted address sent X-Forwarded-For, in this request or an earlier one. Otherwise `direct` if
   * this request has no such header.
   */
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
      // The request to /readyz is checked too, so that an untrusted proxy is reported before the first merchant calls.
      // The result is not stored, because a monitor may send the header without being a proxy.
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

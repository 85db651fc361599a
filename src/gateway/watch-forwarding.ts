// Reports X-Forwarded-For from an address that is not a trusted proxy. The header is ignored, because any client may send it.
// But if the sender is a proxy that was not listed, all clients behind it share its address, for limits and address lists
// alike. So it is reported once in the log, with the address, and at /readyz, which the doctor reads.
import type { FastifyBaseLogger } from 'fastify'

export type Forwarding = {
  byStranger(address: string): void
  health(): 'ok' | 'untrusted'
}

export function watchForwarding(log: Pick<FastifyBaseLogger, 'warn'>): Forwarding {
  let isSeen = false
  return {
    byStranger(address) {
      if (isSeen) return
      isSeen = true
      log.warn(
        { address },
        'X-Forwarded-For from an address that is not trusted: if it is your proxy, add it to TOLLGATE_TRUSTED_PROXIES',
      )
    },
    health: () => (isSeen ? 'untrusted' : 'ok'),
  }
}

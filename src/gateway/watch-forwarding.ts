// Somebody who is not a trusted proxy sends X-Forwarded-For. A stranger may do so at will, and is not believed. But if it is
// a proxy that nobody listed, every client behind it has its address, for limits and address lists alike: so it is said once,
// in the log with the address and at /readyz, where the doctor asks.
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

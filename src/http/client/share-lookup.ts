// A system lookup occupies a thread of a small pool until the name server answers, and all work of that pool waits behind it.
// A channel that is called many times a second while its name cannot be resolved would fill the pool with one question.
import { ADDRCONFIG, type LookupAddress, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

type Waiter = (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void

/** Asks the system once for all who want to know the same name meanwhile. */
export function shareLookup(): LookupFunction {
  const waiting = new Map<string, Waiter[]>()

  function ask(hostname: string, waiter: Waiter): void {
    const others = waiting.get(hostname)
    if (others !== undefined) {
      others.push(waiter)
      return
    }
    const waiters = [waiter]
    waiting.set(hostname, waiters)
    // As Node asks: a machine without IPv6 would try addresses that it cannot reach.
    lookup(hostname, { all: true, hints: ADDRCONFIG }, (error, found) => {
      waiting.delete(hostname)
      for (const one of waiters) one(error, found)
    })
  }

  return (hostname, { all }, callback) => {
    ask(hostname, (error, found) => {
      const [first] = found ?? []
      if (error !== null || first === undefined)
        callback(error ?? new Error(`${hostname} has no address`), '')
      else if (all) callback(null, found)
      else callback(null, first.address, first.family)
    })
  }
}

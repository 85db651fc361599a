// Resolves names. The system's lookup occupies a thread of a small pool until the name server answers, so a few names
// with a silent server would delay all other lookups. `createResolve` is for names that others choose: it uses Node's
// resolver, which needs no thread, but does not know the hosts file and search domains. The system therefore looks up
// names without a dot, and names that the resolver does not find. `shareLookup` is for the hosts of channels. In both
// functions, one lookup by the system serves all callers that wait for the same name.
import { ADDRCONFIG, type LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { hasCode } from '../../base/thrown.ts'

export type Resolve = (hostname: string) => Promise<readonly Resolved[]>
export type Resolved = { readonly address: string; readonly family: 4 | 6 }

const TIMEOUT_MS = 1_000
const TRIES = 2
/** The time for which a result of the system's lookup is cached. */
const KEPT_MS = 30_000
const MOST_KEPT = 1_000

/** Creates a resolver. `servers` replaces the system's name servers in tests. */
export function createResolve(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers !== undefined) resolver.setServers(servers)
  const bySystem = new Map<string, Promise<readonly Resolved[]>>()

  function askSystem(hostname: string): Promise<readonly Resolved[]> {
    const known = bySystem.get(hostname)
    if (known !== undefined) return known
    if (bySystem.size >= MOST_KEPT) bySystem.clear()
    const asked = resolveBySystem(hostname)
    bySystem.set(hostname, asked)
    const forget = () => setTimeout(() => bySystem.delete(hostname), KEPT_MS).unref()
    asked.then(forget, forget)
    return asked
  }

  return async (hostname) => {
    if (!hostname.includes('.')) return askSystem(hostname)
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const found = [...resolved(four, 4), ...resolved(six, 6)]
    if (found.length > 0) return found
    for (const result of [four, six])
      if (result.status === 'rejected' && !isUnknown(result.reason)) throw result.reason
    return askSystem(hostname)
  }
}

function resolved(result: PromiseSettledResult<readonly string[]>, family: 4 | 6): Resolved[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : []
}

function isUnknown(error: unknown): boolean {
  return hasCode(error, 'ENOTFOUND') || hasCode(error, 'ENODATA')
}

async function resolveBySystem(hostname: string): Promise<readonly Resolved[]> {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

// A channel may be called many times a second while its host cannot be resolved. Without a shared lookup, these calls
// would fill the system's small thread pool, and all other work of the pool would wait.

/** Returns a lookup by the system. All callers that wait for the same name share one lookup. */
export function shareLookup(): LookupFunction {
  const waiting = new Map<string, Promise<LookupAddress[]>>()

  function ask(hostname: string): Promise<LookupAddress[]> {
    const known = waiting.get(hostname)
    if (known !== undefined) return known
    // Node's own lookup passes this hint, too. Without the hint, a machine without IPv6 would try IPv6 addresses, which
    // it cannot reach.
    const asked = lookup(hostname, { all: true, hints: ADDRCONFIG }).finally(() => waiting.delete(hostname))
    waiting.set(hostname, asked)
    return asked
  }

  return (hostname, { all }, callback) => {
    ask(hostname).then(
      (found) => {
        const [first] = found
        if (first === undefined) callback(new Error(`${hostname} has no address`), '')
        else if (all) callback(null, found)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, ''),
    )
  }
}

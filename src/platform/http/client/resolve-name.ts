// Resolves host names that others choose. The system's own lookup occupies a thread of a small pool until the name server
// answers, so a few names with a silent name server would delay every other lookup of the process. Node's resolver asks
// without a thread. It does not know the names of the hosts file and of search domains: for a name that it does not find, the
// system is asked, once for all who wait.
import { lookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { hasCode } from '../../base/error-code.ts'

export type Resolve = (hostname: string) => Promise<readonly Resolved[]>
export type Resolved = { readonly address: string; readonly family: 4 | 6 }

const TIMEOUT_MS = 1_000
const TRIES = 2
/** How long an answer of the system counts. */
const KEPT_MS = 30_000
const MOST_KEPT = 1_000

/** `servers`: for tests, instead of the system's name servers. */
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

function resolveBySystem(hostname: string): Promise<readonly Resolved[]> {
  return new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, found) => {
      if (error !== null) return reject(error)
      resolve(found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 })))
    })
  })
}

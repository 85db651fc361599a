// Agents that keep connections open and make them only where a guard lets them. Settings of proxies in the environment
// are not read: they would take the connection elsewhere, past the guard. Certificates are always verified.
import { Agent as HttpAgent, type AgentOptions as HttpOptions } from 'node:http'
import { Agent as HttpsAgent, type AgentOptions as HttpsOptions } from 'node:https'
import { isIP } from 'node:net'
import { type AddressGuard, AddressRefused } from './address-guard.ts'

export type GuardedAgents = {
  readonly http: HttpAgent
  readonly https: HttpsAgent
  close(): void
}

type Connecting = { host?: string | null | undefined }

/** Idle connections kept per host. Servers cut theirs after five seconds or more; ours end before. */
const MOST_IDLE = 512
const IDLE_MS = 4_000

/** `ca` stands for the system's authorities, in tests. */
export function createGuardedAgents(guard: AddressGuard, ca?: string): GuardedAgents {
  const { lookup } = guard
  const kept = {
    keepAlive: true,
    maxFreeSockets: MOST_IDLE,
    timeout: IDLE_MS,
    scheduling: 'lifo',
    lookup,
  } as const
  const http = new GuardedHttpAgent(guard, kept)
  const https = new GuardedHttpsAgent(guard, {
    ...kept,
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  })
  return {
    http,
    https,
    close() {
      http.destroy()
      https.destroy()
    },
  }
}

class GuardedHttpAgent extends HttpAgent {
  readonly #guard: AddressGuard
  constructor(guard: AddressGuard, options: HttpOptions) {
    super(options)
    this.#guard = guard
  }
  override createConnection(...args: Parameters<HttpAgent['createConnection']>) {
    check(this.#guard, args[0])
    return super.createConnection(...args)
  }
}

class GuardedHttpsAgent extends HttpsAgent {
  readonly #guard: AddressGuard
  constructor(guard: AddressGuard, options: HttpsOptions) {
    super(options)
    this.#guard = guard
  }
  override createConnection(...args: Parameters<HttpsAgent['createConnection']>) {
    check(this.#guard, args[0])
    return super.createConnection(...args)
  }
}

/** An address given as such is never looked up: it is checked here. */
function check(guard: AddressGuard, { host }: Connecting): void {
  if (typeof host !== 'string' || isIP(host) === 0 || guard.mayReach(host)) return
  throw new AddressRefused(`${host} is private or reserved: nothing is sent there`)
}

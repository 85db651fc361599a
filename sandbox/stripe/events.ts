// Sends signed events, with retries, to the endpoint that the account has set up.
import { createHmac, randomBytes } from 'node:crypto'
import type { Clock } from '../../src/platform/base/clock.ts'
import type { Fields } from '../../src/platform/base/object.ts'
import { createHttpClient } from '../../src/platform/http/client/http-client.ts'

export type Events = {
  setEndpoint(url: string): void
  send(type: string, object: Fields): void
  stop(): Promise<void>
}

const WAITS_MS = [200, 1_000, 5_000]
const TIMEOUT_MS = 10_000

export function createEvents(secret: string, clock: Clock): Events {
  const client = createHttpClient()
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const timers = new Set<NodeJS.Timeout>()
  let endpoint = ''

  async function deliver(body: string, tries: number): Promise<void> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)])
    const headers = {
      'content-type': 'application/json',
      'stripe-signature': signEvent(body, secret, clock.now()),
    }
    const reply = await client({ method: 'POST', url: new URL(endpoint), headers, body, signal })
    if (reply.kind === 'answer' && reply.status >= 200 && reply.status < 300) return
    const waitMs = WAITS_MS[tries]
    if (waitMs === undefined || stopping.signal.aborted) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      run(body, tries + 1)
    }, waitMs)
    timers.add(timer)
  }

  function run(body: string, tries: number): void {
    const sending = deliver(body, tries).finally(() => running.delete(sending))
    running.add(sending)
  }

  return {
    setEndpoint(url) {
      endpoint = url
    },
    send(type, object) {
      if (endpoint === '' || stopping.signal.aborted) return
      const created = Math.floor(clock.now().getTime() / 1000)
      const event = {
        id: `evt_${randomBytes(12).toString('hex')}`,
        object: 'event',
        type,
        created,
        data: { object },
      }
      run(JSON.stringify(event), 0)
    },
    async stop() {
      stopping.abort()
      for (const timer of timers) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}

export function signEvent(body: string, secret: string, at: Date): string {
  const time = String(Math.floor(at.getTime() / 1000))
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  return `t=${time},v1=${signature}`
}

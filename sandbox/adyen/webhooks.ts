// Sends webhooks one after the other. A webhook that is not acknowledged is sent again, and delays the webhooks after
// it.
import { setTimeout as sleep } from 'node:timers/promises'
import { createHttpClient } from '../../src/platform/http/client/http-client.ts'
import { hmacOf, type NewItem, notification } from './signature.ts'

export type Webhooks = {
  /** The address for webhooks, as entered in the customer area. */
  address: string
  send(item: NewItem): void
  sendTransfer(message: object): void
  /** True if all webhooks so far were acknowledged. */
  isIdle(): boolean
  stop(): Promise<void>
}

type Message = { readonly body: string; readonly headers: Readonly<Record<string, string>> }

const TIMEOUT_MS = 10_000
/** These intervals are shorter than Adyen's, so that tests need not wait. */
const WAITS_MS = [100, 500, 2_000, 10_000]

export function openWebhooks(hmacKey: string): Webhooks {
  const client = createHttpClient()
  const stopping = new AbortController()
  const queue: Message[] = []
  let running: Promise<void> | undefined

  async function deliver(message: Message, address: string): Promise<boolean> {
    const url = URL.parse(address)
    if (url === null) return true
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)])
    const headers = { 'content-type': 'application/json', ...message.headers }
    const reply = await client({ method: 'POST', url, headers, body: message.body, signal })
    return reply.kind === 'answer' && reply.status >= 200 && reply.status < 300
  }

  async function run(): Promise<void> {
    for (let tries = 0; queue[0] !== undefined && !stopping.signal.aborted; ) {
      const isDone = await deliver(queue[0], webhooks.address)
      if (isDone) queue.shift()
      tries = isDone ? 0 : tries + 1
      if (!isDone)
        await sleep(WAITS_MS[Math.min(tries, WAITS_MS.length) - 1], undefined, {
          signal: stopping.signal,
        }).catch(() => undefined)
    }
    running = undefined
  }

  function push(message: Message): void {
    queue.push(message)
    running ??= run()
  }

  const webhooks: Webhooks = {
    address: '',
    send: (item) => push({ body: notification([item], hmacKey), headers: {} }),
    sendTransfer(message) {
      const body = JSON.stringify(message)
      push({ body, headers: { HmacSignature: hmacOf(body, hmacKey), Protocol: 'HmacSHA256' } })
    },
    isIdle: () => queue.length === 0,
    async stop() {
      stopping.abort()
      await running
    },
  }
  return webhooks
}

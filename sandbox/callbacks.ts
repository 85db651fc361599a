// Tells the gateway what changed: posts until a 2xx comes, a few times with growing pauses. How a message is written and
// signed is the counterparty's own; it is made anew for each try, so it tells how things stand then.

import { signatureHeader, signRequest, timestampHeader } from '../src/channels/signature.ts'
import { createHttpClient } from '../src/http/client/http-client.ts'
import type { Outbox } from './outbox.ts'

export type Message = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Callbacks = {
  /** Something was added: look now. */
  poke(): void
  stop(): Promise<void>
}

export type CallbackOptions = {
  readonly outbox: Outbox
  /** What to say about a key; undefined when there is nobody to tell. */
  readonly messageOf: (key: string) => Message | undefined
  /** Whether the answer counts as heard; unset: any 2xx does. */
  readonly isHeard?: (answer: { readonly status: number; readonly text: string }) => boolean
}

const TIMEOUT_MS = 10_000
/** A row of another process that shares the book is found that late at most. */
const LONGEST_SLEEP_MS = 60_000

export function startCallbacks({ outbox, messageOf, isHeard = is2xx }: CallbackOptions): Callbacks {
  const client = createHttpClient()
  const stopping = new AbortController()
  const underWay = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined

  async function tell(key: string): Promise<boolean> {
    const message = messageOf(key)
    const url = URL.parse(message?.url ?? '')
    if (message === undefined || url === null) return true
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)])
    const { headers, body } = message
    const reply = await client({ method: 'POST', url, headers, body, signal })
    return reply.kind === 'answer' && isHeard(reply)
  }

  function look(): void {
    for (const due of stopping.signal.aborted ? [] : outbox.take(Date.now())) {
      const told = tell(due.key)
        .then((heard) => {
          if (heard) outbox.done(due)
          else outbox.failed(due, Date.now())
        })
        .finally(() => {
          underWay.delete(told)
          sleep()
        })
      underWay.add(told)
    }
    sleep()
  }

  function sleep(): void {
    clearTimeout(timer)
    const nextAt = stopping.signal.aborted ? undefined : outbox.nextAt()
    if (nextAt === undefined) return
    timer = setTimeout(look, Math.min(Math.max(nextAt - Date.now(), 0), LONGEST_SLEEP_MS))
  }

  sleep()
  return {
    poke: () => void setImmediate(look),
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await Promise.all(underWay)
    },
  }
}

function is2xx({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300
}

/** Our own signed JSON, as the counterparties that speak it send it. */
export function signedMessage(url: string, secret: string, content: unknown): Message {
  const body = JSON.stringify(content)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = signRequest(secret, { method: 'POST', path: new URL(url).pathname, timestamp, body })
  const signed = { [timestampHeader]: timestamp, [signatureHeader]: signature }
  return { url, body, headers: { 'content-type': 'application/json', ...signed } }
}

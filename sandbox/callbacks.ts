// Sends callbacks to the gateway, with retries at growing intervals. Each counterparty writes and signs its own
// messages. A message is built again for every attempt, so that it shows the current state.

import { createHttpClient } from '../src/platform/http/client/http-client.ts'
import type { Outbox } from './outbox.ts'
import { SIGNATURE, sign, TIMESTAMP } from './signature.ts'

export type Message = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Callbacks = {
  /** Sends due messages now. */
  poke(): void
  stop(): Promise<void>
}

export type CallbackOptions = {
  readonly outbox: Outbox
  /** The message about a key; undefined if there is no recipient. */
  readonly messageOf: (key: string) => Message | undefined
  /** True if the response acknowledges the message. By default, every 2xx response does. */
  readonly isAcknowledged?: (answer: { readonly status: number; readonly text: string }) => boolean
}

const TIMEOUT_MS = 10_000
/** The longest sleep while messages wait, because another process that shares the book may add earlier messages. */
const LONGEST_SLEEP_MS = 2_000

export function startCallbacks({ outbox, messageOf, isAcknowledged = is2xx }: CallbackOptions): Callbacks {
  const client = createHttpClient()
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined

  async function send(key: string): Promise<boolean> {
    const message = messageOf(key)
    const url = URL.parse(message?.url ?? '')
    if (message === undefined || url === null) return true
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)])
    const { headers, body } = message
    const reply = await client({ method: 'POST', url, headers, body, signal })
    return reply.kind === 'answer' && isAcknowledged(reply)
  }

  function sendDue(): void {
    for (const due of stopping.signal.aborted ? [] : outbox.take(Date.now())) {
      const sending = send(due.key)
        .then((acknowledged) => {
          if (acknowledged) outbox.done(due)
          else outbox.failed(due, Date.now())
        })
        .finally(() => {
          running.delete(sending)
          sleep()
        })
      running.add(sending)
    }
    sleep()
  }

  function sleep(): void {
    clearTimeout(timer)
    const nextAt = stopping.signal.aborted ? undefined : outbox.nextAt()
    if (nextAt === undefined) return
    timer = setTimeout(sendDue, Math.min(Math.max(nextAt - Date.now(), 0), LONGEST_SLEEP_MS))
  }

  sleep()
  return {
    poke: () => void setImmediate(sendDue),
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await Promise.all(running)
    },
  }
}

function is2xx({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300
}

/** A message of our own protocol, signed JSON. */
export function signedMessage(url: string, secret: string, content: unknown): Message {
  const body = JSON.stringify(content)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = sign(secret, { method: 'POST', path: new URL(url).pathname, timestamp, body })
  const signed = { [TIMESTAMP]: timestamp, [SIGNATURE]: signature }
  return { url, body, headers: { 'content-type': 'application/json', ...signed } }
}

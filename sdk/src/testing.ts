// Helpers for a merchant's tests on Node, which make notifications as the gateway does, and receive notifications from
// a gateway.
import { createServer } from 'node:http'
import { type NotificationEvent, type NotificationFields, notificationEvents } from './generated.ts'
import { md5 } from './md5.ts'
import type { Notification } from './notification.ts'
import { notificationHandlers } from './notification-handlers.ts'
import { signRsa } from './rsa.ts'
import { type Secrets, signedString, webhookSignature } from './secrets.ts'

export type TestSigner = ({ readonly key: string } | { readonly platformPrivateKey: string }) & {
  readonly webhookSecret?: string | undefined
}

export type SignedNotification = { readonly body: string; readonly headers: Readonly<Record<string, string>> }

const types = { form: 'application/x-www-form-urlencoded', json: 'application/json' } as const

/** Makes body and headers of a notification: `fetch(url, { method: 'POST', ...await signNotification(…) })`. */
export async function signNotification<Event extends NotificationEvent>(
  event: Event,
  data: NotificationFields[Event],
  signer: TestSigner,
  at = new Date(),
): Promise<SignedNotification> {
  const text = signedString(event, data)
  const sign = 'key' in signer ? md5(text + signer.key) : await signRsa(signer.platformPrivateKey, text)
  const type = notificationEvents[event]
  const body = type === 'json' ? JSON.stringify({ ...data, sign }) : formOf({ ...data, sign })
  const contentType = { 'content-type': types[type] }
  if (signer.webhookSecret === undefined) return { body, headers: contentType }
  const id = crypto.randomUUID()
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signature = await webhookSignature(signer.webhookSecret, { id, timestamp, body })
  const webhook = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  return { body, headers: { ...contentType, ...webhook } }
}

function formOf(fields: Readonly<Record<string, unknown>>): string {
  return new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString()
}

export type Listener = {
  /** The `notifyUrl` for payments in a test. */
  readonly url: string
  /** The verified notifications so far. */
  readonly received: readonly Notification[]
  /** The errors of refused notifications. */
  readonly refused: readonly unknown[]
  /**
   * Resolves to the first matching notification, which may have been received before. Rejects when the time is over.
   */
  next(matches?: (notification: Notification) => boolean, timeoutMs?: number): Promise<Notification>
  close(): Promise<void>
}

type Waiting = {
  readonly matches: (one: Notification) => boolean
  readonly found: (one: Notification) => void
}

const NEXT_WITHIN_MS = 30_000

/**
 * Receives, verifies and acknowledges notifications on loopback, where a gateway in sandbox on the same machine can
 * send them.
 */
export async function listen(secrets: Secrets, { port = 0 } = {}): Promise<Listener> {
  const received: Notification[] = []
  const refused: unknown[] = []
  const waiting = new Set<Waiting>()
  const onNotification = (notification: Notification) => {
    received.push(notification)
    for (const one of waiting) if (one.matches(notification)) one.found(notification)
  }
  const { node } = notificationHandlers(secrets, onNotification, { onError: (error) => refused.push(error) })
  const server = createServer(node)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server on a port has an address')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    received,
    refused,
    next(matches = () => true, timeoutMs = NEXT_WITHIN_MS) {
      const known = received.find(matches)
      return known === undefined ? waitFor(waiting, matches, timeoutMs) : Promise.resolve(known)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function waitFor(
  waiting: Set<Waiting>,
  matches: Waiting['matches'],
  timeoutMs: number,
): Promise<Notification> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.delete(one)
      reject(new Error(`no such notification within ${timeoutMs} ms`))
    }, timeoutMs)
    const found = (notification: Notification) => {
      clearTimeout(timer)
      waiting.delete(one)
      resolve(notification)
    }
    const one: Waiting = { matches, found }
    waiting.add(one)
  })
}

// A contestant: a worker process with a queue of deliveries.
import { hash, randomBytes } from 'node:crypto'
import { headersOf } from '../../src/money/notifications/wire.ts'

export type Deliverer = {
  readonly name: string
  readonly pid: number
  /** Enqueues one delivery for each of these numbers, in one transaction. */
  enqueue(first: number, count: number): Promise<void>
  /** Resolves to true if all deliveries are done and recorded. */
  isIdle(): Promise<boolean>
  stop(): Promise<void>
}

const MESSAGE = 'Approved or completed successfully'
const webhookSecret = `whsec_${randomBytes(24).toString('base64')}`

/** The body of a payment's notification. The receiver finds the number in it. */
export function fieldsOf(number: number, tradeNo: string) {
  return { tradeNo, merOrderNo: `B${number}`, code: '0', message: MESSAGE }
}

/** A complete request, prepared in advance for the other queues. Our own worker builds the request during delivery. */
export function requestOf(number: number, url: string) {
  const notificationId = `N${String(number).padStart(26, '0')}`
  const fields = fieldsOf(number, `T${String(number).padStart(26, '0')}`)
  const sign = hash('md5', JSON.stringify(fields)).toUpperCase()
  const body = new URLSearchParams({ ...fields, sign }).toString()
  const headers = headersOf({ notificationId, event: 'payment', body, webhookSecret, at: new Date() })
  return { url, body, headers }
}

export type PreparedRequest = ReturnType<typeof requestOf>

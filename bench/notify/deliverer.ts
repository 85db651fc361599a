// One that delivers: a worker in a process of its own, a queue to put work into, and what is left of it.
import { hash, randomBytes } from 'node:crypto'
import { headersOf } from '../../src/notifications/wire.ts'

export type Deliverer = {
  readonly name: string
  readonly pid: number
  /** Commits these numbers, one delivery each, in one transaction. */
  enqueue(first: number, count: number): Promise<void>
  /** Whether all that was put in is done and recorded. */
  isIdle(): Promise<boolean>
  stop(): Promise<void>
}

const MESSAGE = 'Approved or completed successfully'
const webhookSecret = `whsec_${randomBytes(24).toString('base64')}`

/** What a payment's notification says; the number is found in it by the receiver. */
export function fieldsOf(number: number, tradeNo: string) {
  return { tradeNo, merOrderNo: `B${number}`, code: '0', message: MESSAGE }
}

/** A whole request, made beforehand: other queues are given what ours makes while it delivers. */
export function requestOf(number: number, url: string) {
  const notificationId = `N${String(number).padStart(26, '0')}`
  const fields = fieldsOf(number, `T${String(number).padStart(26, '0')}`)
  const sign = hash('md5', JSON.stringify(fields)).toUpperCase()
  const body = new URLSearchParams({ ...fields, sign }).toString()
  const headers = headersOf({ notificationId, event: 'payment', body, webhookSecret, at: new Date() })
  return { url, body, headers }
}

export type PreparedRequest = ReturnType<typeof requestOf>

// The channel for banks and wallets over our own protocol, signed JSON. A method defines how its charges are read; `start`,
// `ask`, `cancel` and callbacks all return the same charge.
import { type Clock, systemClock } from '../../base/clock.ts'
import type { Fields } from '../../base/object.ts'
import type { Alarms } from '../alarms.ts'
import { takeChargebacks } from '../card/disputes.ts'
import type {
  AttemptRef,
  Channel,
  CompleteRequest,
  Outcome,
  RefundOutcome,
  RefundRequest,
  StartRequest,
} from '../contract.ts'
import { withDeadline } from '../deadline.ts'
import type { Method } from '../method.ts'
import { notRefundable } from '../not-refundable.ts'
import { readSignedCallback } from '../signed-callback.ts'
import type { MethodTraits } from '../traits.ts'
import type { Transport } from '../transport.ts'
import { readCharge } from './charge.ts'
import {
  fromCharge,
  fromOpen,
  fromRefund,
  fromReply,
  isAbsent,
  type Reading,
  toOpen,
  toRefund,
} from './wire.ts'

export type BankOperation = 'open' | 'lookup' | 'cancel' | 'refund' | 'chargebacks'

export type BankChannelOptions = Reading & {
  readonly name: string
  readonly method: Method
  readonly traits: MethodTraits
  readonly transport: Transport<BankOperation>
  /** The secret that signs callbacks. */
  readonly secret: string
  readonly timeoutMs: number
  readonly alarms: Alarms
  readonly clock?: Clock
  /** Asks for disputes, besides reading callbacks about them. */
  readonly ownDisputes?: boolean
  /** Further fields for the bank; it returns them in `extra`. */
  readonly toOpen?: (request: StartRequest) => Fields
}

export function createBankChannel(options: BankChannelOptions): Channel {
  const { name, method, traits, transport, secret, timeoutMs, clock = systemClock } = options
  const timed = <Request, Result>(work: (request: Request, signal: AbortSignal) => Promise<Result>) => {
    return (request: Request) => withDeadline(timeoutMs, (signal) => work(request, signal))
  }

  async function start(request: StartRequest, signal: AbortSignal): Promise<Outcome> {
    const body = toOpen(method, request, options.toOpen?.(request) ?? {})
    return fromOpen(await transport('open', body, signal), request, options)
  }

  /** A missing charge may still arrive, so it is cancelled before it counts as failed. */
  async function ask(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const reply = await transport('lookup', { reference: request.reference }, signal)
    return isAbsent(reply) ? cancel(request, signal) : fromReply(reply, request, options)
  }

  async function cancel(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const reply = await transport('cancel', { reference: request.reference }, signal)
    return fromReply(reply, request, options)
  }

  async function refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome> {
    if (!traits.refundable) return notRefundable
    return fromRefund(await transport('refund', toRefund(request), signal), request)
  }

  return {
    name,
    method,
    traits: { ...traits, timeoutMs },
    start: timed(start),
    /** The browser's message is not trusted: its return only triggers a query. */
    complete: timed((request: CompleteRequest, signal) => ask(request, signal)),
    ask: timed(ask),
    cancel: timed(cancel),
    refund: timed(refund),
    ...(options.ownDisputes && {
      disputes: timed(async (since: Date, signal) => {
        const reply = await transport('chargebacks', { since: String(since.getTime()) }, signal)
        return takeChargebacks(reply, options.alarms, clock.now())
      }),
    }),
    async readCallback(callback) {
      return readSignedCallback(callback, {
        secret,
        now: clock.now(),
        alarms: options.alarms,
        read(body) {
          const charge = readCharge(body)
          return charge && { reference: charge.reference, outcome: fromCharge(charge, options) }
        },
      })
    },
  }
}

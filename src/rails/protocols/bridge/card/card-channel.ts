// The card channel. Only `start` sees the card number and security code; `complete`, `ask`, `cancel` and `refund` use the
// reference, so they work after a restart.
import { type Clock, systemClock } from '../../base/clock.ts'
import { assert } from '../../errors/catalogue.ts'
import type { Alarms } from '../alarms.ts'
import type {
  AttemptRef,
  Callback,
  Channel,
  CompleteRequest,
  Disputes,
  Outcome,
  RefundOutcome,
  RefundRequest,
  StartRequest,
} from '../contract.ts'
import { withDeadline } from '../deadline.ts'
import { readSignedCallback } from '../signed-callback.ts'
import type { AskedField } from '../traits.ts'
import type { IssuerTransport } from '../transport.ts'
import { takeChargebacks } from './disputes.ts'
import { card } from './method.ts'
import { challengeIdOf } from './three-d-secure.ts'
import {
  fromAuthorise,
  fromCallback,
  fromCharge,
  fromRefund,
  isAbsent,
  toAuthorise,
  toRefund,
} from './wire.ts'

export type CardChannelOptions = {
  readonly name?: string
  readonly transport: IssuerTransport
  /** The secret that signs callbacks; undefined: callbacks are not accepted. */
  readonly secret?: string
  readonly timeoutMs: number
  readonly alarms: Alarms
  readonly clock?: Clock
  /** Payer fields that this acquirer needs, if not the default ones. */
  readonly asks?: readonly AskedField[]
}

export function createCardChannel(options: CardChannelOptions): Channel {
  const { name = 'card', transport, secret, timeoutMs, alarms } = options
  const { clock = systemClock, asks = card.asks } = options
  const timed = <Request, Result>(work: (request: Request, signal: AbortSignal) => Promise<Result>) => {
    return (request: Request) => withDeadline(timeoutMs, (signal) => work(request, signal))
  }

  async function start(request: StartRequest, signal: AbortSignal): Promise<Outcome> {
    const { card, reference } = request
    assert(card !== undefined, 'a card payment starts with a card')
    const reply = await transport('authorise', toAuthorise(request, card, clock.now()), signal)
    return fromAuthorise(reply, reference)
  }

  /** The browser's message is not trusted: it only names the challenge, and the issuer tells us the result. */
  async function complete(request: CompleteRequest, signal: AbortSignal): Promise<Outcome> {
    const acsTransID = challengeIdOf(request.answer.cres)
    if (acsTransID === undefined) return ask(request, signal)
    const { reference: merchantReference } = request
    const reply = await transport('complete', { merchantReference, acsTransID }, signal)
    return isAbsent(reply) ? ask(request, signal) : fromCharge(reply, merchantReference)
  }

  /** A missing charge may still arrive, so it is voided before it counts as failed. */
  async function ask(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const reply = await transport('lookup', { merchantReference: request.reference }, signal)
    return isAbsent(reply) ? cancel(request, signal) : fromCharge(reply, request.reference)
  }

  async function cancel({ reference }: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    return fromCharge(await transport('void', { merchantReference: reference }, signal), reference)
  }

  async function refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome> {
    return fromRefund(await transport('refund', toRefund(request), signal), request.refundReference)
  }

  async function disputes(since: Date, signal: AbortSignal): Promise<Disputes> {
    const reply = await transport('chargebacks', { since: String(since.getTime()) }, signal)
    return takeChargebacks(reply, alarms, clock.now())
  }

  return {
    name,
    method: 'card',
    traits: { ...card, asks, timeoutMs },
    start: timed(start),
    complete: timed(complete),
    ask: timed(ask),
    cancel: timed(cancel),
    refund: timed(refund),
    disputes: timed(disputes),
    ...(secret !== undefined && {
      readCallback: async (callback: Callback) =>
        readSignedCallback(callback, { secret, now: clock.now(), alarms, read: fromCallback }),
    }),
  }
}

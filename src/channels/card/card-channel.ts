// Cards, behind the channel contract. Number and security code pass through `start` and nothing else; `complete`, `ask`,
// `cancel` and `refund` work by reference alone, so an outcome can be found after a restart.
import { type Clock, systemClock } from '../../base/clock.ts'
import { withDeadline } from '../../concurrency/deadline.ts'
import { assert } from '../../errors/catalogue.ts'
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
import { hearSigned } from '../signed-callback.ts'
import type { AskedField } from '../traits.ts'
import type { IssuerTransport } from '../transport.ts'
import { fromChargebacks } from './disputes.ts'
import { card } from './method.ts'
import {
  challengeIdOf,
  fromAuthorise,
  fromCharge,
  fromNews,
  fromRefund,
  isAbsent,
  toAuthorise,
  toRefund,
} from './wire.ts'

export type CardChannelOptions = {
  readonly name?: string
  readonly transport: IssuerTransport
  /** What callbacks are signed with; unset: none is believed. */
  readonly secret?: string
  readonly timeoutMs: number
  readonly clock?: Clock
  /** What the acquirer must know of the payer, where that is not the usual. */
  readonly asks?: readonly AskedField[]
}

export function createCardChannel(options: CardChannelOptions): Channel {
  const { name = 'card', transport, secret, timeoutMs, clock = systemClock, asks = card.asks } = options
  const timed = <Request, Told>(work: (request: Request, signal: AbortSignal) => Promise<Told>) => {
    return (request: Request) => withDeadline(timeoutMs, (signal) => work(request, signal))
  }

  async function start(request: StartRequest, signal: AbortSignal): Promise<Outcome> {
    const { card, reference } = request
    assert(card !== undefined, 'a card payment starts with a card')
    const reply = await transport('authorise', toAuthorise(request, card, clock.now()), signal)
    return fromAuthorise(reply, reference)
  }

  /** A message from a browser proves nothing: it says which challenge is over, and the issuer says how. */
  async function complete(request: CompleteRequest, signal: AbortSignal): Promise<Outcome> {
    const acsTransID = challengeIdOf(request.answer.cres)
    if (acsTransID === undefined) return ask(request, signal)
    const { reference: merchantReference } = request
    const reply = await transport('complete', { merchantReference, acsTransID }, signal)
    return isAbsent(reply) ? ask(request, signal) : fromCharge(reply, merchantReference)
  }

  /** A charge that is not there yet may still be on its way, so it is made void before it counts as failed. */
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
    return fromChargebacks(await transport('chargebacks', { since: String(since.getTime()) }, signal))
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
      hear: async (callback: Callback) => hearSigned(callback, { secret, now: clock.now(), read: fromNews }),
    }),
  }
}

// Money moves in three steps: accept the order and commit; call the channel; record the outcome and commit.
// The card is in memory for the middle step only. After a crash in it, the resolver asks the channel about the attempt.

import type { CardDetails, Channel } from '../channels/contract.ts'
import type { Terminals } from '../channels/terminal.ts'
import type { Refusal } from '../errors/catalogue.ts'
import { type NewPayment, openOrderOf } from '../orders/new-order.ts'
import { Overloaded } from '../postgres/batch.ts'
import type { Batches } from './batches.ts'
import { type Call, type CallDeps, type Called, callChannels } from './call-channels.ts'

export type PaymentDeps = CallDeps & { readonly batches: Batches; readonly gate: Gate }

/** How many payments may be under way; beyond it callers get 503 and come back later. */
export type Gate = { readonly most: number; underWay: number }

export type PaymentCall = {
  readonly payment: NewPayment
  /** In the order to try them; the payment's attempt is at the first. */
  readonly channels: readonly Channel[]
  readonly terminals: Terminals
  readonly card: CardDetails | undefined
  readonly walletToken: string | undefined
  readonly personal: Readonly<Record<string, unknown>>
  readonly merchantName: string
  readonly completeUrl: string
}

export type Made = { readonly refusal: Refusal } | (Called & { readonly refusal?: undefined })

export async function makePayment(deps: PaymentDeps, wanted: PaymentCall): Promise<Made> {
  const { gate, batches } = deps
  enter(gate)
  try {
    const accepted = await batches.accept.submit(wanted.payment)
    return accepted.kind === 'refused' ? accepted : await callChannels(deps, callOf(wanted))
  } finally {
    gate.underWay--
  }
}

function callOf(wanted: PaymentCall): Call {
  const { payment, channels, terminals, card, walletToken, personal, merchantName, completeUrl } = wanted
  const { merNo, tradeNo, money, details, attempt } = payment
  return {
    merNo,
    tradeNo,
    attemptNo: 1,
    channels,
    terminals,
    money,
    card,
    walletToken,
    personal,
    details,
    merchantName,
    completeUrl,
    accepted: attempt && openOrderOf(payment, attempt),
  }
}

/** For an order that waits on our page: accepting it is all there is to do. */
export async function makeHosted(
  { gate, batches }: Pick<PaymentDeps, 'batches' | 'gate'>,
  payment: NewPayment,
): Promise<Refusal | undefined> {
  enter(gate)
  try {
    const accepted = await batches.accept.submit(payment)
    return accepted.kind === 'refused' ? accepted.refusal : undefined
  } finally {
    gate.underWay--
  }
}

/** A payment counts until its work is done. */
function enter(gate: Gate): void {
  if (gate.underWay >= gate.most) throw new Overloaded()
  gate.underWay++
}

/** Counted, not bounded: a payer is never turned away, but a stop waits until the work is done. */
export async function countedAt<Result>(
  gate: Pick<Gate, 'underWay'>,
  work: () => Promise<Result>,
): Promise<Result> {
  gate.underWay++
  try {
    return await work()
  } finally {
    gate.underWay--
  }
}

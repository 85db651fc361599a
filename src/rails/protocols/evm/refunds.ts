// Refunds in coin. This file records a refund, and the watcher sends it through the signer. The refund reference is the
// idempotency key: a repeated call returns the state of the recorded refund.
import type { Failed, RefundOutcome, RefundRequest } from '../../contract/channel.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { failed } from '../../toolkit/outcomes.ts'
import { NOBODY } from './hex.ts'
import { depositsOf } from './outcome.ts'
import {
  addOutgoing,
  findOutgoing,
  listOutgoing,
  newOutgoing,
  type OutgoingTransfer,
} from './outgoing-records.ts'
import { findCharge, readTransfer, type StoredTransfer } from './records.ts'
import type { EvmSettings } from './settings.ts'

type RefundDeps = { readonly settings: EvmSettings; readonly store: ChannelStore }

export async function refundFrom(deps: RefundDeps, request: RefundRequest): Promise<RefundOutcome> {
  const { store } = deps
  const { refundReference } = request
  const known = await findOutgoing(store, refundReference)
  if (known !== undefined) return refundOutcome(known)
  const planned = await plan(deps, request)
  if ('kind' in planned) return planned
  await store.write(addOutgoing(planned))
  return refundOutcome((await findOutgoing(store, refundReference)) ?? planned)
}

/**
 * Plans a refund to the sender of the payment's largest transfer. The units of coin follow from the payment's price and
 * are rounded down.
 */
async function plan(
  { settings, store }: RefundDeps,
  request: RefundRequest,
): Promise<OutgoingTransfer | Failed> {
  const { reference, refundReference, refund } = request
  if (settings.outgoing === undefined) return failed('refused', 'The channel does not refund')
  const charge = await findCharge(store, reference)
  const coin = charge && settings.coins.get(charge.coin)
  if (charge === undefined || coin === undefined)
    return failed('refused', 'The channel knows no such payment')
  const transfers = (await store.listOf('transfer', reference)).map(readTransfer)
  const own = transfers.filter(({ token }) => token === coin.token)
  const sender = largest(own)
  const paid = depositsOf(settings, { charge, transfers: own, seen: [], head: 0 })
  const left = paid.reduce((sum, { money }) => sum + money.amount, 0n) - (await otherRefunds(store, request))
  // Minted coin has no sender. The sender of a smaller transfer to the same address must not get the refund.
  if (sender?.from === NOBODY)
    return failed(
      'declined',
      'The coin was made for this payment and came from no address: pay it out by hand',
    )
  if (sender === undefined || refund.currency !== charge.currency || refund.amount > left)
    return failed('declined', 'The refund is larger than what was paid')
  // The units are rounded down, so that the refunds of a payment can never add up to more coin than was paid.
  const units = (refund.amount * charge.units) / charge.amount
  if (units === 0n) return failed('declined', 'The refund is smaller than the smallest unit of the coin')
  const what = { coin: coin.name, token: coin.token, to: sender.from, units, ...refund }
  return newOutgoing({ id: refundReference, purpose: 'refund', reference, ...what })
}

/**
 * Returns the sum of the payment's other refunds that have not failed. The requested refund is left out, because a
 * concurrent call may already have stored it.
 */
async function otherRefunds(store: ChannelStore, request: RefundRequest): Promise<bigint> {
  const all = await listOutgoing(store, request.reference)
  const others = all.filter(({ id, state }) => id !== request.refundReference && state !== 'failed')
  return others.reduce((sum, { amount }) => sum + amount, 0n)
}

function largest(transfers: readonly StoredTransfer[]): StoredTransfer | undefined {
  return transfers.toSorted((one, other) => (one.units < other.units ? 1 : -1))[0]
}

function refundOutcome({ id: channelRef, state, why, amount, currency }: OutgoingTransfer): RefundOutcome {
  if (state === 'succeeded') return { kind: 'succeeded', money: { amount, currency }, channelRef }
  if (state === 'failed') return { kind: 'failed', cause: 'declined', message: why, channelRef }
  return { kind: 'pending', channelRef }
}

// Orders that we send for payouts and refunds. Our reference is sent as claveRastreo, which STP accepts once a day, and
// as folioOrigen, which STP's webhooks about states contain. The current day is recorded before an order is sent,
// because queries need the day. The first settlement is recorded, because STP may later report the order as returned.
//
// Invariant: an order is absent only if STP does not list it on any day to which it may belong. If STP does not answer
// for one of these days, or no longer lists an order that it had, the outcome is unknown. The reason: an absent order
// is sent again. On another day STP would accept the same claveRastreo again, and pay twice.
import type { Clock } from '../../../platform/base/clock.ts'
import { isObject } from '../../../platform/base/object.ts'
import type { PayoutOutcome } from '../../contract/payout-outcome.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { failed, unknown } from '../../toolkit/outcomes.ts'
import { readPaid } from '../../toolkit/records/paid-payouts.ts'
import { sendOnRecord } from '../../toolkit/records/sent-before.ts'
import { NO_ORDERS, type StpApi, type StpReply } from './api.ts'
import { dayOf, daysSince } from './operation-day.ts'
import { type OwnAccount, outcomeOf, refusalOf, type Transfer, textOf, toOrder } from './wire.ts'

type OrdersOptions = {
  readonly api: StpApi
  readonly store: ChannelStore
  readonly clock: Clock
  readonly account: OwnAccount
}

export type Orders = {
  send(transfer: Transfer, signal: AbortSignal): Promise<PayoutOutcome>
  ask(reference: string, signal: AbortSignal): Promise<PayoutOutcome | { readonly kind: 'absent' }>
  purposeOf(reference: string): Promise<Transfer['purpose'] | undefined>
}

const [ORDER, ARRIVED, SETTLED] = ['order', 'arrived', 'settled'] as const
const ALREADY_USED = -1
export function createOrders({ api, store, clock, account }: OrdersOptions): Orders {
  const settle = readPaid({ store, clock, kind: SETTLED })
  const find = (kind: string, reference: string) => store.find({ kind, key: reference })

  async function ask(reference: string, signal: AbortSignal) {
    const record = await find(ORDER, reference)
    if (record === undefined) return { kind: 'absent' } as const
    for (const day of daysSince(String(record.body.day), clock.now())) {
      const reply = await api.findSent(reference, day, signal)
      if (reply.kind === 'result' && reply.id === NO_ORDERS) continue
      return read(reply, reference)
    }
    // `ARRIVED` is missing if STP did not answer the registration. A settlement proves the arrival, too.
    const hasArrived = (await find(ARRIVED, reference)) ?? (await find(SETTLED, reference))
    return hasArrived !== undefined
      ? { ...unknown('STP had the order, and does not list it any more'), isUnlisted: true as const }
      : ({ kind: 'absent' } as const)
  }

  const arrived = (reference: string) =>
    store.write([{ add: { kind: ARRIVED, key: reference, reference, body: {} } }])

  async function read(reply: StpReply, reference: string): Promise<PayoutOutcome> {
    if (reply.kind === 'unauthorised') return unknown('STP refused our credentials')
    if (reply.kind !== 'result') return unknown(reply.why)
    const order = reply.result.ordenPago
    if (!isObject(order)) return unknown('STP returned no order')
    if (textOf(order.claveRastreo) !== reference) return unknown('STP responded about another order')
    return settle(reference, outcomeOf(order, reference))
  }

  async function register(transfer: Transfer, signal: AbortSignal): Promise<PayoutOutcome> {
    const { reference, purpose } = transfer
    const body = { day: dayOf(clock.now()), purpose }
    await store.write([{ put: { kind: ORDER, key: reference, reference, body } }])
    const reply = await api.register(toOrder(transfer, account), signal)
    if (reply.kind === 'unsent') return failed('unreachable', 'STP could not be reached')
    if (reply.kind === 'unauthorised') return failed('unauthorised', 'STP refused our credentials')
    if (reply.kind === 'unknown') return reply
    if (reply.id <= 0 && reply.id !== ALREADY_USED) return refusalOf(reply)
    await arrived(reference)
    if (reply.id > 0) return { kind: 'processing', railRef: reference }
    // STP has already used the claveRastreo: an earlier call has reached STP.
    const found = await ask(reference, signal)
    return found.kind === 'absent' ? unknown('STP has the order and does not list it yet') : found
  }

  return {
    async send(transfer, signal) {
      const found = await ask(transfer.reference, signal)
      if (found.kind !== 'absent') return found
      return sendOnRecord(store, transfer.reference, () => register(transfer, signal))
    },
    ask,
    async purposeOf(reference) {
      const purpose = (await find(ORDER, reference))?.body.purpose
      return purpose === 'payout' || purpose === 'refund' ? purpose : undefined
    },
  }
}

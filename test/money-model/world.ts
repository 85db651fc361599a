// The model: what happened outside, and what the gateway answered. It reads nothing from the gateway's tables.
import { randomBytes } from 'node:crypto'
import { noBins } from '../../src/base/bin-table.ts'
import type { Rate } from '../../src/base/money.ts'
import { openVault } from '../../src/base/secret.ts'
import { card } from '../../src/channels/card/method.ts'
import type { Channel } from '../../src/channels/contract.ts'
import { accountKinds, type PayoutRail } from '../../src/channels/payout/contract.ts'
import { createPayoutRouting } from '../../src/channels/payout/payout-routing.ts'
import { registerPayoutRails } from '../../src/channels/payout/registry.ts'
import { createRouting, registerChannels } from '../../src/channels/routing.ts'
import { OperatorRefusal } from '../../src/errors/catalogue.ts'
import type { NewPayment } from '../../src/orders/new-order.ts'
import type { NewPayout } from '../../src/payouts/new-payout.ts'
import type { Db } from '../../src/postgres/db.ts'
import type { Refund } from '../../src/refunds/refund.ts'
import { noRisk } from '../../src/risk/risk.ts'
import type { Random } from '../random.ts'
import { aReference } from '../reference.ts'
import { ratesAt } from './arithmetic.ts'
import type { Shop } from './shops.ts'

/** open: the outcome has not been reported to the gateway. */
export type OutcomeState = 'waiting' | 'open' | 'succeeded' | 'failed'

export type ModelOrder = {
  readonly shop: Shop
  readonly payment: NewPayment
  /** The true outcome at the channel. */
  readonly charged: boolean
  standing: OutcomeState
  /** The rate at success. */
  rate: Rate | undefined
  readonly chargebacks: ModelChargeback[]
}

export type ModelChargeback = { readonly id: string; readonly amount: bigint }

export type ModelRefund = {
  readonly order: ModelOrder
  readonly refund: Refund
  readonly given: boolean
  standing: OutcomeState
}

export type ModelPayout = {
  readonly shop: Shop
  readonly payout: NewPayout
  /** The time of acceptance. */
  readonly rates: ReturnType<typeof ratesAt>
  readonly sent: boolean
  standing: OutcomeState
}

export type World = ReturnType<typeof openWorld>

// The clocks in New York change within the first weeks.
const BEGIN = Date.parse('2026-03-04T05:30:00Z')
const HOUR_MS = 3_600_000

export function openWorld(db: Db) {
  let nowMs = BEGIN
  let step = 0
  const clock = { now: () => new Date(nowMs) }
  const rates = {
    find: (from: string, to: string) => ratesAt(step).find(from, to),
    usdValue: (money: { amount: bigint; currency: string }) => ratesAt(step).usdValue(money),
    close: () => {},
  }
  const channels = registerChannels([neverCalled])
  const deps = {
    db,
    clock,
    rates,
    vault: openVault(randomBytes(32)),
    channels,
    routing: createRouting({ channels, clock }),
    payoutRouting: createPayoutRouting({ rails: registerPayoutRails([neverSent]), clock }),
    // One row that the payments of all merchants update.
    platformLimits: { of: async () => ({ daily: 10n ** 15n, monthly: 10n ** 15n }) },
    risk: noRisk,
    reference: aReference,
    bins: noBins,
  }
  const counts = new Map<string, number>()
  return {
    ...deps,
    deps,
    orders: new Map<string, ModelOrder>(),
    refunds: new Map<string, ModelRefund>(),
    payouts: new Map<string, ModelPayout>(),
    /** By chargeback; a chargeback without an outcome is open. */
    verdicts: new Map<string, 'won' | 'lost'>(),
    counts,
    ratesNow: () => ratesAt(step),
    settledUntil: new Date(0),
    count: (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1),
    /** One move runs at a time, so its decisions can be predicted from the balances before it. */
    isAlone: false,
    /** The orders that the concurrent moves of this step share. */
    hot: [] as ModelOrder[],
    pass(hours: number) {
      nowMs += hours * HOUR_MS
      step++
    },
  }
}

/** In every second step, most moves use the same few orders. */
export function warmUp(world: World, random: Random): void {
  const all = [...world.orders.values()]
  const some = Array.from({ length: 2 }, () => random.pick(all))
  world.hot = random.chance(0.5) ? some.filter((order) => order !== undefined) : []
}

export function pickOrder(
  world: World,
  random: Random,
  fits: (order: ModelOrder) => boolean = () => true,
): ModelOrder | undefined {
  const hot = random.chance(0.7) ? random.pick(world.hot.filter(fits)) : undefined
  return hot ?? random.pick([...world.orders.values()].filter(fits))
}

const unused = () => Promise.reject(new Error('the model reports outcomes itself'))

const neverCalled: Channel = {
  name: 'card',
  method: 'card',
  traits: { ...card, timeoutMs: 1_000 },
  start: unused,
  complete: unused,
  ask: unused,
  cancel: unused,
  refund: unused,
}

const neverSent: PayoutRail = {
  name: 'bank',
  kinds: accountKinds,
  currencies: 'any',
  timeoutMs: 1_000,
  tokenise: unused,
  send: unused,
  ask: unused,
}

export type Move = { readonly name: string; readonly run: () => Promise<void> }

/** An operator's command may be refused; any other error is a bug. */
export function mustBeRefusal(error: unknown): void {
  if (!(error instanceof OperatorRefusal)) throw error
}

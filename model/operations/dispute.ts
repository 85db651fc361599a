// Chargebacks that an operator records: full or partial, won or lost. Disputes that a channel reports: inquiries and
// chargebacks, in any order, repeatedly, and even before their payment has an outcome.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { openChargeback as open } from '../../src/money/chargebacks/open-chargeback.ts'
import { processDisputes, receiveDisputes } from '../../src/money/chargebacks/process-disputes.ts'
import { resolveChargeback as resolve } from '../../src/money/chargebacks/resolve-chargeback.ts'
import { attemptReference } from '../../src/money/orders/order.ts'
import { didIt, type Gateway } from '../gateway.ts'
import { mustPick, operation, pick } from '../operation.ts'
import {
  chargebackFeeOf,
  endChargeback,
  mayChargeBack,
  openChargeback,
  openOf,
} from '../rules/chargebacks.ts'
import { takeReport } from '../rules/disputes.ts'
import type { DisputeReport, Model } from '../rules/facts.ts'
import { shareOf } from './amounts.ts'

const paid = ({ orders }: Model) => orders.filter(({ money }) => money !== undefined)

export const chargeBack = operation({
  name: 'chargeBack',
  weight: 5,
  input: fc.record({ order: fc.nat(), share: fc.constantFrom(1_000, 1_000, 1, 300, 500, 999, 1_001) }),
  isPossible: (model) => paid(model).length > 0,
  async run(model, gateway, { order: at, share }) {
    const order = mustPick(paid(model), at)
    const { tradeNo, currency } = order
    const whole = order.money?.amount ?? 0n
    const amount = share > 1_000 ? whole + 1n : shareOf(whole, share)
    const wanted = { money: { amount, currency }, reason: '13', at: gateway.clock.now() }
    let chargebackId = ''
    const done = await didIt(
      open(gateway, tradeNo, wanted).then((opened) => {
        chargebackId = opened.chargebackId
      }),
    )
    assert.equal(done, mayChargeBack(order, amount))
    gateway.count(`chargeback ${done ? 'opened' : 'refused'}`)
    const fee = chargebackFeeOf(order)
    const about = { order, chargebackId, disputeRef: undefined, endedMs: undefined }
    if (done) openChargeback(model, { ...about, amount, currency, fee, state: 'open' })
  },
})

const disputed = (model: Model) => paid(model).filter((order) => openOf(order) !== undefined)

/** Operators may record two outcomes at the same moment. Only one outcome counts. */
export const resolveChargeback = operation({
  name: 'resolveChargeback',
  weight: 4,
  input: fc.record({
    order: fc.nat(),
    outcomes: fc.array(fc.constantFrom('won' as const, 'lost' as const), { minLength: 1, maxLength: 2 }),
  }),
  isPossible: (model) => disputed(model).length > 0,
  async run(model, gateway, { order: at, outcomes }) {
    const order = mustPick(disputed(model), at)
    const end = (outcome: 'won' | 'lost') =>
      didIt(resolve(gateway, order.tradeNo, { outcome, at: gateway.clock.now() }))
    const done = await Promise.all(outcomes.map(end))
    assert.equal(done.filter(Boolean).length, 1, 'one outcome counts')
    const outcome = outcomes[done.indexOf(true)]
    const chargeback = openOf(order)
    if (chargeback !== undefined && outcome !== undefined) endChargeback(chargeback, outcome, model.nowMs)
  },
})

const tried = ({ orders }: Model) => orders.filter(({ tries }) => tries.length > 0)

let count = 0

/** The channel reports a stage of a new or a known dispute, with the stage's own time, perhaps twice. */
export const reportDispute = operation({
  name: 'reportDispute',
  weight: 6,
  input: fc.record({
    order: fc.nat(),
    dispute: fc.constantFrom('new', 'known', 'known', 'known', 'again'),
    stage: fc.constantFrom('inquiry', 'open', 'open', 'won', 'lost'),
    share: fc.constantFrom(1_000, 1_000, 1_000, 400, 1_001),
    isForeign: fc.constantFrom(false, false, false, false, false, false, true),
    agoHours: fc.constantFrom(0, 0, 0, 1, 60),
    times: fc.integer({ min: 1, max: 2 }),
  }),
  isPossible: (model) => tried(model).length > 0,
  async run(model, gateway, { order: at, dispute, stage, share, isForeign, agoHours, times }) {
    // The report is often about an order whose chargeback an operator has recorded.
    const recorded = paid(model).filter((one) =>
      one.chargebacks.some(({ disputeRef }) => disputeRef === undefined),
    )
    const likely = at % 2 > 0 && recorded.length > 0 ? recorded : paid(model)
    const some = likely.length > 0 && at % 6 > 0 ? likely : tried(model)
    const before = pick(model.disputes, at)
    const order = dispute === 'new' || before === undefined ? mustPick(some, at) : before.order
    const { currency, paidBy, tries } = order
    const whole = order.money?.amount ?? order.price
    const amount = share > 1_000 ? whole + 1n : shareOf(whole, share)
    const report: DisputeReport =
      dispute === 'again' && before !== undefined
        ? before
        : {
            order,
            disputeRef: dispute === 'new' || before === undefined ? `dp-${++count}` : before.disputeRef,
            // A few reports are about an attempt that did not pay.
            attempt: at % 7 > 0 ? (paidBy ?? tries.length) : 1,
            stage,
            amount,
            currency: isForeign ? (currency === 'EUR' ? 'USD' : 'EUR') : currency,
            atMs: model.nowMs - agoHours * 3_600_000,
            isTaken: false,
          }
    const told = {
      disputeRef: report.disputeRef,
      reference: attemptReference(order.tradeNo, report.attempt),
      money: { amount: report.amount, currency: report.currency },
      reason: '13',
      at: new Date(report.atMs),
      stage: report.stage,
    }
    const channel = tries[report.attempt - 1]?.method ?? 'card'
    const deps = ticking(model, gateway)
    await Promise.all(Array.from({ length: times }, () => receiveDisputes(deps, channel, [told], failed)))
    if (!model.disputes.includes(report)) model.disputes.push(report)
    if (!report.isTaken) await take(model, gateway, report)
  },
})

const failed = (_dispute: unknown, error: unknown): never => {
  throw error
}

async function take(model: Model, gateway: Gateway, report: DisputeReport): Promise<void> {
  const taken = takeReport(model, report, await openedBy(gateway, report))
  gateway.count(`dispute ${report.stage} ${taken}`)
}

/** Returns the number of the chargeback or inquiry that the report opened, or '' if it opened none. */
async function openedBy({ db }: Gateway, { order, disputeRef, stage }: DisputeReport): Promise<string> {
  const known = order.chargebacks.map(({ chargebackId }) => chargebackId)
  const rows = await db.query<{ chargeback_id: string; is_inquiry: boolean }>({
    text: `select chargeback_id, state in ('inquiry', 'closed') as is_inquiry from chargebacks
      where mer_no = $1 and trade_no = $2 and dispute_ref = $3 order by opened_at`,
    values: [order.shop.merNo, order.tradeNo, disputeRef],
  })
  const opened = rows.find(
    (row) => !known.includes(row.chargeback_id) && row.is_inquiry === (stage === 'inquiry'),
  )
  return opened?.chargeback_id ?? ''
}

/**
 * Returns dependencies with a clock that advances at each reading, so chargebacks of one step are opened at different
 * times.
 */
function ticking(model: Model, gateway: Gateway) {
  let ms = model.nowMs
  return { ...gateway, clock: { now: () => new Date(ms++) }, alarm: () => {} }
}

const untaken = ({ disputes }: Model) => disputes.filter(({ isTaken }) => !isTaken)

/** The background work processes the reports that waited for the outcome of their payments, the earliest first. */
export const takeDisputes = operation({
  name: 'takeDisputes',
  weight: 2,
  input: fc.record({}),
  isPossible: (model) => untaken(model).some(({ order }) => order.standing !== 'open'),
  async run(model, gateway) {
    await processDisputes(ticking(model, gateway), failed)
    for (const report of untaken(model).toSorted((one, other) => one.atMs - other.atMs))
      await take(model, gateway, report)
  },
})

// Payout runs: payouts that a person enters together. A second person approves or rejects a run that is above the
// merchant's own limit, or that goes to an account saved less than a day ago. A worker makes the payouts.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { addBeneficiary } from '../../src/interfaces/backoffice/beneficiaries/save-beneficiary.ts'
import { payoutsCarrying, startRun as start } from '../../src/interfaces/backoffice/payouts/start-run.ts'
import { endExpiredRuns, payoutRunJob } from '../../src/interfaces/backoffice/payouts/worker.ts'
import { readPayout } from '../../src/interfaces/merchant-api/fields/read-payout.ts'
import { decideApproval } from '../../src/money/approvals/decide-approval.ts'
import { openPayoutBatches } from '../../src/money/payouts/batches.ts'
import { anOperator } from '../../test/builders/builders.ts'
import { IBAN } from '../../test/builders/payouts.ts'
import { didIt, type Gateway } from '../gateway.ts'
import { mustPick, operation, pick } from '../operation.ts'
import type { Approval, Model, Run, Shop } from '../rules/facts.ts'
import { currencies, unitOf } from '../rules/money.ts'
import { acceptPayout, approversOf, isRunCovered, needsSecondPerson, payoutOf } from '../rules/payouts.ts'
import { cents, priced, shareOf } from './amounts.ts'
import { exactly, fundedBalances } from './payout.ts'

const account = {
  cardNo: IBAN,
  benFirstName: 'Paper',
  benLastName: 'Mill',
  addressLine: '1 Market Street',
  city: 'Berlin',
  countryCode: 'DE',
  beneficiaryType: 'business',
}

const depsOf = (gateway: Gateway) => ({
  ...gateway,
  tellAccountChanged: async () => {},
  readPayout: (fields: Readonly<Record<string, unknown>>) => readPayout(fields, () => false),
})

const unsaved = ({ shops }: Model) => shops.filter(({ accountSavedMs }) => accountSavedMs === undefined)

export const saveAccount = operation({
  name: 'saveAccount',
  weight: 2,
  input: fc.record({ shop: fc.nat() }),
  isPossible: (model) => unsaved(model).length > 0,
  async run(model, gateway, { shop: at }) {
    const shop = mustPick(unsaved(model), at)
    const saving = { merNo: shop.merNo, actor: { kind: 'user', name: 'owner@shop.example' } } as const
    const entered = { label: 'Mill', kind: 'bank_account', currency: 'EUR', fields: account } as const
    await addBeneficiary(depsOf(gateway), saving, entered)
    shop.accountSavedMs = model.nowMs
  },
})

let count = 0
const people = ['owner@shop.example', 'finance@shop.example'] as const

/**
 * Thousandths of what a balance can pay, because mistakes show near a balance of zero. `cents` stands for an amount in
 * any currency.
 */
const shareOfBalance = fc.constantFrom(1_000, 500, 490, 300, 'cents' as const)

/** A run is refused as a whole if the balances do not cover all its payouts. */
export const startRun = operation({
  name: 'startRun',
  weight: 5,
  input: fc.record({
    shop: fc.nat(),
    by: fc.constantFrom(...people),
    lines: fc.array(fc.record({ currency: fc.constantFrom(...currencies), cents, share: shareOfBalance }), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  async run(model, gateway, { shop: at, by, lines: wanted }) {
    const funded = pick(fundedBalances(model), at)
    const shop = funded?.shop ?? mustPick(model.shops, at)
    const prices = wanted.map(({ currency, cents, share }) => {
      if (share === 'cents' || funded === undefined) return { currency, ...priced(currency, cents) }
      const { currency: own, most } = funded
      return { currency: own, ...exactly(own, atLeastUnit(own, shareOf(most, share))) }
    })
    const lines = prices.map(({ currency, wire }, at) => {
      const fields = { ...account, withdrawType: '3', currencyCode: currency, sourceAmount: wire }
      return { no: at + 1, fields }
    })
    const actor = { kind: 'user', name: by } as const
    const given = { actor, lines, name: '', reason: 'by the model', key: `model-run-${++count}` }
    let started: Awaited<ReturnType<typeof start>> | undefined
    const done = await didIt(
      start(depsOf(gateway), { merchant: gateway.merchantOf(shop), ...given }).then((run) => {
        started = run
      }),
    )
    assert.equal(done, isRunCovered(model, shop, prices), 'the run is accepted as the rules say')
    gateway.count(`run ${done ? 'started' : 'refused'}`)
    if (started === undefined) return
    const { runId, approvalId } = started
    const isWaiting = needsSecondPerson(model, shop, prices)
    assert.equal(approvalId !== undefined, isWaiting, 'a second person is asked')
    const state = isWaiting ? ('waiting' as const) : ('released' as const)
    const run: Run = {
      shop,
      runId,
      by,
      lines: prices.map(({ currency, amount }) => ({ currency, amount, state })),
    }
    model.runs.push(run)
    if (approvalId !== undefined)
      model.approvals.push({
        approvalId,
        askedAtMs: model.nowMs,
        about: { kind: 'run', run },
        state: 'waiting',
      })
  },
})

const atLeastUnit = (currency: string, amount: bigint) =>
  amount < unitOf(currency) ? unitOf(currency) : amount

const waiting = ({ approvals }: Model) =>
  approvals.flatMap((approval) =>
    approval.state === 'waiting' && approval.about.kind === 'run'
      ? [{ approval, run: approval.about.run }]
      : [],
  )

const WEEK_MS = 7 * 24 * 3_600_000
const isExpired = ({ nowMs }: Model, { askedAtMs }: Approval) => nowMs >= askedAtMs + WEEK_MS

/** One or two people decide at the same moment. The person who entered the run may only reject it. */
export const decideRun = operation({
  name: 'decideRun',
  weight: 4,
  input: fc.record({
    approval: fc.nat(),
    words: fc.array(fc.record({ by: fc.constantFrom(...people), approves: fc.boolean() }), {
      minLength: 1,
      maxLength: 2,
    }),
  }),
  isPossible: (model) => waiting(model).length > 0,
  async run(model, gateway, { approval: at, words }) {
    const { approval, run } = mustPick(waiting(model), at)
    const { shop, lines } = run
    const carrying = { payouts: payoutsCarrying(depsOf(gateway), gateway.merchantOf(shop)) }
    const decide = ({ by: name, approves }: (typeof words)[number]) => {
      const by = { ...anOperator({ kind: 'user', name }), merNo: shop.merNo }
      const { approvalId } = approval
      const word = { approvalId, by, approves, reason: 'by the model' }
      return didIt(decideApproval({ ...gateway, carrying }, word))
    }
    const done = await Promise.all(words.map(decide))
    const isCurrent = !isExpired(model, approval) && isRunCovered(model, shop, lines)
    const isValid = ({ by, approves }: (typeof words)[number]) => !approves || (by !== run.by && isCurrent)
    assert.equal(done.filter(Boolean).length, words.some(isValid) ? 1 : 0, 'one valid decision counts')
    const taken = words[done.indexOf(true)]
    if (taken === undefined) return
    approval.state = taken.approves ? 'approved' : 'rejected'
    for (const line of lines)
      if (line.state === 'waiting') line.state = taken.approves ? 'released' : 'rejected'
  },
})

const released = ({ runs }: Model) =>
  runs.filter(({ lines }) => lines.some(({ state }) => state === 'released'))

/** Ends runs that nobody approved in time, and makes the payouts of released runs one after the other. */
export const makeRuns = operation({
  name: 'makeRuns',
  weight: 4,
  input: fc.record({}),
  isPossible: (model) => released(model).length + waiting(model).length > 0,
  async run(model, gateway) {
    await endExpiredRuns(gateway)
    for (const { approval, run } of waiting(model))
      if (isExpired(model, approval))
        for (const line of run.lines) if (line.state === 'waiting') line.state = 'rejected'
    const payoutBatches = openPayoutBatches(gateway)
    const job = payoutRunJob({ ...gateway, payoutBatches })
    const now = gateway.clock.now()
    const leaseUntil = new Date(now.getTime() + job.leaseMs)
    for (const due of await job.claim({ now, leaseUntil, limit: 50, busy: [] })) {
      await job.run(due, new AbortController().signal)
      const run = model.runs.find(({ runId }) => runId === due.runId)
      assert.ok(run)
      await makeLine(model, gateway, run, due.lineNo)
    }
  },
})

async function makeLine(model: Model, { db }: Gateway, run: Run, lineNo: number): Promise<void> {
  const { runId, lines, shop } = run
  const line = mustPick(lines, lineNo - 1)
  const [row] = await db.query<{ trade_no: string | null }>({
    text: 'select trade_no from payout_run_lines where run_id = $1 and line_no = $2',
    values: [runId, lineNo],
  })
  const made = acceptPayout(model, {
    ...payoutOf(shop, line, awaitsOf(model, shop, line)),
    tradeNo: row?.trade_no ?? '',
  })
  line.state = typeof made === 'string' ? 'refused' : 'made'
}

/** The merchant approves a run as a whole, so a single payout of the run waits at most for an operator's approval. */
function awaitsOf(model: Model, shop: Shop, line: Run['lines'][number]) {
  return approversOf(model, shop, line).filter((side) => side === 'platform')
}

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { anOperator } from '../../../test/builders/builders.ts'
import {
  aPayer,
  aPayout,
  CCI,
  CLABE,
  FAILED,
  openPayouts,
  SENDING,
  SUCCEEDED,
  type TestPayouts,
} from '../../../test/builders/payouts.ts'
import { OperatorRefusal, Refusal } from '../../platform/errors/catalogue.ts'
import { createReference } from '../../platform/reference/reference.ts'
import type { PayoutRail } from '../../rails/contract/payout-rail.ts'
import { channelAccount, EXCHANGE, FEES } from '../ledger/account.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { freePlan } from '../merchants/terms.ts'
import { approvePayout } from './approve-payout.ts'
import { findPayout, listPayouts } from './find-payout.ts'
import { makePayout } from './make-payout.ts'
import { preparePayout } from './prepare-payout.ts'

let setup: TestPayouts
before(async () => {
  setup = await openPayouts()
})
after(() => setup.close())

const CARD = '4242424242424242'

async function funded(changes = {}) {
  const merchant = aPayer(changes)
  for (const currency of ['USD', 'BRL', 'MXN', 'PEN']) await setup.give(merchant.merNo, 100_000n, currency)
  return merchant
}

/** Lets time pass, and runs the worker. The sandbox's bank decides a payout one second after the request. */
async function later(ms = 1_500): Promise<void> {
  setup.pass(ms)
  await setup.runWorker()
}

const withFee = { feePlans: new Map([['payout' as const, { ...freePlan, feeBps: 100, feeFixed: '0.50' }]]) }

describe('a payout', () => {
  it('is in flight at first, and succeeds once the rail reports it: booked out, and the platform keeps the fee', async () => {
    const merchant = await funded(withFee)
    const { tradeNo, state } = await setup.pay(merchant, aPayout())
    assert.equal(state, 'sending')
    assert.deepEqual(await setup.stateOf(tradeNo), SENDING)
    await later()
    assert.deepEqual(await setup.stateOf(tradeNo), SUCCEEDED)
    assert.equal(await setup.available(merchant.merNo), 100_000n - 1_060n)
    assert.equal(await setup.inFlight(merchant.merNo), 0n)
    assert.equal(await setup.balance(merchant.merNo, FEES, 'USD'), 60n)
    assert.equal(await setup.balance(merchant.merNo, channelAccount('payout-bank'), 'USD'), 1_000n)
  })

  it('of exactly 6.66 fails, and gives back amount, fee and limits once', async () => {
    const merchant = await funded(withFee)
    const { tradeNo } = await setup.pay(merchant, aPayout({ sourceAmount: '6.66' }))
    setup.pass(1_500)
    await Promise.all([setup.runWorker(), setup.runWorker(), setup.runWorker()])
    await later()
    assert.deepEqual(await setup.stateOf(tradeNo), FAILED)
    assert.equal(await setup.available(merchant.merNo), 100_000n)
    assert.equal(await setup.inFlight(merchant.merNo), 0n)
    const used = await setup.db.query<{ used: bigint }>({
      text: 'select used from limit_usage where mer_no = $1',
      values: [merchant.merNo],
    })
    assert.ok(used.length > 0 && used.every((row) => row.used === 0n))
    const alerts = await setup.db.query<{ content: { result: string } }>({
      text: `select content from alerts where mer_no = $1 and kind = 'payout-result'`,
      values: [merchant.merNo],
    })
    assert.deepEqual(
      alerts.map(({ content }) => content.result),
      ['failed'],
    )
  })

  it('that was funded in another currency gives back exactly what it took', async () => {
    const merchant = aPayer(withFee)
    await setup.give(merchant.merNo, 5_000n)
    setup.setRate('EUR', 'USD', '1.0999')
    const { tradeNo } = await setup.pay(merchant, aPayout({ currencyCode: 'EUR', sourceAmount: '6.66' }))
    setup.setRate('EUR', 'USD', '2.5')
    await later()
    assert.deepEqual(await setup.stateOf(tradeNo), FAILED)
    assert.equal(await setup.available(merchant.merNo), 5_000n)
    for (const currency of ['USD', 'EUR'])
      assert.equal(await setup.balance(merchant.merNo, EXCHANGE, currency), 0n)
  })

  it('of every kind is sent to the rail with its account', async () => {
    const merchant = await funded()
    const requests = [
      aPayout({ kind: 'card', account: CARD }),
      aPayout({ kind: 'pix', currencyCode: 'BRL', account: '12345678909' }),
      aPayout({ kind: 'per_transfer', currencyCode: 'PER', account: CCI, bankCode: '02' }),
      aPayout({ kind: 'spei', currencyCode: 'MXN', account: CLABE }),
      aPayout(),
    ]
    const made = await Promise.all(requests.map((request) => setup.pay(merchant, request)))
    await later()
    for (const [at, { tradeNo, reference }] of made.entries()) {
      assert.deepEqual(await setup.stateOf(tradeNo), SUCCEEDED)
      const sent = setup.book.findPayout(reference)
      assert.equal(sent?.kind, requests[at]?.kind)
      assert.equal(sent?.last4, requests[at]?.account.slice(-4))
    }
    assert.equal(await setup.available(merchant.merNo, 'PEN'), 99_000n)
  })

  it('stores accounts encrypted, and card numbers not at all', async () => {
    const merchant = await funded()
    const personal = { customerIdentification: '45678912' }
    await setup.pay(merchant, aPayout({ kind: 'card', account: CARD }))
    await setup.pay(merchant, aPayout({ kind: 'per_transfer', currencyCode: 'PEN', account: CCI, personal }))
    const rows = await setup.db.query({
      text: 'select p::text as payout, o::text as orders from payouts p join orders o using (mer_no, trade_no) where p.mer_no = $1',
      values: [merchant.merNo],
    })
    const text = JSON.stringify(rows)
    for (const secret of [CARD, CCI, '45678912']) assert.equal(text.includes(secret), false, secret)
    const sealed = await setup.db.query<{ trade_no: string; sealed: Buffer }>({
      text: `select trade_no, sealed from payouts where mer_no = $1 and kind = 'card'`,
      values: [merchant.merNo],
    })
    const [card] = sealed
    assert.ok(card !== undefined)
    assert.match(setup.vault.open(card.sealed, `payout:${card.trade_no}`), /"account":"tok_/)
  })
})

describe('a payout at a rail in trouble', () => {
  const broken = (changes: Partial<PayoutRail>): PayoutRail => ({ ...setup.rail, ...changes })

  it('that was sent and never answered is found by a query, and paid once', async () => {
    const merchant = await funded()
    const silent = broken({
      async send(request) {
        await setup.rail.send(request)
        return { kind: 'unknown', why: 'silence' }
      },
    })
    const before = setup.book.countPayouts()
    const { tradeNo, state } = await setup.pay(merchant, aPayout(), silent)
    assert.equal(state, 'sending')
    await later()
    await later()
    assert.deepEqual(await setup.stateOf(tradeNo), SUCCEEDED)
    assert.equal(setup.book.countPayouts(), before + 1)
  })

  it('that never arrived is sent again under the same reference', async () => {
    const merchant = await funded()
    const references: string[] = []
    const lost = broken({
      async send({ reference }) {
        references.push(reference)
        throw new Error('the line broke')
      },
    })
    const { tradeNo, reference } = await setup.pay(merchant, aPayout(), lost)
    setup.pass(1_500)
    await setup.runWorker(lost)
    assert.deepEqual(references, [reference, reference])
    setup.pass(5_000)
    await setup.runWorker()
    await later(5_000)
    assert.deepEqual(await setup.stateOf(tradeNo), SUCCEEDED)
    assert.equal(setup.book.findPayout(reference)?.amount, '1000')
  })

  it('that certainly was not sent fails and gives back; one that may have been sent does not', async () => {
    const merchant = await funded()
    const unreachable = { kind: 'failed', cause: 'unreachable', message: 'No line' } as const
    const down = broken({ send: async () => unreachable })
    const made = await setup.pay(merchant, aPayout(), down)
    assert.equal(made.failure?.cause, 'unreachable')
    assert.deepEqual(await setup.stateOf(made.tradeNo), FAILED)
    assert.equal(await setup.available(merchant.merNo), 100_000n)

    const mute = broken({ send: async () => ({ kind: 'unknown', why: 'silence' }) })
    const { tradeNo } = await setup.pay(merchant, aPayout(), mute)
    setup.pass(1_500)
    await setup.runWorker(down)
    assert.deepEqual(await setup.stateOf(tradeNo), SENDING)
  })

  it('does not count as working while it waits for the rail', async () => {
    const merchant = await funded()
    const send: PayoutRail['send'] = async () => {
      assert.equal(setup.gate.enter(merchant.merNo), true)
      return { kind: 'unknown', why: 'entered' }
    }
    await setup.pay(merchant, aPayout(), broken({ send }))
    assert.equal(setup.gate.underWay, 1)
  })

  it('that was accepted so slowly that the worker sent it is not sent again', async () => {
    const merchant = await funded()
    let calls = 0
    const down = broken({
      async send() {
        calls++
        return { kind: 'failed', cause: 'unreachable', message: 'No line' }
      },
    })
    const prepared = await preparePayout({ ...setup.deps, ...setup.by(down) }, merchant, aPayout())
    const accept: typeof setup.payoutBatches.accept = async (payout) => {
      const accepted = await setup.payoutBatches.accept(payout)
      await later(6_000)
      return accepted
    }
    const slow = { ...setup.deps, payoutBatches: { ...setup.payoutBatches, accept } }
    const made = await slow.gate.countOf(merchant.merNo, () => makePayout(slow, prepared))
    assert.deepEqual(
      { state: made.state, failure: made.failure, calls },
      { state: 'sending', failure: undefined, calls: 0 },
    )
    await later(6_000)
    assert.deepEqual(await setup.stateOf(prepared.payout.tradeNo), SUCCEEDED)
    assert.equal(await setup.available(merchant.merNo), 99_000n)
  })

  const ofOneCall = async (cause: 'unreachable' | 'unauthorised') => {
    const merchant = await funded()
    const late = broken({
      async send() {
        await later(6_000)
        return { kind: 'failed', cause, message: 'No line' }
      },
    })
    const { state, tradeNo, reference } = await setup.pay(merchant, aPayout(), late)
    assert.equal(state, 'sending')
    assert.ok(setup.book.findPayout(reference) !== undefined, 'the worker sent it')
    assert.deepEqual(await setup.stateOf(tradeNo), SENDING)
    await later(6_000)
    assert.deepEqual(await setup.stateOf(tradeNo), SUCCEEDED)
    assert.equal(await setup.available(merchant.merNo), 99_000n)
    assert.deepEqual(setup.alarms, [])
  }
  for (const cause of ['unreachable', 'unauthorised'] as const)
    it(`whose first call reports ${cause} after the worker sent it is not given back`, () => ofOneCall(cause))

  it('whose card got no token fails, and nothing was sent', async () => {
    const merchant = await funded()
    const before = setup.book.countPayouts()
    const mute = broken({ tokenise: () => Promise.reject(new Error(`no ${CARD}`)) })
    const made = await setup.pay(merchant, aPayout({ kind: 'card', account: CARD }), mute)
    assert.equal(made.state, 'failed')
    assert.deepEqual(await setup.stateOf(made.tradeNo), FAILED)
    assert.equal(await setup.available(merchant.merNo), 100_000n)
    assert.equal(setup.book.countPayouts(), before)
  })

  it('whose card number was lost in a crash fails', async () => {
    const merchant = await funded()
    const never = broken({ tokenise: () => new Promise(() => {}) })
    const request = aPayout({ kind: 'card', account: CARD })
    void setup.pay(merchant, request, never)
    const find = () => findPayout(setup.db, { merNo: merchant.merNo, merOrderNo: request.merOrderNo })
    let found = await find()
    while (found === undefined) found = await find()
    setup.pass(6_000)
    await setup.runWorker()
    assert.deepEqual(await setup.stateOf(found.tradeNo), FAILED)
    assert.equal(await setup.available(merchant.merNo), 100_000n)
  })

  it('is processed by one worker at a time', async () => {
    const merchant = await funded()
    const asked: string[] = []
    const counting = broken({
      async ask(reference) {
        asked.push(reference)
        return setup.rail.ask(reference)
      },
    })
    const made = await Promise.all(Array.from({ length: 10 }, () => setup.pay(merchant, aPayout())))
    setup.pass(1_500)
    await Promise.all(Array.from({ length: 5 }, () => setup.runWorker(counting)))
    assert.deepEqual(asked.sort(), made.map(({ reference }) => reference).sort())
  })

  it('that another worker is claiming is not claimed again', async () => {
    const merchant = await funded()
    const asked: string[] = []
    const counting = broken({
      async ask(reference) {
        asked.push(reference)
        return setup.rail.ask(reference)
      },
    })
    const { tradeNo } = await setup.pay(merchant, aPayout())
    setup.pass(1_500)
    const { working } = await setup.db.transaction(async (tx) => {
      const text = `update payouts set ask_at = ask_at + interval '1 minute' where trade_no = $1`
      await tx.query({ text, values: [tradeNo] })
      const working = setup.runWorker(counting)
      await Promise.race([working, sleep(500)])
      return { working }
    })
    await working
    assert.deepEqual(asked, [])
  })
})

describe('a payout above the threshold', () => {
  const strict = { payoutApproval: 999n }
  const REJECTED = 'The name does not match'

  it('waits for the operator with its money in flight, and is sent after approval', async () => {
    const merchant = await funded(strict)
    for (const request of [aPayout(), aPayout({ kind: 'card', account: CARD })]) {
      const { tradeNo, state, reference } = await setup.pay(merchant, request)
      assert.equal(state, 'awaiting_approval')
      await later()
      assert.equal(setup.book.findPayout(reference), undefined)
      assert.equal(await setup.inFlight(merchant.merNo), 1_000n)
      const waiting = await listPayouts(setup.db, { state: 'awaiting_approval', merNo: merchant.merNo })
      assert.deepEqual(
        waiting.map((payout) => [payout.tradeNo, payout.amount, payout.beneficiary]),
        [[tradeNo, '10.00', 'Test Payee']],
      )
      assert.equal(await setup.approve(merchant, tradeNo), 'sending')
      await setup.runWorker()
      await later(5_000)
      assert.deepEqual(await setup.stateOf(tradeNo), SUCCEEDED)
    }
  })

  it('is given back once when it is rejected, with the reason', async () => {
    const merchant = await funded({ ...strict, ...withFee })
    const { tradeNo } = await setup.pay(merchant, aPayout())
    const says = [
      setup.reject(tradeNo, REJECTED),
      setup.reject(tradeNo, REJECTED),
      setup.approve(merchant, tradeNo),
    ]
    const ends = await Promise.allSettled(says)
    assert.equal(ends.filter((end) => end.status === 'fulfilled').length, 1)
    await later()
    await later(5_000)
    const standing = await setup.stateOf(tradeNo)
    if (ends[2]?.status === 'fulfilled') return assert.deepEqual(standing, SUCCEEDED)
    assert.deepEqual(standing, FAILED)
    assert.equal(await setup.available(merchant.merNo), 100_000n)
    assert.equal((await findPayout(setup.db, { merNo: merchant.merNo, tradeNo }))?.message, REJECTED)
  })

  it('is approved only if it could still be accepted, and can be rejected otherwise', async () => {
    const merchant = await funded({ ...strict, currencies: new Map([['USD', 'USD']]) })
    const { merNo } = merchant
    const { tradeNo } = await setup.pay(merchant, aPayout())
    const most = merchant.limits
    const refused = async (changes: Partial<Merchant>, why: RegExp, ...rails: readonly PayoutRail[]) => {
      await assert.rejects(
        setup.approve({ ...merchant, ...changes }, tradeNo, ...rails),
        (error: unknown) => {
          assert.ok(error instanceof OperatorRefusal)
          assert.match(error.message, why)
          return true
        },
      )
    }
    await refused({ state: 'suspended' }, /cannot be approved: Merchant is not active/)
    await refused({ limits: { ...most, single: 999n } }, new RegExp(new Refusal('10023').message))
    await refused({ limits: { ...most, daily: 999n } }, new RegExp(new Refusal('10024').message))
    await refused({ limits: { ...most, monthly: 999n } }, new RegExp(new Refusal('10025').message))
    await refused({}, new RegExp(new Refusal('10011').message), { ...setup.rail, currencies: ['EUR'] })
    await setup.give(merNo, -100_000n)
    await refused({}, /Balance is too low/)
    await setup.reject(tradeNo, REJECTED)
    assert.equal(await setup.available(merNo), 0n)
  })

  it('in a currency that was closed meanwhile is approved only while a balance in it funds or follows it', async () => {
    setup.setRate('EUR', 'USD', '1.1')
    const merchant = await funded(strict)
    const closed = { ...merchant, currencies: new Map([['MXN', 'MXN']]) }
    const inEuros = await setup.pay(merchant, aPayout({ currencyCode: 'EUR' }))
    const inDollars = await setup.pay(merchant, aPayout())
    await assert.rejects(setup.approve(closed, inEuros.tradeNo), {
      message: new RegExp(new Refusal('10019').message),
    })
    await setup.give(merchant.merNo, 5n, 'EUR')
    assert.equal(await setup.approve(closed, inEuros.tradeNo), 'sending')
    assert.equal(await setup.approve(closed, inDollars.tradeNo), 'sending')
  })

  it('is approved if it reaches its limits and does not exceed them', async () => {
    const merchant = await funded(strict)
    const { tradeNo } = await setup.pay(merchant, aPayout())
    const limits = { single: 1_000n, daily: 1_000n, monthly: 1_000n }
    assert.equal(await setup.approve({ ...merchant, limits }, tradeNo), 'sending')
  })

  it('is not approved if its bank has left the list meanwhile', async () => {
    const merchant = await funded(strict)
    const details = { benFirstName: 'Test', benLastName: 'Payee', bankCode: '02' }
    const { bankCode } = details
    const request = { kind: 'per_transfer', account: CCI, bankCode, currencyCode: 'PEN', details } as const
    const { tradeNo } = await setup.pay(merchant, aPayout(request))
    const approves = (reference: typeof setup.reference) =>
      approvePayout(
        { ...setup.deps, reference, routing: setup.by(setup.rail), findMerchant: async () => merchant },
        tradeNo,
        { by: anOperator(), at: setup.clock.now() },
      )
    await assert.rejects(approves(createReference([])), { message: new RegExp(new Refusal('10013').message) })
    assert.equal(await approves(setup.reference), 'sending')
  })

  it('waits only if its amount exceeds the threshold', async () => {
    const merchant = await funded({ payoutApproval: 1_000n })
    assert.equal((await setup.pay(merchant, aPayout())).state, 'sending')
    assert.equal((await setup.pay(merchant, aPayout({ sourceAmount: '10.01' }))).state, 'awaiting_approval')
  })

  it('cannot be approved in another state, and the operator reads why', async () => {
    const merchant = await funded()
    const { tradeNo } = await setup.pay(merchant, aPayout())
    const isExplained = (error: unknown) =>
      error instanceof OperatorRefusal && /it is sending/.test(error.message)
    await assert.rejects(setup.approve(merchant, tradeNo), isExplained)
    await assert.rejects(setup.reject('T123', 'no'), OperatorRefusal)
  })
})

// Payouts with several rails: a payout goes to another rail only while it is certain that nothing was sent.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import {
  aPayer,
  aPayout,
  FAILED,
  openPayouts,
  SENDING,
  SUCCEEDED,
  type TestPayouts,
} from '../../../test/builders/payouts.ts'
import { waitUntilSomebodyWaits } from '../../../test/harness/lock-waits.ts'
import { runOnce } from '../../../test/harness/run-job.ts'
import type { PayoutFailed, PayoutOutcome } from '../../rails/contract/payout-outcome.ts'
import type { PayoutRail } from '../../rails/contract/payout-rail.ts'
import { createPayoutRouting, registerPayoutRails } from '../../rails/routing/payout-routing.ts'
import { channelAccount } from '../ledger/account.ts'
import { findPayout } from './find-payout.ts'
import { payoutJob } from './worker.ts'

let setup: TestPayouts
before(async () => {
  setup = await openPayouts()
})
after(() => setup.close())

const CARD = '4242424242424242'

async function funded(changes = {}) {
  const merchant = aPayer(changes)
  await setup.give(merchant.merNo, 100_000n)
  return merchant
}

type Scripted = PayoutRail & { readonly sent: string[]; readonly asked: string[] }

/** Makes a rail that returns this outcome for each payout that is sent, and that knows no payout when it is asked. */
function aRail(name: string, outcome: () => PayoutOutcome, changes: Partial<PayoutRail> = {}): Scripted {
  const [sent, asked]: string[][] = [[], []]
  assert.ok(sent && asked)
  return {
    ...setup.rail,
    name,
    async send({ reference }) {
      sent.push(reference)
      return outcome()
    },
    async ask(reference) {
      asked.push(reference)
      return { kind: 'absent' }
    },
    ...changes,
    sent,
    asked,
  }
}

const failing = (cause: PayoutFailed['cause']) => () => ({ kind: 'failed', cause, message: 'No' }) as const
const silent = () => ({ kind: 'unknown', why: 'silence' }) as const
const paying =
  (amount = 1_000n) =>
  () =>
    ({ kind: 'succeeded', money: { amount, currency: 'USD' }, railRef: 'r' }) as const

const railOf = async (merNo: number, tradeNo: string) =>
  (await findPayout(setup.db, { merNo, tradeNo }))?.rail

describe('a payout with two rails', () => {
  for (const cause of ['unreachable', 'unauthorised', 'refused'] as const)
    it(`goes to the second if the first one says ${cause}, and is booked there`, async () => {
      const merchant = await funded()
      const [one, two] = [aRail('one', failing(cause)), aRail('two', paying())]
      const { tradeNo, reference, failure } = await setup.pay(merchant, aPayout(), one, two)
      assert.deepEqual(
        { one: one.sent, two: two.sent, failure },
        { one: [reference], two: [reference], failure: undefined },
      )
      assert.deepEqual(await setup.stateOf(tradeNo), SUCCEEDED)
      assert.equal(await railOf(merchant.merNo, tradeNo), 'two')
      assert.equal(await setup.balance(merchant.merNo, channelAccount('two'), 'USD'), 1_000n)
      assert.equal(await setup.available(merchant.merNo), 99_000n)
    })

  it('is never offered to one whose amounts do not hold it, and is refused if none is left', async () => {
    const merchant = await funded()
    const amounts = new Map([['USD', { least: 500n, most: 1_000n }]])
    const [one, two] = [aRail('one', failing('refused')), aRail('two', paying(1_001n), { amounts })]
    const inside = await setup.pay(merchant, aPayout(), aRail('one', failing('refused')), {
      ...two,
      send: async () => paying()(),
    })
    assert.equal(await railOf(merchant.merNo, inside.tradeNo), 'two')
    const outside = await setup.pay(merchant, aPayout({ sourceAmount: '10.01' }), one, two)
    assert.equal(outside.failure?.cause, 'refused')
    for (const sourceAmount of ['10.01', '4.99'])
      await assert.rejects(setup.pay(merchant, aPayout({ sourceAmount }), two), {
        code: '10011',
        message: 'Channel is not open for this merchant and method: no channel accepts this amount',
      })
    assert.deepEqual({ one: one.sent.length, two: two.sent.length }, { one: 1, two: 0 })
    assert.equal(await setup.available(merchant.merNo), 99_000n)
  })

  it('fails if neither takes it, and its money comes back once', async () => {
    const merchant = await funded()
    const rails = [aRail('one', failing('refused')), aRail('two', failing('unreachable'))]
    const { tradeNo, failure } = await setup.pay(merchant, aPayout(), ...rails)
    assert.equal(failure?.cause, 'unreachable')
    assert.deepEqual(await setup.stateOf(tradeNo), FAILED)
    assert.equal(await setup.available(merchant.merNo), 100_000n)
  })

  it('stays with the first one if the bank declined it, or if nobody knows', async () => {
    const merchant = await funded()
    const two = aRail('two', paying())
    const declined = await setup.pay(merchant, aPayout(), aRail('one', failing('declined')), two)
    assert.deepEqual(await setup.stateOf(declined.tradeNo), FAILED)
    const one = aRail('one', silent)
    const { tradeNo, reference } = await setup.pay(merchant, aPayout(), one, two)
    setup.pass(6_000)
    await setup.runWorker(one, two)
    // The first call may still arrive, so the payout is sent to the same rail again, and a refusal then ends it.
    assert.deepEqual(
      { sent: one.sent, asked: one.asked, sentToTwo: two.sent },
      { sent: [reference, reference], asked: [reference], sentToTwo: [] },
    )
    assert.deepEqual(await setup.stateOf(tradeNo), SENDING)
    setup.pass(6_000)
    await setup.runWorker(aRail('one', failing('refused')), two)
    assert.deepEqual(await setup.stateOf(tradeNo), FAILED)
    assert.deepEqual({ sent: two.sent, asked: two.asked }, { sent: [], asked: [] })
  })

  it('that was lost at the second one is looked for there only', async () => {
    const merchant = await funded()
    const [one, two] = [aRail('one', failing('unreachable')), aRail('two', silent)]
    const { tradeNo, reference } = await setup.pay(merchant, aPayout(), one, two)
    assert.deepEqual(await setup.stateOf(tradeNo), SENDING)
    setup.pass(6_000)
    const found = { ...two, ask: async () => paying()() }
    await setup.runWorker(aRail('one', paying()), found)
    assert.deepEqual({ one: one.sent, two: two.sent }, { one: [reference], two: [reference] })
    assert.deepEqual(await setup.stateOf(tradeNo), SUCCEEDED)
  })

  it('whose rail is not understood says in the log why', async () => {
    const why = 'the rail echoed nothing that can be read'
    const odd = aRail('one', silent, { ask: async () => ({ kind: 'unknown', why }) })
    const { tradeNo } = await setup.pay(await funded(), aPayout(), odd)
    setup.pass(6_000)
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => void lines.push(line) })
    const rails = registerPayoutRails([odd])
    await runOnce(payoutJob({ ...setup.deps, rails, log }), setup.clock.now())
    const said = lines.map((line) => JSON.parse(line)).find((one) => one.tradeNo === tradeNo)
    assert.partialDeepStrictEqual(said, { event: 'outcome', outcome: 'unknown', why })
  })

  it('whose first rail answers only after the worker looked does not go on', async () => {
    const merchant = await funded()
    const two = aRail('two', paying())
    const late = aRail('one', silent, {
      async send() {
        setup.pass(6_000)
        await setup.runWorker(aRail('one', silent), two)
        return failing('unreachable')()
      },
    })
    const { tradeNo } = await setup.pay(merchant, aPayout(), late, two)
    assert.deepEqual(await setup.stateOf(tradeNo), SENDING)
    assert.deepEqual(two.sent, [])
    setup.pass(6_000)
    await setup.runWorker(aRail('one', failing('refused')), two)
    assert.deepEqual(await setup.stateOf(tradeNo), FAILED)
  })

  for (const [whose, isFirstSilent] of [
    ['the request', false],
    ['an older claim', true],
  ] as const)
    it(`is not failed by what was said to ${whose} after the worker claimed it again`, async () => {
      const merchant = await funded()
      const [called, recorded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const next = aRail('one', paying(), {
        async send() {
          called.resolve()
          await recorded.promise
          return paying()()
        },
      })
      let other: Promise<number> | undefined
      const late = aRail('one', silent, {
        async send() {
          // The node is suspended during the call, for longer than its lease.
          setup.pass(10_000)
          other = setup.runWorker(next)
          await called.promise
          return failing('refused')()
        },
      })
      const { tradeNo } = await setup.pay(merchant, aPayout(), isFirstSilent ? aRail('one', silent) : late)
      setup.pass(isFirstSilent ? 6_000 : 0)
      if (isFirstSilent) await setup.runWorker(late)
      assert.deepEqual(await setup.stateOf(tradeNo), SENDING)
      recorded.resolve()
      await other
      assert.deepEqual(await setup.stateOf(tradeNo), SUCCEEDED)
      assert.equal(await setup.available(merchant.merNo), 99_000n)
    })

  it('is not sent by a claim that was renewed for longer than its lease, but by the next one', async () => {
    const [merchant, one] = [await funded(), aRail('one', silent)]
    const { tradeNo, reference } = await setup.pay(merchant, aPayout(), one)
    setup.pass(6_000)
    const job = payoutJob({ ...setup.deps, ...setup.by(one) })
    const now = setup.clock.now()
    const leaseUntil = new Date(now.getTime() + job.leaseMs)
    const claimed = await job.claim({ now, leaseUntil, limit: 50, busy: [] })
    const due = claimed.find((row) => row.trade_no === tradeNo)
    assert.ok(due)
    let running: Promise<void> | undefined
    await setup.db.transaction(async (tx) => {
      await tx.query({ text: 'select from payouts where trade_no = $1 for update', values: [tradeNo] })
      running = job.run(due, new AbortController().signal)
      await waitUntilSomebodyWaits(setup.db, 'greatest(ask_at')
      setup.pass(20_000)
    })
    await running
    assert.deepEqual(one.sent, [reference], 'the request has sent it, and nobody since')
    await setup.runWorker(aRail('one', paying()))
    assert.deepEqual(await setup.stateOf(tradeNo), SUCCEEDED)
  })

  it('to a card takes its expiry date to the rail, which is passed without one', async () => {
    const merchant = await funded()
    const seen: unknown[] = []
    const strict = aRail('one', paying(), {
      needsExpiry: true,
      async tokenise(_number, expiry) {
        seen.push(expiry)
        return { kind: 'token', token: 't' }
      },
    })
    const expiry = { month: '03', year: '2030' }
    const request = (more = {}) => aPayout({ kind: 'card', account: CARD, ...more })
    const { tradeNo } = await setup.pay(merchant, request({ expiry }), strict)
    assert.deepEqual({ seen, state: await setup.stateOf(tradeNo) }, { seen: [expiry], state: SUCCEEDED })
    await assert.rejects(setup.pay(merchant, request(), strict), { code: '10011' })
  })

  it('to a card goes where it got a token, and nowhere else', async () => {
    const merchant = await funded()
    const token = (name: string) => async () => ({ kind: 'token', token: `of ${name}` }) as const
    const none = aRail('one', paying(), { tokenise: async () => failing('unreachable')() })
    const two = aRail('two', paying(), { tokenise: token('two') })
    const request = () => aPayout({ kind: 'card', account: CARD })
    const paid = await setup.pay(merchant, request(), none, two)
    assert.deepEqual(await setup.stateOf(paid.tradeNo), SUCCEEDED)
    assert.deepEqual({ none: none.sent, two: two.sent }, { none: [], two: [paid.reference] })
    const refusing = aRail('one', failing('refused'), { tokenise: token('one') })
    const refused = await setup.pay(merchant, request(), refusing, two)
    assert.deepEqual(await setup.stateOf(refused.tradeNo), FAILED)
    assert.deepEqual(two.sent, [paid.reference])
  })
})

describe('an approved payout', () => {
  const strict = { payoutApproval: 1n }

  async function approved(...rails: readonly PayoutRail[]) {
    const merchant = await funded(strict)
    const paid = await setup.pay(merchant, aPayout(), ...rails)
    await setup.approve(merchant, paid.tradeNo, ...rails)
    return { ...paid, merNo: merchant.merNo }
  }

  /** Runs the worker with these rails. The rails in `paused` are paused. */
  async function work(all: readonly PayoutRail[], paused: readonly string[] = []) {
    const rails = registerPayoutRails(all)
    const isPaused = (name: string) => paused.includes(name)
    const payoutRouting = createPayoutRouting({ rails, clock: setup.clock, isPaused })
    await runOnce(payoutJob({ ...setup.deps, rails, payoutRouting }), setup.clock.now())
  }

  it('goes to another rail if its own was paused since, and never to both', async () => {
    const [one, two] = [aRail('one', paying()), aRail('two', silent)]
    const { merNo, tradeNo, reference } = await approved(one, two)
    await work([one, two], ['one'])
    assert.equal(await railOf(merNo, tradeNo), 'two')
    // From now on the payout stays with this rail, even if the rail is paused.
    for (const paused of [['two'], []]) {
      setup.pass(10_000)
      await work([one, two], paused)
    }
    assert.deepEqual({ sent: one.sent, asked: one.asked }, { sent: [], asked: [] })
    assert.deepEqual(
      { sent: two.sent, asked: two.asked },
      { sent: [reference, reference], asked: [reference, reference] },
    )
    setup.pass(10_000)
    await work([aRail('two', paying())])
    assert.deepEqual(await setup.stateOf(tradeNo), SUCCEEDED)
    assert.equal(await setup.balance(merNo, channelAccount('two'), 'USD'), 1_000n)
  })

  it('waits while no rail can send it, however long, and still may go to any', async () => {
    const one = aRail('one', paying())
    const { merNo, tradeNo } = await approved(one)
    for (let round = 0; round < 3; round++) {
      await work([one], ['one'])
      setup.pass(31_000)
    }
    assert.deepEqual({ sent: one.sent, state: await setup.stateOf(tradeNo) }, { sent: [], state: SENDING })
    await work([aRail('two', paying())])
    assert.deepEqual(await setup.stateOf(tradeNo), SUCCEEDED)
    assert.equal(await railOf(merNo, tradeNo), 'two')
  })

  it('goes on to the next rail, and after the last one it waits instead of failing', async () => {
    const rails = [aRail('one', failing('unreachable')), aRail('two', failing('unreachable'))]
    const { merNo, tradeNo, reference } = await approved(...rails)
    await work(rails)
    assert.deepEqual(
      rails.map(({ sent }) => sent),
      [[reference], [reference]],
    )
    assert.deepEqual(await setup.stateOf(tradeNo), SENDING)
    setup.pass(10_000)
    const [one, two] = [aRail('one', paying()), aRail('two', paying())]
    await work([one, two])
    assert.deepEqual({ one: one.sent, two: two.sent }, { one: [], two: [reference] })
    assert.equal(await railOf(merNo, tradeNo), 'two')
    assert.deepEqual(await setup.stateOf(tradeNo), SUCCEEDED)
  })

  describe('whose amount is outside the bounds that its rail got since', () => {
    const amounts = new Map([['USD', { least: 2_000n, most: 9_000n }]])
    const bounded = (name: string) => aRail(name, paying(), { amounts })

    it('is sent by that rail if no other takes it, once it is not paused', async () => {
      const { merNo, tradeNo, reference } = await approved(aRail('one', paying()))
      const [one, two] = [bounded('one'), bounded('two')]
      await work([two, one], ['one'])
      assert.deepEqual(
        { sent: [...one.sent, ...two.sent], state: await setup.stateOf(tradeNo) },
        { sent: [], state: SENDING },
      )
      setup.pass(31_000)
      await work([two, one])
      assert.deepEqual({ one: one.sent, two: two.sent }, { one: [reference], two: [] })
      assert.deepEqual(await setup.stateOf(tradeNo), SUCCEEDED)
      assert.equal(await railOf(merNo, tradeNo), 'one')
    })

    it('is sent by another one that takes it', async () => {
      const { merNo, tradeNo, reference } = await approved(aRail('one', paying()))
      const [one, two] = [bounded('one'), aRail('two', paying())]
      await work([one, two])
      assert.deepEqual({ one: one.sent, two: two.sent }, { one: [], two: [reference] })
      assert.equal(await railOf(merNo, tradeNo), 'two')
    })

    it('is sent by that rail although it comes after all that may be tried', async () => {
      const others = ['two', 'three', 'four'].map(bounded)
      const { tradeNo, reference } = await approved(...others, aRail('one', paying()))
      const one = bounded('one')
      await work([...others, one])
      assert.deepEqual(
        { one: one.sent, others: others.flatMap(({ sent }) => sent) },
        { one: [reference], others: [] },
      )
      assert.deepEqual(await setup.stateOf(tradeNo), SUCCEEDED)
    })
  })

  it('to a card waits for the rail of its token', async () => {
    const merchant = await funded(strict)
    const tokenise = async () => ({ kind: 'token', token: 'of one' }) as const
    const [one, two] = [aRail('one', paying(), { tokenise }), aRail('two', paying(), { tokenise })]
    const { tradeNo } = await setup.pay(merchant, aPayout({ kind: 'card', account: CARD }), one, two)
    await setup.approve(merchant, tradeNo, one, two)
    await work([one, two], ['one'])
    assert.deepEqual(await setup.stateOf(tradeNo), SENDING)
    setup.pass(31_000)
    await work([one, two])
    assert.deepEqual({ one: one.sent.length, two: two.sent.length }, { one: 1, two: 0 })
    assert.deepEqual(await setup.stateOf(tradeNo), SUCCEEDED)
  })
})

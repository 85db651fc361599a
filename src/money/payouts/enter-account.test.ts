import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  aPayer,
  aPayout,
  EXPIRED,
  IBAN,
  openPayouts,
  SUCCEEDED,
  type TestPayouts,
} from '../../../test/builders/payouts.ts'
import { createPayoutRouting } from '../../rails/routing/payout-routing.ts'
import { enterAccount } from './enter-account.ts'
import { findPayout } from './find-payout.ts'
import { AWAITS_ACCOUNT_MS } from './payout.ts'

let setup: TestPayouts
before(async () => {
  setup = await openPayouts()
})
after(() => setup.close())

async function funded(changes = {}) {
  const merchant = aPayer(changes)
  await setup.give(merchant.merNo, 100_000n)
  return merchant
}

/** Lets time pass, and runs the worker. The sandbox's bank decides a payout one second after the request. */
async function later(ms = 1_500): Promise<void> {
  setup.pass(ms)
  await setup.runWorker()
}

describe('a CheckOut payout', () => {
  const request = () => aPayout({ kind: 'checkout', account: '' })
  const toPix = { kind: 'pix', account: '12345678909', bankCode: '', personal: {}, details: {} } as const

  async function find(merNo: number, tradeNo: string) {
    const payout = await findPayout(setup.db, { merNo, tradeNo })
    assert.ok(payout !== undefined)
    return payout
  }

  it('goes to the rail of the route for the kind that its beneficiary chooses', async () => {
    const routes = new Map([['payout_bank', [{ channel: 'two', priority: 1, weight: 1 }]]] as const)
    const merchant = await funded({ routes })
    const rails = ['one', 'two'].map((name) => ({ ...setup.rail, name }))
    const deps = { ...setup.deps, ...setup.by(...rails), findMerchant: async () => merchant }
    const { tradeNo } = await setup.pay(merchant, request(), ...rails)
    const toBank = { ...toPix, kind: 'bank_account', account: IBAN } as const
    await enterAccount(deps, await find(merchant.merNo, tradeNo), toBank)
    assert.equal((await find(merchant.merNo, tradeNo)).rail, 'two')
    const paused = createPayoutRouting({ ...deps, isPaused: () => true })
    const other = await setup.pay(merchant, request(), ...rails)
    const entered = await enterAccount(
      { ...deps, payoutRouting: paused },
      await find(merchant.merNo, other.tradeNo),
      toBank,
    )
    assert.deepEqual(entered, { unreachable: true })
  })

  it('waits until its beneficiary enters an account, and is sent only there', async () => {
    const merchant = await funded()
    const { tradeNo, state, reference } = await setup.pay(merchant, request())
    assert.equal(state, 'awaiting_account')
    const { merNo } = merchant
    const wrong = await enterAccount(setup.deps, await find(merNo, tradeNo), { ...toPix, account: '1' })
    assert.equal(wrong.refusal?.code, '10105')
    const payout = await find(merNo, tradeNo)
    const toCard = { ...toPix, kind: 'card', account: '4242424242424242' } as const
    await Promise.all([toPix, toCard].map((entered) => enterAccount(setup.deps, payout, entered)))
    await enterAccount(setup.deps, payout, toCard)
    await later()
    assert.deepEqual(await setup.stateOf(tradeNo), SUCCEEDED)
    const sent = setup.book.findPayout(reference)
    const { accountMasked } = await find(merNo, tradeNo)
    assert.equal(accountMasked.slice(-4), sent?.last4)
  })

  it('is cancelled and given back if no account is entered within three days', async () => {
    const merchant = await funded()
    const { tradeNo } = await setup.pay(merchant, request())
    setup.pass(AWAITS_ACCOUNT_MS - 1_000)
    await setup.runWorker()
    assert.equal((await setup.stateOf(tradeNo))?.payout, 'awaiting_account')
    await later()
    assert.deepEqual(await setup.stateOf(tradeNo), EXPIRED)
    assert.equal(await setup.available(merchant.merNo), 100_000n)
    await enterAccount(setup.deps, await find(merchant.merNo, tradeNo), toPix)
    assert.deepEqual(await setup.stateOf(tradeNo), EXPIRED)
  })

  it('above the threshold waits for the operator after its account is known', async () => {
    const merchant = await funded({ payoutApproval: 0n })
    const { tradeNo } = await setup.pay(merchant, request())
    await enterAccount(setup.deps, await find(merchant.merNo, tradeNo), toPix)
    assert.equal((await setup.stateOf(tradeNo))?.payout, 'awaiting_approval')
    setup.pass(AWAITS_ACCOUNT_MS)
    await setup.runWorker()
    await setup.approve(merchant, tradeNo)
    await setup.runWorker()
    await later(5_000)
    assert.deepEqual(await setup.stateOf(tradeNo), SUCCEEDED)
  })
})

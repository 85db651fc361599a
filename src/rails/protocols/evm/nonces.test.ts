// Tests nonces and fees of outgoing transfers. The nodes keep and replace waiting transactions as real nodes do.
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { testAccounts, testKeys } from '../../../../test/builders/evm-transaction.ts'
import { type FakeOutgoing, openOutgoing, payout } from '../../../../test/counterparties/fake-outgoing.ts'
import {
  type Account,
  type FakePool,
  openPool,
  type Payment,
} from '../../../../test/counterparties/fake-pool.ts'
import { dyingStore } from '../../../../test/harness/dying-store.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import type { SignerAnswer } from './signer.ts'

const [key = Buffer.of(), otherKey = Buffer.of()] = testKeys
const account: Account = { address: testAccounts[0], key }
const other: Account = { address: testAccounts[1], key: otherKey }
const FIRST = 7

let out: FakeOutgoing
let pool: FakePool
const database = useDatabase()
beforeEach(() => {
  out = openOutgoing(database)
  pool = openPool(FIRST)
})

type Terms = Partial<Pick<Payment, 'nonce' | 'fee' | 'tip' | 'gas' | 'units' | 'account'>>

function sign(terms: Terms): string {
  return pool.sign({ ...payout, account, nonce: FIRST, fee: 100, tip: 10, ...terms })
}

const signed = (id: string, terms: Terms = {}): SignerAnswer => ({ id, kind: 'signed', raw: sign(terms) })
const refusal = (id: string): SignerAnswer => ({ id, kind: 'refused', why: 'It was paid in another way' })

function round(...answers: readonly SignerAnswer[]): Promise<void> {
  const { chain, nodes } = pool
  return out.round({ from: account.address, chain, nodes, answers })
}

/** Mines a block, makes the block final, and runs a round. Returns the payments in the block. */
async function finish(): Promise<string[]> {
  const paid = pool.mine()
  pool.finish()
  await round()
  return paid
}

const paid = (units: bigint) => `${payout.to} ${units}`

describe('a higher fee', () => {
  for (const [what, terms] of Object.entries({
    'that is too little more': { fee: 105, tip: 11 },
    'without a higher tip': { fee: 200, tip: 10 },
    'with a higher tip only': { fee: 100, tip: 20 },
  }))
    it(`${what} is reported until a block has the first transaction, which counts`, async () => {
      const id = await out.plan()
      await round(signed(id))
      const said = new RegExp(`${id}: no node takes .* with nonce ${FIRST} waits, and either may count`)
      await assert.rejects(round(signed(id, terms)), said)
      await assert.rejects(round(), said)
      assert.deepEqual(await finish(), [paid(payout.units)])
      assert.equal(await out.stateOf(id), 'succeeded')
    })

  it('that is enough takes the place of all before it, and nobody needs to look', async () => {
    const id = await out.plan()
    await round(signed(id))
    await assert.rejects(round(signed(id, { fee: 105, tip: 11 })), /no node takes/)
    await round(signed(id, { fee: 130, tip: 13 }))
    await round()
    assert.deepEqual(await finish(), [paid(payout.units)])
    assert.equal(await out.stateOf(id), 'succeeded')
  })

  it('is not needed for more gas, where the first had too little', async () => {
    const id = await out.plan()
    await assert.rejects(round(signed(id, { gas: 20_000 })), /sign it again with nonce 7 and more gas/)
    await round(signed(id, { gas: 60_000 }))
    await round()
    assert.deepEqual(await finish(), [paid(payout.units)])
    assert.equal(await out.stateOf(id), 'succeeded')
  })
})

describe('two transfers that the signer gave one nonce', () => {
  for (const [what, terms, winner] of [
    ['the first counts, if the second does not pay more', {}, 0],
    ['the second counts, if it pays enough more', { fee: 130, tip: 13 }, 1],
  ] as const)
    it(`name each other, and only one is paid: ${what}`, async () => {
      const ids = [await out.plan(), await out.plan(6_000n)] as const
      const [won, lost] = winner === 0 ? ids : [ids[1], ids[0]]
      await round(signed(ids[0]))
      const both = round(signed(ids[1], { units: 6_000n, ...terms }))
      await assert.rejects(both, ({ message }: Error) => {
        for (const [one, rival] of [ids, ids.toReversed()])
          assert.match(message, new RegExp(`${one}: .*nonce ${FIRST} is also that of ${rival}`))
        return !message.includes('higher')
      })
      assert.deepEqual(pool.mine(), [paid(winner === 0 ? payout.units : 6_000n)])
      await assert.rejects(round(refusal(lost)), /signed before: no final block has another/)
      pool.finish()
      await assert.rejects(round(), new RegExp(`${lost}: another transaction of .* has used the nonce`))
      await round(refusal(lost))
      assert.deepEqual(
        { won: await out.stateOf(won), lost: await out.stateOf(lost) },
        { won: 'succeeded', lost: 'failed' },
      )
      assert.deepEqual(await finish(), [])
    })

  it('and that pay the same are one transaction: it is that of the first, and the second needs another nonce', async () => {
    const ids = [await out.plan(), await out.plan()] as const
    await round(signed(ids[0]))
    const said = new RegExp(`answer ${ids[1]}: .*already that of ${ids[0]}: sign with another nonce`)
    await assert.rejects(round(signed(ids[1])), said)
    await round(signed(ids[1], { nonce: FIRST + 1 }))
    assert.deepEqual(await finish(), [paid(payout.units), paid(payout.units)])
    for (const id of ids) assert.equal(await out.stateOf(id), 'succeeded')
  })

  it('name each other and what keeps nodes from taking either', async () => {
    const ids = [await out.plan(), await out.plan(6_000n)] as const
    const both = round(signed(ids[0], { gas: 20_000 }), signed(ids[1], { gas: 20_000, units: 6_000n }))
    await assert.rejects(both, ({ message }: Error) => {
      for (const [one, rival] of [ids, ids.toReversed()])
        assert.match(message, new RegExp(`${one}: [^;]*more gas [^;]*; its nonce 7 is also that of ${rival}`))
      return true
    })
  })

  it('do not concern each other if they are of different accounts', async () => {
    const ids = [await out.plan(), await out.plan()] as const
    const { chain, nodes } = pool
    const answers = [signed(ids[0], { account: other })]
    await out.round({ from: other.address, chain, nodes, answers })
    await round(signed(ids[1]))
    assert.deepEqual(await finish(), [paid(payout.units), paid(payout.units)])
    for (const id of ids) assert.equal(await out.stateOf(id), 'succeeded')
  })
})

describe('a nonce that a transaction of somebody else', () => {
  const foreign = (terms: Terms = {}) => pool.send(sign({ units: 1n, ...terms }))

  it('waits with is reported, and the transfer counts if it pays enough more', async () => {
    const id = await out.plan()
    foreign()
    await assert.rejects(round(signed(id)), /with nonce 7 waits, and either may count/)
    await round(signed(id, { fee: 120, tip: 12 }))
    assert.deepEqual(await finish(), [paid(payout.units)])
    assert.equal(await out.stateOf(id), 'succeeded')
  })

  it('has used is never free again: the transfer stays open until the signer refuses it', async () => {
    const id = await out.plan()
    await round(signed(id))
    foreign({ fee: 120, tip: 12 })
    assert.deepEqual(pool.mine(), [paid(1n)])
    for (const isFinal of [false, true]) {
      if (isFinal) pool.finish()
      await assert.rejects(
        round(),
        new RegExp(`${id}: another transaction of .* has used the nonce ${FIRST}`),
      )
      assert.equal(await out.stateOf(id), 'open')
    }
    await round(refusal(id))
    assert.equal(await out.stateOf(id), 'failed')
  })

  it('waits with or has used is not proposed', async () => {
    foreign()
    foreign({ nonce: FIRST + 1 })
    pool.mine()
    foreign({ nonce: FIRST + 2 })
    const id = await out.plan()
    await round()
    assert.equal(out.asked.get(id), FIRST + 3)
  })
})

describe('the proposed nonces', () => {
  it('are one for each transfer, and that of a refused one is proposed again', async () => {
    const ids = [await out.plan(), await out.plan(), await out.plan()]
    await round()
    assert.deepEqual(
      ids.map((id) => out.asked.get(id)).toSorted(),
      [0, 1, 2].map((more) => FIRST + more),
    )
    const gap = ids.find((id) => out.asked.get(id) === FIRST + 1) ?? assert.fail()
    await round(refusal(gap))
    const next = await out.plan()
    await round()
    assert.equal(out.asked.get(next), FIRST + 1)
  })

  it('are free if the signer chose others, and those are not', async () => {
    const first = await out.plan()
    await round()
    await assert.rejects(round(signed(first, { nonce: FIRST + 1 })), /waits for the nonce 7 .* nothing uses/)
    const ids = [await out.plan(), await out.plan()]
    await assert.rejects(round(), /nothing uses/)
    assert.deepEqual(ids.map((id) => out.asked.get(id)).toSorted(), [FIRST, FIRST + 2])
    await round()
    for (const id of ids) await round(signed(id, { nonce: out.asked.get(id) ?? 0 }))
    assert.equal((await finish()).length, 3)
    for (const id of [first, ...ids]) assert.equal(await out.stateOf(id), 'succeeded')
  })

  it('of another account are free for this one', async () => {
    const { chain, nodes } = pool
    const id = await out.plan()
    await out.round({ from: other.address, chain, nodes, answers: [signed(id, { account: other })] })
    const next = await out.plan()
    await round()
    assert.equal(out.asked.get(next), FIRST)
  })
})

describe('a gap before a nonce', () => {
  it('is reported until it is filled, also behind a transfer that is sent', async () => {
    const ids = [await out.plan(), await out.plan()] as const
    await round(signed(ids[0]), signed(ids[1], { nonce: FIRST + 2 }))
    assert.deepEqual(pool.mine(), [paid(payout.units)])
    const said = new RegExp(`${ids[1]}: its nonce ${FIRST + 2} waits for the nonce ${FIRST + 1} of`)
    for (const _round of [1, 2]) await assert.rejects(round(), said)
    pool.send(sign({ nonce: FIRST + 1, units: 0n }))
    await round()
    assert.equal((await finish()).length, 2)
    assert.equal(await out.stateOf(ids[1]), 'succeeded')
  })
})

describe('a process that dies', () => {
  it('pays once wherever that is, also if the signer then signs with another nonce', async () => {
    for (let step = 0, died = true; died; step += 1) {
      out = openOutgoing(database)
      pool = openPool(FIRST)
      const { chain, nodes } = pool
      const id = await out.plan()
      const over = dyingStore(out.store, step)
      died = await out.round({ from: account.address, chain, nodes, answers: [signed(id)], over }).then(
        () => false,
        () => true,
      )
      // The signer has forgotten its first answer. The next answer counts only if the first one was not recorded.
      await round(signed(id, { nonce: FIRST + 1 })).catch(() => {})
      await round(signed(id, { nonce: FIRST })).catch(() => {})
      if (chain.countAt(chain.head + 1, account.address) === FIRST) pool.send(sign({ units: 0n }))
      const all = [...pool.mine(), ...pool.mine()].filter((one) => one !== paid(0n))
      assert.deepEqual(all, [paid(payout.units)], `step ${step}`)
      pool.finish()
      await round()
      assert.equal(await out.stateOf(id), 'succeeded', `step ${step}`)
    }
  })
})

// Tests receipts of outgoing transfers from machines behind a node's address that lag, or that are on a branch that a
// reorg has abandoned.
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { testAccounts, testKeys } from '../../../../test/builders/evm-transaction.ts'
import { fakeNode } from '../../../../test/counterparties/fake-evm.ts'
import { type FakeOutgoing, openOutgoing, payout } from '../../../../test/counterparties/fake-outgoing.ts'
import { type FakePool, openPool } from '../../../../test/counterparties/fake-pool.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { MAX_LAG } from './nodes.ts'
import type { SignerAnswer } from './signer.ts'

const [key = Buffer.of()] = testKeys
const account = { address: testAccounts[0], key }
const NONCE = 7

let out: FakeOutgoing
let pool: FakePool
let id: string
const database = useDatabase()
beforeEach(async () => {
  out = openOutgoing(database)
  pool = openPool(NONCE)
  id = await out.plan()
})

function round(answers: readonly SignerAnswer[] = [], nodes = pool.nodes): Promise<void> {
  return out.round({ from: account.address, chain: pool.chain, nodes, answers })
}

/** Puts the payout into the newest block and makes this block final. */
async function payIt(): Promise<void> {
  const raw = pool.sign({ ...payout, account, nonce: NONCE, fee: 100, tip: 10 })
  await round([{ id, kind: 'signed', raw }])
  assert.equal(pool.mine().length, 1)
  pool.chain.finalized = pool.chain.head
}

describe('a machine that lags', () => {
  /** Returns a node whose machine for receipts has the maximum lag that a working machine may have. */
  const lagging = () => [
    fakeNode(pool.chain, 'node', (method, answer) =>
      method === 'eth_getTransactionReceipt' && Number(Object(answer).blockNumber) > pool.chain.head - MAX_LAG
        ? null
        : answer,
    ),
  ]
  const refusal = (): SignerAnswer => ({ id, kind: 'refused', why: 'It was paid in another way' })

  it('does not let the signer refuse what was paid: the merchant would have coin and money', async () => {
    await payIt()
    for (let more = 0; more < MAX_LAG; more += 1) {
      await assert.rejects(round([refusal()], lagging()), /signed before: no final block has another/)
      assert.equal(await out.stateOf(id), 'open')
      pool.mine()
      pool.chain.finalized = pool.chain.head
    }
    await assert.rejects(round([refusal()], lagging()), /signed before: block 101 has it/)
    await round([], lagging())
    assert.equal(await out.stateOf(id), 'succeeded')
  })
})

describe('a receipt of a block that is not in the chain', () => {
  for (const status of ['0x0', '0x1'])
    it(`decides nothing, whether the transaction succeeded there or not: ${status}`, async () => {
      await payIt()
      const { chain } = pool
      for (const receipt of chain.receipts.values()) Object.assign(receipt, { status })
      chain.replacedFrom = chain.head
      await assert.rejects(round(), new RegExp(`${id}: .* block 101 .* not in the chain`))
      assert.equal(await out.stateOf(id), 'open')
      chain.replacedFrom = Number.POSITIVE_INFINITY
      await round()
      assert.equal(await out.stateOf(id), status === '0x1' ? 'succeeded' : 'failed')
    })
})

// Tests a change of "from" of "outgoing" while a transfer is signed but not yet in a block. The old transaction may
// still be executed.
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { signTransaction, testAccounts, testKeys } from '../../../../test/builders/evm-transaction.ts'
import { type FakeChain, fakeChain, fakeNode } from '../../../../test/counterparties/fake-evm.ts'
import { type FakeOutgoing, openOutgoing, payout } from '../../../../test/counterparties/fake-outgoing.ts'
import type { Account } from '../../../../test/counterparties/fake-pool.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { transferData } from './hex.ts'
import { listSigned } from './outgoing-records.ts'
import type { SignerAnswer } from './signer.ts'

const [oldKey = Buffer.of(), youngKey = Buffer.of()] = testKeys
const old: Account = { address: testAccounts[0], key: oldKey }
const young: Account = { address: testAccounts[1], key: youngKey }
const NONCE = 7

let out: FakeOutgoing
let id: string
const database = useDatabase()

function answerOf({ key }: Account, fee = 2): SignerAnswer {
  const data = Buffer.from(transferData(payout.to, payout.units).slice(2), 'hex')
  const called = Buffer.from(payout.token.slice(2), 'hex')
  return { id, kind: 'signed', raw: signTransaction({ key, nonce: NONCE, to: called, data, fee }) }
}

/** Runs one polling round with this account as "from". */
function round(
  account: Account,
  answers: readonly SignerAnswer[],
  chain = fakeChain({ countAt: () => NONCE }),
): Promise<void> {
  const nodes = [fakeNode(chain, 'a'), fakeNode(chain, 'b')]
  return out.round({ from: account.address, chain, nodes, answers })
}

/** Returns a chain on which the account has used the nonce. */
const usedBy = ({ address }: Account): FakeChain =>
  fakeChain({ countAt: (_, account) => (account === address ? NONCE + 1 : NONCE) })

const refusal = (): SignerAnswer => ({ id, kind: 'refused', why: 'The key was replaced' })

beforeEach(async () => {
  out = openOutgoing(database)
  id = await out.plan()
  await round(old, [answerOf(old)])
  assert.equal((await listSigned(out.store, id)).length, 1)
})

describe('a transfer that was signed before the account was changed', () => {
  it('is not signed by the new account too: both would pay', async () => {
    await assert.rejects(round(young, [answerOf(young)]), /only that account may sign it again/)
    assert.equal((await listSigned(out.store, id)).length, 1)
    await round(young, [answerOf(old, 9)])
    assert.equal((await listSigned(out.store, id)).length, 2)
  })

  it('does not fail because the new account has used the nonce', async () => {
    const early = round(young, [refusal()], usedBy(young))
    await assert.rejects(early, /signed before: no final block has another transaction/)
    assert.equal(await out.stateOf(id), 'open')
    await round(young, [refusal()], usedBy(old))
    assert.equal(await out.stateOf(id), 'failed')
  })

  it('is reported when the old account has used the nonce, and only then', async () => {
    await round(young, [], usedBy(young))
    await assert.rejects(
      round(young, [], usedBy(old)),
      new RegExp(`transaction of ${old.address} has used`, 'i'),
    )
  })
})

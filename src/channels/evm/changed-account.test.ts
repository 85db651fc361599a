// "from" of "outgoing" is changed while a transfer is signed and not yet in a block: the old transaction may still count.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { makeReference } from '../../../test/channel-driver.ts'
import { signTransaction, testAccounts, testKeys } from '../../../test/evm-transaction.ts'
import { CHAIN_ID, type FakeChain, fakeChain, fakeNode } from '../../../test/fake-evm.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/harness.ts'
import { systemClock } from '../../base/clock.ts'
import { openStore } from '../open-store.ts'
import type { ChannelStore } from '../store.ts'
import type { EvmSettings } from './evm-settings.ts'
import { transferData } from './hex.ts'
import { openNodes } from './nodes.ts'
import { sendOutgoing } from './outgoing.ts'
import { addOutgoing, findOutgoing, listSigned, newOutgoing } from './outgoing-records.ts'
import type { Signer, SignerAnswer } from './signer.ts'

const [oldKey = Buffer.of(), youngKey = Buffer.of()] = testKeys
const old: Account = { address: testAccounts[0], key: oldKey }
const young: Account = { address: testAccounts[1], key: youngKey }
const token = '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'
const to = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const units = 5_000n
const NONCE = 7
const { signal } = new AbortController()

let database: TestDatabase
let store: ChannelStore
let id: string
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

type Account = { readonly address: string; readonly key: Uint8Array }

function answerOf({ key }: Account, fee = 2): SignerAnswer {
  const data = Buffer.from(transferData(to, units).slice(2), 'hex')
  const called = Buffer.from(token.slice(2), 'hex')
  return { id, kind: 'signed', raw: signTransaction({ key, nonce: NONCE, to: called, data, fee }) }
}

/** One round with these settings. */
async function round(
  account: Account,
  answers: readonly SignerAnswer[],
  chain = fakeChain({ countAt: () => NONCE }),
): Promise<void> {
  const signer: Signer = {
    asked: async () => new Set(),
    ask: async () => {},
    answers: async () => answers,
    finish: async () => {},
    check: async () => ({ isRight: true, message: '' }),
  }
  const head = await openNodes([fakeNode(chain, 'a'), fakeNode(chain, 'b')], CHAIN_ID).head(signal)
  const settings = { chainId: CHAIN_ID } as EvmSettings
  const outgoing = { from: account.address, folder: '/signer' }
  await sendOutgoing({ store, settings, outgoing, signer, head, final: chain.finalized, signal })
}

/** The account has used the nonce. */
const usedBy = ({ address }: Account): FakeChain =>
  fakeChain({ countAt: (_, account) => (account === address ? NONCE + 1 : NONCE) })

const refusal = (): SignerAnswer => ({ id, kind: 'refused', why: 'The key was replaced' })

beforeEach(async () => {
  id = makeReference()
  store = openStore({ db: database.db, clock: systemClock }, `changed-${id}`)
  const what = { coin: 'USDC', token, to, units, amount: 500n, currency: 'USD' }
  await store.write(addOutgoing(newOutgoing({ id, purpose: 'payout', reference: id, ...what })))
  await round(old, [answerOf(old)])
  assert.equal((await listSigned(store, id)).length, 1)
})

describe('a transfer that was signed before the account was changed', () => {
  it('is not signed by the new account too: both would pay', async () => {
    await assert.rejects(round(young, [answerOf(young)]), /only that account may sign it again/)
    assert.equal((await listSigned(store, id)).length, 1)
    await round(young, [answerOf(old, 9)])
    assert.equal((await listSigned(store, id)).length, 2)
  })

  it('does not fail because the new account has used the nonce', async () => {
    const early = round(young, [refusal()], usedBy(young))
    await assert.rejects(early, /signed before: no final block has another one/)
    assert.equal((await findOutgoing(store, id))?.state, 'open')
    await round(young, [refusal()], usedBy(old))
    assert.equal((await findOutgoing(store, id))?.state, 'failed')
  })

  it('is reported when the old account has used the nonce, and only then', async () => {
    await round(young, [], usedBy(young))
    await assert.rejects(
      round(young, [], usedBy(old)),
      new RegExp(`transaction of ${old.address} has used`, 'i'),
    )
  })
})

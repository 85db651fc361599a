import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import { type FakeChain, fakeChain, fakeNode, hashOf } from '../../../../test/counterparties/fake-evm.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { systemClock } from '../../../platform/base/clock.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { openStore } from '../../toolkit/records/store.ts'
import { addressTopic, TRANSFER_TOPIC } from './hex.ts'
import { type Rpc, RpcFailure } from './json-rpc.ts'
import { MAX_LAG, openNodes } from './nodes.ts'
import { sendOutgoing } from './outgoing.ts'
import { addOutgoing, addSigned, findOutgoing, firstAnswer, newOutgoing } from './outgoing-records.ts'
import type { EvmSettings } from './settings.ts'
import type { Signer, SignerAnswer } from './signer.ts'

const token = '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'
const from = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const to = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const units = 5_000_000n
const NONCE = 7
const { signal } = new AbortController()

let store: ChannelStore
const database = useDatabase()

let count = 0
/** Makes a signed payout in a store of its own. */
async function signedPayout(coin = token): Promise<{ readonly id: string; readonly txHash: string }> {
  count += 1
  store = openStore({ db: database.db, clock: systemClock }, `outgoing-${count}`)
  const id = makeReference()
  const txHash = `0x${String(count).padStart(64, '0')}`
  const what = { coin: 'USDC', token: coin, to, units, amount: 500n, currency: 'USD' }
  await store.write(addOutgoing(newOutgoing({ id, purpose: 'payout', reference: id, ...what })))
  await firstAnswer(store, id, NONCE)
  await addSigned(store, id, { raw: '0x02', txHash, nonce: NONCE })
  return { id, txHash }
}

const transferLog = {
  address: token,
  topics: [TRANSFER_TOPIC, addressTopic(from), addressTopic(to)],
  data: `0x${units.toString(16)}`,
  logIndex: '0x0',
}

function receiptOf(block: number, changes: object = {}): object {
  return {
    blockHash: hashOf(block),
    blockNumber: `0x${block.toString(16)}`,
    status: '0x1',
    gasUsed: '0x5208',
    effectiveGasPrice: '0x1',
    logs: [transferLog],
    ...changes,
  }
}

function signerWith(answers: readonly SignerAnswer[] = []) {
  const finished: string[] = []
  const signer: Signer = {
    asked: async () => new Set(),
    ask: async () => assert.fail('all is signed'),
    answers: async () => answers,
    finish: async (id, into) => void finished.push(`${id} ${into}`),
    check: async () => ({ isRight: true, message: '' }),
  }
  return { signer, finished }
}

/** Runs one polling round, by default with two nodes. */
async function round(
  chain: FakeChain,
  nodes: readonly Rpc[] = [fakeNode(chain, 'a'), fakeNode(chain, 'b')],
  { signer } = signerWith(),
): Promise<void> {
  const head = await openNodes(nodes, 137).head(signal)
  // If transfers are already signed, the round reads only the chain id of the settings.
  const settings = { chainId: 137 } as EvmSettings
  const outgoing = { from, folder: '/signer' }
  await sendOutgoing({ store, settings, outgoing, signer, head, final: chain.finalized, signal })
}

const stateOf = async (id: string) => (await findOutgoing(store, id))?.state

/** Returns the same receipt in the form that other node software writes. */
function inAnotherWay(method: string, answer: unknown): unknown {
  if (method !== 'eth_getTransactionReceipt' || answer === null) return answer
  const { data, ...rest } = transferLog
  return { ...Object(answer), logs: [{ data, blockTimestamp: '0x1', ...rest }] }
}

describe('a transaction that a final block has', () => {
  it('is recognised by nodes of different software, which write its logs in their own way', async () => {
    const { id, txHash } = await signedPayout()
    const chain = fakeChain({ receipts: new Map([[txHash, receiptOf(80)]]) })
    await round(chain, [fakeNode(chain, 'a'), fakeNode(chain, 'b', inAnotherWay)])
    assert.equal(await stateOf(id), 'succeeded')
  })

  it('fails only if the chain says so, in a final block', async () => {
    const { id, txHash } = await signedPayout()
    const receipts = new Map([[txHash, receiptOf(95, { status: '0x0', logs: [] })]])
    await round(fakeChain({ receipts }))
    assert.equal(await stateOf(id), 'open')
    await round(fakeChain({ receipts, finalized: 95 }))
    assert.equal(await stateOf(id), 'failed')
  })

  it('and that lacks the transfer is left open and reported, for the coin may have left', async () => {
    const { id, txHash } = await signedPayout()
    const less = { ...transferLog, data: '0x1' }
    for (const logs of [[], [less]]) {
      const chain = fakeChain({ receipts: new Map([[txHash, receiptOf(80, { logs })]]) })
      await assert.rejects(
        round(chain),
        new RegExp(`${id}: the transaction ${txHash} succeeded, but its receipt lacks the transfer`),
      )
      assert.equal(await stateOf(id), 'open')
    }
  })

  it('needs no log for the native coin', async () => {
    const { id, txHash } = await signedPayout('native')
    await round(fakeChain({ receipts: new Map([[txHash, receiptOf(80, { logs: [] })]]) }))
    assert.equal(await stateOf(id), 'succeeded')
  })
})

describe('a nonce that another transaction has used', () => {
  /** A head at which every working machine has block 90. */
  const HEAD = 90 + MAX_LAG
  const used = (after: number, receipts = new Map<string, object>()) =>
    fakeChain({ head: HEAD, receipts, countAt: (block) => (block > after ? NONCE + 1 : NONCE) })
  const refusal = (id: string) => signerWith([{ id, kind: 'refused', why: 'Cancelled in the wallet' }])

  it('is reported in each round, and decides nothing: the other one may be the same payment', async () => {
    const { id } = await signedPayout()
    await round(used(HEAD))
    for (const chain of [used(HEAD - 1), used(50), used(50)]) {
      await assert.rejects(round(chain), new RegExp(`${id}: another transaction of 0x7099.* nonce ${NONCE}`))
      assert.equal(await stateOf(id), 'open')
    }
  })

  it('lets the signer refuse what it had signed, once a final block has the other one', async () => {
    const { id } = await signedPayout()
    const early = refusal(id)
    await assert.rejects(round(used(90), undefined, early), /signed before: no final block has another/)
    assert.deepEqual(
      { state: await stateOf(id), finished: early.finished },
      { state: 'open', finished: [`${id} bad`] },
    )
    const late = refusal(id)
    await round(used(89), undefined, late)
    assert.deepEqual(
      { state: await stateOf(id), finished: late.finished },
      { state: 'failed', finished: [`${id} done`] },
    )
    assert.equal((await findOutgoing(store, id))?.why, 'Cancelled in the wallet')
  })

  it('is not used elsewhere if a node has our transaction, or cannot tell', async () => {
    const { id, txHash } = await signedPayout()
    const receipts = new Map([[txHash, receiptOf(95)]])
    await assert.rejects(round(used(50, receipts), undefined, refusal(id)), /signed before: block 95 has it/)
    const chain = used(50)
    const nodes = [fakeNode(chain, 'a'), fakeNode(used(50, receipts), 'b')]
    await assert.rejects(round(chain, nodes, refusal(id)), /signed before: the nodes disagree/)
    assert.equal(await stateOf(id), 'open')
  })
})

describe('a transaction that no node takes', () => {
  const chain = () => fakeChain({ countAt: () => NONCE })
  /**
   * Returns nodes that refuse a sent transaction with these messages. A node without a message accepts the transaction.
   */
  const nodesThat = (...answers: readonly (string | undefined)[]) =>
    answers.map((why, at) =>
      fakeNode(chain(), `node ${at}`, (method, answer) => {
        if (method !== 'eth_sendRawTransaction' || why === undefined) return answer
        throw new RpcFailure('refused', why)
      }),
    )
  const known = 'already known'
  const poor = 'insufficient funds for gas * price + value: balance 0'
  const low = 'nonce too low: next nonce 8, tx nonce 7'

  for (const [refusal, todo] of [
    [poor, /0x7099\S+ lacks native coin for it and its fee: fill the account/],
    ['replacement transaction underpriced', /another transaction of 0x7099\S+ with nonce 7 waits/],
    ['intrinsic gas too low: have 21000, want 21624', /again with nonce 7 and more gas/],
    [
      'transaction underpriced: tip needed 1, tip permitted 0',
      /wait .* or sign it again with nonce 7 and hi/,
    ],
    ['unknown transaction type', /may still count; sign it again with no other nonce than 7/],
  ] as const)
    it(`stays open, and a person is told what to do: ${refusal}`, async () => {
      const { id, txHash } = await signedPayout()
      await assert.rejects(round(chain(), nodesThat(refusal, refusal)), ({ message }: Error) => {
        assert.match(message, todo)
        assert.ok(message.includes(`${id}: no node takes the transaction ${txHash}`), message)
        return message.includes(`(${refusal})`)
      })
      assert.equal(await stateOf(id), 'open')
    })

  it('is no matter if one node takes it or has it, nor if blocks will tell whose nonce it was', async () => {
    const { id } = await signedPayout()
    for (const answers of [
      [undefined, poor],
      [poor, known],
      [known, known],
      [low, low],
      [poor, low],
    ])
      await round(chain(), nodesThat(...answers))
    assert.equal(await stateOf(id), 'open')
  })

  it('is reported with the reason that helps, before a time-out', async () => {
    await signedPayout()
    await assert.rejects(round(chain(), nodesThat('no response in time', poor)), /lacks native coin/)
  })
})

describe('a nonce that nothing uses', () => {
  it('is named if a transaction waits for it, and not while another transfer will use it', async () => {
    const { id } = await signedPayout()
    const missing = fakeChain({ countAt: () => NONCE - 1 })
    await assert.rejects(
      round(missing),
      new RegExp(`${id}: its nonce ${NONCE} waits for the nonce ${NONCE - 1} of 0x7099.*nothing uses`),
    )
    assert.equal(await stateOf(id), 'open')
    // On this chain, the missing nonce is used by a transaction that waits in the pool of the nodes.
    await round(fakeChain({ countAt: (block) => (block === missing.head ? NONCE - 1 : NONCE + 1) }))
    const earlier = makeReference()
    const what = { coin: 'USDC', token, to, units, amount: 500n, currency: 'USD' }
    await store.write(
      addOutgoing(newOutgoing({ id: earlier, purpose: 'payout', reference: earlier, ...what })),
    )
    await firstAnswer(store, earlier, NONCE - 1)
    await addSigned(store, earlier, { raw: '0x02', txHash: `0x${'e'.repeat(64)}`, nonce: NONCE - 1 })
    await round(missing)
  })
})

// Tests logs of a payer, a stranger or a broken node that look like a payment, but do not count, or do not count yet.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fakeChain, fakeNode } from '../../../../test/counterparties/fake-evm.ts'
import {
  cancel,
  coin,
  type FakeWatch,
  open,
  pay,
  payToken,
  watchBy,
} from '../../../../test/counterparties/fake-watch.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { isObject } from '../../../platform/base/object.ts'
import { listAll } from '../../toolkit/records/store.ts'
import { RpcFailure } from './json-rpc.ts'

const token = '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'
const another = '0xc2132d05d31c914a87c6611c10748aeb04b58e8f'
const stranger = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const inTokens = { coins: new Map([['USDC', coin('USDC', token)]]) }

const database = useDatabase()

type Change = (method: string, answer: unknown, params: readonly unknown[]) => unknown

/** Opens a payment, which two nodes of one chain watch. `change` alters the answers of both nodes. */
async function watchWith(change: Change = (_, answer) => answer, settings: object = inTokens) {
  const chain = fakeChain()
  const nodes = ['a', 'b'].map((host) => fakeNode(chain, host, change))
  const watched = watchBy(database, nodes, settings)
  await watched.round()
  const reference = await open(watched, 'coins' in settings ? 'USDC' : 'BNB')
  const finish = async () => {
    Object.assign(chain, { head: 120, finalized: 110 })
    await watched.round()
  }
  return { ...watched, chain, nodes, reference, finish }
}

const count = async ({ store }: FakeWatch, kind: string) => (await listAll(store, kind)).length

describe('a transfer', () => {
  it('of zero is not even seen, so that strangers keep no payment open', async () => {
    const watched = await watchWith()
    const { chain, round, reference } = watched
    Object.assign(payToken(chain, token, 101), { data: `0x${'0'.repeat(64)}` })
    chain.head = 105
    await round()
    assert.equal(await count(watched, 'seen'), 0)
    assert.equal((await cancel(watched, reference)).kind, 'failed')
  })

  it('of the native coin whose transaction failed does not count', async () => {
    const watched = await watchWith(undefined, {})
    const { chain, finish } = watched
    const hash = pay(chain, 101)
    chain.receipts.set(hash, { ...chain.receipts.get(hash), status: '0x0' })
    pay(chain, 102)
    await finish()
    assert.deepEqual(
      (await listAll(watched.store, 'transfer')).map(({ body }) => body.block),
      [102],
    )
  })

  it('keeps its reference in another block, where its log has another index', async () => {
    const places: unknown[] = []
    for (const index of [0, 5]) {
      const watched = await watchWith()
      const { chain, finish } = watched
      payToken(chain, token, 101, index)
      await finish()
      const outcome = await watched.channel.ask({
        reference: watched.reference,
        money: { amount: 100n, currency: 'USD' },
      })
      places.push('deposits' in outcome && outcome.deposits?.map(({ depositRef }) => depositRef))
    }
    assert.deepEqual(places[0], places[1])
    assert.match(String(places[0]), /^0x\w{64}-0$/)
  })

  it('of one transaction to two orders counts once for each', async () => {
    const watched = await watchWith()
    const { chain, finish, reference, channel } = watched
    const second = await open(watched, 'USDC', stranger)
    payToken(chain, token, 101, 0)
    payToken(chain, token, 101, 1, stranger)
    await finish()
    await finish()
    const refs: string[] = []
    for (const one of [reference, second]) {
      const outcome = await channel.ask({ reference: one, money: { amount: 100n, currency: 'USD' } })
      const deposits = 'deposits' in outcome ? (outcome.deposits ?? []) : []
      assert.deepEqual(
        deposits.map(({ money }) => money.amount),
        [100n],
      )
      refs.push(...deposits.map(({ depositRef }) => depositRef))
    }
    assert.equal(new Set(refs).size, 2)
  })
})

describe('a node', () => {
  type Log = { readonly topics: readonly string[] }
  const others: Readonly<Record<string, readonly [(log: Log) => object, RegExp]>> = {
    'of another token': [() => ({ address: another }), /logs of other contracts/],
    // In this log, the sender is also the receiver.
    'to another address': [
      ({ topics: [event, from] }) => ({ topics: [event, from, from] }),
      /logs that were not asked for/,
    ],
    'of a later block': [() => ({ blockNumber: '0x70' }), /logs that were not asked for/],
  }
  for (const [what, [change, said]] of Object.entries(others))
    it(`that sends logs ${what} is not believed`, async () => {
      const watched = await watchWith((method, answer) =>
        method === 'eth_getLogs' && Array.isArray(answer)
          ? answer.map((log) => ({ ...log, ...change(log) }))
          : answer,
      )
      payToken(watched.chain, token, 101)
      await assert.rejects(watched.finish(), said)
      assert.equal(await count(watched, 'transfer'), 0)
    })

  it('whose blocks change while they are read lets nothing count until they are read again', async () => {
    let changed: 'block' | 'receipt' | 'nothing' = 'block'
    const watched = await watchWith((method, answer, [which]) => {
      const isChanged =
        (changed === 'block' && method === 'eth_getBlockByNumber' && which === '0x65') ||
        (changed === 'receipt' && method === 'eth_getTransactionReceipt')
      if (!isChanged || !isObject(answer)) return answer
      const hash = `0x${'d'.repeat(64)}`
      return method === 'eth_getBlockByNumber' ? { ...answer, hash } : { ...answer, blockHash: hash }
    })
    payToken(watched.chain, token, 101)
    for (const what of ['block', 'receipt'] as const) {
      changed = what
      await assert.rejects(watched.finish(), /block 101 changed while it was read/)
      assert.equal(await count(watched, 'transfer'), 0)
    }
    changed = 'nothing'
    await watched.finish()
    assert.equal(await count(watched, 'transfer'), 1)
  })
})

describe('a query for logs', () => {
  /**
   * Runs a round and counts its queries for logs. The node fails with `kind` on each query for more than `limit`
   * blocks.
   */
  async function callsWith(kind: 'refused' | 'busy' | 'unavailable', limit: number) {
    const watched = await watchWith((method, answer, [filter]) => {
      const { fromBlock, toBlock } = Object(filter)
      if (method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) + 1 > limit)
        throw new RpcFailure(kind, `no, ${kind}`)
      return answer
    })
    for (const block of [101, 104, 110]) payToken(watched.chain, token, block)
    const before = watched.nodes[0]?.calls.length
    const failure = await watched.finish().catch((error: Error) => error.message)
    const calls = watched.nodes[0]?.calls.slice(before).filter((method) => method === 'eth_getLogs')
    return { counted: await count(watched, 'transfer'), calls: calls?.length ?? 0, failure }
  }

  it('that is too large is asked in halves, and nothing is left out', async () => {
    for (const limit of [1, 3, 7]) {
      const { counted, failure } = await callsWith('refused', limit)
      assert.deepEqual({ counted, failure }, { counted: 3, failure: undefined })
    }
  })

  it('that comes at a bad time is not asked in halves, which would be more calls still', async () => {
    const { counted, calls, failure } = await callsWith('busy', 0)
    // There are separate queries for the final blocks and for the later blocks.
    assert.deepEqual({ counted, areFew: calls <= 3 }, { counted: 0, areFew: true }, `${calls} calls`)
    assert.match(String(failure), /no, busy/)
  })

  it('that is never answered is given up after a few halves', async () => {
    const { counted, calls } = await callsWith('unavailable', 0)
    assert.deepEqual(
      { counted, areSeveral: calls > 3, areFew: calls <= 9 },
      { counted: 0, areSeveral: true, areFew: true },
      `${calls} calls`,
    )
  })
})

// Tests answers of nodes that are incomplete and contain no error. The two nodes give the same answer, as two nodes of
// one provider do.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fakeChain, fakeNode } from '../../../../test/counterparties/fake-evm.ts'
import { coin, open, pay, payToken, watchBy } from '../../../../test/counterparties/fake-watch.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { isObject } from '../../../platform/base/object.ts'
import { listAll } from '../../toolkit/records/store.ts'
import { readTokenTransfers } from './chain.ts'

const token = '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'
const receiver = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

const database = useDatabase()

type Change = (method: string, answer: unknown, params: readonly unknown[]) => unknown

async function watchWith(change: Change, settings: object = {}) {
  const chain = fakeChain()
  const watched = watchBy(
    database,
    ['a', 'b'].map((host) => fakeNode(chain, host, change)),
    settings,
  )
  await watched.round()
  await open(watched, 'coins' in settings ? 'USDC' : 'BNB')
  const finish = async () => {
    Object.assign(chain, { head: 120, finalized: 110 })
    await watched.round()
  }
  const counted = async () => (await listAll(watched.store, 'transfer')).map(({ body }) => body.block)
  return { chain, finish, counted }
}

describe('a block', () => {
  it('with hashes instead of transactions is not taken for one without a payment', async () => {
    let isShort = true
    const { chain, finish, counted } = await watchWith((method, answer) =>
      isShort && method === 'eth_getBlockByNumber' && isObject(answer) && Array.isArray(answer.transactions)
        ? { ...answer, transactions: answer.transactions.map(({ hash }) => hash) }
        : answer,
    )
    pay(chain, 101)
    await assert.rejects(finish(), /a block without its transactions/)
    isShort = false
    await finish()
    assert.deepEqual(await counted(), [101])
  })

  for (const number of [101, 105, 110])
    it(`of a branch that the chain left is not read as one of the chain: ${number}`, async () => {
      let isAway = true
      const branch = { hash: `0x${'d'.repeat(64)}`, transactions: [] }
      const { chain, finish, counted } = await watchWith((method, answer, [which, isWhole]) =>
        isAway && method === 'eth_getBlockByNumber' && Number(which) === number && isWhole === true
          ? { ...Object(answer), ...branch }
          : answer,
      )
      pay(chain, number)
      await assert.rejects(finish(), /block \d+ changed while it was read/)
      isAway = false
      await finish()
      assert.deepEqual(await counted(), [number])
    })
})

describe('a list of logs', () => {
  for (const limit of [100, 1_000, 1_024])
    it(`that a node cuts at ${limit} without an error is read in parts`, async () => {
      const { chain, finish, counted } = await watchWith(
        (method, answer) =>
          method === 'eth_getLogs' && Array.isArray(answer) ? answer.slice(0, limit) : answer,
        { coins: new Map([['USDC', coin('USDC', token)]]) },
      )
      // Transfers of zero do not count, but they fill the list of logs.
      const zero = { ...payToken(chain, token, 101), data: '0x0' }
      chain.logs.push(...Array.from({ length: limit }, () => zero))
      for (const block of [102, 106, 110]) payToken(chain, token, block)
      await finish()
      assert.deepEqual(await counted(), [101, 102, 106, 110])
    })

  for (const limit of [Number.POSITIVE_INFINITY, 1_000])
    it(`that strangers made long on purpose is read in few calls: a node with the limit ${limit}`, async () => {
      const chain = fakeChain({ head: 280 })
      for (let block = 201; block <= 280; block += 1) {
        const zero = { ...payToken(chain, token, block), data: '0x0' }
        chain.logs.push(...Array.from({ length: 99 }, () => zero))
      }
      const node = fakeNode(chain, 'node', (_, answer) => Array.isArray(answer) && answer.slice(0, limit))
      const query = { tokens: [token], addresses: [receiver], from: 201, to: 280 }
      const found = await readTokenTransfers(node, query, new AbortController().signal)
      assert.equal(found.length, 80)
      // Without the limit, one query reads the whole range, and two queries read its halves. With the limit, queries
      // are halved down to ranges of five blocks, whose lists are short enough.
      assert.equal(node.calls.length, limit === 1_000 ? 31 : 3)
    })

  it('of one block and all receivers is then read by receivers', async () => {
    const asked: unknown[] = []
    const node = fakeNode(fakeChain(), 'node', (method, answer, [filter]) => {
      if (method !== 'eth_getLogs') return answer
      const [, , receivers] = Object(filter).topics
      asked.push(receivers?.length)
      return receivers === undefined ? Array.from({ length: 1_000 }, () => unwanted) : []
    })
    const word = (text: string) => `0x${text.padStart(64, '0')}`
    const topics = [
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
      word('1'),
      word('2'),
    ]
    const unwanted = { address: token, topics, data: '0x1', blockNumber: '0x5' }
    const wanted = new Map([3, 4, 5].map((at) => [`0x${String(at).padStart(40, '0')}`, 'A']))
    const query = { tokens: [token], addresses: [], wanted, from: 5, to: 5 }
    await readTokenTransfers(node, query, new AbortController().signal)
    assert.deepEqual(asked, [undefined, 1, 2])
  })
})

// Tests nodes that give odd answers.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FakeChain, fakeChain, fakeNode } from '../../../../test/counterparties/fake-evm.ts'
import {
  cancel,
  coin,
  MINUTE_MS,
  open,
  pay,
  payToken,
  watchBy,
} from '../../../../test/counterparties/fake-watch.ts'
import { dyingStore } from '../../../../test/harness/dying-store.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { isObject } from '../../../platform/base/object.ts'
import { listAll } from '../../toolkit/records/store.ts'
import { findProgress } from './records.ts'
import type { EvmSettings } from './settings.ts'

const token = '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'
const inTokens = { coins: new Map([['USDC', coin('USDC', token)]]) }

const database = useDatabase()

type Change = (method: string, answer: unknown) => unknown

/** Opens a payment in tokens, which a right node and an odd node watch. */
async function watchWith(chain: FakeChain, change: Change, changes: Partial<EvmSettings> = {}) {
  const nodes = [fakeNode(chain, 'right'), fakeNode(chain, 'odd', change)]
  const watched = watchBy(database, nodes, { ...inTokens, ...changes })
  await watched.round()
  const reference = await open(watched, 'USDC')
  const counted = async () => (await listAll(watched.store, 'transfer')).length
  return { ...watched, reference, counted }
}

const inLogs = (change: (logs: readonly unknown[]) => unknown): Change => {
  return (method, answer) => (method === 'eth_getLogs' && Array.isArray(answer) ? change(answer) : answer)
}

describe('logs of a node', () => {
  const removed = (log: unknown) => ({ ...Object(log), removed: true, data: '0x1' })
  const changes: Readonly<Record<string, Change>> = {
    'twice each': inLogs((logs) => [...logs, ...logs]),
    'in another order': inLogs((logs) => logs.toReversed()),
    'with some that a reorganisation removed': inLogs((logs) => [...logs, ...logs.map(removed)]),
  }
  for (const [how, change] of Object.entries(changes))
    it(`may come ${how}: each transfer counts once`, async () => {
      const chain = fakeChain()
      const { round, counted } = await watchWith(chain, change)
      for (const [block, index] of [
        [101, 0],
        [101, 1],
        [102, 0],
      ] as const)
        payToken(chain, token, block, index)
      Object.assign(chain, { head: 120, finalized: 110 })
      await round()
      assert.equal(await counted(), 3)
      await round()
      assert.equal(await counted(), 3)
    })

  it('that are no list count nothing, and are asked for again', async () => {
    const chain = fakeChain()
    const odd = { isNull: true }
    const change: Change = (method, answer) => (method === 'eth_getLogs' && odd.isNull ? null : answer)
    const { round, counted } = await watchWith(chain, change)
    payToken(chain, token, 101)
    Object.assign(chain, { head: 120, finalized: 110 })
    await assert.rejects(round(), /sent no list of logs/)
    assert.equal(await counted(), 0)
    odd.isNull = false
    await round()
    assert.equal(await counted(), 1)
  })
})

describe('a node that was right', () => {
  it('and comes back as another chain is not read any more, and nothing is undone', async () => {
    const chain = fakeChain()
    const odd = { chainId: '0x89', hash: '' }
    const node = fakeNode(chain, 'moved', (method, answer) => {
      if (method === 'eth_chainId') return odd.chainId
      return odd.hash !== '' && isObject(answer) && 'parentHash' in answer
        ? { ...answer, hash: odd.hash }
        : answer
    })
    const watched = watchBy(database, [node])
    await watched.round()
    await open(watched)
    pay(chain, 101)
    Object.assign(chain, { head: 120, finalized: 110 })
    await watched.round()
    Object.assign(odd, { chainId: '0x38', hash: `0x${'d'.repeat(64)}` })
    await assert.rejects(watched.round(), /moved is a node of chain 56, not 137/)
    assert.equal((await listAll(watched.store, 'transfer')).length, 1)
    Object.assign(odd, { chainId: '0x89', hash: '' })
    await watched.round()
    assert.equal((await listAll(watched.store, 'transfer')).length, 1)
  })

  it('and falls behind takes back nothing that was seen, and no payment ends', async () => {
    const chain = fakeChain()
    const slow = fakeChain()
    const watched = watchBy(database, [fakeNode(chain, 'a'), fakeNode(slow, 'b')], inTokens)
    await watched.round()
    const reference = await open(watched, 'USDC')
    for (const one of [chain, slow]) {
      payToken(one, token, 105)
      one.head = 110
    }
    await watched.round()
    assert.equal((await cancel(watched, reference)).kind, 'pending')
    slow.head = 100
    for (const minutes of [1, 3]) {
      watched.clock.shiftMs = minutes * MINUTE_MS
      await assert.rejects(watched.round(), /the nodes are at block 100, and were at block 110/)
      assert.equal((await listAll(watched.store, 'seen')).length, 1)
      assert.equal((await cancel(watched, reference)).kind, 'pending')
    }
    slow.head = 111
    chain.head = 111
    await watched.round()
    assert.equal((await findProgress(watched.store))?.head, 111)
  })

  it('and whose chain begins again from a lower block is followed from there', async () => {
    const chain = fakeChain()
    let hash = ''
    const node = fakeNode(chain, 'again', (_method, answer) =>
      hash !== '' && isObject(answer) && 'parentHash' in answer ? { ...answer, hash } : answer,
    )
    const watched = watchBy(database, [node])
    await watched.round()
    Object.assign(chain, { head: 140, finalized: 130 })
    await watched.round()
    hash = `0x${'e'.repeat(64)}`
    Object.assign(chain, { head: 135, finalized: 125 })
    await assert.rejects(watched.round(), /the chain replaced blocks/)
    assert.equal((await findProgress(watched.store))?.head, 135)
    watched.clock.shiftMs = 3 * MINUTE_MS
    chain.head = 136
    await watched.round()
    assert.equal((await findProgress(watched.store))?.head, 136)
  })

  for (const count of [1, 2])
    it(`and names a head that it cannot show yet is read up to what it shows: one of ${count}`, async () => {
      const chain = fakeChain()
      let ahead = 0
      const named = (more: number) => `0x${(chain.head + more).toString(16)}`
      const odd = fakeNode(chain, 'odd', (method, answer) => {
        if (method === 'eth_blockNumber') return named(ahead)
        return isObject(answer) && 'parentHash' in answer && Number(answer.number) > chain.head
          ? null
          : answer
      })
      const well = fakeNode(chain, 'well', (method, answer) =>
        method === 'eth_blockNumber' ? named(50) : answer,
      )
      const watched = watchBy(database, [odd, well].slice(0, count), { ...inTokens, confirmations: 10 })
      await watched.round()
      await open(watched, 'USDC')
      payToken(chain, token, 101)
      for (const [head, more, counts] of [
        [102, 1, 0],
        [109, 2, 0],
        [110, 40, 1],
      ] as const) {
        chain.head = head
        ahead = more
        await watched.round()
        assert.equal((await findProgress(watched.store))?.head, head)
        const kinds = ['seen', 'transfer'].map(async (kind) => (await listAll(watched.store, kind)).length)
        assert.deepEqual(await Promise.all(kinds), [1 - counts, counts])
      }
    })

  it('and names a head that it cannot show is not believed: no block is final by it', async () => {
    const chain = fakeChain()
    const odd = { head: '0x64' }
    const node = fakeNode(chain, 'odd', (method, answer) => {
      if (method === 'eth_blockNumber') return odd.head
      return isObject(answer) && 'parentHash' in answer && Number(answer.number) > chain.head ? null : answer
    })
    const watched = watchBy(database, [node], { ...inTokens, confirmations: 10 })
    await watched.round()
    await open(watched, 'USDC')
    payToken(chain, token, 101)
    chain.head = 102
    const before = await findProgress(watched.store)
    for (const head of ['0x1000', '0x1fffffffffffff', `0x${'f'.repeat(64)}`, 'many']) {
      odd.head = head
      await assert.rejects(watched.round())
      assert.deepEqual(await findProgress(watched.store), before)
    }
    odd.head = '0x66'
    await watched.round()
    assert.deepEqual([await listAll(watched.store, 'transfer')], [[]])
    assert.equal((await listAll(watched.store, 'seen')).length, 1)
  })
})

describe("the network's fee", () => {
  const fees: Readonly<Record<string, readonly [object, string | undefined]>> = {
    'is the gas at its price': [{}, '21000000000000'],
    "has the first layer's part, as on Base": [{ l1Fee: '0x5f5e100', l1GasUsed: '0x640' }, '21000100000000'],
    'has none of it if a node sends null': [{ l1Fee: null }, '21000000000000'],
    'has none of it if a node sends no number': [{ l1Fee: 'many', operatorFee: {} }, '21000000000000'],
    'is unknown without a price, and the money counts': [{ effectiveGasPrice: undefined }, undefined],
  }
  for (const [what, [fields, fee]] of Object.entries(fees))
    it(`${what}; nodes need not agree on it`, async () => {
      const chain = fakeChain()
      const withFields: Change = (method, answer) =>
        method === 'eth_getTransactionReceipt' && isObject(answer) ? { ...answer, ...fields } : answer
      const nodes = [fakeNode(chain, 'base'), fakeNode(chain, 'other', withFields)]
      for (const each of [nodes, nodes.slice(1)]) {
        const watched = watchBy(database, each, inTokens)
        Object.assign(chain, { head: 100, finalized: 90 })
        await watched.round()
        await open(watched, 'USDC')
        payToken(chain, token, 101)
        Object.assign(chain, { head: 120, finalized: 110 })
        await watched.round()
        const [transfer, ...more] = await listAll(watched.store, 'transfer')
        assert.deepEqual({ gasFee: transfer?.body.gasFee, more }, { gasFee: fee, more: [] })
        chain.logs.splice(0)
      }
    })
})

describe('what is safe', () => {
  it('counts before it is finalized, where the settings say so', async () => {
    const chain = fakeChain()
    const same: Change = (_, answer) => answer
    const early = await watchWith(chain, same, { confirmations: 'safe' })
    const late = await watchWith(chain, same)
    payToken(chain, token, 105)
    for (const [safe, counted] of [
      [104, 0],
      [110, 1],
    ] as const) {
      Object.assign(chain, { head: 120, safe, finalized: 100 })
      for (const { round } of [early, late]) await round()
      assert.deepEqual(
        { early: await early.counted(), late: await late.counted() },
        { early: counted, late: 0 },
      )
    }
  })
})

describe('what is finalized', () => {
  it('may go back: what counted stays, and nothing counts twice', async () => {
    const chain = fakeChain()
    const { round, counted, store } = await watchWith(chain, (_, answer) => answer)
    payToken(chain, token, 105)
    Object.assign(chain, { head: 120, finalized: 110 })
    await round()
    for (const finalized of [95, 104, 106, 112]) {
      chain.finalized = finalized
      await round()
      assert.equal(await counted(), 1)
    }
    assert.equal((await findProgress(store))?.final, 112)
  })
})

describe('a process that ends in the middle of many blocks', () => {
  it('leaves what it read, and the next one reads on: each transfer counts once', async () => {
    const chain = fakeChain()
    const odd = { isDown: true }
    // The gateway reads blocks in order, some at a time, so it has read the earlier blocks when these ones fail.
    const isLate = (block: unknown) =>
      isObject(block) && Number(block.number) > 250 && Number(block.number) < 400 && 'parentHash' in block
    const nodes = ['a', 'b'].map((host) =>
      fakeNode(chain, host, (_, answer) => (odd.isDown && isLate(answer) ? null : answer)),
    )
    const watched = watchBy(database, nodes)
    await watched.round()
    await open(watched)
    for (const block of [101, 200, 260, 399]) pay(chain, block)
    Object.assign(chain, { head: 420, finalized: 400 })
    await assert.rejects(watched.round(), /has no block/)
    assert.equal((await listAll(watched.store, 'transfer')).length, 2)
    odd.isDown = false
    await watched.round(watched.restart())
    assert.equal((await listAll(watched.store, 'transfer')).length, 4)
  })

  it('wherever it dies, each transfer counts once, and what is not final is seen', async () => {
    for (let step = 0, died = true; died; step += 1) {
      const chain = fakeChain()
      const watched = watchBy(database, [fakeNode(chain, 'a'), fakeNode(chain, 'b')])
      await watched.round()
      await open(watched)
      for (const block of [101, 180, 215]) pay(chain, block)
      Object.assign(chain, { head: 220, finalized: 210 })
      died = await watched.round(watched.restart(dyingStore(watched.store, step))).then(
        () => false,
        () => true,
      )
      await watched.round(watched.restart())
      const blocksOf = async (kind: string) =>
        (await listAll(watched.store, kind)).map(({ body }) => body.block)
      assert.deepEqual(
        { transfer: await blocksOf('transfer'), seen: await blocksOf('seen') },
        { transfer: [101, 180], seen: [215] },
        `${step}`,
      )
      if (!died) assert.ok(step > 5, 'it has that many steps')
    }
  })
})

// Tests nodes with machines that lag. If such a machine lacks a block, it returns no logs of the block, and no error.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fakeChain, fakeNode } from '../../../../test/counterparties/fake-evm.ts'
import { cancel, coin, open, payToken, watchBy } from '../../../../test/counterparties/fake-watch.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { listAll } from '../../toolkit/records/store.ts'

const token = '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'
const inTokens = { coins: new Map([['USDC', coin('USDC', token)]]), confirmations: 3 }

const database = useDatabase()

/**
 * Opens a payment, which one node watches. The node's machine for logs is `lag` blocks behind its machine for blocks.
 */
async function watchWith() {
  const machine = { lag: 0 }
  const chain = fakeChain()
  const node = fakeNode(chain, 'node', (method, answer) =>
    method === 'eth_getLogs' && Array.isArray(answer)
      ? answer.filter(({ blockNumber }) => Number(blockNumber) <= chain.head - machine.lag)
      : answer,
  )
  const watched = watchBy(database, [node], inTokens)
  await watched.round()
  const reference = await open(watched, 'USDC')
  const at = async (head: number) => {
    chain.head = head
    await watched.round()
  }
  const blocksOf = async (kind: string) => (await listAll(watched.store, kind)).map(({ body }) => body.block)
  return { ...watched, machine, chain, node, reference, at, blocksOf }
}

describe('a transfer that a lagging machine did not show', () => {
  for (const lag of [5, 64])
    it(`counts once, when its block is read again: ${lag} blocks behind`, async () => {
      const { machine, chain, at, blocksOf } = await watchWith()
      machine.lag = lag
      payToken(chain, token, 101)
      payToken(chain, token, 127)
      for (let head = 102; head <= 136; head += 2) await at(head)
      assert.equal((await blocksOf('transfer')).includes(127), false)
      for (let head = 138; head <= 300; head += 2) await at(head)
      assert.deepEqual(await blocksOf('transfer'), [101, 127])
    })

  it('counts within 16 blocks after the machine shows it', async () => {
    const { machine, chain, at, blocksOf } = await watchWith()
    machine.lag = 5
    const blocks = [110, 117, 125, 126, 127, 128, 129, 140]
    for (const block of blocks) payToken(chain, token, block)
    for (let head = 101; head <= 165; head += 1) {
      await at(head)
      const due = blocks.filter((block) => block + machine.lag + 16 < head)
      assert.deepEqual((await blocksOf('transfer')).slice(0, due.length), due, `${head}`)
    }
    assert.deepEqual(await blocksOf('transfer'), blocks)
  })

  it('is behind what has counted before, so that nothing that is booked changes', async () => {
    const { machine, chain, store, at, reference } = await watchWith()
    payToken(chain, token, 101)
    machine.lag = 20
    await at(110)
    machine.lag = 0
    payToken(chain, token, 109)
    for (let head = 111; head <= 140; head += 2) await at(head)
    const transfers = (await store.listOf('transfer', reference)).map(({ body }) => body)
    assert.deepEqual(
      transfers.map(({ block, countedAfter }) => [block, Number(countedAfter ?? 0) > 109]),
      [
        [101, true],
        [109, false],
      ],
    )
  })

  it('counts although the gateway was away meanwhile', async () => {
    const { machine, chain, at, blocksOf } = await watchWith()
    machine.lag = 20
    payToken(chain, token, 105)
    await at(110)
    await at(5_000)
    assert.deepEqual(await blocksOf('transfer'), [105])
  })

  it('counts after an update, too: the version before read its block again only in groups of 64', async () => {
    const { machine, chain, at, blocksOf } = await watchWith()
    // The earlier version read block 128 for the last time when block 192 became final. At that time, the lagging
    // machine had no log of block 128.
    payToken(chain, token, 128)
    machine.lag = 1_000
    for (const head of [194, 257]) await at(head)
    machine.lag = 0
    await at(258)
    assert.deepEqual(await blocksOf('transfer'), [128])
  })

  it('is looked for with few calls, and nothing of what counted is read again', async () => {
    const { chain, node, at, blocksOf } = await watchWith()
    for (const block of [101, 102, 103]) payToken(chain, token, block)
    await at(110)
    const before = node.calls.length
    for (let head = 111; head <= 366; head += 1) await at(head)
    const calls = node.calls.slice(before)
    const countOf = (name: string) => calls.filter((method) => method === name).length
    // Each head takes two queries: one for final blocks and one for later blocks. Every 16 blocks, one more query reads
    // earlier logs again.
    assert.equal(countOf('eth_getLogs'), 256 * 2 + 16)
    assert.equal(countOf('eth_getTransactionReceipt'), 0)
    assert.deepEqual(await blocksOf('transfer'), [101, 102, 103])
  })

  it('from before the channel began is not looked for', async () => {
    const { chain, at, blocksOf } = await watchWith()
    payToken(chain, token, 97)
    for (let head = 101; head <= 260; head += 3) await at(head)
    assert.deepEqual(await blocksOf('transfer'), [])
  })
})

describe('a transfer that was seen', () => {
  it('stays seen while its block is in the chain, so that its payment does not end', async () => {
    const watched = await watchWith()
    const { machine, chain, at, blocksOf, reference } = watched
    payToken(chain, token, 105)
    await at(106)
    machine.lag = 30
    // The block becomes final at head 107.
    for (const head of [106, 107, 109, 120]) {
      await at(head)
      assert.deepEqual(
        { seen: await blocksOf('seen'), transfer: await blocksOf('transfer') },
        { seen: [105], transfer: [] },
        `${head}`,
      )
      assert.equal((await cancel(watched, reference)).kind, 'pending')
    }
    await at(140)
    assert.deepEqual(
      { seen: await blocksOf('seen'), transfer: await blocksOf('transfer') },
      { seen: [], transfer: [105] },
    )
  })

  it('is gone with its block', async () => {
    const watched = await watchWith()
    const { chain, at, blocksOf, reference } = watched
    payToken(chain, token, 105)
    await at(106)
    chain.logs.splice(0)
    chain.replacedFrom = 105
    await at(106)
    assert.deepEqual(await blocksOf('seen'), [])
    assert.equal((await cancel(watched, reference)).kind, 'failed')
  })

  it('and that no later reading of its block shows is gone in the end: a node had made it up', async () => {
    const { chain, at, blocksOf } = await watchWith()
    payToken(chain, token, 105)
    await at(106)
    chain.logs.splice(0)
    await at(110)
    assert.deepEqual(await blocksOf('seen'), [105])
    for (let head = 111; head <= 300; head += 1) await at(head)
    assert.deepEqual(await blocksOf('seen'), [])
  })

  it('is no longer seen once it counts, also if another node sees it again at that moment', async () => {
    const { chain, store, at, blocksOf } = await watchWith()
    payToken(chain, token, 105)
    await at(106)
    const [seen] = await listAll(store, 'seen')
    assert.ok(seen)
    await at(110)
    await store.write([{ put: seen }])
    await at(111)
    assert.deepEqual(
      { seen: await blocksOf('seen'), transfer: await blocksOf('transfer') },
      { seen: [], transfer: [105] },
    )
  })
})

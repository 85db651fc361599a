// Tests reorgs that replace final blocks, and processes that die while they handle such a reorg.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FakeChain, fakeChain, fakeNode } from '../../../../test/counterparties/fake-evm.ts'
import {
  coin,
  type FakeWatch,
  open,
  pay,
  payToken,
  watchBy,
} from '../../../../test/counterparties/fake-watch.ts'
import { dyingStore } from '../../../../test/harness/dying-store.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { listAll } from '../../toolkit/records/store.ts'
import { findProgress } from './records.ts'

const token = '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'
const usdc = ['USDC', coin('USDC', token)] as const
const inTokens = { coins: new Map([usdc]), confirmations: 10 }

const database = useDatabase()

type Paid = FakeWatch & { readonly chain: FakeChain; readonly other: FakeChain; readonly reference: string }

/** Opens a payment, and pays it in the final blocks 101 and 105. Each of the two nodes has its own chain. */
async function paid(): Promise<Paid> {
  const chain = fakeChain()
  const other = fakeChain({ headAt: chain.headAt })
  const watched = watchBy(database, [fakeNode(chain, 'a'), fakeNode(other, 'b')], inTokens)
  await watched.round()
  const reference = await open(watched, 'USDC')
  for (const [block, head] of [
    [101, 111],
    [105, 115],
  ] as const) {
    for (const one of [chain, other]) {
      payToken(one, token, block)
      one.head = head
    }
    await watched.round()
  }
  return { ...watched, chain, other, reference }
}

/** Replaces the block `from` and all later blocks. The new blocks have no transfers. */
function replace(chain: FakeChain, from: number): void {
  chain.replacedFrom = from
  const isBefore = (log: object) => 'blockNumber' in log && Number(log.blockNumber) < from
  chain.logs.splice(0, chain.logs.length, ...chain.logs.filter(isBefore))
}

const blocksOf = async ({ store }: FakeWatch) =>
  (await listAll(store, 'transfer')).map(({ body }) => body.block)

describe('a block that was final and is replaced', () => {
  it('takes back what counted in it and after it, nothing before, and an operator is to look', async () => {
    const made = await paid()
    const { chain, other, round, reference, alarms } = made
    assert.deepEqual(await blocksOf(made), [101, 105])
    for (const one of [chain, other]) replace(one, 104)
    await assert.rejects(round(), new RegExp(`replaced blocks after 102 .*: ${reference} by 0x`))
    assert.deepEqual(await blocksOf(made), [101])
    assert.equal(alarms.length, 1)
    assert.match(
      alarms[0] ?? '',
      new RegExp(`^${reference}: the chain replaced final blocks after 102: .* 0x\\w+ is read again; check`),
    )
    // A transfer in a block of the new branch counts again, and only once.
    for (const one of [chain, other]) {
      payToken(one, token, 106)
      one.head = 120
    }
    await round()
    await round()
    assert.deepEqual(await blocksOf(made), [101, 106])
    assert.equal(alarms.length, 1)
  })

  it('says no more than is known of a transfer whose own block stayed', async () => {
    const made = await paid()
    const { chain, other, round, alarms } = made
    for (const one of [chain, other]) replace(one, 106)
    await assert.rejects(round(), /replaced blocks after 102 .* are read again/)
    assert.doesNotMatch(alarms.join(), /block of|had counted/)
    for (const one of [chain, other]) one.head = 120
    await round()
    assert.deepEqual(await blocksOf(made), [101, 105])
  })

  it('at one node of two takes back nothing: they disagree', async () => {
    const made = await paid()
    const { chain, other, round, alarms } = made
    replace(other, 104)
    for (const one of [chain, other]) one.head = 120
    const before = await findProgress(made.store)
    await assert.rejects(round(), /the nodes disagree about block 106/)
    assert.deepEqual({ blocks: await blocksOf(made), alarms }, { blocks: [101, 105], alarms: [] })
    assert.equal((await findProgress(made.store))?.final, before?.final)
    replace(chain, 104)
    await assert.rejects(round(), /replaced blocks after 102/)
    assert.deepEqual(await blocksOf(made), [101])
  })

  it('is reported to an operator, wherever the process dies on the way', async () => {
    for (let step = 0, died = true; died; step += 1) {
      const made = await paid()
      const { chain, other, round, restart, store, alarms } = made
      for (const one of [chain, other]) replace(one, 104)
      const failure = await round(restart(dyingStore(store, step))).catch((error: Error) => error)
      died = failure instanceof Error && failure.message.includes('died')
      // If the process died before it had taken the blocks back, the next round fails, too.
      await round(restart()).catch(() => {})
      assert.deepEqual(await blocksOf(made), [101])
      assert.ok(alarms.length > 0 && alarms.length < 3, `step ${step}: ${alarms}`)
      if (!died) assert.ok(step > 5, 'it has that many steps')
    }
  })
})

describe('a coin that can be booked nowhere', () => {
  it('is named in the log, wherever the process dies on the way', async () => {
    const coins = new Map([['BNB', coin('BNB', 'native')], usdc])
    for (let step = 0, died = true; died; step += 1) {
      const chain = fakeChain()
      const watched = watchBy(database, [fakeNode(chain)], { coins })
      await watched.round()
      await open(watched, 'USDC')
      const txHash = pay(chain, 101)
      Object.assign(chain, { head: 120, finalized: 110 })
      const failure = await watched.round(watched.restart(dyingStore(watched.store, step))).catch(String)
      died = typeof failure === 'string'
      await watched.round(watched.restart())
      assert.partialDeepStrictEqual(watched.warnings, [{ txHash, coin: 'BNB' }], `step ${step}`)
    }
  })

  it('never keeps money from being written: the log says that it could not be looked at', async () => {
    const chain = fakeChain()
    const watched = watchBy(database, [fakeNode(chain)], inTokens)
    await watched.round()
    const reference = await open(watched, 'USDC')
    payToken(chain, token, 101)
    chain.head = 120
    const { store } = watched
    const broken: ChannelStore = {
      ...store,
      async find(key) {
        if (key.kind === 'charge') throw new Error('the record cannot be read')
        return store.find(key)
      },
    }
    await watched.round(watched.restart(broken))
    assert.deepEqual(await blocksOf(watched), [101])
    assert.partialDeepStrictEqual(watched.warnings, [{ reference, why: 'the record cannot be read' }])
  })
})

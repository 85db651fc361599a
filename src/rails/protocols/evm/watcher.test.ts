import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aRequest } from '../../../../test/counterparties/evm-watch.ts'
import { CHAIN_ID, type FakeChain, fakeChain, fakeNode } from '../../../../test/counterparties/fake-evm.ts'
import {
  cancel,
  coin,
  type FakeWatch,
  MINUTE_MS,
  open,
  pay,
  watchBy,
} from '../../../../test/counterparties/fake-watch.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { listAll } from '../../toolkit/records/store.ts'
import { findProgress, PROGRESS } from './records.ts'
import type { EvmCoin, EvmSettings } from './settings.ts'

const database = useDatabase()

/** Returns a channel that watches the chain by two nodes. */
function watch(chain: FakeChain, changes: Partial<EvmSettings> = {}, chains = [chain, chain]): FakeWatch {
  const nodes = chains.map((one, at) => fakeNode(one, `node ${at}`))
  return watchBy(database, nodes, changes)
}

const readAtOf = async ({ store }: FakeWatch) => (await findProgress(store))?.readAt.getTime() ?? 0

describe('a chain that stands still', () => {
  it('does not count as read: no payment ends, and the round says at which block', async () => {
    const chain = fakeChain()
    const watched = watch(chain)
    await watched.round()
    const reference = await open(watched)
    watched.clock.shiftMs = 9 * MINUTE_MS
    await watched.round()
    const readAt = await readAtOf(watched)
    watched.clock.shiftMs = 12 * MINUTE_MS
    await assert.rejects(watched.round(), /the chain stands at block 100 of 20\d\d-/)
    assert.equal(await readAtOf(watched), readAt)
    assert.equal((await cancel(watched, reference)).kind, 'unknown')
    chain.headAt = watched.clock.now()
    await watched.round()
    assert.equal((await cancel(watched, reference)).kind, 'failed')
  })

  it('is also one of which one node of two stands still, and is not begun', async () => {
    const headAt = new Date(Date.now() - 11 * MINUTE_MS)
    const watched = watch(fakeChain(), {}, [fakeChain({ head: 500 }), fakeChain({ headAt })])
    await assert.rejects(watched.round(), /the chain stands at block 100 /)
    assert.equal(await findProgress(watched.store), undefined)
  })

  it('hides no other failure of the round', async () => {
    const chain = fakeChain()
    const watched = watch(chain)
    await watched.round()
    await open(watched)
    chain.head = 900
    watched.clock.shiftMs = 11 * MINUTE_MS
    await assert.rejects(
      watched.round(),
      /the chain stands at block 900 .*; 510 blocks .* are still to be read/,
    )
  })

  it('may be a slow one, if the settings say so', async () => {
    const headAt = new Date(Date.now() - 11 * MINUTE_MS)
    await watch(fakeChain({ headAt }), { quietMinutes: 30 }).round()
  })
})

describe('the native coin where finality takes many blocks', () => {
  it('is read in several rounds, and nothing ends before all blocks were read', async () => {
    const chain = fakeChain()
    const watched = watch(chain)
    await watched.round()
    const reference = await open(watched)
    chain.head = 900
    pay(chain, 150)
    const isSeen = async () => (await listAll(watched.store, 'seen')).length === 1
    watched.clock.shiftMs = 3 * MINUTE_MS
    for (const left of [510, 211]) {
      await assert.rejects(
        watched.round(),
        new RegExp(`${left} blocks that are not final are still to be read`),
      )
      assert.deepEqual(
        { kind: (await cancel(watched, reference)).kind, isSeen: await isSeen() },
        { kind: 'unknown', isSeen: false },
      )
    }
    await watched.round()
    assert.deepEqual(
      { kind: (await cancel(watched, reference)).kind, isSeen: await isSeen() },
      { kind: 'pending', isSeen: true },
    )
    // So many new blocks are more than one round may read. The transfer, which is in an older block than the unread
    // ones, stays recorded as seen.
    chain.head = 1_400
    await assert.rejects(watched.round(), /still to be read/)
    assert.equal(await isSeen(), true)
    await watched.round()
    chain.finalized = 200
    await watched.round()
    const { length } = await listAll(watched.store, 'transfer')
    assert.deepEqual({ transfers: length, isSeen: await isSeen() }, { transfers: 1, isSeen: false })
  })
})

describe('a listed coin that is no currency of the books', () => {
  const both = (name: string) =>
    new Map<string, EvmCoin>([
      [name, coin(name, 'native')],
      ['USDC', coin('USDC', '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359')],
    ])
  for (const [sent, asked, warned] of [
    ['BNB', 'USDC', 1],
    ['BNB', 'BNB', 0],
    ['ETH', 'USDC', 0],
  ] as const)
    it(`${warned === 1 ? 'is' : 'is not'} named once in the log: ${sent} to an order in ${asked}`, async () => {
      const chain = fakeChain()
      const watched = watch(chain, { coins: both(sent) })
      await watched.round()
      const reference = await open(watched, asked)
      const txHash = pay(chain, 101)
      chain.head = 110
      for (const finalized of [101, 102, 103]) {
        chain.finalized = finalized
        await watched.round()
      }
      assert.equal((await listAll(watched.store, 'transfer')).length, 1)
      const expected = { channel: 'test', reference, txHash, coin: sent }
      assert.deepEqual(watched.warnings, warned === 1 ? [expected] : [])
    })
})

describe('a transfer that was sent in time', () => {
  const HOUR_MS = 60 * MINUTE_MS

  it('counts after nodes were away for longer than the address is watched', async () => {
    const chain = fakeChain()
    const watched = watch(chain)
    await watched.round()
    await open(watched)
    watched.clock.shiftMs = 48 * HOUR_MS
    pay(chain, 101)
    Object.assign(chain, { head: 300, finalized: 200, headAt: watched.clock.now() })
    await watched.round()
    assert.equal((await listAll(watched.store, 'transfer')).length, 1)
    await watched.round()
    assert.deepEqual(await listAll(watched.store, 'watch'), [])
  })

  it('counts although it becomes final when the time is over', async () => {
    const chain = fakeChain()
    const watched = watch(chain)
    await watched.round()
    await open(watched)
    pay(chain, 101)
    for (const hours of [0.9, 1.1, 1.2]) {
      watched.clock.shiftMs = hours * HOUR_MS
      Object.assign(chain, { head: chain.head + 1, headAt: watched.clock.now() })
      await watched.round()
    }
    assert.equal((await listAll(watched.store, 'seen')).length, 1)
    chain.finalized = 102
    await watched.round()
    assert.equal((await listAll(watched.store, 'transfer')).length, 1)
    await watched.round()
    assert.deepEqual(await listAll(watched.store, 'watch'), [])
  })
})

describe('what was read', () => {
  it('belongs to its chain, and is not continued on another', async () => {
    const watched = watch(fakeChain())
    await watched.round()
    assert.equal((await findProgress(watched.store))?.chainId, CHAIN_ID)
    const { body } = (await watched.store.find(PROGRESS)) ?? assert.fail()
    await watched.store.write([{ put: { ...PROGRESS, body: { ...body, chainId: 1 } } }])
    const said = /has read chain 1, not 137: use another name for another chain/
    await assert.rejects(watched.round(), said)
    assert.equal((await cancel(watched, await open(watched))).kind, 'unknown')
    const { chainId, ...old } = body
    await watched.store.write([{ put: { ...PROGRESS, body: old } }])
    await watched.round()
    assert.equal((await findProgress(watched.store))?.chainId, chainId)
  })

  it('says for which coins: none is opened that no round has read, or with other decimals', async () => {
    const usdc = coin('USDC', '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359')
    const watched = watch(fakeChain(), { coins: new Map([['USDC', usdc]]) })
    await watched.round()
    const start = async (one: EvmCoin) => {
      const channel = watched.channelWith({
        coins: new Map([
          ['USDC', usdc],
          [one.name, one],
        ]),
      })
      const outcome = await channel.start(aRequest({ coin: one.name, network: 'TESTNET' }))
      return 'cause' in outcome ? outcome.cause : outcome.kind
    }
    assert.equal(await start({ ...usdc, decimals: { chain: 6, shown: 6 } }), 'unreachable')
    assert.equal(await start({ ...usdc, token: '0xc2132d05d31c914a87c6611c10748aeb04b58e8f' }), 'unreachable')
    assert.equal(await start(coin('BNB', 'native')), 'unreachable')
    assert.equal(await start(usdc), 'pending')
  })

  it('by the version before names no coins: payments are opened and end meanwhile', async () => {
    const watched = watch(fakeChain())
    await watched.round()
    const { body } = (await watched.store.find(PROGRESS)) ?? assert.fail()
    const { coins: _, ...old } = body
    await watched.store.write([{ put: { ...PROGRESS, body: old } }])
    const started = await watched.channel.start(aRequest({ coin: 'BNB', network: 'TESTNET' }))
    assert.equal(started.kind, 'pending')
    assert.equal((await cancel(watched, await open(watched))).kind, 'failed')
    await watched.round()
    assert.deepEqual((await findProgress(watched.store))?.coins, ['BNB native 18'])
  })
})

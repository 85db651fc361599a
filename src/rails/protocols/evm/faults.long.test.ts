import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Faults } from '../../../../sandbox/evm/faulty-node.ts'
import {
  CONFIRMATIONS,
  clock,
  confirmationsOf,
  counted,
  DOLLAR,
  type EvmWatch,
  money,
  type Opened,
  openEvmWatch,
  type Watched,
} from '../../../../test/counterparties/evm-watch.ts'

let evm: EvmWatch
let watched: Watched
before(async () => {
  evm = await openEvmWatch()
  watched = evm.connect()
  await watched.round()
})
after(() => evm.close())
afterEach(() => {
  for (const node of evm.nodes) node.set({})
})

/** Opens a payment and sends its transfer, which gets enough confirmations. No round has read the transfer yet. */
async function paid(from = watched): Promise<Opened> {
  const opened = await from.open()
  await evm.chain.sendToken(evm.token, opened.address, 10n * DOLLAR)
  await evm.chain.mine(CONFIRMATIONS)
  return opened
}

const result = async ({ reference }: Opened, from = watched) => counted(await from.outcome(reference))

describe('money counts only when two nodes agree', () => {
  const doubts: Readonly<Record<string, Faults>> = {
    'has lost the logs': { losesLogs: true },
    'reports other values': { changesLogs: true },
    'answers 401': { status: 401 },
    'answers 429': { status: 429 },
    'answers 500': { status: 500 },
  }
  for (const [what, faults] of Object.entries(doubts))
    it(`waits while one of them ${what}, and counts once when it is well again`, async () => {
      const opened = await paid()
      for (const node of evm.nodes) {
        node.set(faults)
        await assert.rejects(watched.round())
        node.set({})
        assert.deepEqual(await result(opened), [])
      }
      await watched.round()
      await watched.round()
      assert.deepEqual(await result(opened), ['1000 USD'])
    })

  it('is never read from a node of another chain', async () => {
    evm.nodes[1].set({ chainId: 56 })
    await assert.rejects(evm.connect().round(), /is a node of chain 56, not 137: check "rpcUrls"/)
  })

  it('never reads past the head of the second node, nor believes a head that is too high', async () => {
    const opened = await paid()
    evm.nodes[1].set({ headShift: -CONFIRMATIONS })
    await watched.round()
    const seen = await watched.outcome(opened.reference)
    assert.deepEqual(
      { counted: counted(seen), confirmations: confirmationsOf(seen) },
      { counted: [], confirmations: 1 },
    )
    evm.nodes[1].set({ headShift: 1_000_000 })
    await watched.round()
    assert.deepEqual(await result(opened), ['1000 USD'])
  })

  it('keeps payments open while they disagree', async () => {
    const opened = await paid()
    evm.nodes[0].set({ losesLogs: true })
    clock.shiftMs += 180_000
    await assert.rejects(watched.round(), /disagree about blocks/)
    assert.equal((await watched.channel.cancel({ reference: opened.reference, money })).kind, 'unknown')
    evm.nodes[0].set({})
    await watched.round()
    assert.deepEqual(await result(opened), ['1000 USD'])
  })

  it('shows a transfer that one node has seen, while the other is wrong', async () => {
    const { reference, address } = await watched.open()
    await evm.chain.sendToken(evm.token, address, 10n * DOLLAR)
    evm.nodes[1].set({ losesLogs: true })
    await watched.round()
    assert.equal(confirmationsOf(await watched.outcome(reference)), 1)
  })
})

describe("a node's limits", () => {
  it('are met by smaller queries, and no block or address is left out', async () => {
    const all = [await watched.open(), await watched.open(), await watched.open()]
    for (const { address } of all) {
      await evm.chain.sendToken(evm.token, address, 10n * DOLLAR)
      await evm.chain.mine(7)
    }
    evm.nodes[0].set({ maxBlocks: 2, maxAddresses: 1 })
    evm.nodes[1].set({ maxBlocks: 5 })
    await watched.round()
    for (const opened of all) assert.deepEqual(await result(opened), ['1000 USD'])
  })

  it('that refuse everything leave the blocks for the next round', async () => {
    const opened = await paid()
    evm.nodes[0].set({ maxBlocks: 0 })
    await assert.rejects(watched.round(), /-32005/)
    assert.deepEqual(await result(opened), [])
    evm.nodes[0].set({})
    await watched.round()
    assert.deepEqual(await result(opened), ['1000 USD'])
  })
})

describe('one node alone', () => {
  it('is believed, and one that never answers is given up', async () => {
    const own = evm.connect({ rpcUrls: [evm.nodes[0].url] })
    await own.round()
    const opened = await paid(own)
    evm.nodes[0].set({ silent: true })
    await assert.rejects(own.round(), /no response in time/)
    evm.nodes[0].set({})
    await own.round()
    assert.deepEqual(await result(opened, own), ['1000 USD'])
  })
})

describe('finality that the chain declares', () => {
  it('decides, however many confirmations there are', async () => {
    const own = evm.connect({ confirmations: 'finalized' })
    await own.round()
    const opened = await paid(own)
    for (const node of evm.nodes) node.set({ finalizedLag: CONFIRMATIONS + 1 })
    await own.round()
    assert.deepEqual(await result(opened, own), [])
    for (const node of evm.nodes) node.set({ finalizedLag: CONFIRMATIONS })
    await own.round()
    assert.deepEqual(await result(opened, own), ['1000 USD'])
  })
})

describe('the check of an entry', () => {
  const { signal } = new AbortController()
  const check = (more = {}) => evm.connect(more).connection.check(signal)

  it('asks all nodes and all tokens, and says what is wrong without the key', async () => {
    assert.match((await check()).message, /^both nodes of POLYGON answered at block \d+/)
    const usdc = { address: evm.token, decimals: 6, price: '1' }
    const decimals = await check({ coins: { USDC: usdc } })
    assert.deepEqual(
      { isRight: decimals.isRight, saysWhy: /has 18 decimals/.test(decimals.message) },
      { isRight: false, saysWhy: true },
    )
    const nothing = { ...usdc, address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' }
    assert.match((await check({ coins: { USDC: nothing } })).message, /no token at/)
    evm.nodes[1].set({ status: 403 })
    const refused = await check()
    assert.equal(refused.isRight, false)
    assert.match(refused.message, /403/)
    assert.doesNotMatch(refused.message, /a-key/)
  })

  it('says that the chain stands still', async () => {
    clock.shiftMs += 3_600_000
    const { isRight, message } = await check()
    clock.shiftMs -= 3_600_000
    assert.deepEqual(
      { isRight, saysWhy: /^the chain stands at block \d+/.test(message) },
      { isRight: false, saysWhy: true },
      message,
    )
  })

  it('is repeated before the first block: a token with other decimals never counts', async () => {
    const own = evm.connect({ coins: { USDC: { address: evm.token, decimals: 6, price: '1' } } })
    await assert.rejects(own.round(), /has 18 decimals on this chain, not 6/)
  })
})

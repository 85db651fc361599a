import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CHAIN_ID, fakeChain, fakeNode, hashOf } from '../../../../test/counterparties/fake-evm.ts'
import { addressTopic, TRANSFER_TOPIC } from './hex.ts'
import { RpcFailure } from './json-rpc.ts'
import { openNodes } from './nodes.ts'
import { openUnlistedTokens } from './uncounted-transfers.ts'

const token = '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'
const address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const { signal } = new AbortController()

const log = {
  address: token,
  topics: [TRANSFER_TOPIC, addressTopic(token), addressTopic(address)],
  data: '0x1',
  blockNumber: '0x64',
  blockHash: hashOf(100),
  transactionHash: hashOf(7),
  logIndex: '0x0',
}
const search = { tokens: [], hasNative: true, references: new Map([[address, 'A1']]) }
const warning = { channel: 'test', reference: 'A1', token, txHash: hashOf(7) }

function openLook() {
  const warnings: object[] = []
  const clock = { now: () => new Date(clock.ms), ms: 0 }
  const warn = (details: object) => void warnings.push(details)
  return { warnings, clock, unlisted: openUnlistedTokens({ channel: 'test', clock, log: { warn } }) }
}

it('a contract of anybody cannot hide other tokens, or fail the round, by logs that make no sense', async () => {
  const [topic, , receiver] = log.topics
  const strange = [
    { ...log, data: '0x' },
    { ...log, data: `0x${'1'.repeat(128)}` },
    { ...log, topics: [topic, `0x${'f'.repeat(64)}`, receiver] },
  ]
  const answer = (method: string, usual: unknown) => (method === 'eth_getLogs' ? [...strange, log] : usual)
  const { warnings, unlisted } = openLook()
  const head = await openNodes([fakeNode(fakeChain(), 'a', answer)], CHAIN_ID).head(signal)
  await unlisted.look(head, search, signal)
  assert.deepEqual(warnings, [warning])
})

it('a token is named once, although nodes were too busy at first and fall behind later', async () => {
  const chain = fakeChain({ logs: [log] })
  let isBusy = true
  const node = fakeNode(chain, 'a', (method, answer) => {
    if (isBusy && method === 'eth_getLogs') throw new RpcFailure('busy', 'too many calls')
    return answer
  })
  const { warnings, clock, unlisted } = openLook()
  const look = async (head: number) => {
    clock.ms += 60_000
    chain.head = head
    await unlisted.look(await openNodes([node], CHAIN_ID).head(signal), search, signal)
  }
  await assert.rejects(look(100), /too many calls/)
  await assert.rejects(look(103), /too many calls/)
  isBusy = false
  for (const head of [105, 99, 106]) {
    await look(head)
    assert.deepEqual(warnings, [warning])
  }
})

it('a list that strangers made long is read once: nothing in it is money', async () => {
  const long = Array.from({ length: 100 }, () => ({ ...log, data: '0x0' }))
  const node = fakeNode(fakeChain({ logs: [...long.slice(1), log] }), 'a')
  const { warnings, unlisted } = openLook()
  const head = await openNodes([node], CHAIN_ID).head(signal)
  const references = new Map([address, token].map((one) => [one, 'A1']))
  await unlisted.look(head, { ...search, references }, signal)
  assert.equal(node.calls.filter((method) => method === 'eth_getLogs').length, 1)
  assert.deepEqual(warnings, [warning])
})

describe('a range of blocks that a node does not answer at once', () => {
  /**
   * Looks at block 99, and then at 40 more blocks. The node fails if it is asked for more than `limit` blocks at once.
   */
  async function lookAt(limit: number, kind: 'refused' | 'unavailable', count = 1) {
    const chain = fakeChain({ head: 99, logs: [log] })
    let failed = 0
    const node = fakeNode(chain, 'a', (method, answer, [filter]) => {
      const { fromBlock, toBlock } = Object(filter)
      if (method !== 'eth_getLogs' || Number(toBlock) - Number(fromBlock) < limit) return answer
      failed += 1
      throw new RpcFailure(kind, 'too much')
    })
    const { warnings, clock, unlisted } = openLook()
    const others = Array.from({ length: count - 1 }, (_, at) => `0x${String(at).padStart(40, '0')}`)
    const references = new Map([address, ...others].map((one) => [one, 'A1']))
    const look = async (head: number) => {
      clock.ms += 60_000
      chain.head = head
      await unlisted.look(await openNodes([node], CHAIN_ID).head(signal), { ...search, references }, signal)
    }
    await look(99)
    failed = 0
    await look(139)
    return { warnings, failed: () => failed, look }
  }

  for (const kind of ['refused', 'unavailable'] as const)
    it(`is read in halves: ${kind}`, async () => {
      assert.deepEqual((await lookAt(10, kind)).warnings, [warning])
    })

  it('is left out if a node takes no query without contracts, with few calls for many addresses', async () => {
    const { warnings, failed, look } = await lookAt(0, 'refused', 1_500)
    assert.deepEqual(warnings, [])
    assert.ok(failed() < 20, `${failed()} calls`)
    await look(141)
  })
})

it('a token is named once, although the node fails for the next addresses', async () => {
  const chain = fakeChain({ logs: [log] })
  let isDown = true
  const node = fakeNode(chain, 'a', (method, answer, [filter]) => {
    if (method !== 'eth_getLogs') return answer
    const isFirst = JSON.stringify(filter).includes(address.slice(2))
    if (isDown && !isFirst) throw new RpcFailure('busy', 'too many calls')
    return isFirst ? answer : []
  })
  const others = Array.from({ length: 600 }, (_, at) => `0x${String(at).padStart(40, '0')}`)
  const references = new Map([address, ...others].map((one) => [one, 'A1']))
  const { warnings, clock, unlisted } = openLook()
  const look = async () => {
    clock.ms += 60_000
    const head = await openNodes([node], CHAIN_ID).head(signal)
    await unlisted.look(head, { ...search, references }, signal)
  }
  await assert.rejects(look(), /too many calls/)
  isDown = false
  await look()
  assert.deepEqual(warnings, [warning])
})

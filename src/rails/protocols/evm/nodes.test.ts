import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CHAIN_ID, fakeChain, fakeNode } from '../../../../test/counterparties/fake-evm.ts'
import { isObject } from '../../../platform/base/object.ts'
import { halve, type LogQuery } from './chain.ts'
import { addressTopic, formatUnits, readNumber, topicAddress, transferData } from './hex.ts'
import { type Rpc, RpcFailure, resultOf } from './json-rpc.ts'
import { openNodes } from './nodes.ts'

const { signal } = new AbortController()

/**
 * Returns a node that names the block `head`, but can return only blocks up to `shown`. If `head` is an error, every
 * call fails.
 */
function node(host: string, head: number | Error, { chainId = CHAIN_ID, shown = head } = {}): Rpc {
  const chain = fakeChain(head instanceof Error ? {} : { head })
  return fakeNode(chain, host, (method, answer) => {
    if (head instanceof Error) throw head
    if (method === 'eth_chainId') return `0x${chainId.toString(16)}`
    return isObject(answer) && Number(answer.number) > Number(shown) ? null : answer
  })
}

const down = new RpcFailure('unauthorised', 'down: the node answered 401')

describe('the head of a chain', () => {
  const headOf = async (...rpcs: Rpc[]) => (await openNodes(rpcs, CHAIN_ID).head(signal)).number

  it('is the newest block that two nodes have', async () => {
    assert.equal(await headOf(node('a', 100)), 100)
    assert.equal(await headOf(node('a', 100), node('b', 98)), 98)
    assert.equal(await headOf(node('a', 100), node('b', 98), node('c', 99)), 99)
    assert.equal(await headOf(node('a', 10 ** 9), node('b', 98), node('c', 99)), 99)
    assert.equal(await headOf(node('a', down), node('b', 98), node('c', 99)), 98)
  })

  it('is not known with one node of two, or with a node of another chain', async () => {
    await assert.rejects(headOf(node('a', 100), node('b', down)), /401/)
    await assert.rejects(headOf(node('a', 100, { chainId: 56 })), /a is a node of chain 56, not 137/)
    await assert.rejects(headOf(node('a', 100), node('b', 100, { chainId: 56 })), /chain 56/)
  })

  it('is the newest block that two nodes can show, however many they name', async () => {
    for (const shown of [99, 98, 97, 96, 95, 70, 37, 36])
      assert.equal(await headOf(node('a', 100, { shown })), shown)
    assert.equal(await headOf(node('a', 5, { shown: 0 })), 0)
    assert.equal(await headOf(node('a', 100), node('b', 100, { shown: 98 })), 98)
    assert.equal(await headOf(node('a', 100), node('b', 99, { shown: 90 }), node('c', 97)), 97)
    assert.equal(await headOf(node('a', 100), node('b', 100), node('c', 100, { shown: 90 })), 100)
    // A node that names a head that is far too high is still asked for the blocks of the other node.
    assert.equal(await headOf(node('a', 100), node('b', 10 ** 9, { shown: 100 })), 100)
  })

  it('is not known if they can show none of the last blocks that they name', async () => {
    const shown = { shown: 35 }
    await assert.rejects(headOf(node('a', 100, shown)), /name block 100, and cannot show it or one of the 64/)
    await assert.rejects(headOf(node('a', 100), node('b', 100, shown)), /name block 100/)
  })

  /** Returns a node that sends this block, whichever block is requested. */
  const stuck = (block: number) =>
    fakeNode(fakeChain(), 'stuck', (_, answer) =>
      isObject(answer) ? { ...answer, number: `0x${block.toString(16)}` } : answer,
    )

  it('is not believed from a node that shows a later block instead', async () => {
    await assert.rejects(headOf(stuck(101)), /stuck sent another block than 100/)
  })

  it('is the newest block of a node that shows it instead of one that it does not have', async () => {
    assert.equal(await headOf(stuck(98)), 98)
    assert.equal(await headOf(stuck(98), node('b', 100)), 98)
    await assert.rejects(headOf(stuck(20)), /cannot show it or one of the 64/)
  })

  it('is that of the other nodes, if one names it and then fails', async () => {
    const lost = new RpcFailure('unavailable', 'failing: no answer')
    const failing = (head: number) =>
      fakeNode(fakeChain({ head }), 'failing', (method, answer) => {
        if (method === 'eth_getBlockByNumber') throw lost
        return answer
      })
    for (const [own, other] of [
      [100, 100],
      [100, 97],
      [100, 20],
      [90, 95],
    ] as const) {
      const nodes = openNodes([node('a', 100), failing(own), node('c', other)], CHAIN_ID)
      assert.equal((await nodes.head(signal)).number, other)
      if (own >= other) assert.deepEqual(nodes.problems(), [lost.message])
    }
    await assert.rejects(headOf(node('a', 100), failing(100)), /failing: no answer/)
    await assert.rejects(headOf(failing(100), failing(100), node('c', 100)), /failing: no answer/)
  })

  it('is never that of nodes which cannot show it', async () => {
    const rpcs = [node('a', 100), node('b', 100, { shown: 99 }), node('c', 100)]
    const { nodes } = await openNodes(rpcs, CHAIN_ID).head(signal)
    assert.deepEqual(
      nodes.map(({ host }) => host),
      ['a', 'c'],
    )
  })
})

describe('an answer of several nodes', () => {
  const ask = async (answers: Readonly<Record<string, unknown>>) => {
    const rpcs = Object.keys(answers).map((host) => node(host, 5))
    const asked: string[] = []
    const head = await openNodes(rpcs, CHAIN_ID).head(signal)
    const answer = await head.agreed('a test', async ({ host }) => {
      asked.push(host)
      const said = answers[host]
      if (said instanceof Error) throw said
      return said
    })
    return { answer, asked: asked.join('') }
  }

  it('counts when two say the same; a third is asked only if it must', async () => {
    assert.deepEqual(await ask({ a: [1n] }), { answer: [1n], asked: 'a' })
    assert.deepEqual(await ask({ a: [1n], b: [1n], c: [2n] }), { answer: [1n], asked: 'ab' })
    assert.deepEqual(await ask({ a: [1n], b: [2n], c: [1n] }), { answer: [1n], asked: 'abc' })
    assert.deepEqual(await ask({ a: down, b: [2n], c: [2n] }), { answer: [2n], asked: 'abc' })
  })

  it('does not count when they disagree, or when only one answers', async () => {
    await assert.rejects(ask({ a: [1n], b: [2n] }), /disagree about a test/)
    await assert.rejects(ask({ a: [1n], b: down }), /401/)
    await assert.rejects(ask({ a: [1n], b: [2n], c: [3n] }), /disagree/)
  })
})

describe('a reply of a node', () => {
  const kindOf = (status: number, body: unknown) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    try {
      return resultOf({ kind: 'answer', status, headers: {}, text }, 'node eth_call')
    } catch (error) {
      assert.ok(error instanceof RpcFailure)
      return error.kind
    }
  }

  it('is a result, or a failure of one kind', () => {
    const limit = { error: { code: -32005, message: 'query returned more than 10000 results' } }
    assert.equal(kindOf(200, { result: '0x1' }), '0x1')
    assert.equal(kindOf(200, { result: null }), null)
    assert.equal(kindOf(200, limit), 'refused')
    assert.equal(kindOf(400, limit), 'refused')
    assert.equal(kindOf(429, limit), 'busy')
    const error = { code: -32005, message: 'daily request count exceeded, request rate limited' }
    assert.equal(kindOf(200, { error }), 'busy')
    assert.equal(kindOf(200, { error: { code: 429, message: 'exceeded its compute units' } }), 'busy')
    assert.equal(kindOf(401, ''), 'unauthorised')
    assert.equal(kindOf(403, ''), 'unauthorised')
    assert.equal(kindOf(502, '<html>'), 'unavailable')
    assert.equal(kindOf(200, '[]'), 'unavailable')
    assert.equal(kindOf(200, {}), 'malformed')
  })
})

describe('a query that is too large', () => {
  const query = (from: number, to: number, count: number): LogQuery => {
    return { tokens: ['0xaa'], addresses: Array.from({ length: count }, (_, at) => `0x${at}`), from, to }
  }

  it('is halved by blocks and then by addresses, and nothing is left out', () => {
    const leaves = (one: LogQuery): LogQuery[] => halve(one)?.flatMap(leaves) ?? [one]
    const all = leaves(query(5, 9, 3)).map(({ from, to, addresses }) => `${from} ${to} ${addresses}`)
    assert.equal(all.length, 15)
    assert.equal(new Set(all).size, 15)
    assert.ok(all.every((one) => /^(\d) \1 0x\d$/.test(one)))
  })
})

describe('values of the chain', () => {
  const address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

  it('are written and read as contracts have them', () => {
    assert.equal(topicAddress(addressTopic(address), 'a topic'), address)
    assert.equal(
      transferData(address, 255n),
      `0xa9059cbb${'0'.repeat(24)}${address.slice(2)}${'0'.repeat(62)}ff`,
    )
    assert.equal(formatUnits(0n, 18), '0')
    assert.equal(formatUnits(10n ** 18n, 18), '1')
    assert.equal(formatUnits(1_500_000n, 6), '1.5')
  })

  it('are refused in any other form', () => {
    for (const wrong of ['', '0x', '12', 12, null, '0xg', `0x${'f'.repeat(20)}`])
      assert.throws(() => readNumber(wrong, 'a number'), RpcFailure)
    assert.throws(() => topicAddress(`0x${'1'.repeat(64)}`, 'a topic'), RpcFailure)
  })
})

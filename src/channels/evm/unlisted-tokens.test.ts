import assert from 'node:assert/strict'
import { it } from 'node:test'
import { CHAIN_ID, fakeChain, fakeNode, hashOf } from '../../../test/fake-evm.ts'
import { addressTopic, TRANSFER_TOPIC } from './hex.ts'
import { RpcFailure } from './json-rpc.ts'
import { openNodes } from './nodes.ts'
import { openUnlistedTokens } from './unlisted-tokens.ts'

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

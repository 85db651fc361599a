import assert from 'node:assert/strict'
import { it } from 'node:test'
import { CHAIN_ID, fakeChain, fakeNode, hashOf } from '../../../test/fake-evm.ts'
import { systemClock } from '../../base/clock.ts'
import { addressTopic, TRANSFER_TOPIC } from './hex.ts'
import { openNodes } from './nodes.ts'
import { openUnlistedTokens } from './unlisted-tokens.ts'

const token = '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'
const address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const { signal } = new AbortController()

it('a contract of anybody cannot hide other tokens, or fail the round, by logs that make no sense', async () => {
  const log = {
    address: token,
    topics: [TRANSFER_TOPIC, addressTopic(token), addressTopic(address)],
    data: '0x1',
    blockNumber: '0x64',
    blockHash: hashOf(100),
    transactionHash: hashOf(7),
    logIndex: '0x0',
  }
  const [topic, , receiver] = log.topics
  const strange = [
    { ...log, data: '0x' },
    { ...log, data: `0x${'1'.repeat(128)}` },
    { ...log, topics: [topic, `0x${'f'.repeat(64)}`, receiver] },
  ]
  const answer = (method: string, usual: unknown) => (method === 'eth_getLogs' ? [...strange, log] : usual)
  const warnings: object[] = []
  const warn = (details: object) => void warnings.push(details)
  const unlisted = openUnlistedTokens({ channel: 'test', clock: systemClock, log: { warn } })
  const head = await openNodes([fakeNode(fakeChain(), 'a', answer)], CHAIN_ID).head(signal)
  const references = new Map([[address, 'A1']])
  await unlisted.look(head, { tokens: [], hasNative: true, references }, signal)
  assert.deepEqual(warnings, [{ channel: 'test', reference: 'A1', token, txHash: hashOf(7) }])
})

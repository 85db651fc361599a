import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPayment } from '../../../test/builders/builders.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { attemptReference } from '../orders/order.ts'
import { createUseToken } from './use-token.ts'

const database = useDatabase()

const token = { merNo: 10_000_001, tokenId: 'token-1' }

test('a token pays one order, however many use it concurrently', async () => {
  const useToken = createUseToken({ db: database.db, clock: systemClock })
  const references = Array.from({ length: 10 }, () => attemptReference(aPayment().tradeNo, 1))
  const taken = await Promise.all(references.map((reference) => useToken(token, reference)))
  assert.equal(taken.filter(Boolean).length, 1)
  const winner = references[taken.indexOf(true)] ?? ''
  assert.equal(await useToken(token, winner), true, 'its own attempt may use it again')
  const next = winner.replace(/1$/, '2')
  assert.equal(await useToken(token, next), true, 'so may the next attempt of the order')
  assert.equal(await useToken({ ...token, merNo: 10_000_002 }, references[0] ?? ''), true, 'merchants apart')
})

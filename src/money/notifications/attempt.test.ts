import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rsaPair } from '../../../test/builders/rsa-keys.ts'
import { aMerchant } from '../../../test/harness/merchant-frame.ts'
import { type AttemptJob, prepareAttempts, resultOf } from './attempt.ts'
import type { Claimed } from './claim-sql.ts'

const { privateKey: platformKey } = rsaPair('platform')
const merchant = aMerchant()
const at = new Date()

function aClaim(changes: Partial<Claimed> = {}): Claimed {
  return {
    merNo: merchant.merNo,
    notificationId: 'N1',
    event: 'payment',
    url: 'https://shop.example/notify',
    fields: { tradeNo: 'T1', merOrderNo: 'order-1', code: '0', message: 'Approved' },
    body: null,
    attemptNo: 1,
    roundStart: 0,
    dueAtMs: at.getTime(),
    ...changes,
  }
}

async function prepare(claimed: Claimed, findMerchant = async () => merchant): Promise<AttemptJob> {
  const [job] = await prepareAttempts({ findMerchant, platformKey }, [claimed])
  assert.ok(job)
  return job
}

const failed = { status: undefined, latencyMs: 1, answer: '', error: 'not sent', unreachable: false }
const ended = { outcome: failed, leftAt: at, finishedAt: at, minuteMs: 60_000 }

test('an attempt whose merchant could not be read stores no body', async () => {
  const job = await prepare(aClaim(), async () => {
    throw new Error('the database is away')
  })
  assert.match(job.unsendable ?? '', /the database is away/)
  assert.equal(resultOf(job, ended).body, undefined)
})

test('an empty body is composed again, and stored', async () => {
  const job = await prepare(aClaim({ body: '', attemptNo: 2 }))
  assert.match(job.body, /merOrderNo=order-1/)
  assert.equal(resultOf(job, ended).body, job.body)
})

test('a body is stored by the first failed attempt, and used by the next', async () => {
  const first = await prepare(aClaim())
  assert.equal(resultOf(first, ended).body, first.body)
  const second = await prepare(aClaim({ body: first.body, attemptNo: 2 }))
  assert.equal(second.body, first.body)
  assert.equal(resultOf(second, ended).body, undefined)
})

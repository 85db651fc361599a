import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useDatabase } from '../../../test/harness/harness.ts'
import { openVault } from '../base/secret.ts'
import { timeOfUuid, uuidsFrom } from '../base/uuid.ts'
import type { Db } from '../postgres/db.ts'
import type { RequestEntry } from './entry.ts'
import { findRequest, findSign, listRequests, requestsOfOrder } from './find-requests.ts'
import { keepText } from './kept-text.ts'
import { openRequestLog, type RequestLog } from './recorder.ts'
import { deleteOldRequests } from './worker.ts'

const vault = openVault(Buffer.alloc(32, 7))
const clock = { now: () => new Date() }
let db: Db
let warnings = 0

useDatabase({
  before(database) {
    db = database.db
  },
})

function open(
  findMerchant = async (merNo: number): Promise<unknown> => (merNo < 90 ? {} : undefined),
): RequestLog {
  return openRequestLog({ db, vault, clock, log: { warn: () => warnings++ }, findMerchant })
}

let made = 0

/** Returns an id that sorts after all earlier ids. Random ids of the same millisecond have no such order. */
function nextId(): string {
  return uuidsFrom(new Date(Date.now() - 60_000 + ++made))
}

function entry(changes: Partial<RequestEntry> = {}): RequestEntry {
  return {
    requestId: nextId(),
    endpoint: '/payment',
    merNo: 1,
    isSigned: true,
    merOrderNo: 'A-1',
    tradeNo: 'T-1',
    status: 200,
    code: '00000',
    message: 'SUCCESS',
    ms: 12.6,
    address: '203.0.113.7',
    agent: 'shop/1.0',
    paymentType: '',
    referer: 'https://shop.example/',
    body: keepText('{"merNo":1}'),
    answer: '{"code":"00000"}',
    sign: undefined,
    ...changes,
  }
}

async function record(...entries: readonly RequestEntry[]): Promise<void> {
  const log = open()
  for (const one of entries) log.record(one)
  await log.close()
  assert.equal(log.dropped(), 0)
}

test('a request is found with its body and response, and only under its merchant', async () => {
  const one = entry({ merNo: 2, code: '10002', message: 'A required parameter is empty: billingCity' })
  await record(one, entry({ merNo: 2, agent: 'bad\0agent', body: undefined }), entry({ merNo: 2 }))
  const found = await findRequest(db, 2, one.requestId)
  assert.deepEqual(found, {
    requestId: one.requestId,
    at: timeOfUuid(one.requestId),
    merNo: 2,
    endpoint: '/payment',
    code: '10002',
    status: 200,
    durationMs: 13,
    merOrderNo: 'A-1',
    tradeNo: 'T-1',
    reason: 'A required parameter is empty: billingCity',
    address: '203.0.113.7',
    agent: 'shop/1.0',
    paymentType: '',
    referer: 'https://shop.example/',
    body: '{"merNo":1}',
    answer: '{"code":"00000"}',
  })
  assert.equal(await findRequest(db, 3, one.requestId), undefined)
  assert.equal(await findRequest(db, 2, 'not-an-id'), undefined)
  const [newest, strange] = await listRequests(db, { merNo: 2 }, 10)
  assert.equal((await findRequest(db, 2, newest?.requestId ?? ''))?.agent, 'shop/1.0')
  assert.equal((await findRequest(db, 2, strange?.requestId ?? ''))?.agent, 'badagent')
})

test('the list is newest first and can be narrowed by endpoint, code, order and time', async () => {
  const good = entry({ merNo: 4, merOrderNo: 'G' })
  const refused = entry({ merNo: 4, merOrderNo: 'R', code: '10015', message: 'Signature error' })
  const query = entry({ merNo: 4, merOrderNo: 'G', endpoint: '/order/query' })
  await record(good, refused, query)
  const ids = async (filter: Omit<Parameters<typeof listRequests>[1], 'merNo'>) =>
    (await listRequests(db, { merNo: 4, ...filter }, 10)).map(({ requestId }) => requestId)
  assert.deepEqual(await ids({}), [query.requestId, refused.requestId, good.requestId])
  assert.deepEqual(await ids({ refusedOnly: true }), [refused.requestId])
  assert.deepEqual(await ids({ code: '10015' }), [refused.requestId])
  assert.deepEqual(await ids({ code: '00000', endpoint: '/payment' }), [good.requestId])
  assert.deepEqual(await ids({ endpoint: '/order/query' }), [query.requestId])
  assert.deepEqual(await ids({ order: { merOrderNo: 'G', madeAt: timeOfUuid(good.requestId) } }), [
    query.requestId,
    good.requestId,
  ])
  assert.deepEqual(await ids({ below: refused.requestId }), [good.requestId])
  assert.deepEqual(await ids({ from: uuidsFrom(new Date(Date.now() + 60_000)) }), [])
})

test('all requests of an order are found, also those that know only its trade number', async () => {
  const [made, asked, other] = [
    entry({ merNo: 5, merOrderNo: 'O', tradeNo: 'T5' }),
    entry({ merNo: 5, merOrderNo: undefined, tradeNo: 'T5', endpoint: '/review/submit' }),
    entry({ merNo: 5, merOrderNo: 'P', tradeNo: 'T6' }),
  ]
  await record(made, asked, other)
  const found = await requestsOfOrder(db, 5, {
    merOrderNo: 'O',
    tradeNo: 'T5',
    madeAt: timeOfUuid(made.requestId),
  })
  assert.deepEqual(
    found.map(({ requestId }) => requestId),
    [asked.requestId, made.requestId],
  )
})

test('pages have every request once, whichever write it was in', async () => {
  const ids = Array.from({ length: 90 }, (_, at) => uuidsFrom(new Date(Date.UTC(2026, 0, 1) + 311 * at)))
  const entries = ids.map((requestId, at) => {
    return entry({ merNo: 10, requestId, merOrderNo: `P${at}`, code: at % 9 === 0 ? '10002' : '00000' })
  })
  // A slow request is written after requests that began later.
  for (let write = 0; write < 4; write++) await record(...entries.filter((_, at) => (at * 7) % 4 === write))
  for (const [from, below] of [[], [ids[11]], [undefined, ids[70]], [ids[20], ids[66]]]) {
    const expected = ids.filter((id) => (from ?? '') <= id && id < (below ?? 'z')).toReversed()
    const found: string[] = []
    for (let after = below; ; after = found.at(-1)) {
      const page = await listRequests(db, { merNo: 10, from, below: after }, 7)
      found.push(...page.map(({ requestId }) => requestId))
      if (page.length < 7) break
    }
    assert.deepEqual(found, expected)
  }
  for (const [at, requestId] of ids.entries())
    assert.equal((await findRequest(db, 10, requestId))?.merOrderNo, `P${at}`)
})

test('the payment of an order is found by when the order was made', async () => {
  const payment = entry({ merNo: 11, merOrderNo: "it's 50 € – \u{1F642}", tradeNo: 'T11' })
  await record(payment, entry({ merNo: 11, merOrderNo: 'other' }))
  const at = timeOfUuid(payment.requestId).getTime()
  const find = async (madeAt: Date | undefined) => {
    const order = { merOrderNo: "it's 50 € – \u{1F642}", madeAt }
    return (await listRequests(db, { merNo: 11, order }, 10)).map(({ requestId }) => requestId)
  }
  assert.deepEqual(await find(new Date(at + 59_000)), [payment.requestId])
  assert.deepEqual(await find(new Date(at - 4_000)), [payment.requestId])
  assert.deepEqual(await find(new Date(at + 61_000)), [])
  assert.deepEqual(await find(undefined), [])
})

test('a request without a valid signature is in the log of the merchant that it names, or of nobody', async () => {
  const forged = entry({ merNo: 6, isSigned: false, code: '10015', sign: 'ABCDEF' })
  const unknown = entry({ merNo: 99, isSigned: false, code: '99996' })
  await record(forged, unknown)
  assert.equal((await listRequests(db, { merNo: 6 }, 10)).length, 1)
  assert.equal((await listRequests(db, { merNo: 99 }, 10)).length, 0)
  assert.ok(await findRequest(db, 0, unknown.requestId))
  assert.equal(await findSign(db, vault, 6, forged.requestId), 'ABCDEF')
  assert.equal(await findSign(db, vault, 0, unknown.requestId), undefined)
})

test('of unsigned requests from one network sixty a minute are logged', () => {
  const log = open()
  const taken = Array.from({ length: 70 }, () => log.takesUnsigned('203.0.113.9'))
  assert.equal(taken.filter(Boolean).length, 60)
  assert.equal(log.takesUnsigned('203.0.113.10'), true)
})

test('what does not fit is dropped and counted, and a failure stops nothing', async () => {
  const log = open()
  for (let sent = 0; sent < 8_192; sent++) log.record(entry({ merNo: 7 }))
  log.record(entry({ merNo: 7 }))
  log.skip()
  assert.equal(log.dropped(), 2)
  await log.flush()
  assert.equal((await listRequests(db, { merNo: 7 }, 10_000)).length, 8_192)
  log.record(entry({ merNo: 7, requestId: 'not a uuid' }))
  await log.flush()
  assert.deepEqual({ dropped: log.dropped(), warnings }, { dropped: 3, warnings: 1 })
  log.record(entry({ merNo: 8 }))
  await log.close()
  assert.equal((await listRequests(db, { merNo: 8 }, 10)).length, 1)
})

test('requests older than the setting are deleted with their bodies', async () => {
  const old = uuidsFrom(new Date('2020-01-01'))
  await record(entry({ merNo: 9, requestId: old }), entry({ merNo: 9, requestId: old, code: '10002' }))
  await record(entry({ merNo: 9 }))
  await deleteOldRequests({ db, clock, days: 30 })
  assert.equal((await listRequests(db, { merNo: 9 }, 10)).length, 1)
  await deleteOldRequests({ db, clock: { now: () => new Date(Date.now() + 60_000) }, days: 0 })
  const left = await db.query({
    text: `select block_id from request_log union all select block_id from request_log_payments
      union all select block_id from request_log_bodies`,
  })
  assert.deepEqual(left, [])
})

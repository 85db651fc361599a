import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aPayment } from '../../../../test/builders/builders.ts'
import { paidOrder } from '../../../../test/builders/paid-orders.ts'
import { accept, anApplication, dispute } from '../../../../test/builders/refunds.ts'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { call, newNumber } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { acceptPayments } from '../../../money/payments/accept-payments.ts'
import { coveredDays, followingRun, nextRun } from './schedule.ts'
import { claimExport, countChunks, selectExport, writeChunk } from './sql.ts'
import { writeExport } from './write-export.ts'

let office: BackOffice
let finance: Person
before(async () => {
  office = await openBackOffice()
  finance = await office.person(office.demo.merNo, 'finance')
})
after(() => office.close())

async function makeOrders(count: number, changes: Parameters<typeof aPayment>[0] = {}): Promise<string[]> {
  const payments = Array.from({ length: count }, (_, index) => {
    const createdAt = new Date(Date.now() - 60_000 + index)
    return aPayment({ merNo: office.demo.merNo, createdAt, merOrderNo: newNumber(), ...changes })
  })
  await acceptPayments(office.db, payments)
  return payments.map(({ tradeNo }) => tradeNo)
}

async function fileOf(exportId: string, list = 'orders', person = finance): Promise<string[]> {
  const response = await fetch(`${office.baseUrl}/backoffice/api/exports/${exportId}/file`, {
    headers: { cookie: person.cookie },
  })
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-disposition') ?? '', new RegExp(`${list}-.*\\.csv`))
  return (await response.text()).trimEnd().split('\r\n')
}

async function done(exportId: string, person = finance): Promise<boolean> {
  return eventually(async () => {
    const { rows } = await person.call('GET /exports', {})
    return rows.some((row) => row.exportId === exportId && row.state === 'done')
  })
}

test('an export holds exactly the orders and columns that the list shows, and starts no formula', async () => {
  const details = {
    billingEmail: 'formula@example.com',
    billingFirstName: '=HYPERLINK("x")',
    billingLastName: '',
  }
  const tradeNos = await makeOrders(3, { money: { amount: 4321n, currency: 'EUR' }, details })
  const filter = { email: 'formula@example.com' }
  const isIndexed = async () => (await finance.call('GET /orders', { query: filter })).rows.length === 3
  assert.ok(await eventually(isIndexed))
  const body = { filter, columns: 'tradeNo,amount,currency,payerName,method' }
  const { exportId } = await finance.call('POST /exports', { body })
  assert.ok(await done(exportId))
  const [header, ...lines] = await fileOf(exportId)
  assert.equal(header, 'tradeNo,amount,currency,payerName,method')
  const cells = `43.21,EUR,"'=HYPERLINK(""x"")",card`
  assert.deepEqual(
    lines,
    tradeNos.reverse().map((tradeNo) => `${tradeNo},${cells}`),
  )
  const owner = await office.person(office.demo.merNo, 'owner')
  const { rows } = await owner.call('GET /audit', { query: { subject: exportId } })
  assert.deepEqual(
    rows.map(({ action, actor }) => [action, actor]),
    [
      ['export.download', rows[1]?.actor],
      ['export.create', rows[1]?.actor],
    ],
    'who took it, and when',
  )
  const line = await owner.call('GET /audit/:entryId', { params: { entryId: rows[0]?.entryId ?? '' } })
  assert.deepEqual(line.after, { list: 'orders', rows: 3 })
})

test('an export goes on where a stopped worker left it, without a row twice or missing', async () => {
  const tradeNos = await makeOrders(55, { money: { amount: 777n, currency: 'GBP' } })
  const filter = { currency: 'GBP', merNo: office.demo.merNo }
  const { exportId } = await finance.call('POST /exports', { body: { filter, columns: 'tradeNo' } })
  assert.ok(await done(exportId))
  const pieces = await writeAgain(exportId, 10)
  assert.ok(pieces > 5, `${pieces} pieces`)
  const [, ...lines] = await fileOf(exportId)
  assert.deepEqual(lines, tradeNos.reverse())
  assert.equal(await claimExport(office.db, new Date(), new Date()), undefined)
})

/**
 * Writes the export again with workers that stop early. Returns the number of chunks. The far end of the lease keeps
 * the gateway's own worker away.
 */
async function writeAgain(exportId: string, rowsPerPiece: number): Promise<number> {
  await office.db.query({
    text: `update exports set state = 'running', rows_written = 0, reached_at = null, reached_trade_no = null,
      finished_at = null, leased_until = '2100-01-01' where export_id = $1`,
    values: [exportId],
  })
  await office.db.query({ text: 'delete from export_chunks where export_id = $1', values: [exportId] })
  const { merNo } = office.demo
  const deps = {
    db: office.db,
    clock: { now: () => new Date('2100-01-02T00:00:00Z') },
    findMerchant: async () => undefined,
    vault: { seal: () => Buffer.alloc(0), open: () => '' } as never,
  }
  let pieces = 0
  for (let round = 0; round < 100; round++) {
    const row = await selectExport(office.db, merNo, exportId)
    if (row === undefined || row.state !== 'running') break
    // The worker stops after every second chunk, as if its process were killed.
    let left = 2
    await writeExport(deps, row, () => left-- === 0, rowsPerPiece)
    pieces = await countChunks(office.db, merNo, exportId)
  }
  return pieces
}

test('a worker that lost its export to another one writes nothing, even after a chunk without rows', async () => {
  const { exportId } = await finance.call('POST /exports', { body: { filter: {}, columns: 'tradeNo' } })
  assert.ok(await done(exportId))
  const { merNo } = office.demo
  await office.db.query({
    text: `update exports set state = 'running', rows_written = 0, leased_until = '2100-01-01' where export_id = $1`,
    values: [exportId],
  })
  await office.db.query({ text: 'delete from export_chunks where export_id = $1', values: [exportId] })
  const row = await selectExport(office.db, merNo, exportId)
  assert.ok(row)
  const chunk = { content: Buffer.from('x'), rows: 0, reachedAt: new Date(0), reachedTradeNo: 'T1' }
  const write = (chunkNo: number, reachedTradeNo: string) =>
    office.db.transaction((tx) => writeChunk(tx, row, chunkNo, { ...chunk, reachedTradeNo }, new Date(0)))
  assert.equal(await write(0, 'T1'), true)
  assert.equal(await write(0, 'T2'), false)
  assert.equal((await selectExport(office.db, merNo, exportId))?.reachedTradeNo, 'T1')
  assert.equal(await write(1, 'T3'), true)
})

test('refunds, payouts and disputes are exported by state and days, in pieces', async () => {
  const { merNo } = office.demo
  const refunds: string[] = []
  for (let made = 0; made < 5; made++) {
    const payment = await paidOrder(office.db, { merNo })
    refunds.push(
      (await accept(office.db, anApplication(payment, { terms: { approveRefunds: true } }))).refundNo,
    )
  }
  const disputed = await paidOrder(office.db, { merNo })
  await dispute(office.db, disputed)
  const payee = { benFirstName: 'Paper', benLastName: 'Mill', addressLine: '1 Market Street', city: 'Berlin' }
  const account = { cardNo: 'DE89370400440532013000', countryCode: 'DE', beneficiaryType: 'business' }
  const order = { merOrderNo: newNumber(), currencyCode: 'USD', sourceAmount: '2.00', withdrawType: '3' }
  const paid = await call(office.demo, '/payout', {
    merNo,
    version: 'V3.0.0',
    ...order,
    ...payee,
    ...account,
  })
  assert.equal(paid.code, '00000', paid.message)

  const today = new Date().toISOString().slice(0, 10)
  const start = async (list: 'refunds' | 'payouts' | 'disputes', filter: object) => {
    const { exportId } = await finance.call('POST /exports', { body: { list, filter, columns: '' } })
    assert.ok(await done(exportId))
    return exportId
  }
  const linesOf = async (list: 'refunds' | 'payouts' | 'disputes', filter: object) =>
    (await fileOf(await start(list, filter), list)).map((line) => line.split(','))

  const exportId = await start('refunds', { state: 'waiting', from: today, to: today })
  assert.equal(await writeAgain(exportId, 2), 4, 'the head and three pieces')
  const [head, ...lines] = (await fileOf(exportId, 'refunds')).map((line) => line.split(','))
  assert.deepEqual([head?.[0], head?.[6]], ['refundNo', 'state'])
  assert.deepEqual(
    lines.map(([refundNo]) => refundNo),
    refunds.toSorted().toReversed(),
  )
  assert.equal(lines[0]?.[6], 'Waits for approval')
  assert.equal((await linesOf('refunds', { state: 'succeeded' })).length, 1, 'only the head')
  assert.equal((await linesOf('refunds', { to: '2026-01-01' })).length, 1)
  assert.equal((await linesOf('refunds', { from: '2099-01-01' })).length, 1)
  const [, payout] = await linesOf('payouts', { from: today })
  assert.deepEqual(
    { merOrderNo: payout?.[1], amount: payout?.[4], account: payout?.[8] },
    { merOrderNo: order.merOrderNo, amount: '2.00', account: '…3000' },
  )
  const [, opened] = await linesOf('disputes', { state: 'open' })
  assert.deepEqual({ tradeNo: opened?.[0], state: opened?.[4] }, { tradeNo: disputed.tradeNo, state: 'Open' })
  const one = { filter: { number: disputed.tradeNo }, columns: 'state' }
  const ofOrder = await finance.call('POST /exports', { body: one })
  assert.ok(await done(ofOrder.exportId))
  assert.deepEqual(await fileOf(ofOrder.exportId), ['state', 'Disputed'], 'the words of the pages')

  const wrong = await finance.attempt('POST /exports', {
    body: { list: 'payouts', filter: { state: '5', email: 'a@b.example' }, columns: '' },
  })
  assert.deepEqual(Object.keys(wrong.problem?.fields ?? {}).sort(), ['email', 'state'])
  const owner = await office.person(merNo, 'owner')
  await owner.call('POST /roles', {
    body: { role: 'exporter', permissions: ['orders.read', 'orders.export'] },
  })
  const exporter = await office.person(merNo, 'exporter')
  const params = { exportId }
  assert.equal(
    (await exporter.attempt('GET /exports/:exportId/file', { params })).problem?.code,
    'not-allowed',
  )
})

test('only people who may export can, each in their own company', async () => {
  const viewer = await office.person(office.demo.merNo, 'viewer')
  const body = { filter: {}, columns: '' }
  assert.equal((await viewer.attempt('POST /exports', { body })).problem?.code, 'not-allowed')
  const { exportId } = await finance.call('POST /exports', { body })
  const stranger = await office.person(office.demo.merNo + 1, 'owner')
  const attempt = await stranger.attempt('GET /exports/:exportId/file', { params: { exportId } })
  assert.equal(attempt.problem?.code, 'not-found')
  const wrong = await finance.attempt('POST /exports', { body: { filter: { card: '1' }, columns: '' } })
  assert.deepEqual(Object.keys(wrong.problem?.fields ?? {}), ['card'])
})

test('a scheduled export covers whole local days and comes in the morning after them', () => {
  const now = new Date('2026-11-16T05:00:00Z')
  assert.equal(nextRun('day', 'UTC', now).toISOString(), '2026-11-17T01:00:00.000Z')
  assert.equal(nextRun('week', 'UTC', now).toISOString(), '2026-11-23T01:00:00.000Z')
  assert.equal(nextRun('day', 'Asia/Kolkata', now).toISOString(), '2026-11-16T19:30:00.000Z')
  assert.deepEqual(coveredDays('day', 'UTC', now), { from: '2026-11-15', to: '2026-11-15' })
  assert.deepEqual(coveredDays('week', 'UTC', now), { from: '2026-11-09', to: '2026-11-15' })
})

test('after an outage, the exports of the last week that were missed are made, each for its own days', () => {
  const now = new Date('2026-11-16T05:00:00Z')
  const after = (nextAt: string) =>
    followingRun({ every: 'day', nextAt: new Date(nextAt) }, 'UTC', now).toISOString()
  assert.equal(after('2026-11-14T01:00:00Z'), '2026-11-15T01:00:00.000Z')
  assert.equal(after('2026-11-16T01:00:00Z'), '2026-11-17T01:00:00.000Z')
  assert.equal(after('2026-03-01T01:00:00Z'), '2026-11-10T01:00:00.000Z')
})

test('a schedule that is due starts its export and tells its maker by mail', async () => {
  const body = { name: 'Daily orders', filter: {}, columns: '', every: 'day' } as const
  const { scheduleId } = await finance.call('POST /export-schedules', { body })
  await office.db.query({
    text: `update export_schedules set next_at = now() where schedule_id = $1`,
    values: [scheduleId],
  })
  const hasMail = async () => {
    const mails = await office.db.query<{ n: number }>({
      text: `select count(*)::int as n from mails where template = 'report' and content ->> 'name' = 'Daily orders'`,
    })
    return mails[0]?.n === 1
  }
  assert.ok(await eventually(hasMail))
  const [schedule] = (await finance.call('GET /export-schedules', {})).rows
  assert.ok(new Date(schedule?.nextAt ?? 0) > new Date())
  await finance.call('DELETE /export-schedules/:scheduleId', { params: { scheduleId } })
  assert.deepEqual((await finance.call('GET /export-schedules', {})).rows, [])
})

test('operators export lists of all merchants, each line with its merchant', async () => {
  const admin = await office.operator()
  const { merNo } = office.demo
  const made = { name: 'Other Shop', sites: ['other.example'], reason: 'Contract signed' }
  const other = await admin.call('POST /merchants', { body: made })
  const [own] = await makeOrders(1)
  const foreign = await paidOrder(office.db, { merNo: other.merNo })
  await accept(office.db, anApplication(foreign, { amount: 100n }))
  const tradeNos = [own, foreign.tradeNo].join()
  const chosen = await admin.call('POST /exports', { body: { filter: { tradeNos }, columns: 'tradeNo' } })
  assert.ok(await done(chosen.exportId, admin))
  assert.deepEqual(await fileOf(chosen.exportId, 'orders', admin), [
    'merNo,tradeNo',
    `${other.merNo},${foreign.tradeNo}`,
    `${merNo},${own}`,
  ])
  const refunds = await admin.call('POST /exports', { body: { list: 'refunds', filter: {}, columns: '' } })
  assert.ok(await done(refunds.exportId, admin))
  const [head, newest] = await fileOf(refunds.exportId, 'refunds', admin)
  assert.match(head ?? '', /^merNo,refundNo,/)
  assert.match(newest ?? '', new RegExp(`^${other.merNo},`))
  const payouts = await admin.attempt('POST /exports', { body: { list: 'payouts', filter: {}, columns: '' } })
  assert.deepEqual(Object.keys(payouts.problem?.fields ?? {}), ['merNo'])
  assert.ok(
    !(await finance.call('GET /exports', {})).rows.some(({ exportId }) => exportId === chosen.exportId),
  )
})

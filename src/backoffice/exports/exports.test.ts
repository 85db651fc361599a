import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type Person } from '../../../test/back-office.ts'
import { aPayment } from '../../../test/builders.ts'
import { newNumber } from '../../../test/client.ts'
import { eventually } from '../../../test/eventually.ts'
import { acceptPayments } from '../../payments/accept-payments.ts'
import { coveredDays, nextRun } from './schedule.ts'
import { claimExport, countChunks, selectExport } from './sql.ts'
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

async function fileOf(exportId: string): Promise<string[]> {
  const response = await fetch(`${office.baseUrl}/backoffice/api/exports/${exportId}/file`, {
    headers: { cookie: finance.cookie },
  })
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-disposition') ?? '', /orders-.*\.csv/)
  return (await response.text()).trimEnd().split('\r\n')
}

async function done(exportId: string): Promise<boolean> {
  return eventually(async () => {
    const { rows } = await finance.call('GET /exports', {})
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
})

test('an export goes on where a stopped worker left it, without a row twice or missing', async () => {
  const tradeNos = await makeOrders(55, { money: { amount: 777n, currency: 'GBP' } })
  const filter = { currency: 'GBP', merNo: office.demo.merNo }
  const { exportId } = await finance.call('POST /exports', { body: { filter, columns: 'tradeNo' } })
  assert.ok(await done(exportId))
  // Written anew by hand; the lease keeps the gateway's own worker away.
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
    // Stops after every second piece, as a process that is killed does.
    let left = 2
    await writeExport(deps, row, () => left-- === 0, 10)
    pieces = await countChunks(office.db, merNo, exportId)
  }
  assert.ok(pieces > 5, `${pieces} pieces`)
  const [, ...lines] = await fileOf(exportId)
  assert.deepEqual(lines, tradeNos.reverse())
  assert.equal(await claimExport(office.db, new Date(), new Date()), undefined)
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

// Statements, suspense and reconciliation by the operator's commands.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import type { NewPayment } from '../../src/orders/new-order.ts'
import { attemptReference } from '../../src/orders/order.ts'
import { acceptPayments } from '../../src/payments/accept-payments.ts'
import { recordOutcomes } from '../../src/payments/record-outcomes.ts'
import { aPayment, aSuccess, noRates } from '../builders.ts'
import { cloneDatabase, type TestDatabase } from '../harness.ts'
import { type Ran, runTollgate } from '../operator.ts'
import { assertMoneySound, paidOrder, stateOf } from '../paid-orders.ts'

let database: TestDatabase
let folder: string
let merNo: number

before(async () => {
  database = await cloneDatabase()
  folder = mkdtempSync(join(tmpdir(), 'tollgate-desk-'))
  // npm sets INIT_CWD to the operator's folder; commands resolve file names there.
  process.env.INIT_CWD = folder
  const zone = ['--timezone', 'America/Lima']
  const { stdout } = await run(
    'merchant',
    'create',
    '--name',
    'Shop',
    '--site',
    'shop.example',
    ...zone,
    '--json',
  )
  merNo = JSON.parse(stdout).merNo
})
after(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

function run(...args: string[]): Promise<Ran> {
  return runTollgate(args, { DATABASE_URL: database.url, TOLLGATE_DATA_DIR: folder })
}

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content)
  return name
}

const statementOf = (from: string, to: string, ...more: string[]) =>
  run('statement', '--mer-no', String(merNo), '--currency', 'USD', '--from', from, '--to', to, ...more)

it("writes a statement in the merchant's time zone to standard output, or to a file", async () => {
  // The last second of the tenth in Lima is the eleventh in UTC.
  await paidOrder(database.db, { merNo, at: new Date('2026-09-11T04:59:59.999Z') })
  await paidOrder(database.db, { merNo, at: new Date('2026-09-11T05:00:00Z') })
  const { status, stdout } = await statementOf('2026-09-10', '2026-09-10')
  assert.equal(status, 0)
  const lines = stdout.split('\r\n')
  assert.equal(lines.length, 7)
  assert.match(lines[3] ?? '', /^2026-09-11T04:59:59\.999Z,unsettled,T\w+,payment,rail:card,10\.00,10\.00$/)
  assert.match(lines[5] ?? '', /^2026-09-11T05:00:00\.000Z,unsettled,closing balance,,,,10\.00$/)
  assert.equal(lines[6], '')
  assert.equal((await statementOf('2026-09-10', '2026-09-10', '--out', 'ten.csv')).status, 0)
  assert.equal(readFileSync(join(folder, 'ten.csv'), 'utf8'), stdout)
})

it('prints the totals of a statement as JSON, and refuses invalid options', async () => {
  const { stdout } = await statementOf('2026-09-11', '2026-09-30', '--json')
  assert.deepEqual(JSON.parse(stdout), {
    merNo,
    currency: 'USD',
    from: '2026-09-11',
    to: '2026-09-30',
    timezone: 'America/Lima',
    opening: { available: '0.00', unsettled: '10.00' },
    closing: { available: '0.00', unsettled: '20.00' },
    movements: 1,
  })
  assert.match((await statementOf('2026-09-11', '2026-09-10')).stderr, /--to is before --from/)
  assert.match((await statementOf('2026-02-30', '2026-03-01')).stderr, /--from must be a day/)
  const nowhere = await statementOf('2026-09-11', '2026-09-12', '--out', 'no/such/folder.csv')
  assert.equal(nowhere.status, 1)
  assert.match(nowhere.stderr, /cannot be written/)
  assert.equal(existsSync(join(folder, 'no')), false)
})

/** An order that expired unpaid. */
async function expired(day: string): Promise<NewPayment> {
  const order = aPayment({ merNo, createdAt: new Date(`${day}T12:00:00Z`) })
  await acceptPayments(database.db, [order])
  const outcome = { kind: 'failed', cause: 'cancelled', message: 'Nobody came' } as const
  await recordOutcomes({ db: database.db, rates: noRates }, [
    aSuccess(order, { outcome, at: order.createdAt }),
  ])
  return order
}

it('finds late money on a channel statement, accepts it for its order, and returns the rest', async () => {
  const order = await expired('2026-10-05')
  const late = `${attemptReference(order.tradeNo, 1)},payment,10.00,USD,0.25,2026-10-05`
  const name = file(
    'card.csv',
    `reference,type,amount,currency,fee,date\n${late}\nstray,payment,7.00,USD,,2026-10-05\n`,
  )
  const found = await run('reconcile', '--channel', 'card', '--file', name, '--json')
  assert.equal(found.status, 1)
  const report = JSON.parse(found.stdout)
  assert.deepEqual([report.matched, report.different, report.booked], [0, 2, 2])
  assert.deepEqual(report.fees, [{ currency: 'USD', amount: '0.25' }])
  const items: Record<string, unknown>[] = JSON.parse((await run('suspense', 'list', '--json')).stdout)
  const idOf = (why: string) => String(items.find((item) => item.why === why)?.suspenseId)
  assert.match((await run('suspense', 'list')).stdout, /late +10\.00 USD/)
  const accepted = await run('suspense', 'accept', idOf('late'))
  assert.deepEqual([accepted.status, accepted.stdout], [0, `Order ${order.tradeNo} has succeeded.\n`])
  assert.equal(await stateOf(database.db, order), 5)
  const again = await run('suspense', 'accept', idOf('late'))
  assert.equal(again.status, 1)
  assert.match(again.stderr, /return the money/)
  assert.match(
    (await run('suspense', 'return', idOf('unmatched'))).stdout,
    /7\.00 USD was booked back to the channel card/,
  )
  assert.equal((await run('suspense', 'list')).stdout, 'No money is in suspense.\n')
  const after = await run('reconcile', '--file', name)
  assert.deepEqual([after.status, after.stdout.includes('2 match, 0 differences')], [0, true])
  await assertMoneySound(database.db)
})

it('refuses a file that is not a statement, and a missing file', async () => {
  const broken = await run('reconcile', '--file', file('broken.csv', 'reference,type\n'))
  assert.equal(broken.status, 1)
  assert.match(broken.stderr, /^broken\.csv, line 1: the first line must be/)
  assert.match((await run('reconcile', '--file', 'missing.csv')).stderr, /missing\.csv cannot be read/)
})

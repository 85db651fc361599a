// Statements, suspense and reconciliation by the operator's commands.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import type { NewPayment } from '../../src/money/orders/new-order.ts'
import { attemptReference } from '../../src/money/orders/order.ts'
import { acceptPayments } from '../../src/money/payments/accept-payments.ts'
import { recordOutcomes } from '../../src/money/payments/record-outcomes.ts'
import { aPayment, aSuccess, noRates } from '../builders/builders.ts'
import { assertMoneySound, paidOrder, stateOf } from '../builders/paid-orders.ts'
import { useDatabase } from '../harness/harness.ts'
import { giveMasterKey, type Ran, runTollgate } from '../harness/operator.ts'

let folder: string
let merNo: number

const database = useDatabase({
  async before() {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-desk-'))
    giveMasterKey(folder)
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
  },
  after: () => rmSync(folder, { recursive: true }),
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

/** Makes an order that expired unpaid. */
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
  assert.deepEqual(
    { matched: report.matched, different: report.different, booked: report.booked },
    { matched: 0, different: 2, booked: 2 },
  )
  assert.deepEqual(report.fees, [{ currency: 'USD', amount: '0.25' }])
  const items: Record<string, unknown>[] = JSON.parse((await run('suspense', 'list', '--json')).stdout)
  const idOf = (why: string) => String(items.find((item) => item.why === why)?.suspenseId)
  assert.match((await run('suspense', 'list')).stdout, /late +10\.00 USD/)
  const accepted = await run('suspense', 'accept', idOf('late'))
  assert.deepEqual(
    { status: accepted.status, stdout: accepted.stdout },
    { status: 0, stdout: `Order ${order.tradeNo} has succeeded.\n` },
  )
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
  assert.deepEqual(
    { status: after.status, saysSo: after.stdout.includes('2 match, 0 differences') },
    { status: 0, saysSo: true },
  )
  await assertMoneySound(database.db)
})

it('takes money out of suspense only if a file replaces an earlier one', async () => {
  const [kept, gone] = ['kept,payment,1.00,USD,,2026-10-06\n', 'gone,payment,2.00,USD,,2026-10-06\n']
  const header = 'reference,type,amount,currency,fee,date\n'
  const first = await run('reconcile', '--file', file('first.csv', header + kept + gone), '--json')
  const { statementId } = JSON.parse(first.stdout)
  const next = file('next.csv', header + kept)
  const added = await run('reconcile', '--file', next)
  assert.match(added.stdout, /import it again with --replaces and the id of the earlier one/)
  assert.match(added.stdout, new RegExp(`not repeated +payment +gone .*ours 2\\.00 USD +${statementId}`))
  const unknown = await run('reconcile', '--file', next, '--replaces', 'I0')
  assert.match(
    unknown.stderr,
    new RegExp(`card has no statement I0; its newest are .*${statementId} \\(first\\.csv`),
  )
  const replaced = await run('reconcile', '--file', next, '--replaces', statementId)
  assert.match(replaced.stdout, /^Statement I\w+, 1 lines of card/)
  assert.match(replaced.stdout, /no longer lists 1 of the sums in suspense/)
  assert.doesNotMatch(replaced.stdout, /not repeated/)
  await assertMoneySound(database.db)
})

it('refuses a file that is not a statement, and a missing file', async () => {
  const broken = await run('reconcile', '--file', file('broken.csv', 'reference,type\n'))
  assert.equal(broken.status, 1)
  assert.match(broken.stderr, /^broken\.csv, line 1: the first line must be/)
  assert.match((await run('reconcile', '--file', 'missing.csv')).stderr, /missing\.csv cannot be read/)
})

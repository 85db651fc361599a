import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice } from '../../test/back-office.ts'
import { type Operator, operatorAt } from '../../test/operator.ts'
import { balancesOf } from '../../test/paid-orders.ts'

let office: BackOffice
let operator: Operator
before(async () => {
  office = await openBackOffice()
  operator = operatorAt({ databaseUrl: office.databaseUrl, dataDir: office.dataDir })
})
after(() => office.close())

const correct = (amount: string, from = 'merchant:available', to = 'platform:fees') => [
  ...['ledger', 'correct', '--mer-no', String(office.demo.merNo), '--from', from, '--to', to],
  ...['--amount', amount, '--currency', 'USD', '--reason', 'A fee was forgotten in October'],
]

test('a correcting entry moves money between two accounts, and ledger verify explains it', async () => {
  const before = await balancesOf(office.db, office.demo.merNo)
  const { correctionId } = await operator.run(...correct('12.34'))
  const after = await balancesOf(office.db, office.demo.merNo)
  const moved = (account: string) => (after[account] ?? 0n) - (before[account] ?? 0n)
  assert.equal(moved('merchant:available USD'), -1234n)
  assert.equal(moved('platform:fees USD'), 1234n)
  const books = await operator.run('ledger', 'verify')
  assert.deepEqual([books.differences, books.findings], [[], []])
  const { corrections } = books as { corrections: { count: number; latest: Record<string, unknown>[] } }
  assert.equal(corrections.count, 1)
  const [line] = corrections.latest
  assert.equal(line?.correctionId, correctionId)
  assert.equal(line?.reason, 'A fee was forgotten in October')
})

test('accounts that rows explain cannot be corrected', async () => {
  for (const account of ['merchant:unsettled', 'merchant:margin', 'suspense', 'transit:payouts', 'rail:a b'])
    assert.match(
      await operator.refused(...correct('1.00', account)),
      /cannot be corrected: use merchant:available/,
    )
  assert.match(await operator.refused(...correct('1.00', 'platform:fees')), /must differ/)
  assert.match(await operator.refused(...correct('0.001')), /is not an amount in USD/)
})

test('a large correction waits for a person other than the one who asked', async () => {
  const before = await balancesOf(office.db, office.demo.merNo)
  const { approvalId, correctionId } = await operator.run(...correct('1000.01'))
  assert.deepEqual(await balancesOf(office.db, office.demo.merNo), before)
  const { approvals } = (await operator.run('approval', 'list')) as { approvals: Record<string, unknown>[] }
  assert.deepEqual(
    approvals.map((one) => [one.approvalId, one.subject, one.amount]),
    [[approvalId, correctionId, '1000.01']],
  )
  const approve = ['approval', 'approve', String(approvalId), '--reason', 'Checked']
  assert.match(await operator.refused(...approve), /a second person must approve it/)
  await office.db.query({ text: `update approvals set asked_by = 'another account'` })
  await operator.run(...approve)
  assert.match(await operator.refused(...approve), /is approved already/)
  const after = await balancesOf(office.db, office.demo.merNo)
  assert.equal((before['merchant:available USD'] ?? 0n) - (after['merchant:available USD'] ?? 0n), 100_001n)
  assert.deepEqual((await operator.run('ledger', 'verify')).findings, [])
})

test('an entry without its line in the audit log is a finding', async () => {
  await office.db.query({
    text: `insert into bookings (mer_no, subject, step, currency, at, steps, debited, credited, amounts)
      select mer_no, 'K-unexplained', step, currency, at, steps, debited, credited, amounts
      from bookings where step = 'correction' limit 1`,
  })
  const { status, stdout } = await operator.attempt('ledger', 'verify')
  assert.equal(status, 1)
  assert.match(stdout, /correction-explained/)
})

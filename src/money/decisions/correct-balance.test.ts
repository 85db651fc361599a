import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aPayment, noRates } from '../../../test/builders/builders.ts'
import { balancesOf } from '../../../test/builders/paid-orders.ts'
import { type BackOffice, openBackOffice, type Person } from '../../../test/harness/back-office.ts'
import { type Operator, operatorAt } from '../../../test/harness/operator.ts'
import { formatAmount } from '../../platform/base/money.ts'
import { acceptPayments } from '../payments/accept-payments.ts'
import { recordOutcomes } from '../payments/record-outcomes.ts'
import { bookSuspense } from '../suspense/book-suspense.ts'

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
  assert.deepEqual(
    { differences: books.differences, findings: books.findings },
    { differences: [], findings: [] },
  )
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
  for (const amount of ['0.00', '100000000000000.01'])
    assert.match(
      await operator.refused(...correct(amount)),
      /must be above zero, and an amount that one entry/,
    )
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
  const ann = await office.operator('finance')
  const input = { params: { approvalId: String(approvalId) }, body: { reason: 'Checked' } }
  await ann.call('POST /approvals/:approvalId/approve', input)
  const again = await ann.attempt('POST /approvals/:approvalId/approve', input)
  assert.match(again.problem?.message ?? '', /is approved already/)
  const after = await balancesOf(office.db, office.demo.merNo)
  assert.equal((before['merchant:available USD'] ?? 0n) - (after['merchant:available USD'] ?? 0n), 100_001n)
  assert.deepEqual((await operator.run('ledger', 'verify')).findings, [])
})

test('what one person did alone for one merchant within a day counts together, and more waits', async () => {
  const merNo = String(office.demo.merNo)
  const [ann, bob] = [await office.operator('finance'), await office.operator('finance')]
  const reason = 'A fee was forgotten'
  const correct = async (person: Person, amount: string, of = merNo) => {
    const entry = { merNo: of, from: 'merchant:available', to: 'platform:fees', currency: 'USD', reason }
    const { approvalId } = await person.call('POST /corrections', { body: { ...entry, amount } })
    return approvalId
  }
  // A person may decide up to 1000.00 USD alone.
  const asked = await Promise.all(Array.from({ length: 5 }, () => correct(ann, '300.00')))
  const waiting = asked.flatMap((approvalId) => approvalId ?? [])
  assert.equal(waiting.length, 2, 'three of five come to 900.00, at the same moment too')
  // 900.00 are booked and 600.00 wait.
  assert.notEqual(await correct(ann, '0.01'), undefined)
  assert.equal(await correct(ann, '300.00', '0'), undefined, 'another merchant counts by itself')
  assert.equal(await correct(bob, '900.00'), undefined, 'and so does another person')
  const money = { amount: 10_001n, currency: 'USD' }
  const stray = {
    merNo: office.demo.merNo,
    channel: 'card',
    money,
    why: 'unmatched',
    origin: 'statement',
  } as const
  const [held] = await office.db.transaction((tx) =>
    bookSuspense(tx, [{ ...stray, reference: 'counted', at: new Date() }]),
  )
  const suspenseId = held?.suspenseId ?? ''
  const shown = await bob.call('GET /suspense', { query: {} })
  assert.equal(shown.rows.find((one) => one.suspenseId === suspenseId)?.needsSecondPerson, true)
  const returned = await bob.call('POST /suspense/:suspenseId/return', {
    params: { suspenseId },
    body: { reason },
  })
  assert.notEqual(returned.approvalId, undefined, 'suspense counts with corrections')

  const { rows } = await bob.call('GET /approvals', { query: {} })
  const own = rows.filter(({ askedBy }) => askedBy === ann.email).map(({ approvalId }) => approvalId)
  assert.equal(own.length, 3)
  const [approved = '', ...rejected] = own
  await bob.call('POST /approvals/:approvalId/approve', {
    params: { approvalId: approved },
    body: { reason },
  })
  for (const approvalId of rejected)
    await bob.call('POST /approvals/:approvalId/reject', { params: { approvalId }, body: { reason } })
  assert.equal(await correct(ann, '100.00'), undefined, 'what was approved or rejected does not count')
  assert.notEqual(await correct(ann, '0.01'), undefined)
})

test('an approval that was asked for more than a day ago does not count', async () => {
  const cid = await office.operator('finance')
  const entry = { merNo: String(office.demo.merNo), from: 'merchant:available', to: 'platform:fees' }
  const correct = async (amount: string) => {
    const body = { ...entry, currency: 'USD', amount, reason: 'A fee was forgotten' }
    return (await cid.call('POST /corrections', { body })).approvalId
  }
  const approvalId = await correct('1000.01')
  assert.notEqual(await correct('1.00'), undefined)
  await office.db.query({
    text: `update approvals set asked_at = asked_at - interval '25 hours' where asked_by = $1`,
    values: [cid.email],
  })
  assert.equal(await correct('999.00'), undefined)
  assert.notEqual(approvalId, undefined)
})

test('corrections, suspense and decided outcomes count together, whichever comes last', async () => {
  const made = await operator.run('merchant', 'create', '--name', 'Counted', '--site', 'counted.example')
  const merNo = Number(made.merNo)
  const reason = 'Found by the auditor'
  type Decide = (person: Person, cents: bigint) => Promise<{ approvalId?: string | undefined }>
  const correction: Decide = (person, cents) => {
    const entry = { merNo: String(merNo), from: 'platform:fees', to: 'merchant:available', currency: 'USD' }
    return person.call('POST /corrections', {
      body: { ...entry, amount: formatAmount(cents, 'USD'), reason },
    })
  }
  let count = 0
  const suspense: Decide = async (person, amount) => {
    const stray = { merNo, channel: 'card', why: 'unmatched', origin: 'statement', at: new Date() } as const
    const [held] = await office.db.transaction((tx) =>
      bookSuspense(tx, [{ ...stray, money: { amount, currency: 'USD' }, reference: `counted ${++count}` }]),
    )
    const params = { suspenseId: held?.suspenseId ?? '' }
    return person.call('POST /suspense/:suspenseId/return', { params, body: { reason } })
  }
  const outcome: Decide = async (person, amount) => {
    // The gateway does not have this channel, so its resolver cannot decide the payment.
    const payment = aPayment({ merNo, money: { amount, currency: 'USD' } })
    const { tradeNo, attempt } = payment
    await acceptPayments(office.db, [{ ...payment, attempt: attempt && { ...attempt, channel: 'removed' } }])
    const unknown = { kind: 'unknown', why: 'silent' } as const
    const report = { merNo, tradeNo, attemptNo: 1, outcome: unknown, at: new Date(), awaitsPayerMinutes: 30 }
    await recordOutcomes({ db: office.db, rates: noRates }, [report])
    const body = { as: 'failed', reason } as const
    return person.call('POST /outcomes/:tradeNo/decide', { params: { tradeNo }, body })
  }
  for (const [first, second, last] of [
    [correction, suspense, outcome],
    [suspense, outcome, correction],
    [outcome, correction, suspense],
  ] as const) {
    const person = await office.operator('finance')
    for (const [decide, cents] of [
      [first, 450_00n],
      [second, 450_00n],
      [last, 100_00n],
    ] as const)
      assert.equal((await decide(person, cents)).approvalId, undefined, `${decide.name} of ${cents}`)
    assert.notEqual((await last(person, 1n)).approvalId, undefined, last.name)
  }
})

test('a rate that was lowered for a moment lets nobody decide more alone', async () => {
  const finance = await office.operator('finance')
  const reason = 'Found by the auditor'
  const setRate = (rate: string) =>
    finance.call('POST /rates', { body: { from: 'EUR', to: 'USD', rate, confirm: true, reason } })
  const correct = (amount: string) => {
    const from = [...['--from', 'platform:exchange'], ...['--to', 'merchant:available']]
    const money = ['--amount', amount, '--currency', 'EUR', '--reason', reason]
    return operator.run('ledger', 'correct', '--mer-no', String(lowered), ...from, ...money)
  }
  const lowered = (await operator.run('merchant', 'create', '--name', 'Low', '--site', 'low.example')).merNo
  await setRate('1.1')
  assert.equal((await correct('600.00')).approvalId, null)
  await setRate('0.0001')
  assert.notEqual(
    (await correct('310.00')).approvalId,
    null,
    'the first correction is still worth 660.00 USD',
  )
  assert.notEqual((await correct('1000000.00')).approvalId, null)
  await setRate('1.1')
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

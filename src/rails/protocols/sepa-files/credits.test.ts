import assert from 'node:assert/strict'
import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import { openSepaFiles, type SepaFiles, sepaRequest } from '../../../../test/counterparties/sepa-files.ts'
import { readStatement } from '../../../money/reconciliation/statement-line.ts'

let given: SepaFiles
before(async () => {
  given = await openSepaFiles()
})
after(() => given.close())

/** Starts a payment. Returns it with the text that the payer must enter. */
async function started(cents: bigint) {
  const request = sepaRequest(cents)
  const outcome = await given.channel.start(request)
  assert.equal(outcome.kind, 'pending')
  return { request, text: outcome.channelRef }
}

async function depositsOf(request: { reference: string; money: { amount: bigint; currency: string } }) {
  const outcome = await given.channel.ask(request)
  return outcome.kind === 'received' ? outcome.deposits.map(({ money }) => money.amount) : []
}

/** Reads the table of the last statement in the way in which `tollgate reconcile` reads it. */
async function lastTable() {
  const done = join(given.folder, 'in', 'done')
  const tables = readdirSync(done).filter((name) => name.endsWith('.csv'))
  return readStatement(createReadStream(join(done, tables.sort().at(-1) ?? ''), { encoding: 'utf8' }))
}

test('a transfer counts once, in whichever files and versions the bank reports it', async () => {
  const { request, text } = await started(24_00n)
  const bookings = given.bank.credit([{ cents: 24_00n, text: `Order 7 ${text}` }])
  given.bank.notify(bookings)
  given.bank.notify(bookings)
  await given.work()
  given.bank.state({ copies: 2 })
  assert.equal(await given.work(), '')
  const outcome = await given.channel.ask(request)
  assert.equal(outcome.kind, 'received')
  const [deposit] = outcome.deposits
  assert.deepEqual(deposit?.money, request.money)
  assert.equal(deposit.payerAccount, 'NL91ABNA0417164300')
  assert.equal(deposit.payerName, 'Zoë Exámple')
  assert.equal(outcome.deposits.length, 1)
})

test('two transfers that look alike are two, even if the bank gives no references', async () => {
  const { request, text } = await started(10_00n)
  given.bank.credit([{ cents: 5_00n, text }])
  given.bank.credit([{ cents: 5_00n, text }])
  given.bank.notify(given.bank.unstated(), { withoutRefs: true })
  assert.equal(await given.work(), '')
  assert.deepEqual(await depositsOf(request), [], 'the statement will list them again')
  given.bank.state({ withoutRefs: true, copies: 1 })
  assert.equal(await given.work(), '')
  assert.deepEqual(await depositsOf(request), [5_00n, 5_00n])
})

describe('two bookings under one reference of the bank', () => {
  const raisedBy = async (change: (xml: string) => string, step: () => void) => {
    given.bank.change(change, step)
    return given.work()
  }
  const unmatched = () => given.store.list('unmatched', { limit: 10 })
  let count = 0
  const underOneRef = () => {
    count += 1
    return (xml: string) => xml.replace(/(<AcctSvcrRef>)[^<]*/g, `$1ONE${count}`)
  }

  test('count twice if one file lists both, and never again', async () => {
    const same = underOneRef()
    const { request, text } = await started(10_00n)
    const both = [1, 2].flatMap(() => given.bank.credit([{ cents: 5_00n, text }]))
    for (const _again of [1, 2]) {
      assert.equal(await raisedBy(same, () => given.bank.notify(both)), '')
      assert.deepEqual(await depositsOf(request), [5_00n, 5_00n])
    }
    assert.equal(await raisedBy(same, () => given.bank.notify(both.slice(1))), '')
    assert.equal(await raisedBy(same, () => given.bank.state({ copies: 1 })), '')
    assert.deepEqual(await depositsOf(request), [5_00n, 5_00n])
  })

  test('count once if they were announced one by one, until the statement lists both', async () => {
    const same = underOneRef()
    const { request, text } = await started(10_00n)
    const both = [1, 2].flatMap(() => given.bank.credit([{ cents: 5_00n, text }]))
    for (const one of both) assert.equal(await raisedBy(same, () => given.bank.notify([one])), '')
    assert.deepEqual(await depositsOf(request), [5_00n])
    assert.equal(await raisedBy(same, () => given.bank.state()), '')
    assert.deepEqual(await depositsOf(request), [5_00n, 5_00n])
  })

  test('pay their payments in any order of the files, with or without details', async () => {
    for (const sumsFirst of [true, false]) {
      const same = underOneRef()
      const payments = [await started(7_00n), await started(7_00n), await started(8_00n)]
      const all = payments.flatMap(({ request, text }) =>
        given.bank.credit([{ cents: request.money.amount, text }]),
      )
      const steps = [
        () => given.bank.state({ isSummary: true }),
        () => given.bank.notify(all.toReversed()),
        () => given.bank.notify(all.slice(1, 2)),
      ]
      for (const step of sumsFirst ? steps : steps.toReversed()) await raisedBy(same, step)
      for (const { request } of payments) assert.deepEqual(await depositsOf(request), [request.money.amount])
      assert.deepEqual(await unmatched(), [])
    }
  })

  test('are not held for an operator any more once a file tells them apart', async () => {
    const same = underOneRef()
    const payments = [await started(7_00n), await started(7_00n)]
    const all = payments.flatMap(({ text }) => given.bank.credit([{ cents: 7_00n, text }]))
    await raisedBy(same, () => given.bank.notify(all.slice(0, 1)))
    const alone = await raisedBy(same, () => given.bank.notify(all.slice(1)))
    assert.match(alone, /has the bank reference of another booking/)
    assert.equal((await unmatched()).length, 1)
    assert.equal(await raisedBy(same, () => given.bank.state()), '')
    for (const { request } of payments) assert.deepEqual(await depositsOf(request), [7_00n])
    assert.deepEqual(await unmatched(), [])
  })
})

test('what is announced and not booked does not count', async () => {
  const { request, text } = await started(10_00n)
  const bookings = given.bank.credit([{ cents: 10_00n, text }])
  given.bank.notify(bookings, { status: 'PDNG' })
  await given.work()
  assert.deepEqual(await depositsOf(request), [])
  given.bank.notify(bookings)
  await given.work()
  assert.deepEqual(await depositsOf(request), [10_00n])
  given.bank.state()
  assert.equal(await given.work(), '')
})

test('the details of an entry count for their payments, before or after the entry without them', async () => {
  const cases = [true, false].flatMap((sumFirst) => [1, 3].map((size) => ({ sumFirst, size })))
  for (const { sumFirst, size } of cases) {
    const all = await Promise.all(Array.from({ length: size }, (_, at) => started(BigInt(at + 1) * 1_00n)))
    const bookings = given.bank.credit(
      all.map(({ request, text }) => ({ cents: request.money.amount, text })),
    )
    const steps = [() => given.bank.state({ isSummary: true }), () => given.bank.notify(bookings)]
    for (const step of sumFirst ? steps : steps.reverse()) {
      step()
      await given.work()
    }
    for (const { request } of all) assert.deepEqual(await depositsOf(request), [request.money.amount])
    const left = await given.store.list('unmatched', { limit: 10 })
    assert.deepEqual(left, [], 'the sum is not held beside its parts')
    if (sumFirst) continue
    const listed = (await lastTable()).map(({ reference }) => reference)
    assert.deepEqual(
      listed,
      all.map(({ request }) => request.reference),
    )
  }
})

test('money that names no payment is held for an operator, in a table for the reconciliation', async () => {
  const { text } = await started(10_00n)
  given.bank.credit([{ cents: 33_00n, text: `cut ${text.slice(0, 12)}` }])
  given.bank.notify(given.bank.unstated())
  assert.match(await given.work(), /33\.00 EUR of .* names no payment/)
  assert.equal(await given.work(), '', 'it is reported once')
  given.bank.state()
  assert.equal(await given.work(), '')
  const lines = await lastTable()
  assert.deepEqual(
    lines.map(({ type, money }) => [type, money.amount]),
    [['payment', 33_00n]],
  )
  const [unmatched] = await given.store.list('unmatched', { limit: 10 })
  assert.equal(unmatched?.key, lines[0]?.reference)
  assert.match(
    (await given.connection.check(AbortSignal.timeout(1_000))).message,
    /1 bookings name no payment/,
  )
})

test('two amounts under one reference of the bank are for the operator to tell apart', async () => {
  const { request, text } = await started(10_00n)
  const [booking] = given.bank.credit([{ cents: 10_00n, text }])
  assert.ok(booking)
  given.bank.notify([booking])
  given.bank.notify([{ ...booking, cents: 11_00n }])
  assert.match(await given.work(), /11\.00 EUR of .* has the bank reference of another booking/)
  assert.deepEqual(await depositsOf(request), [10_00n])
  given.bank.notify([{ ...booking, cents: 11_00n }])
  assert.equal(await given.work(), '', 'it is reported once')
  const at = new Date(booking.at.getTime() + 86_400_000)
  given.bank.notify([{ ...booking, cents: 11_00n, at }])
  assert.match(await given.work(), /11\.00 EUR of .* another booking/, 'that of another day is a third one')
  const unmatched = (await given.store.list('unmatched', { limit: 100 })).filter(
    ({ key, body }) => key.includes(`BK${String(booking.no).padStart(12, '0')}`) && body.amount === '1100',
  )
  assert.equal(unmatched.length, 2)
  given.bank.state()
  await given.work()
})

test('an equal amount for another payment under one reference of the bank is not taken for a repetition', async () => {
  const [first, second] = [await started(10_00n), await started(10_00n)]
  const [booking] = given.bank.credit([{ cents: 10_00n, text: first.text }])
  assert.ok(booking)
  given.bank.notify([booking])
  given.bank.notify([{ ...booking, text: second.text }])
  assert.match(await given.work(), /10\.00 EUR of .* has the bank reference of another booking/)
  given.bank.notify([booking])
  assert.equal(await given.work(), '')
  assert.deepEqual(
    { first: await depositsOf(first.request), second: await depositsOf(second.request) },
    { first: [10_00n], second: [] },
  )
  given.bank.state()
  await given.work()
})

test('money after the end of a payment is reported with it', async () => {
  const { request, text } = await started(10_00n)
  assert.equal((await given.channel.cancel(request)).kind, 'failed')
  given.bank.notify(given.bank.credit([{ cents: 10_00n, text }]))
  await given.work()
  const outcome = await given.channel.ask(request)
  assert.equal(outcome.kind, 'failed')
  assert.equal(outcome.deposits?.length, 1)
  given.bank.state()
  await given.work()
})

test('a payment that its bank recalls is reported to the operator, with its order', async () => {
  const { request, text } = await started(10_00n)
  const [booking] = given.bank.credit([{ cents: 10_00n, text }])
  assert.ok(booking)
  given.bank.notify([booking])
  await given.work()
  given.bank.recall(booking)
  assert.match(await given.work(), new RegExp(`took back 10\\.00 EUR of ${request.reference} on `))
  given.bank.state()
  assert.equal(await given.work(), '', 'it is reported once')
})

test('money that names no payment is reported when the bank takes it back, also under the same reference', async () => {
  const same = (xml: string) => xml.replace(/(<AcctSvcrRef>)[^<]*/g, '$1RECALLED')
  const [booking] = given.bank.credit([{ cents: 12_00n, text: 'no order' }])
  assert.ok(booking)
  given.bank.change(same, () => given.bank.notify([booking]))
  assert.match(await given.work(), /12\.00 EUR of .* names no payment/)
  given.bank.change(same, () => given.bank.recall(booking))
  assert.match(await given.work(), /took back 12\.00 EUR on /)
  given.bank.change(same, () => given.bank.state())
  assert.equal(await given.work(), '', 'it is reported once')
})

test('a missing statement is reported once, and no more when it has come', async () => {
  const check = async () => (await given.connection.check(AbortSignal.timeout(1_000))).message
  given.bank.credit([{ cents: 1_00n, text: makeReference() }])
  const late = given.bank.held(() => given.bank.state())
  given.bank.credit([{ cents: 1_00n, text: makeReference() }])
  given.bank.state()
  assert.match(await given.work(), /a statement is missing between STMT-\d+ and STMT-\d+/)
  assert.match(await check(), /A statement is missing between/)
  assert.doesNotMatch(await given.work(), /missing/)
  late()
  assert.doesNotMatch(await given.work(), /missing/)
  assert.doesNotMatch(await check(), /missing/)
})

test('a statement whose entries do not lead to its closing balance is reported', async () => {
  given.bank.credit([{ cents: 5_00n, text: makeReference() }])
  given.bank.change(
    (xml) => xml.replace(/<Ntry>.*?<\/Ntry>/, ''),
    () => given.bank.state(),
  )
  assert.match(await given.work(), /the entries of statement STMT-\d+ lead to/)
})

// The bank's files give one booking on different days, mostly more than three days apart. counted-before.ts compares
// equal amounts only within three days.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import {
  openSepaFiles,
  type SepaFiles,
  startSepa,
  timesPaid,
} from '../../../../test/counterparties/sepa-files.ts'

let given: SepaFiles
beforeEach(async () => {
  given = await openSepaFiles()
})
afterEach(() => given.close())

type Edit = (xml: string) => string

const cents = 24_00n
const noRefs: Edit = (xml) => xml.replace(/<AcctSvcrRef>[^<]*<\/AcctSvcrRef>/g, '')
const withTransferIds: Edit = (xml) => xml.replaceAll('</EndToEndId>', '</EndToEndId><TxId>TX1</TxId>')
const daysLater =
  (days: number): Edit =>
  (xml) =>
    xml.replace(/(<(?:BookgDt|ValDt)><Dt>)(\d{4}-\d\d-\d\d)/g, (_, tag, day) => {
      return `${tag}${new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)}`
    })

async function read(step: () => void, ...edits: readonly Edit[]): Promise<string> {
  given.bank.change((xml) => edits.reduce((text, edit) => edit(text), xml), step)
  return given.work()
}

const held = async () => (await given.store.list('unmatched', { limit: 10 })).map(({ body }) => body.amount)

for (const days of [-40, -4, 4, 40])
  test(`an announced booking that is stated without its reference ${days} days later is for the operator`, async () => {
    const payment = await startSepa(given, cents)
    const announced = given.bank.credit([payment.money])
    assert.equal(await read(() => given.bank.notify(announced)), '')
    const raised = await read(() => given.bank.state(), noRefs, daysLater(days))
    assert.match(
      raised,
      new RegExp(`may be the transfer of ${payment.request.reference} that was counted before`),
    )
    assert.equal(await timesPaid(given, payment), 1)
    assert.deepEqual(await held(), ['2400'])
  })

test('a booking that is stated without its reference, and then announced with another date, is for the operator', async () => {
  const payment = await startSepa(given, cents)
  const booked = given.bank.credit([payment.money])
  assert.equal(await read(() => given.bank.state(), noRefs), '')
  assert.match(
    await read(() => given.bank.notify(booked), daysLater(10)),
    /may be the transfer of .* counted/,
  )
  assert.equal(await timesPaid(given, payment), 1)
  assert.deepEqual(await held(), ['2400'])
})

test('it counts once and is not held if both files name one transfer', async () => {
  const payment = await startSepa(given, cents)
  const announced = given.bank.credit([payment.money])
  assert.equal(await read(() => given.bank.notify(announced), withTransferIds), '')
  assert.equal(await read(() => given.bank.state(), noRefs, withTransferIds, daysLater(10)), '')
  assert.equal(await timesPaid(given, payment), 1)
  assert.deepEqual(await held(), [])
})

test('a second payment of the same payer reaches an operator, and counts once the first one is stated', async () => {
  const payment = await startSepa(given, cents)
  const announced = given.bank.credit([payment.money])
  assert.equal(await read(() => given.bank.notify(announced)), '')
  const first = given.bank.held(() => given.bank.change(noRefs, () => given.bank.state()))
  given.bank.credit([payment.money])
  const raised = await read(() => given.bank.state(), noRefs, daysLater(10))
  assert.match(raised, /may be the transfer of .* counted/)
  assert.deepEqual({ paid: await timesPaid(given, payment), held: await held() }, { paid: 1, held: ['2400'] })
  first()
  await given.work()
  assert.equal(await timesPaid(given, payment), 1)
  given.again()
  assert.match(await given.work(), new RegExp(`was held and now counts for ${payment.request.reference}`))
  assert.deepEqual({ paid: await timesPaid(given, payment), held: await held() }, { paid: 2, held: [] })
})

test('a second payment counts by itself if both kinds of file listed the first one, or one kind lists both', async () => {
  const [both, stated] = [await startSepa(given, cents), await startSepa(given, cents)]
  const announced = given.bank.credit([both.money])
  assert.equal(await read(() => given.bank.notify(announced)), '')
  given.bank.credit([stated.money])
  assert.equal(await read(() => given.bank.state(), noRefs), '')
  for (const { money } of [both, stated]) given.bank.credit([money])
  assert.equal(await read(() => given.bank.state(), noRefs, daysLater(10)), '')
  assert.deepEqual(
    { both: await timesPaid(given, both), stated: await timesPaid(given, stated) },
    { both: 2, stated: 2 },
  )
  assert.deepEqual(await held(), [])
})

test('a second payment counts by itself also if the statement of the first one had no details', async () => {
  const payment = await startSepa(given, cents)
  const announced = given.bank.credit([payment.money])
  assert.equal(await read(() => given.bank.notify(announced)), '')
  assert.equal(await read(() => given.bank.state({ isSummary: true }), noRefs), '')
  given.bank.credit([payment.money])
  assert.equal(await read(() => given.bank.state(), noRefs, daysLater(10)), '')
  assert.deepEqual({ paid: await timesPaid(given, payment), held: await held() }, { paid: 2, held: [] })
})

const otherRefs: Edit = (xml) => xml.replace(/(<AcctSvcrRef>)/g, '$1OTHER')

test('one transfer under two references counts once, also on another day', async () => {
  const payment = await startSepa(given, cents)
  const announced = given.bank.credit([payment.money])
  assert.equal(await read(() => given.bank.notify(announced), withTransferIds), '')
  assert.equal(await read(() => given.bank.state(), withTransferIds, otherRefs, daysLater(10)), '')
  assert.deepEqual({ paid: await timesPaid(given, payment), held: await held() }, { paid: 1, held: [] })
})

for (const days of [0, 10])
  test(`one transfer under two references in files of one kind, ${days} days later, is for the operator`, async () => {
    const payment = await startSepa(given, cents)
    const announced = given.bank.credit([payment.money])
    const notify = () => given.bank.notify(announced)
    assert.equal(await read(notify, withTransferIds), '')
    assert.match(await read(notify, withTransferIds, otherRefs, daysLater(days)), /may be .* counted/)
    assert.deepEqual(
      { paid: await timesPaid(given, payment), held: await held() },
      { paid: 1, held: ['2400'] },
    )
  })

for (const [form, edit] of [
  ['with references', (xml: string) => xml],
  ['without references', noRefs],
] as const)
  test(`many equal transfers for one payment ${form} are read as fast as the first ones`, async () => {
    const [payment, size] = [await startSepa(given, cents), 20]
    for (const day of [0, 10, 20]) {
      for (let count = 0; count < size; count++) given.bank.credit([{ cents: 1n, text: payment.text }])
      const before = given.reads()
      assert.equal(await read(() => given.bank.state(), edit, daysLater(day)), '')
      const reads = given.reads() - before
      assert.ok(reads < 8 * size, `${reads} reads for ${size} transfers on day ${day}`)
    }
    assert.equal(await timesPaid(given, payment), 3 * size)
  })

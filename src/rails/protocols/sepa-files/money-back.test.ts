// Returns of our own transfers. The text of a refund names the payment, but a returned refund is no deposit of this
// payment.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import {
  openSepaFiles,
  type SepaFiles,
  sepaPayout,
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
const unmarked: Edit = (xml) => xml.replace(/<RtrInf>.*?<\/RtrInf>/gs, '').replaceAll('RRTN', 'ESCT')
const nameless: Edit = (xml) => xml.replace(/<EndToEndId>[^<]*/g, '<EndToEndId>NOTPROVIDED')

/** Makes a payment that is paid and then refunded. */
async function refunded() {
  const payment = await startSepa(given, cents)
  given.bank.notify(given.bank.credit([payment.money]))
  await given.work()
  const refund = { ...payment.request, refundReference: makeReference(), refund: payment.request.money }
  await given.channel.refund(refund)
  assert.equal(await given.exchange(), '')
  const kind = async () => (await given.channel.refund(refund)).kind
  assert.equal(await kind(), 'succeeded')
  return { ...payment, refund, kind }
}

for (const [form, edit] of [
  ['that the bank does not mark', unmarked],
  ['that does not name the transfer', nameless],
] as const)
  test(`the return of a refund ${form} is for the operator, and no payment`, async () => {
    const { kind, ...payment } = await refunded()
    given.bank.change(edit, () => given.bank.giveBack(payment.refund.refundReference))
    const raised = await given.work()
    assert.equal(await timesPaid(given, payment), 1)
    assert.match(raised, /^c54-\d+\.xml: 24\.00 EUR of \S+ names no payment$/)
    assert.equal(await kind(), 'succeeded')
    const held = await given.store.list('unmatched', { limit: 10 })
    assert.match(String(held.map(({ body }) => body.text)), new RegExp(payment.text, 'i'))
  })

test('a refund that comes back short is returned with what arrived, and is no payment, also in a statement', async () => {
  const { kind: _kind, ...payment } = await refunded()
  given.bank.giveBack(payment.refund.refundReference, 23_50n)
  assert.equal(await given.work(), '')
  given.bank.state()
  assert.equal(await given.work(), '')
  assert.equal(await timesPaid(given, payment), 1)
  const outcome = await given.channel.refund(payment.refund)
  assert.ok(outcome.kind === 'returned')
  assert.deepEqual(outcome.money, { amount: 23_50n, currency: 'EUR' })
})

test('a short return that an older version counted as a credit without a payment stays that', async () => {
  const { kind, ...payment } = await refunded()
  given.bank.giveBack(payment.refund.refundReference, 23_50n)
  const returned = () => given.store.list('transfer', { limit: 100 })
  await given.work()
  const [fact] = (await returned()).filter(({ key }) => key.endsWith(' returned'))
  assert.ok(fact)
  await given.store.write([{ remove: fact }])
  given.bank.state()
  await given.work()
  assert.equal(await kind(), 'succeeded')
})

test('money that the payer sends back by himself, with the text of the refund, is his payment', async () => {
  const { kind, ...payment } = await refunded()
  const text = `Refund ${payment.text}`
  given.bank.notify(given.bank.credit([{ cents, text, endToEndId: 'MY-OWN-1' }]))
  assert.equal(await given.work(), '')
  assert.deepEqual(
    { paid: await timesPaid(given, payment), refund: await kind() },
    { paid: 2, refund: 'succeeded' },
  )
})

test('a payment with the EndToEndId of a transfer of ours is for the operator, with its text', async () => {
  const [{ refund, kind }, other] = [await refunded(), await startSepa(given, 30_00n)]
  const { text } = other
  given.bank.notify(given.bank.credit([{ cents: 30_00n, text, endToEndId: refund.refundReference }]))
  assert.match(await given.work(), /30\.00 EUR of \S+ names no payment$/)
  assert.deepEqual(
    { paid: await timesPaid(given, other), refund: await kind() },
    { paid: 0, refund: 'succeeded' },
  )
  const [held] = await given.store.list('unmatched', { limit: 10 })
  assert.match(String(held?.body.text), new RegExp(text, 'i'))
})

test('a payment beside a return in one batch counts', async () => {
  const [{ refund, text, kind }, other] = [await refunded(), await startSepa(given, cents)]
  const batch = given.bank.credit([
    { cents, text: `Refund ${text}`, endToEndId: refund.refundReference },
    other.money,
  ])
  const code = '<BkTxCd><Domn><Fmly><SubFmlyCd>RRTN</SubFmlyCd></Fmly></Domn></BkTxCd>'
  const marked: Edit = (xml) => xml.replace('</Refs>', `</Refs>${code}`)
  given.bank.change(marked, () => given.bank.notify(batch))
  assert.equal(await given.work(), '')
  assert.deepEqual(
    { paid: await timesPaid(given, other), refund: await kind() },
    { paid: 1, refund: 'returned' },
  )
})

for (const form of ['one after the other', 'in one statement'])
  test(`a transfer that comes back twice is for the operator, once (${form})`, async () => {
    const payout = sepaPayout(cents)
    await given.rail.send(payout)
    await given.exchange()
    const giveBack = () => given.bank.giveBack(payout.reference)
    if (form === 'in one statement') given.bank.held(() => [giveBack(), giveBack()])
    else {
      giveBack()
      assert.equal(await given.work(), '')
      giveBack()
    }
    const first = await given.work()
    given.bank.state()
    assert.match(
      first + (await given.work()),
      /^\S+ 24\.00 EUR of \S+ is a second return of [A-Z0-9]+[^\n]*$/,
    )
    given.again()
    assert.equal(await given.work(), '')
    assert.equal((await given.rail.ask(payout.reference)).kind, 'returned')
  })

test('a return that the bank takes back raises an alarm, once', async () => {
  const payout = sepaPayout(cents)
  await given.rail.send(payout)
  await given.exchange()
  given.bank.giveBack(payout.reference)
  const [, returned] = given.bank.unstated()
  assert.ok(returned)
  assert.equal(await given.work(), '')
  given.bank.recall(returned)
  assert.match(await given.work(), /^c54-\d+\.xml: the bank took back 24\.00 EUR on \S+$/)
  assert.equal((await given.rail.ask(payout.reference)).kind, 'returned')
  given.bank.state()
  assert.equal(await given.work(), '', 'once')
})

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { writePain002 } from '../../../../sandbox/sepa-files/write-pain-002.ts'
import { PAIN_001, pain001 } from '../../../../test/builders/pain-001-schema.ts'
import {
  openSepaFiles,
  type SepaFiles,
  sepaPayout,
  sepaRequest,
} from '../../../../test/counterparties/sepa-files.ts'
import { validate } from '../../../../test/harness/xml-schema.ts'
import { receiveReport } from './receive-files.ts'

let given: SepaFiles
before(async () => {
  given = await openSepaFiles()
})
after(() => given.close())

const outFiles = () => readdirSync(join(given.folder, 'out'))

async function kindOf({ reference }: { reference: string }): Promise<string> {
  return (await given.rail.ask(reference)).kind
}

/** The bank answers a message with these statuses, before it books anything. */
async function answer(
  messageId: string,
  statuses: Readonly<Record<string, string>>,
  groupStatus = '',
): Promise<void> {
  const transfers = Object.entries(statuses).map(([endToEndId, status]) => ({
    endToEndId,
    status,
    reason: '',
  }))
  const order = { messageId, groupId: messageId }
  given.bank.deliver('psr', (_, id) => writePain002({ id, at: new Date(), order, groupStatus, transfers }))
  await given.work()
}

/** One payout in a file that the bank has not taken yet. */
async function filed() {
  const payout = sepaPayout(12_34n)
  await given.rail.send(payout)
  await given.work()
  const [name = ''] = outFiles()
  return { payout, messageId: name.replace('.xml', '') }
}

test('all payouts that wait are one file, named by its message', async () => {
  const payouts = [sepaPayout(1_00n), sepaPayout(6_66n), sepaPayout(3_00n)]
  for (const payout of payouts) assert.equal((await given.rail.send(payout)).kind, 'processing')
  await given.work()
  const [name = '', ...others] = outFiles()
  assert.deepEqual(others, [])
  const xml = readFileSync(join(given.folder, 'out', name), 'utf8')
  assert.deepEqual(validate(xml, pain001, PAIN_001), [])
  assert.match(
    xml,
    new RegExp(`<MsgId>${name.replace('.xml', '')}</MsgId>.*<NbOfTxs>3</NbOfTxs><CtrlSum>10.66<`, 's'),
  )
  assert.match(xml, /<Nm>Zoe Example<\/Nm>.*<IBAN>FR1420041010050500013M02606</s)
  await given.exchange()
  assert.deepEqual(await Promise.all(payouts.map(kindOf)), ['succeeded', 'failed', 'succeeded'])
  const failed = await given.rail.ask(payouts[1]?.reference ?? '')
  assert.ok(
    failed.kind === 'failed' && failed.message === 'Rejected by the bank: the account is closed (AC04)',
  )
  assert.doesNotMatch(JSON.stringify(await given.store.list('message', { limit: 10 })), /IBAN|FR14/)
})

test('a payout that is ordered twice at the same moment is in one file once', async () => {
  const payout = sepaPayout(2_00n)
  await Promise.all([1, 2, 3].map(() => given.rail.send(payout)))
  await given.exchange()
  await given.rail.send(payout)
  // Queues the payout again after it was filed, as a concurrent call could.
  await given.store.write([{ add: { kind: 'queue', key: payout.reference, body: {} } }])
  await given.exchange()
  assert.equal(given.bank.countPaid(payout.reference), 1)
  assert.deepEqual(await given.store.list('queue', { limit: 1 }), [])
})

test('two nodes that send at the same time send everything once', async () => {
  const payouts = Array.from({ length: 20 }, () => sepaPayout(1_00n))
  const signal = AbortSignal.timeout(60_000)
  const rounds = payouts.map(async (payout) => {
    await given.rail.send(payout)
    await given.connection.watcher?.work(signal)
  })
  await Promise.all(rounds)
  await given.exchange()
  for (const { reference } of payouts) assert.equal(given.bank.countPaid(reference), 1)
  assert.deepEqual(outFiles(), [])
})

test('the answers to a message decide a credit transfer only when they are final', async () => {
  const { payout, messageId } = await filed()
  const { reference } = payout
  for (const [status, kind] of [
    ['RCVD', 'processing'],
    ['ACSP', 'processing'],
    ['RVNC', 'processing'],
    ['ACSC', 'processing'],
    ['XXXX', 'unknown'],
    ['ACCC', 'succeeded'],
    ['RJCT', 'succeeded'],
  ] as const) {
    await answer(messageId, { [reference]: status })
    assert.equal(await kindOf(payout), kind, status)
  }
  given.bank.takeOrders()
  await given.work()
})

test('an answer without a list is about the whole message, one about another message is ignored', async () => {
  const { payout, messageId } = await filed()
  await answer(`${messageId}9`, {}, 'RJCT')
  await answer('SOMEBODY-ELSE-000000001', { OTHER: 'RJCT' }, 'RJCT')
  assert.equal(await kindOf(payout), 'processing')
  await answer(messageId, {}, 'PART')
  assert.equal(await kindOf(payout), 'processing')
  await answer(messageId, {}, 'RJCT')
  assert.equal(await kindOf(payout), 'failed')
  given.bank.takeOrders()
  await given.work()
})

test('a message that the bank has already is not rejected, whichever code the bank has for that', async () => {
  const { payout, messageId } = await filed()
  const order = { messageId, groupId: messageId }
  for (const groupReason of ['AM05', 'DU01', 'DU02', 'DU03', 'DU04', 'DU05', 'DUPL']) {
    const answered = { at: new Date(), order, groupStatus: 'RJCT', groupReason, transfers: [] }
    given.bank.deliver('psr', (_, id) => writePain002({ id, ...answered }))
    await given.work()
    assert.equal(await kindOf(payout), 'unknown', groupReason)
  }
  given.bank.takeOrders()
  await given.work()
  assert.equal(await kindOf(payout), 'succeeded')
})

test('a transfer that comes back is returned with what arrived, in any order of the files', async () => {
  const payout = sepaPayout(8_00n)
  await given.rail.send(payout)
  await given.work()
  const answers = given.bank.held(() => given.bank.takeOrders())
  given.bank.giveBack(payout.reference)
  await given.work()
  const returned = await given.rail.ask(payout.reference)
  assert.deepEqual(returned, {
    kind: 'returned',
    message: "Returned by the beneficiary's bank: the account is closed (AC04)",
    money: payout.money,
  })
  answers()
  await given.work()
  assert.deepEqual(await given.rail.ask(payout.reference), returned)
  given.bank.state({ isSummary: true })
  assert.equal(await given.work(), '', 'the return is known, also in a statement without details')

  const other = sepaPayout(8_00n)
  await given.rail.send(other)
  await given.exchange()
  given.bank.giveBack(other.reference, 7_50n)
  assert.equal(await given.work(), '')
  const short = await given.rail.ask(other.reference)
  assert.ok(short.kind === 'returned')
  assert.deepEqual(short.money, { amount: 7_50n, currency: 'EUR' })
})

test('a message that is booked as one sum settles all its transfers', async () => {
  const batching = await openSepaFiles({ booksBatches: true })
  const payouts = [sepaPayout(1_00n), sepaPayout(6_66n), sepaPayout(3_00n)]
  for (const payout of payouts) await batching.rail.send(payout)
  await batching.work()
  const asOneSum = (xml: string) =>
    xml.replace(/<EndToEndId>[^<]*<\/EndToEndId>/g, '').replace(/(<\/TxDtls>)<TxDtls>.*<\/TxDtls>/, '$1')
  batching.bank.change(asOneSum, () => batching.bank.takeOrders())
  await batching.work()
  // The sum matches the message only without the rejected transfer, and the rejection is known now. So the sum is
  // assigned when the statement lists it again.
  batching.bank.change(asOneSum, () => batching.bank.state())
  await batching.work()
  const kinds = await Promise.all(
    payouts.map(async ({ reference }) => (await batching.rail.ask(reference)).kind),
  )
  assert.deepEqual(kinds, ['succeeded', 'failed', 'succeeded'])
  await batching.close()
})

test('an instant transfer has succeeded when the bank says that it settled', async () => {
  const instant = await openSepaFiles({ instant: true })
  const payout = sepaPayout(1_00n)
  await instant.rail.send(payout)
  await instant.work()
  const [name = ''] = readdirSync(join(instant.folder, 'out'))
  assert.match(readFileSync(join(instant.folder, 'out', name), 'utf8'), /<Cd>INST<\/Cd>/)
  const order = { messageId: name.replace('.xml', ''), groupId: 'x' }
  const transfers = [{ endToEndId: payout.reference.toLowerCase(), status: 'ACSC', reason: '' }]
  instant.bank.deliver('psr', (_, id) =>
    writePain002({ id, at: new Date(), order, groupStatus: '', transfers }),
  )
  await instant.work()
  assert.equal((await instant.rail.ask(payout.reference)).kind, 'succeeded')
  await instant.close()
})

test('what the rail cannot pay is refused and never filed', async () => {
  const wrong = [
    { ...sepaPayout(1_00n), kind: 'spei' as const },
    { ...sepaPayout(1_00n), money: { amount: 1_00n, currency: 'USD' } },
    sepaPayout(100_000_000_000n),
    { ...sepaPayout(1_00n), beneficiary: { account: '12345678', details: {} } },
    {
      ...sepaPayout(1_00n),
      beneficiary: { ...sepaPayout(1n).beneficiary, details: { benFirstName: '李雷' } },
    },
  ]
  for (const payout of wrong) {
    const outcome = await given.rail.send(payout)
    assert.ok(outcome.kind === 'failed' && outcome.cause === 'refused')
    assert.equal(await kindOf(payout), 'absent')
  }
})

test('a refund goes to the account that paid, under its own reference', async () => {
  const request = sepaRequest(10_00n)
  const outcome = await given.channel.start(request)
  assert.equal(outcome.kind, 'pending')
  given.bank.notify(
    given.bank.credit([{ cents: 10_00n, text: outcome.channelRef, iban: 'BE68539007547034' }]),
  )
  await given.work()
  const refund = {
    ...request,
    refundReference: sepaPayout(1n).reference,
    refund: { amount: 4_00n, currency: 'EUR' },
  }
  assert.equal((await given.channel.refund(refund)).kind, 'pending')
  await given.work()
  const [name = ''] = outFiles()
  const xml = readFileSync(join(given.folder, 'out', name), 'utf8')
  assert.deepEqual(validate(xml, pain001, PAIN_001), [])
  assert.match(
    xml,
    new RegExp(`<EndToEndId>${refund.refundReference}</EndToEndId>.*<IBAN>BE68539007547034<`, 's'),
  )
  await given.exchange()
  const done = await given.channel.refund(refund)
  assert.ok(done.kind === 'succeeded' && done.money.amount === 4_00n)
  const unpaid = {
    ...refund,
    reference: sepaRequest(1n).reference,
    refundReference: sepaPayout(1n).reference,
  }
  assert.equal((await given.channel.refund(unpaid)).kind, 'failed')
})

test('an account gets back no more than it has sent', async () => {
  const request = sepaRequest(10_00n)
  const outcome = await given.channel.start(request)
  assert.equal(outcome.kind, 'pending')
  const from = (iban: string, cents: bigint) => ({ cents, text: outcome.channelRef, iban })
  given.bank.notify(given.bank.credit([from('BE68539007547034', 6_00n), from('NL91ABNA0417164300', 4_00n)]))
  await given.work()
  const refund = (amount: bigint) =>
    given.channel.refund({
      ...request,
      refundReference: sepaPayout(1n).reference,
      refund: { amount, currency: 'EUR' },
    })
  const whole = await refund(10_00n)
  assert.ok(whole.kind === 'failed' && /at most 6\.00 EUR at once/.test(whole.message), JSON.stringify(whole))
  for (const amount of [5_00n, 3_00n]) assert.equal((await refund(amount)).kind, 'pending')
  await given.work()
  const xml = readFileSync(join(given.folder, 'out', outFiles()[0] ?? ''), 'utf8')
  const lines = xml.split('<CdtTrfTxInf>').slice(1)
  const ibanOf = (sum: string) =>
    /<IBAN>(\w+)</.exec(lines.find((line) => line.includes(`>${sum}<`)) ?? '')?.[1]
  assert.deepEqual(
    { five: ibanOf('5.00'), three: ibanOf('3.00') },
    { five: 'BE68539007547034', three: 'NL91ABNA0417164300' },
  )
  const more = await refund(2_00n)
  assert.ok(more.kind === 'failed' && /at most 1\.00 EUR at once/.test(more.message), JSON.stringify(more))
  await given.exchange()
})

test('a booking of another amount leaves the payout open and is reported once, until the right one comes', async () => {
  const inFrancs = (xml: string) => xml.replaceAll('Ccy="EUR"', 'Ccy="CHF"')
  const changes = [
    [(xml: string) => xml.replaceAll('9.00', '9.01'), '9.01 EUR'],
    [inFrancs, '9.00 CHF'],
  ] as const
  for (const [change, booked] of changes) {
    const payout = sepaPayout(9_00n)
    await given.rail.send(payout)
    await given.work()
    given.bank.change(change, () => given.bank.takeOrders())
    assert.match(
      await given.work(),
      new RegExp(`${payout.reference} of 9\\.00 EUR with ${booked}; it stays open`),
    )
    const outcome = await given.rail.ask(payout.reference)
    assert.ok(outcome.kind === 'unknown' && outcome.why.includes(booked))
    given.bank.change(change, () => given.bank.notify(given.bank.unstated()))
    assert.doesNotMatch(await given.work(), /it stays open/)
    assert.equal(await kindOf(payout), 'unknown')
    given.bank.notify(given.bank.unstated())
    await given.work()
    assert.equal(await kindOf(payout), 'succeeded')
    given.bank.state()
    await given.work()
  }
})

test("the bank's answer with another amount does not settle a transfer either", async () => {
  const { payout, messageId } = await filed()
  const { reference } = payout
  const money = { amount: 12_43n, currency: 'EUR' }
  const transfers = [{ endToEndId: reference, status: 'ACCC', reason: '', money }]
  const report = { messageId, status: '', reason: '', transfers }
  const alarms: string[] = []
  for (const _time of [1, 2]) await receiveReport(given.store, report, (what) => alarms.push(what))
  assert.equal(alarms.length, 1)
  assert.match(alarms[0] ?? '', /12\.34 EUR with 12\.43 EUR; it stays open/)
  assert.equal(await kindOf(payout), 'unknown')
  given.bank.takeOrders()
  await given.work()
  assert.equal(await kindOf(payout), 'succeeded')
})

test("a booking with the bank's charges in it settles the transfer that its details name", async () => {
  const payout = sepaPayout(9_20n)
  await given.rail.send(payout)
  await given.work()
  const withCharges = (xml: string) => xml.replace(/(<Ntry>(?:(?!<NtryDtls>).)*?)9\.20/s, '$19.35')
  given.bank.change(withCharges, () => given.bank.takeOrders())
  await given.work()
  assert.equal(await kindOf(payout), 'succeeded')
})

test('a return in another currency names that currency', async () => {
  const inFrancs = (xml: string) => xml.replaceAll('Ccy="EUR"', 'Ccy="CHF"')
  const payout = sepaPayout(9_50n)
  await given.rail.send(payout)
  await given.exchange()
  given.bank.change(inFrancs, () => given.bank.giveBack(payout.reference))
  await given.work()
  const outcome = await given.rail.ask(payout.reference)
  assert.ok(outcome.kind === 'returned')
  assert.deepEqual(outcome.money, { amount: 9_50n, currency: 'CHF' })
})

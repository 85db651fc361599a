// Several files report the same money in different ways: banks leave out references, change them, and send statements
// again.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
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

const cents = 24_00n

type Edit = (xml: string) => string

const noSequence: Edit = (xml) => xml.replace(/<ElctrncSeqNb>\d+<\/ElctrncSeqNb>/, '')
const unmarked: Edit = (xml) => xml.replace('<CpyDplctInd>DUPL</CpyDplctInd>', '')
const noBalances: Edit = (xml) => xml.replace(/<Bal>.*<\/Bal>/s, '')
const noRefs: Edit = (xml) => xml.replace(/<AcctSvcrRef>[^<]*<\/AcctSvcrRef>/g, '')
const otherRefs: Edit = (xml) => xml.replace(/(<AcctSvcrRef>)/g, '$1OTHER')
const withId =
  (id: string): Edit =>
  (xml) =>
    unmarked(xml).replace(/(<Stmt><Id>)[^<]*/, `$1${id}`)
const marked =
  (code: string): Edit =>
  (xml) =>
    xml.replace('<Acct>', `<CpyDplctInd>${code}</CpyDplctInd><Acct>`)
/** Moves the booking of the first entry to the day before. */
const dayBefore: Edit = (xml) =>
  xml.replace(/(<BookgDt><Dt>)(\d{4}-\d\d-\d\d)/, (_, tag, day) => {
    return `${tag}${new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)}`
  })
const withTransferIds: Edit = (xml) => xml.replaceAll('</EndToEndId>', '</EndToEndId><TxId>TX1</TxId>')

const started = () => startSepa(given, cents)

/** Lets the bank write files in `step`, changed by `edits`, and the gateway read them. Returns the gateway's alarms. */
async function read(step: () => void, ...edits: readonly Edit[]): Promise<string> {
  given.bank.change((xml) => edits.reduce((text, edit) => edit(text), xml), step)
  return given.work()
}

const countOf = (payment: Awaited<ReturnType<typeof started>>) => timesPaid(given, payment)

/** Delivers a statement and a copy of it, each with its own edits. Returns the gateway's alarms. */
function stateTwice(first: readonly Edit[], second: readonly Edit[]) {
  let copy = 0
  const edit: Edit = (xml) => {
    copy += 1
    return (copy === 1 ? first : second).reduce((text, one) => one(text), xml)
  }
  return read(() => given.bank.state({ copies: 1 }), edit)
}

const unmatched = () => given.store.list('unmatched', { limit: 10 })

describe('a statement without sequence number and without references of the bank', () => {
  test('that comes again under another id counts once, and is no gap', async () => {
    const payment = await started()
    given.bank.credit([payment.money])
    const raised = await stateTwice([noSequence, noRefs], [noSequence, noRefs, withId('AGAIN-1')])
    assert.equal(raised, '')
    assert.equal(await countOf(payment), 1)
  })

  test('counts two equal transfers in it twice, and no more in its copy', async () => {
    const payment = await started()
    for (const _each of [1, 2]) given.bank.credit([payment.money])
    const raised = await stateTwice([noSequence, noRefs], [noSequence, noRefs, withId('AGAIN-2')])
    assert.equal(raised, '')
    assert.equal(await countOf(payment), 2)
  })

  test('that comes again with its entries in another order counts once', async () => {
    const payment = await started()
    given.bank.credit([payment.money])
    given.bank.credit([{ ...payment.money, cents: 1_01n }])
    const turned: Edit = (xml) => xml.replace(/(<Ntry>.*?<\/Ntry>)(<Ntry>.*?<\/Ntry>)/s, '$2$1')
    assert.equal(await stateTwice([noSequence, noRefs], [noSequence, noRefs, turned]), '')
    assert.equal(await countOf(payment), 2)
  })

  test('that follows another one of the same day counts an equal transfer too', async () => {
    const payment = await started()
    // The sandbox's bank alternates between two forms of text. So both bookings of 24.00 have the same form.
    for (const _each of [1, 2]) {
      for (const amount of [24_00n, 1_00n]) given.bank.credit([{ ...payment.money, cents: amount }])
      assert.equal(await read(() => given.bank.state(), noSequence, noRefs), '')
    }
    assert.equal(await countOf(payment), 4)
  })

  test('and without balances is for the operator if it lists an entry of another one, once', async () => {
    const payment = await started()
    given.bank.credit([payment.money])
    const edits = [noSequence, noRefs, noBalances]
    const raised = await stateTwice(edits, [...edits, withId('AGAIN-3')])
    assert.match(raised, new RegExp(`may be .*${payment.request.reference}.* counted`))
    assert.equal(raised.split('\n').length, 1)
    assert.equal(await countOf(payment), 1)
    assert.equal((await unmatched()).length, 1)
  })

  test('and without balances counts once if the bank says that it is a copy', async () => {
    const payment = await started()
    given.bank.credit([payment.money])
    const edits = [noSequence, noRefs, noBalances]
    const asCopy: Edit = (xml) => xml.replace(/(<Stmt><Id>)/, '$1COPY-')
    assert.equal(await stateTwice(edits, [...edits, asCopy]), '')
    assert.equal(await countOf(payment), 1)
  })

  test('and without balances is for the operator if the bank says that others got it too', async () => {
    const payment = await started()
    given.bank.credit([payment.money])
    const edits = [noSequence, noRefs, noBalances]
    const raised = await stateTwice(edits, [...edits, withId('OTHER-1'), marked('COPY')])
    assert.match(raised, /may be .* counted/)
    assert.equal(await countOf(payment), 1)
  })
})

for (const code of ['COPY', 'DUPL'])
  test(`statements with numbers of their own count equal transfers, even if all are marked ${code}`, async () => {
    const payment = await started()
    // The sandbox's bank alternates between two forms of text. So both bookings of 24.00 have the same form.
    for (const _each of [1, 2]) {
      for (const amount of [24_00n, 1_00n]) given.bank.credit([{ ...payment.money, cents: amount }])
      assert.equal(await read(() => given.bank.state(), noRefs, marked(code)), '')
    }
    assert.equal(await countOf(payment), 4)
  })

describe('pages of one statement', () => {
  const page =
    (number: number): Edit =>
    (xml) =>
      noBalances(noRefs(xml))
        .replaceAll('STMT-2', 'STMT-1')
        .replace(
          /<ElctrncSeqNb>\d<\/ElctrncSeqNb>/,
          `<StmtPgntn><PgNb>${number}</PgNb><LastPgInd>false</LastPgInd></StmtPgntn><ElctrncSeqNb>1</ElctrncSeqNb>`,
        )

  // The sandbox's bank alternates between two forms of text. So both bookings of 24.00 have the same form.
  for (const [place, amounts] of [
    ['the same', [24_00n, 1_00n]],
    ['another', [1_03n, 1_02n, 24_00n]],
  ] as const)
    test(`count equal transfers without references at ${place} place, and no more if they come again`, async () => {
      const payment = await started()
      for (const amount of [24_00n, 1_00n]) given.bank.credit([{ ...payment.money, cents: amount }])
      assert.equal(await read(() => given.bank.state({ copies: 1 }), page(1)), '')
      for (const amount of amounts) given.bank.credit([{ ...payment.money, cents: amount }])
      assert.equal(await read(() => given.bank.state({ copies: 1 }), page(2)), '')
      assert.equal(await countOf(payment), 2 + amounts.length)
    })
})

describe('a booking that is announced and then stated', () => {
  test('without its reference counts once, and an equal one that was not announced counts too', async () => {
    const [payment, twice] = [await started(), await started()]
    const announced = [payment, twice].flatMap(({ money }) => given.bank.credit([money]))
    given.bank.credit([twice.money])
    assert.equal(await read(() => given.bank.notify(announced)), '')
    assert.equal(await read(() => given.bank.state({ copies: 1 }), noRefs), '')
    assert.deepEqual(
      { payment: await countOf(payment), twice: await countOf(twice) },
      { payment: 1, twice: 2 },
    )
    assert.equal(await read(() => given.bank.notify(announced)), '')
    assert.deepEqual(
      { payment: await countOf(payment), twice: await countOf(twice) },
      { payment: 1, twice: 2 },
    )
  })

  test('without its reference counts beside an equal one, also if a crash left the statement half read', async () => {
    const payment = await started()
    // The sandbox's bank alternates between two forms of text. So both bookings of 24.00 have the same form.
    const [announced] = [24_00n, 1_00n, 24_00n].flatMap((amount) =>
      given.bank.credit([{ ...payment.money, cents: amount }]),
    )
    assert.ok(announced)
    await read(() => given.bank.notify([announced]))
    await read(() => given.bank.state(), noRefs)
    assert.equal(await countOf(payment), 3)
    const last = (await given.store.list('entry', { limit: 10 })).find(({ key }) => / 2 \w{10}$/.test(key))
    assert.ok(last)
    const { key } = last
    const records = ['entry', 'deposit'].map((kind) => ({ remove: { kind, key } }))
    await given.store.write([...records, { remove: { kind: 'listed', key: `${key} statement` } }])
    assert.equal(await countOf(payment), 2)
    const [name = ''] = readdirSync(join(given.folder, 'in', 'done')).filter((one) => /^c53.*xml$/.test(one))
    renameSync(join(given.folder, 'in', 'done', name), join(given.folder, 'in', name))
    assert.equal(await given.work(), '')
    assert.equal(await countOf(payment), 3)
  })

  test('without its reference and with details that have no text counts once', async () => {
    const payment = await started()
    const announced = given.bank.credit([payment.money])
    await read(() => given.bank.notify(announced))
    const noText: Edit = (xml) => xml.replace(/<RmtInf>.*?<\/RmtInf>/gs, '')
    assert.equal(await read(() => given.bank.state(), noRefs, noText), '')
    assert.deepEqual(
      { payment: await countOf(payment), unmatched: await unmatched() },
      { payment: 1, unmatched: [] },
    )
  })

  test('without its reference and without details counts once', async () => {
    const payment = await started()
    const announced = given.bank.credit([payment.money])
    assert.equal(await read(() => given.bank.notify(announced)), '')
    assert.equal(await read(() => given.bank.state({ isSummary: true }), noRefs), '')
    assert.equal(await countOf(payment), 1)
    assert.deepEqual(await unmatched(), [])
  })

  test('under another reference is for the operator, unless both name the same transfer', async () => {
    const [unclear, named] = [await started(), await started()]
    const announced = given.bank.credit([unclear.money])
    assert.equal(await read(() => given.bank.notify(announced)), '')
    const raised = await read(() => given.bank.state(), otherRefs)
    assert.match(raised, new RegExp(`may be .*${unclear.request.reference}.* counted`))
    assert.equal(await countOf(unclear), 1)
    const held = await unmatched()
    assert.equal(held.length, 1)
    const again = given.bank.credit([named.money])
    assert.equal(await read(() => given.bank.notify(again), withTransferIds), '')
    assert.equal(await read(() => given.bank.state(), otherRefs, withTransferIds), '')
    assert.equal(await countOf(named), 1)
    assert.deepEqual(await unmatched(), held)
  })

  test('counts beside an equal one of another reference, in any files that list both', async () => {
    const payment = await started()
    const [first, second] = [1, 2].flatMap(() => given.bank.credit([payment.money]))
    assert.ok(first && second)
    assert.equal(await read(() => given.bank.notify([first])), '')
    assert.equal(await read(() => given.bank.state()), '')
    assert.equal(await countOf(payment), 2)
    assert.equal(await read(() => given.bank.notify([second])), '')
    assert.equal(await countOf(payment), 2)
    const third = given.bank.credit([payment.money])
    assert.equal(await read(() => given.bank.notify(third)), '')
    assert.equal(await countOf(payment), 3)
    assert.equal(await read(() => given.bank.state()), '')
    assert.equal(await countOf(payment), 3)
  })

  test('one by one, and stated as a batch, counts by its transfers once', async () => {
    const payments = [await started(), await started()]
    const batch = given.bank.credit(payments.map(({ money }) => money))
    const alone = batch.map((one) => ({ ...one, batch: '' }))
    assert.equal(await read(() => given.bank.notify(alone)), '')
    assert.equal(await read(() => given.bank.state(), noRefs), '')
    for (const payment of payments) assert.equal(await countOf(payment), 1)
    assert.deepEqual(await unmatched(), [])
  })

  test('counts once if the statement comes first', async () => {
    const payment = await started()
    const late = given.bank.credit([payment.money])
    assert.equal(await read(() => given.bank.state(), noRefs), '')
    assert.equal(await read(() => given.bank.notify(late)), '')
    assert.equal(await countOf(payment), 1)
    const silent = await started()
    const sum = given.bank.credit([silent.money])
    assert.match(await read(() => given.bank.state({ isSummary: true }), noRefs), /names no payment/)
    assert.equal(await read(() => given.bank.notify(sum)), '')
    assert.equal(await countOf(silent), 1)
    assert.deepEqual(await unmatched(), [], 'the sum is not held beside its transfer')
  })

  test('on another day without its reference is for the operator', async () => {
    const payment = await started()
    const announced = given.bank.credit([payment.money])
    assert.equal(await read(() => given.bank.notify(announced)), '')
    assert.match(await read(() => given.bank.state(), noRefs, dayBefore), /may be .* counted/)
    assert.equal(await countOf(payment), 1)
    assert.equal((await unmatched()).length, 1)
  })
})

describe('a credit that names no payment', () => {
  test('is not the announced one of the same amount that a statement without references lists after it', async () => {
    const payment = await started()
    given.bank.credit([{ cents, text: 'my order, thanks' }])
    const announced = given.bank.credit([payment.money])
    assert.equal(await read(() => given.bank.notify(announced)), '')
    assert.match(await read(() => given.bank.state(), noRefs), /names no payment/)
    assert.equal(await countOf(payment), 1)
    assert.equal((await unmatched()).length, 1)
  })

  test('is not the stated one of the same amount that is announced after it', async () => {
    const payment = await started()
    const known = given.bank.credit([payment.money])
    assert.equal(await read(() => given.bank.state(), noRefs), '')
    const unnamed = given.bank.credit([{ cents, text: 'thanks' }])
    assert.match(await read(() => given.bank.notify([...unnamed, ...known])), /names no payment/)
    assert.equal(await countOf(payment), 1)
    assert.equal((await unmatched()).length, 1)
    assert.equal(await read(() => given.bank.state(), noRefs), '')
    assert.equal(await countOf(payment), 1)
    assert.equal((await unmatched()).length, 1)
  })
})

describe('a booking that is held', () => {
  test('is for the bank to explain: no line to book, and its record says who paid', async () => {
    const payment = await started()
    const announced = given.bank.credit([payment.money])
    await read(() => given.bank.notify(announced))
    const raised = await read(() => given.bank.state(), otherRefs)
    assert.match(raised, /may be .* counted .*; compare both with the bank first$/)
    const done = join(given.folder, 'in', 'done')
    const [table = ''] = readdirSync(done).filter((name) => name.endsWith('.csv'))
    assert.equal(readFileSync(join(done, table), 'utf8').trim().split('\n').length, 1, 'only the heading')
    const [held] = await unmatched()
    assert.match(String(held?.body.text), new RegExp(payment.text))
    assert.notEqual(held?.body.payerAccount, '')
  })

  test('and counts by a later file is an alarm: an operator may have booked it meanwhile', async () => {
    const payment = await started()
    const [first, second] = [1, 2].flatMap(() => given.bank.credit([payment.money]))
    assert.ok(first && second)
    await read(() => given.bank.notify([first]))
    const onlySecond: Edit = (xml) => noBalances(xml).replace(/<Ntry>.*?<\/Ntry>/s, '')
    assert.match(await read(() => given.bank.state(), onlySecond), /may be .* counted/)
    assert.equal(await countOf(payment), 1)
    const raised = await read(() => given.bank.notify([second]))
    assert.match(
      raised,
      new RegExp(`was held and now counts for ${payment.request.reference}.*suspense return`),
    )
    assert.equal(await countOf(payment), 2)
    assert.deepEqual(await unmatched(), [])
    assert.equal(await read(() => given.bank.notify([second])), '', 'once')
  })

  test('leaves the counted credit to the entry that certainly repeats it', async () => {
    const payment = await started()
    given.bank.credit([payment.money])
    const announced = given.bank.credit([payment.money])
    assert.equal(await read(() => given.bank.notify(announced)), '')
    assert.match(await read(() => given.bank.state(), noRefs, dayBefore), /may be .* counted/)
    assert.equal(await countOf(payment), 1)
    assert.equal((await unmatched()).length, 1)
  })

  test('in part leaves nothing that the rest of its batch certainly repeats to other entries', async () => {
    const [payment, other] = [await started(), await started()]
    const batch = given.bank.credit([payment.money, { ...other.money, cents: 25_00n }])
    given.bank.credit([payment.money])
    const withTransferId: Edit = (xml) => xml.replace('</EndToEndId>', '</EndToEndId><TxId>TX1</TxId>')
    const alone = batch.map((one) => ({ ...one, batch: '' }))
    assert.equal(await read(() => given.bank.notify(alone), withTransferId), '')
    const noLastRef: Edit = (xml) => xml.replace(/(.*)<AcctSvcrRef>[^<]*<\/AcctSvcrRef>/s, '$1')
    assert.match(
      await read(() => given.bank.state(), withTransferId, noLastRef, otherRefs),
      /may be .* counted/,
    )
    assert.deepEqual(
      { payment: await countOf(payment), other: await countOf(other) },
      { payment: 2, other: 1 },
    )
    assert.deepEqual(
      (await unmatched()).map(({ body }) => body.amount),
      ['2500'],
    )
  })
})

test('a return that is announced, and stated under another reference, is known', async () => {
  const payout = sepaPayout(cents)
  await given.rail.send(payout)
  await given.exchange()
  given.bank.giveBack(payout.reference)
  assert.equal(await given.work(), '')
  assert.equal(await read(() => given.bank.state(), otherRefs), '')
  assert.equal((await given.rail.ask(payout.reference)).kind, 'returned')
  assert.deepEqual(await unmatched(), [])
})

test('a return that is announced, and stated without details and reference, is known', async () => {
  const payout = sepaPayout(cents)
  await given.rail.send(payout)
  await given.exchange()
  given.bank.giveBack(payout.reference)
  assert.equal(await given.work(), '')
  assert.equal((await given.rail.ask(payout.reference)).kind, 'returned')
  assert.equal(await read(() => given.bank.state({ isSummary: true }), noRefs), '')
  assert.deepEqual(await unmatched(), [])
})

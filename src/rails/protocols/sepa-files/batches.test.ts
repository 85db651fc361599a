// Tests batches in which one transfer may have been counted before. Only that transfer must wait for an operator.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

const otherRefs: Edit = (xml) => xml.replace(/(<AcctSvcrRef>)/g, '$1OTHER')

const turned: Edit = (xml) =>
  otherRefs(xml).replace(/(<TxDtls>.*?<\/TxDtls>)(<TxDtls>.*?<\/TxDtls>)(<TxDtls>.*?<\/TxDtls>)/s, '$3$2$1')

async function read(step: () => void, edit: Edit = (xml) => xml): Promise<string> {
  given.bank.change(edit, step)
  return given.work()
}

const unmatched = async () => (await given.store.list('unmatched', { limit: 10 })).map(({ body }) => body)

/**
 * Makes a batch of three transfers. The bank has announced some of them (by default the second) alone, under another
 * reference.
 */
async function announcedOne(from = 1, to = 2) {
  const payments = [
    await startSepa(given, 10_00n),
    await startSepa(given, 20_00n),
    await startSepa(given, 30_00n),
  ] as const
  const batch = given.bank.credit(payments.map(({ money }) => money))
  await read(() => given.bank.notify(batch.slice(from, to).map((one) => ({ ...one, batch: '' }))))
  const counts = async () => {
    const all: number[] = []
    for (const payment of payments) all.push(await timesPaid(given, payment))
    return all
  }
  return { payments, batch, counts }
}

test('the clear transfers of a batch count, and the unclear one is held alone', async () => {
  const { payments, counts } = await announcedOne()
  assert.deepEqual(await counts(), [0, 1, 0])
  const raised = await read(() => given.bank.state(), otherRefs)
  assert.match(
    raised,
    new RegExp(`: 20\\.00 EUR of .* may be the transfer of ${payments[1].request.reference} that`),
  )
  assert.equal(raised.split('\n').length, 1)
  assert.deepEqual(await counts(), [1, 1, 1])
  const [held, ...more] = await unmatched()
  assert.equal(more.length, 0)
  assert.equal(held?.amount, '2000')
  assert.match(String(held.text), new RegExp(payments[1].text))
  const done = join(given.folder, 'in', 'done')
  const [table = ''] = readdirSync(done).filter((name) => name.endsWith('.csv'))
  const lines = readFileSync(join(done, table), 'utf8').trim().split('\n').slice(1)
  assert.deepEqual(
    lines.map((line) => line.split(',').slice(0, 3)),
    [payments[0], payments[2]].map(({ request }, at) => [
      request.reference,
      'payment',
      ['10.00', '30.00'][at],
    ]),
  )
  given.again()
  assert.equal(await given.work(), '', 'once')
  assert.deepEqual(await counts(), [1, 1, 1])
  assert.equal((await unmatched()).length, 1)
})

test('the unclear transfer counts when the batch is announced, too, with an alarm', async () => {
  const { payments, batch, counts } = await announcedOne()
  await read(() => given.bank.state(), otherRefs)
  const raised = await read(() => given.bank.notify(batch), otherRefs)
  assert.match(
    raised,
    new RegExp(`20\\.00 EUR of .* was held and now counts for ${payments[1].request.reference};`),
  )
  assert.deepEqual(await counts(), [1, 2, 1])
  assert.deepEqual(await unmatched(), [])
  given.again()
  assert.equal(await given.work(), '', 'once')
  assert.deepEqual(await counts(), [1, 2, 1])
})

test('a batch that is announced with its transfers in another order counts each held one, and no other', async () => {
  const { batch, counts } = await announcedOne(1, 3)
  await read(() => given.bank.state(), otherRefs)
  assert.deepEqual(await counts(), [1, 1, 1])
  assert.equal((await unmatched()).length, 2)
  const raised = await read(() => given.bank.notify(batch), turned)
  assert.match(raised, /50\.00 EUR of .* was held and now counts/)
  assert.deepEqual(await counts(), [1, 2, 2])
  assert.deepEqual(await unmatched(), [])
  given.again()
  assert.equal(await given.work(), '', 'once')
  assert.deepEqual(await counts(), [1, 2, 2])
})

test('a held transfer that a later list of the batch has otherwise stays held, and counts when it is listed', async () => {
  const { batch, counts } = await announcedOne(1, 3)
  await read(() => given.bank.state(), otherRefs)
  const notLast: Edit = (xml) => otherRefs(xml).replace('>30.00<', '>29.00<').replace('>10.00<', '>11.00<')
  await read(() => given.bank.notify(batch), notLast)
  assert.deepEqual(await counts(), [1, 2, 1])
  assert.deepEqual(
    (await unmatched()).map(({ amount }) => amount),
    ['3000'],
  )
  await read(() => given.bank.notify(batch), otherRefs)
  assert.deepEqual(await counts(), [1, 2, 2])
  assert.deepEqual(await unmatched(), [])
})

test('a batch whose transfers do not add up to it is held as a whole', async () => {
  const { counts } = await announcedOne()
  const lessThanWhole: Edit = (xml) => otherRefs(xml).replace('>10.00<', '>9.00<')
  const raised = await read(() => given.bank.state(), lessThanWhole)
  assert.match(raised, /: 60\.00 EUR of .* names no payment/)
  assert.deepEqual(await counts(), [0, 1, 0])
  assert.deepEqual(
    (await unmatched()).map(({ amount }) => amount),
    ['6000'],
  )
})

for (const [which, to] of [
  ['one', 2],
  ['all', 3],
] as const)
  test(`details of a batch that was announced as a sum hold what was announced alone before: ${which}`, async () => {
    const { batch, counts } = await announcedOne(to === 3 ? 0 : 1, to)
    const before = to === 3 ? [1, 1, 1] : [0, 1, 0]
    await read(() => given.bank.notify(batch, { isSummary: true }), otherRefs)
    assert.deepEqual(await counts(), before)
    assert.match(await read(() => given.bank.state(), otherRefs), /: 20\.00 EUR of .* may be the transfer of/)
    assert.deepEqual(await counts(), [1, 1, 1])
    const held = to === 3 ? ['1000', '2000', '3000'] : ['2000']
    const amounts = async () => (await unmatched()).map(({ amount }) => amount)
    assert.deepEqual(await amounts(), held)
    given.again()
    assert.equal(await given.work(), '', 'once')
    assert.deepEqual(
      { counts: await counts(), amounts: await amounts() },
      { counts: [1, 1, 1], amounts: held },
    )
  })

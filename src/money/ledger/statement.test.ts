import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useDatabase } from '../../../test/harness/harness.ts'
import { readCsv } from '../../platform/base/csv.ts'
import { parseDecimal } from '../../platform/base/money.ts'
import { AVAILABLE, FEES, UNSETTLED } from './account.ts'
import { type Entry, postEntries } from './post-entries.ts'
import { readBalances } from './read-balances.ts'
import { type StatementQuery, writeStatement } from './statement.ts'

const database = useDatabase()

let count = 0
function entry(merNo: number, debit: string, credit: string, amount: bigint, at: string): Entry {
  return {
    merNo,
    subject: `S${++count}`,
    step: 'moved',
    debit,
    credit,
    money: { amount, currency: 'USD' },
    at: new Date(at),
  }
}

async function written(query: StatementQuery) {
  const parts: string[] = []
  const made = await writeStatement(database.db, query, async (text) => {
    parts.push(text)
  })
  async function* text() {
    yield* parts
  }
  const rows: (readonly string[])[] = []
  for await (const record of readCsv(text())) rows.push(record.cells)
  return { made, rows, parts }
}

const may = {
  currency: 'USD',
  from: new Date('2026-05-01T00:00:00Z'),
  until: new Date('2026-06-01T00:00:00Z'),
}

test('a statement shows the opening balance, every movement and the closing balance', async () => {
  const merNo = 53_000_001
  await database.db.transaction((tx) =>
    postEntries(tx, [
      entry(merNo, 'rail:card', UNSETTLED, 1000n, '2026-04-30T23:59:59.999Z'),
      entry(merNo, UNSETTLED, FEES, 29n, '2026-05-01T00:00:00Z'),
      entry(merNo, UNSETTLED, AVAILABLE, 971n, '2026-05-31T23:59:59.999Z'),
      entry(merNo, AVAILABLE, 'transit:payouts', 500n, '2026-06-01T00:00:00Z'),
    ]),
  )
  const { rows, made } = await written({ merNo, ...may })
  const [from, until] = [may.from.toISOString(), may.until.toISOString()]
  const last = '2026-05-31T23:59:59.999Z'
  const third = `S${count - 1}`
  assert.deepEqual(rows, [
    ['time', 'account', 'subject', 'step', 'counter account', 'amount', 'balance'],
    [from, 'available', 'opening balance', '', '', '', '0.00'],
    [from, 'unsettled', 'opening balance', '', '', '', '10.00'],
    [from, 'unsettled', `S${count - 2}`, 'moved', 'platform:fees', '-0.29', '9.71'],
    [last, 'available', third, 'moved', 'merchant:unsettled', '9.71', '9.71'],
    [last, 'unsettled', third, 'moved', 'merchant:available', '-9.71', '0.00'],
    [until, 'available', 'closing balance', '', '', '', '9.71'],
    [until, 'unsettled', 'closing balance', '', '', '', '0.00'],
  ])
  assert.deepEqual(made, {
    opening: { available: 0n, unsettled: 1000n },
    closing: { available: 971n, unsettled: 0n },
    movements: 3,
  })
})

test('a long statement is written in pieces, with correct running balances up to the closing balance', async () => {
  const merNo = 53_000_002
  const entries = Array.from({ length: 4_000 }, (_, index) => {
    const at = new Date(may.from.getTime() + (index % 997) * 60_000).toISOString()
    const sides =
      index % 3 === 0
        ? [UNSETTLED, AVAILABLE]
        : index % 3 === 1
          ? ['rail:card', UNSETTLED]
          : [UNSETTLED, FEES]
    return entry(merNo, sides[0] ?? '', sides[1] ?? '', BigInt(1 + ((index * 7919) % 500)), at)
  })
  await database.db.transaction((tx) => postEntries(tx, entries))
  const { rows, parts } = await written({ merNo, ...may })
  assert.ok(parts.length > 5, 'it was handed over in pieces')
  const balances = new Map<string, bigint>()
  let time = ''
  for (const [at = '', account = '', subject, , , amount = '', balance = ''] of rows.slice(1)) {
    assert.ok(at >= time)
    time = at
    if (subject !== 'opening balance' && subject !== 'closing balance')
      balances.set(account, (balances.get(account) ?? 0n) + cents(amount))
    assert.equal(cents(balance), balances.get(account) ?? 0n)
  }
  const [kept] = await readBalances(database.db, merNo)
  assert.deepEqual(
    { available: kept?.available, unsettled: kept?.unsettled },
    { available: balances.get('available'), unsettled: balances.get('unsettled') },
  )
})

function cents(text: string): bigint {
  const amount = parseDecimal(text.replace('-', ''), 'USD')
  assert.ok(amount !== undefined, text)
  return text.startsWith('-') ? -amount : amount
}

test('entries posted while a statement is written are not in it, and it still adds up', async () => {
  const merNo = 53_000_003
  const book = (amount: bigint) =>
    database.db.transaction((tx) =>
      postEntries(tx, [entry(merNo, 'rail:card', UNSETTLED, amount, '2026-05-10T00:00:00Z')]),
    )
  await book(100n)
  let booked = false
  const made = await writeStatement(database.db, { merNo, ...may }, async () => {
    if (!booked) await book(7n)
    booked = true
  })
  assert.deepEqual(made.closing, { available: 0n, unsettled: 100n })
  assert.deepEqual(made.opening, { available: 0n, unsettled: 0n })
})

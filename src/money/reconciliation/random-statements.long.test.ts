// Random statements, corrections, repeated imports and reversals: all money that the channel's latest statements list
// is credited or in suspense.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAttempt } from '../../../test/builders/builders.ts'
import { openCase, PRICE } from '../../../test/builders/deposits.ts'
import { assertMoneySound, paidOrder } from '../../../test/builders/paid-orders.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { type Random, seededRandom } from '../../../test/harness/random.ts'
import { attemptReference } from '../orders/order.ts'
import { listHeld } from '../suspense/book-suspense.ts'
import { importStatement } from './import-statement.ts'
import type { StatementLine } from './statement-line.ts'

const database = useDatabase({
  before: ({ db }) =>
    paidOrder(db, { merNo: 59_000_000, attempt: anAttempt(new Date(), { channel: 'sepa' }) }),
})

let nowMs = Date.parse('2026-09-20T00:00:00Z')
const clock = { now: () => new Date(nowMs++) }
const STEPS = 30

type Line = Omit<StatementLine, 'line'>
type Channel = {
  readonly days: Map<string, Line[]>
  readonly unknown: readonly string[]
  /** The id of the latest file of all days, once the operator has imported one. */
  file?: string
}

for (const seed of [1, 2, 3, 4])
  test(`what the channel lists is matched or in suspense, with seed ${seed}`, async () => {
    const random = seededRandom(seed)
    const names = [`INVOICE ${seed}`, `RENT ${seed}`]
    const [late, paid] = [await openCase(database.db), await openCase(database.db)]
    await late.expires()
    await paid.comes(PRICE)
    const own = [late, paid].map(({ order }) => attemptReference(order.tradeNo, 1))
    const channel: Channel = { days: new Map(), unknown: names }
    const days = [1, 2, 3].map((no) => `2026-0${seed}-0${no}`)
    for (const day of days) channel.days.set(day, [newLine(random, day, names), newLine(random, day, names)])
    for (const day of days) await fetchDay(random, channel, day)
    for (let step = 0; step < STEPS; step++) {
      const day = random.pick(days) ?? ''
      for (const changed of change(random, channel, day, [...names, ...own]))
        await fetchDay(random, channel, changed)
      // After the first file, each step imports its correction, because only a correction withdraws lines of a file.
      if (channel.file !== undefined || random.chance(0.1)) await importFile(channel)
      await assertHeld(channel, late.order.merNo, paid.order.merNo, own)
    }
    await assertMoneySound(database.db)
  })

let amounts = 100n

/** Creates a line. Amounts differ by more than any fee, unless a line is repeated on purpose. */
function newLine(random: Random, day: string, references: readonly string[]): Line {
  amounts += 100n
  const reference = random.pick(references) ?? ''
  const currency = random.chance(0.2) ? 'USD' : 'EUR'
  const id = random.chance(0.4) ? { id: `id-${amounts}` } : {}
  return { ...id, reference, type: 'payment', money: { amount: amounts, currency }, fee: 0n, day }
}

/**
 * Changes what the channel lists: it books, repeats, corrects, re-dates, removes or reverses a line. Returns the days
 * whose statements changed.
 */
function change(random: Random, { days }: Channel, day: string, references: readonly string[]): string[] {
  const lines = days.get(day) ?? []
  const at = random.below(lines.length)
  const line = lines[at]
  const what = random.below(7)
  if (line === undefined || what < 2) lines.push(newLine(random, day, references))
  else if (what === 2) lines.push({ ...line, id: undefined })
  else if (what === 3)
    lines.push({ ...line, id: undefined, money: { ...line.money, amount: -line.money.amount } })
  else if (what === 4) lines[at] = { ...line, money: newLine(random, day, references).money }
  else if (what === 5) lines.splice(at, 1)
  else {
    const other = [...days.keys()].find((one) => one !== day) ?? day
    if (line.id === undefined) return [day]
    lines.splice(at, 1)
    days.get(other)?.push({ ...line, day: other })
    return random.chance(0.5) ? [day, other] : [other, day]
  }
  return [day]
}

/**
 * Fetches the statement of a day. Sometimes fetches it several times concurrently, in another order and with net
 * amounts.
 */
async function fetchDay(random: Random, { days }: Channel, day: string): Promise<void> {
  const lines = days.get(day) ?? []
  const isRepeated = random.chance(0.2)
  const shown = lines.map((line): Line => {
    const { amount, currency } = line.money
    const isNet = isRepeated && amount > 0n && random.chance(0.3)
    return isNet ? { ...line, money: { amount: amount - 7n, currency }, fee: 7n } : line
  })
  const about = { fileName: `sepa ${day}`, day }
  await imports(about, lines)
  if (isRepeated)
    await Promise.all([imports(about, lines), imports(about, shown), imports(about, lines.toReversed())])
}

/** Imports a file of all days, which replaces the previous file. */
async function importFile(channel: Channel): Promise<void> {
  const about = { fileName: 'statement.csv', replaces: channel.file }
  const { statementId } = await imports(about, [...channel.days.values()].flat())
  channel.file = statementId
}

function imports(
  about: { fileName: string; day?: string; replaces?: string | undefined },
  lines: readonly Line[],
) {
  const numbered = lines.map((line, at) => ({ ...line, line: at + 2 }))
  return importStatement({ db: database.db, clock }, { channel: 'sepa', by: 'Ada', ...about }, numbered)
}

async function assertHeld(
  { days, unknown }: Channel,
  late: number,
  paid: number,
  own: readonly string[],
): Promise<void> {
  const listed = new Map<string, bigint>()
  for (const { reference, money } of [...days.values()].flat()) {
    const key = `${reference} ${money.currency}`
    listed.set(key, (listed.get(key) ?? 0n) + money.amount)
  }
  const held = new Map<string, bigint>()
  for (const [merNo, name] of [[0], [late, own[0]], [paid, own[1]]] as const)
    for (const { reference, money } of await listHeld(database.db, merNo, 500)) {
      if (merNo === 0 && !unknown.includes(reference)) continue
      const key = `${name ?? reference} ${money.currency}`
      held.set(key, (held.get(key) ?? 0n) + money.amount)
    }
  const price = `${own[1]} EUR`
  for (const key of new Set([...listed.keys(), ...held.keys()])) {
    const expected = (listed.get(key) ?? 0n) - (key === price ? PRICE : 0n)
    // Money in another currency than the paid order's is not a second payment.
    if (key === `${own[1]} USD`) assert.equal(held.get(key) ?? 0n, 0n)
    else assert.equal(held.get(key) ?? 0n, expected > 0n ? expected : 0n, key)
  }
}

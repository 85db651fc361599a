// Statements of channels list our payments and payments under unknown names, reverse payments under unknown names, and
// list lines again. Corrected statements leave lines out, change amounts or add lines.
import fc from 'fast-check'
import { attemptReference } from '../../src/money/orders/order.ts'
import { importStatement as importFileAt } from '../../src/money/reconciliation/import-statement.ts'
import type { StatementLine as Line } from '../../src/money/reconciliation/statement-line.ts'
import { mustPick, operation, pick } from '../operation.ts'
import { dayOf } from '../rules/calendar.ts'
import type { Model, Order } from '../rules/facts.ts'
import { type FileLine, importFile } from '../rules/statements.ts'
import { share, shareOf } from './amounts.ts'

/** The channels through which money has passed. Statements of other channels would be refused. */
const channelsOf = ({ orders }: Model) => [
  ...new Set(orders.flatMap(({ money, method }) => (money === undefined ? [] : [method]))),
]

/** The statements of these channels have an id for each payment. */
const hasIds = (channel: string) => ['card', 'apple_pay', 'google_pay', 'sepa'].includes(channel)

const statementsOf = ({ statementLines }: Model, channel: string) => [
  ...new Set(statementLines.flatMap((one) => (one.channel === channel ? [one.statementId] : []))),
]

let [names, ids] = [0, 0]

export const importStatement = operation({
  name: 'importStatement',
  weight: 8,
  input: fc.record({
    channel: fc.nat(),
    lines: fc.array(
      fc.record({
        what: fc.constantFrom('payment', 'payment', 'name', 'again', 'reversal'),
        which: fc.nat(),
        share: fc.oneof(fc.constant(1_000), share),
        isForeign: fc.constantFrom(false, false, false, false, false, true),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    /**
     * `replaces` chooses an earlier statement that the new statement replaces. `keeps` decides what happens to its
     * lines.
     */
    replaces: fc.option(fc.nat(), { nil: undefined }),
    keeps: fc.array(fc.constantFrom('same', 'same', 'gone', 'changed'), { minLength: 1, maxLength: 4 }),
  }),
  isPossible: (model) => channelsOf(model).length > 0,
  async run(model, gateway, { channel: at, lines: wanted, replaces: which, keeps }) {
    const channel = mustPick(channelsOf(model), at)
    const replaces = which === undefined ? undefined : pick(statementsOf(model, channel), which)
    const old = model.statementLines.filter((one) => one.statementId === replaces && one.stands)
    const kept = old.flatMap((one, no) => {
      const fate = mustPick(keeps, no)
      if (fate === 'gone') return []
      const amount = fate === 'changed' && one.id !== undefined ? one.amount + 7n : one.amount
      return [{ ...one, amount }]
    })
    const added = wanted.flatMap((one) => newLine(model, channel, one) ?? [])
    // An id may occur only once in a file.
    const lines = [...kept, ...added].filter(
      (one, no, all) => one.id === undefined || all.findIndex(({ id }) => id === one.id) === no,
    )
    if (lines.length === 0) return
    const report = await importFileAt(
      gateway,
      { channel, fileName: 'table.csv', by: 'Ada', ...(replaces !== undefined && { replaces }) },
      lines.map((line, no) => toFile(line, no + 2)),
    )
    importFile(model, { statementId: report.statementId, replaces, lines })
    gateway.count(`statement ${replaces === undefined ? 'imported' : 'corrected'}`)
  },
})

type Wanted = {
  readonly what: string
  readonly which: number
  readonly share: number
  readonly isForeign: boolean
}

function newLine(model: Model, channel: string, wanted: Wanted): FileLine | undefined {
  const { what, which, share, isForeign } = wanted
  const own = model.statementLines.filter((one) => one.channel === channel)
  const day = dayOf(model.nowMs, 'UTC')
  const id = hasIds(channel) ? `p-${++ids}` : undefined
  const about = { channel, id, day, order: undefined, attempt: undefined, name: undefined }
  if (what === 'again') return pick(own, which)
  if (what === 'name')
    return { ...about, name: `N${++names}`, currency: 'EUR', amount: BigInt(100 + (which % 20_000)) }
  if (what === 'reversal') {
    const named = own.filter(({ name, amount }) => name !== undefined && amount > 0n)
    const of = pick(named, which)
    return of && { ...about, name: of.name, currency: of.currency, amount: -shareOf(of.amount, share) }
  }
  const found = pick(attemptsAt(model, channel), which)
  if (found === undefined) return undefined
  const { order, attempt } = found
  const currency = isForeign ? (order.currency === 'EUR' ? 'USD' : 'EUR') : order.currency
  return { ...about, order, attempt, currency, amount: shareOf(order.price, share) }
}

const attemptsAt = ({ orders }: Model, channel: string) =>
  orders.flatMap((order: Order) =>
    order.tries.flatMap(({ method }, no) => (method === channel ? { order, attempt: no + 1 } : [])),
  )

function toFile({ id, order, attempt, name, day, currency, amount }: FileLine, line: number): Line {
  const reference = order === undefined ? (name ?? '') : attemptReference(order.tradeNo, attempt ?? 1)
  return { line, id, reference, type: 'payment', money: { amount, currency }, fee: 0n, day }
}

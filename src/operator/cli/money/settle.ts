import { type Run, type Sum, settleDue } from '../../../money/settlement/settle-due.ts'
import type { Command } from '../command.ts'
import { columns, moneyFields, sumOf } from '../shared/print.ts'
import { readTime } from '../shared/read-input.ts'

const settle: Command = {
  name: 'settle',
  summary: 'Settle the orders that are due, and release the margin that is due',
  audit: () => ({ merNo: 0, subject: 'settlement' }),
  options: {
    'as-of': { value: 'ISO', help: 'due by this time, such as 2026-01-31T00:00:00Z (default: now)' },
  },
  async run({ given, tools }) {
    const asOf = readTime(given.text('as-of'), tools.clock.now())
    const failures: string[] = []
    const failed = (merNo: number, error: unknown, tradeNo?: string) => {
      const what = tradeNo === undefined ? `merchant ${merNo}` : `order ${tradeNo} of merchant ${merNo}`
      failures.push(`${what} could not be settled: ${error instanceof Error ? error.message : error}`)
    }
    const run = await settleDue({ db: await tools.database(), clock: tools.clock, failed }, asOf)
    for (const line of failures) tools.say(line)
    const json = { asOf: asOf.toISOString(), ...describe(run), failed: failures }
    return { json, text: inWords(run), status: failures.length === 0 ? 0 : 1 }
  },
}

function describe({ sums, waiting }: Run) {
  const of = (kind: Sum['kind']) =>
    sums.filter((sum) => sum.kind === kind).map((sum) => ({ ...moneyFields(sum), orders: sum.orders }))
  return { settled: of('settle'), released: of('margin'), waiting }
}

function inWords({ sums, waiting }: Run): string {
  const rows = sums.map((sum) => {
    const what = sum.kind === 'settle' ? 'settled' : 'margin released'
    return [what, sumOf(sum), `${sum.orders} ${sum.orders === 1 ? 'order' : 'orders'}`]
  })
  const done = columns(rows, 'Nothing was settled.')
  const waits = `Orders due that wait until the available balance covers their negative remainder: ${waiting}.`
  return waiting === 0 ? done : `${done}\n${waits}`
}

export const settleCommands: readonly Command[] = [settle]

// Statements of channels, as `reconcile` reads and books them. An operator runs this command beside the gateway, so the
// target runs in the fuzzer's process.

import { reconcile } from '../../src/money/reconciliation/reconcile.ts'
import { readStatement } from '../../src/money/reconciliation/statement-line.ts'
import { systemClock } from '../../src/platform/base/clock.ts'
import { CsvError } from '../../src/platform/base/csv.ts'
import { OperatorRefusal } from '../../src/platform/errors/catalogue.ts'
import type { Input, Target } from '../input.ts'
import type { KnownOrders } from '../known-orders.ts'
import { mutateText } from '../mutations/text.ts'
import { fill } from '../template.ts'
import type { World } from '../world.ts'
import { sentenceOf } from './parsers/parser-target.ts'

const today = new Date().toISOString().slice(0, 10)
const header = 'reference,type,amount,currency,fee,date'

const seeds: readonly Input[] = [
  { csv: [header, `{{paid_reference}},payment,12.34,USD,0.30,${today}`].join('\n'), channel: 'card' },
  {
    csv: [
      header,
      `{{paid_reference}},payment,12.34,USD,,${today}`,
      `{{paid_reference}},payment,12.34,USD,,${today}`,
      `"un,known",payment,5.00,EUR,0.01,${today}`,
      `R-1,refund,1.00,USD,0,${today}`,
      `P-1,payout,1.00,BRL,0,${today}`,
      `C-1,chargeback,1.00,USD,15.00,${today}`,
    ].join('\r\n'),
    channel: 'pix',
  },
  {
    csv: [
      `${header},id`,
      `{{paid_reference}},payment,12.34,USD,0.30,${today},x-1`,
      `{{paid_reference}},payment,-12.34,USD,,${today},x-1`,
      `unknown,payment,5.00,EUR,0.01,${today},`,
      `unknown,payment,4.99,EUR,0.01,${today},`,
      `unknown,payment,-5.00,EUR,,${today},x-2`,
    ].join('\n'),
    channel: 'card',
  },
]

export async function openStatements(world: World, orders: KnownOrders): Promise<Target> {
  return {
    name: 'statements',
    runsIn: 'fuzzer',
    atOnce: 2,
    // Batches are small, because each statement is compared with all orders of its days.
    batch: 8,
    seeds,
    mutate(input, random, other) {
      if (random.chance(0.05)) return { ...input, channel: other.channel ?? '' }
      return { ...input, csv: mutateText(input.csv ?? '', random, other.csv ?? '') }
    },
    async run({ csv = '', channel = '' }) {
      const text = fill(csv, orders.marks())
      try {
        const lines = await readStatement(inPieces(text))
        await reconcile({ db: world.db, clock: systemClock }, channel, lines)
        return { accepted: true }
      } catch (error) {
        const isRefused = error instanceof CsvError || error instanceof OperatorRefusal
        return { accepted: false, problem: isRefused ? undefined : sentenceOf(error), answer: String(error) }
      }
    },
  }
}

const PIECE = 50

async function* inPieces(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE)
}

import { formatAmount } from '../base/money.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import { acceptSuspense } from '../payments/deposits/accept-suspense.ts'
import { openRates } from '../rates/rates.ts'
import { listHeld } from '../suspense/book-suspense.ts'
import { returnSuspense } from '../suspense/decide-suspense.ts'
import type { Suspense } from '../suspense/suspense.ts'
import { auditId, type Command } from './command.ts'
import { columns, plain } from './print.ts'
import { readMerNo } from './show-merchant.ts'

const LIST_LIMIT = 500

const list: Command = {
  name: 'suspense list',
  summary: 'List the money in suspense that awaits your decision, oldest first',
  options: {
    'mer-no': { value: 'MERNO', help: 'only this merchant; 0 lists money of no known merchant' },
    limit: { value: 'N', help: `maximum number of rows (default: ${LIST_LIMIT})` },
  },
  async run({ given, tools }) {
    const merNo = given.text('mer-no')
    const held = await listHeld(
      await tools.database(),
      merNo === undefined ? undefined : readMerNo(merNo),
      readLimit(given.text('limit')),
    )
    const text = held.length === 0 ? 'No money is in suspense.' : columns(held.map(toRow))
    return { json: held.map(describe), text }
  },
}

function readLimit(text = String(LIST_LIMIT)): number {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (limit < 1) throw new OperatorRefusal('--limit must be a number from 1 to 99999')
  return limit
}

const accept: Command = {
  name: 'suspense accept',
  argument: 'SUSPENSEID',
  summary:
    'Accept all suspense money of the same attempt: its cancelled or expired order succeeds, and the merchant is notified',
  audit: ({ argument }) => auditId(argument),
  options: {},
  async run({ argument, tools }) {
    const db = await tools.database()
    const rates = await openRates({ db, clock: tools.clock })
    try {
      const { tradeNo, accepted, surplus } = await acceptSuspense({ db, clock: tools.clock, rates }, argument)
      const json = { tradeNo, accepted: accepted.map(describe), surplus: surplus && describe(surplus) }
      const rest = surplus === undefined ? '' : ` The surplus stays in suspense as ${surplus.suspenseId}.`
      return { json, text: `Order ${tradeNo} has succeeded.${rest}` }
    } finally {
      rates.close()
    }
  },
}

const giveBack: Command = {
  name: 'suspense return',
  argument: 'SUSPENSEID',
  summary: 'Book the money back to its channel; you then return it to the payer there',
  audit: ({ argument }) => auditId(argument),
  options: {},
  async run({ argument, tools }) {
    const returned = await returnSuspense({ db: await tools.database(), clock: tools.clock }, argument)
    const { channel } = returned
    return { json: describe(returned), text: `${sumOf(returned)} was booked back to the channel ${channel}.` }
  },
}

function describe(item: Suspense) {
  const { money, bookedAt, decidedAt, tradeNo, ...rest } = item
  return {
    ...rest,
    tradeNo: tradeNo ?? null,
    amount: formatAmount(money.amount, money.currency),
    currency: money.currency,
    bookedAt: bookedAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  }
}

function toRow(item: Suspense): string[] {
  const { suspenseId, merNo, why, channel, reference, tradeNo, bookedAt } = item
  const owner = merNo === 0 ? 'no known merchant' : `merchant ${merNo}`
  const order = tradeNo ?? 'no order'
  return [suspenseId, bookedAt.toISOString(), why, sumOf(item), owner, order, channel, plain(reference)]
}

function sumOf({ money }: Suspense): string {
  return `${formatAmount(money.amount, money.currency)} ${money.currency}`
}

export const suspenseCommands: readonly Command[] = [list, accept, giveBack]

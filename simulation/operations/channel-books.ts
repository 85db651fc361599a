// Reads the latest payments from a counterparty's own book.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { World } from '../world/world.ts'

export type BookedPayment = {
  readonly reference: string
  readonly amount: string
  readonly currency: string
  /** The time of the payment in milliseconds. */
  readonly at: number
}

const MAX_LINES = 200
/** A limit that no run reaches. A statement must be complete, because missing lines are withdrawn. */
export const WHOLE_BOOK = 50_000

const ofCards = `select reference, amount, currency, at from charges where status = 'captured' order by at desc limit ?`
const ofBanks = `select reference, content ->> 'amount' as amount, content ->> 'currency' as currency, at
  from deposits order by no desc limit ?`

export function recentPayments({ dataDir }: World, channel: string, limit = MAX_LINES): BookedPayment[] {
  const name = channel === 'card' ? 'card-issuer' : channel.replace('_', '-')
  const file = join(dataDir, 'sandbox', `${name}.sqlite`)
  if (!existsSync(file)) return []
  const book = new DatabaseSync(file, { readOnly: true, timeout: 2_000 })
  try {
    const rows = book.prepare(channel === 'card' ? ofCards : ofBanks).all(limit)
    return rows.map(({ reference, amount, currency, at }) => {
      return {
        reference: String(reference),
        amount: String(amount),
        currency: String(currency),
        at: Number(at),
      }
    })
  } finally {
    book.close()
  }
}

// Settlement, release of margin, and folding of balances and totals: by one node, or by several concurrently.
import { foldBalances } from '../../src/ledger/balances.ts'
import { foldTotals } from '../../src/orders/daily-totals.ts'
import { settleDue } from '../../src/settlement/settle-due.ts'
import type { Random } from '../random.ts'
import type { Move, World } from './world.ts'

export function settleMove(world: World, random: Random): Move {
  const times = 1 + random.below(3)
  const batchSize = 1 + random.below(40)
  const run = async () => {
    await Promise.all(Array.from({ length: times }, () => settle(world, world.clock.now(), batchSize)))
  }
  return { name: `settle ×${times}`, run }
}

const words = { settle: 'settled', margin: 'margin-released' }

/** Returns how many orders wait for a balance that covers them. */
export async function settle(world: World, asOf: Date, batchSize: number): Promise<number> {
  if (asOf > world.settledUntil) world.settledUntil = asOf
  const failed = (_merNo: number, error: unknown): never => {
    throw error
  }
  const { db, clock } = world
  const run = await settleDue({ db, clock, failed, batchSize }, asOf)
  for (const { kind, orders } of run.sums)
    for (let one = 0; one < orders; one++) world.count(`order ${words[kind]}`)
  return run.waiting
}

export function foldMove(world: World, random: Random): Move {
  const limit = 1 + random.below(200)
  const run = async () => {
    await Promise.all([foldBalances(world.db, limit), foldTotals(world.db, limit)])
  }
  return { name: `fold ${limit}`, run }
}

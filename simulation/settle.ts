// The pause between faults and checks: everything runs again and behaves, and the gateways finish what is open.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding } from './check.ts'
import type { Tally } from './tally.ts'
import type { World } from './world/world.ts'

/** Asking again comes at growing intervals; this is beyond the longest that a round brings about. */
const PATIENCE_MS = 120_000
const CHECK_MS = 250

/** Returns what is still open in the end. */
export async function settle(world: World, tally: Tally): Promise<Finding[]> {
  tally.phase = 'settling'
  await heal(world)
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const open = await openWork(world)
    tally.waitingFor = open.map(({ kind, count }) => `${count} ${kind}`).join(', ')
    if (open.length === 0) return []
    if (Date.now() > deadline)
      return open.map(({ kind, count, example }) => ({ what: `${count} ${kind} stay open`, about: example }))
    await sleep(CHECK_MS)
  }
}

async function heal(world: World): Promise<void> {
  const { postgres, nodes, channels, callbacks, merchants, front } = world
  postgres.disk?.free()
  postgres.resume()
  await postgres.start()
  channels.behave()
  callbacks.behave()
  await merchants.behave([], 0)
  Object.assign(front, { delayMs: 0, stalled: false, cuts: 0 })
  for (const node of nodes) {
    Object.assign(node.database, { delayMs: 0, stalled: false, cuts: 0 })
    node.shiftClock(0)
    await node.start()
  }
}

type Open = { readonly kind: string; readonly count: number; readonly example: string }

async function openWork({ db }: World): Promise<readonly Open[]> {
  return await db.query<Open>({ text: openRows })
}

const openRows = `
  select kind, count(*)::int as count, min(subject) as example from (
    select 'unknown outcomes' as kind, trade_no as subject from attempts where state in ('calling', 'unknown')
    union all
    select 'refunds', refund_no from refunds where state in ('calling', 'pending', 'unknown')
    union all
    select 'payouts', trade_no from payouts where state in ('tokenising', 'sending')
  ) as open
  group by kind`

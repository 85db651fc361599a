// Finds deposits whose message never came: reads STP's lists from the day before the last one that was read, so that nothing is
// missed while the gateway was down.
import { withDeadline } from '../deadline.ts'
import type { Watcher } from '../protocol.ts'
import { type DepositParts, findPaid, listDay, toDeposit } from './deposits.ts'
import { dayOf, daysUntil } from './operation-day.ts'
import { outcomeOf, textOf } from './orders.ts'

const EVERY_MS = 15 * 60_000
const READ = { kind: 'read', key: 'received' }

export function createWatcher(parts: DepositParts & { readonly timeoutMs: number }): Watcher {
  /** Recorded, or not ours: not looked up again by this process. */
  let known: ReadonlySet<string> = new Set()

  async function readDay(day: string): Promise<readonly string[]> {
    const list = await withDeadline(parts.timeoutMs, (signal) => listDay(parts, day, signal))
    if (list === undefined) throw new Error('STP did not list the received orders')
    const seen: string[] = []
    for (const order of list) {
      const deposit = toDeposit(order)
      // One that waits for our answer is announced by a message.
      if (deposit === undefined || outcomeOf(order, '').kind !== 'succeeded') continue
      const paid = known.has(deposit.depositRef)
        ? undefined
        : await findPaid(textOf(order.cuentaBeneficiario), parts)
      if (paid !== undefined) await parts.payments.addDeposit(paid.reference, deposit)
      seen.push(deposit.depositRef)
    }
    return seen
  }

  return {
    everyMs: EVERY_MS,
    async work() {
      const now = parts.clock.now()
      const last = (await parts.store.find(READ))?.body.day
      const seen: string[] = []
      for (const day of daysUntil(now, typeof last === 'string' ? last : dayOf(now)))
        seen.push(...(await readDay(day)))
      known = new Set(seen)
      await parts.store.write([{ put: { ...READ, body: { day: dayOf(now) } } }])
    },
  }
}

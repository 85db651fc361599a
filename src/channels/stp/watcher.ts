// Finds deposits whose message never came: reads STP's lists of today and yesterday.
import { withDeadline } from '../deadline.ts'
import type { Watcher } from '../protocol.ts'
import { type DepositParts, findPaid, listDay, toDeposit } from './deposits.ts'
import { dayOf } from './operation-day.ts'
import { outcomeOf, textOf } from './orders.ts'

const EVERY_MS = 15 * 60_000
const DAY_MS = 86_400_000

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
      const now = parts.clock.now().getTime()
      const yesterday = await readDay(dayOf(new Date(now - DAY_MS)))
      known = new Set([...yesterday, ...(await readDay(dayOf(new Date(now))))])
    },
  }
}

// Polls STP's lists to find deposits whose webhook never came. Every 15 minutes, the watcher reads the lists from the
// day before the last reading up to today. So the watcher also finds deposits from a downtime of up to 30 days. Days
// with deposits that STP has not settled are polled every minute for an hour, and then every 15 minutes for 30 days.
import type { Fields } from '../../../platform/base/object.ts'
import type { Watcher } from '../../contract/protocol.ts'
import type { Alarms } from '../../toolkit/alarms.ts'
import { type DepositParts, depositRefOf, findPaid, readListed } from './deposits.ts'
import { dayOf, daysUntil } from './operation-day.ts'
import type { Expected, SpeiDeposit } from './payments.ts'
import { textOf } from './wire.ts'

const MINUTE_MS = 60_000
const ALL_EVERY_MS = 15 * MINUTE_MS
/**
 * STP normally settles within seconds. A deposit that has been unsettled for longer than this time is no longer polled
 * every minute.
 */
const SOON_MS = 60 * MINUTE_MS
/** A deposit that is not settled after this time is given up. */
const GIVEN_UP_MS = 30 * 24 * 60 * MINUTE_MS
const READ = { kind: 'read', key: 'received' }

/** Returns the key in `known` of a deposit that STP sent back. A settled deposit has its depositRef as key. */
function returnOf({ depositRef }: SpeiDeposit): string {
  return `returned ${depositRef}`
}

export function createWatcher(parts: DepositParts & { readonly alarms: Alarms }): Watcher {
  const { clock, payments, store } = parts
  /**
   * The settled and returned deposits of the last full reading, including deposits to unknown CLABEs. The next readings
   * skip them.
   */
  let known: ReadonlySet<string> = new Set()
  let allAt = 0

  async function readDay(day: string): Promise<readonly string[]> {
    const list = await parts.lists.read(day)
    if (list === undefined) throw new Error('STP did not list the received orders')
    const seen: string[] = []
    for (const order of list) {
      const listed = readListed(order)
      if (listed === undefined) {
        await readOdd(order)
        continue
      }
      const { deposit, state } = listed
      if (state === 'failed') {
        if (!known.has(returnOf(deposit))) await payments.takeBack(deposit)
      } else if (!known.has(deposit.depositRef)) {
        const paid = await findPaid(textOf(order.cuentaBeneficiario), parts)
        if (paid !== undefined && state === 'succeeded') await payments.addDeposit(paid.reference, deposit)
        if (paid !== undefined && state === 'processing')
          await payments.expectDeposit(paid.reference, deposit.depositRef, clock.now())
      }
      if (state === 'succeeded') seen.push(deposit.depositRef)
      if (state === 'failed') seen.push(returnOf(deposit))
    }
    return seen
  }

  /**
   * Handles an order that cannot be read, because the order may be a deposit. Raises an alarm, and records the order as
   * expected, like an unsettled deposit.
   */
  async function readOdd(order: Fields): Promise<void> {
    const paid = await findPaid(textOf(order.cuentaBeneficiario), parts)
    if (paid === undefined) return
    const { reference } = paid
    const depositRef = depositRefOf(order)
    const what = `STP lists a transfer to its CLABE that cannot be read or has an unknown state (${depositRef})`
    await parts.alarms.raise(`odd ${depositRef}`, { reference, what })
    await payments.expectDeposit(reference, depositRef, clock.now())
  }

  /**
   * Reads the recent days first, and then the days of expected deposits. So a day that STP refuses to list does not
   * prevent the reading of the recent days.
   */
  async function readAll(now: Date, expected: readonly string[]): Promise<void> {
    const last = (await store.find(READ))?.body.day
    const days = daysUntil(now, typeof last === 'string' ? last : dayOf(now))
    const seen: string[] = []
    for (const day of days) seen.push(...(await readDay(day)))
    await store.write([{ put: { ...READ, body: { day: dayOf(now) } } }])
    allAt = now.getTime() + ALL_EVERY_MS
    const errors: unknown[] = []
    const read = async (day: string) => void seen.push(...(await readDay(day)))
    for (const day of new Set(expected).difference(new Set(days)))
      await read(day).catch((error: unknown) => errors.push(error))
    known = new Set(seen)
    if (errors.length > 0) throw errors[0]
  }

  return {
    everyMs: MINUTE_MS,
    async work() {
      const now = clock.now()
      const ageOf = ({ since }: Expected) => now.getTime() - since.getTime()
      const isOld = (one: Expected) => ageOf(one) >= GIVEN_UP_MS
      const expected = await payments.expected()
      const open = expected.filter((one) => !isOld(one))
      const daysOf = (some: readonly Expected[]) => some.map(({ day }) => day)
      try {
        if (now.getTime() >= allAt) await readAll(now, daysOf(expected))
        else for (const day of new Set(daysOf(open.filter((one) => ageOf(one) < SOON_MS)))) await readDay(day)
      } finally {
        // A deposit is given up only after the lists were read, because STP may have settled it during a downtime of
        // the gateway.
        if (now.getTime() < allAt && expected.some(isOld))
          for (const one of await payments.expected()) if (isOld(one)) await payments.forgetExpected(one)
      }
    },
  }
}

// Finds deposits whose message never came: reads STP's lists from the day before the last one that was read, so that nothing is
// missed while the gateway was down. The days of deposits that STP has not settled are read more often.
import type { Fields } from '../../base/object.ts'
import type { Alarms } from '../alarms.ts'
import type { Watcher } from '../protocol.ts'
import { type DepositParts, depositRefOf, findPaid, readListed } from './deposits.ts'
import { dayOf, daysUntil } from './operation-day.ts'
import { textOf } from './orders.ts'
import type { Expected, SpeiDeposit } from './payments.ts'

const MINUTE_MS = 60_000
const ALL_EVERY_MS = 15 * MINUTE_MS
/** STP settles within seconds. One that takes longer than this is looked for as often as the others. */
const SOON_MS = 60 * MINUTE_MS
/** As long as lists are read after a gateway was down. */
const GIVEN_UP_MS = 30 * 24 * 60 * MINUTE_MS
const READ = { kind: 'read', key: 'received' }

/** It may have been recorded as settled before. */
function returnOf({ depositRef }: SpeiDeposit): string {
  return `returned ${depositRef}`
}

export function createWatcher(parts: DepositParts & { readonly alarms: Alarms }): Watcher {
  const { clock, payments, store } = parts
  /** Recorded, or not ours: not looked up again by this process. */
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

  /** It may be money: an operator is asked to look, and it is looked for as long as one that waits for its settlement. */
  async function readOdd(order: Fields): Promise<void> {
    const paid = await findPaid(textOf(order.cuentaBeneficiario), parts)
    if (paid === undefined) return
    const { reference } = paid
    const depositRef = depositRefOf(order)
    const what = `STP lists a transfer to its CLABE that cannot be read or has an unknown state (${depositRef})`
    await parts.alarms.raise(`odd ${depositRef}`, { reference, what })
    await payments.expectDeposit(reference, depositRef, clock.now())
  }

  /** An expected day that STP does not list comes last, and holds up no other. */
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
        // After a stop, the lists may have settled it just now. If they cannot be read, it is not given up yet.
        if (now.getTime() < allAt && expected.some(isOld))
          for (const one of await payments.expected()) if (isOld(one)) await payments.forgetExpected(one)
      }
    },
  }
}

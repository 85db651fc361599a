// STP's records of one company: the orders that the company sent and received.
import type { Clock } from '../../src/platform/base/clock.ts'
import type { Fields } from '../../src/platform/base/object.ts'

export type StpOrder = {
  readonly idEF: number
  readonly claveRastreo: string
  readonly folioOrigen: string
  readonly fechaOperacion: number
  /** The amount as the sender wrote it, with two decimals. */
  readonly monto: string
  readonly fields: Fields
  estado: string
  causaDevolucion: number
}

/** The company's answer to a message. */
export type StpAnswer = { readonly status: number; readonly text: string }

export type StpBook = {
  readonly sent: Map<string, StpOrder>
  readonly received: StpOrder[]
  /** The day of operation as YYYYMMDD. From 18:00 on and at weekends, this is the next working day. */
  today(): number
  /**
   * True if queries must not name the current day. STP expects a day only in queries about past days. We do not know
   * whether STP refuses the current day, so tests try both cases.
   */
  refusesToday: boolean
  nextId(): number
}

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]
const MEXICO_MS = 6 * HOUR_MS
/** The day of operation ends at 18:00 in Mexico. */
const CUT_OFF_MS = 18 * HOUR_MS
const weekend = [0, 6]

export function createStpBook(clock: Clock): StpBook {
  let last = 9_349_000
  return {
    sent: new Map(),
    received: [],
    today() {
      let day = new Date(clock.now().getTime() - MEXICO_MS + DAY_MS - CUT_OFF_MS)
      while (weekend.includes(day.getUTCDay())) day = new Date(day.getTime() + DAY_MS)
      return Number(day.toISOString().slice(0, 10).replaceAll('-', ''))
    },
    refusesToday: false,
    nextId() {
      last += 1
      return last
    },
  }
}

/** The order as JSON: the amount is a number, and `claveRastreo` ends with a space. */
export function orderJson({ monto, fields, claveRastreo, ...order }: StpOrder): string {
  const rest = JSON.stringify({ ...fields, ...order, claveRastreo: `${claveRastreo} ` })
  return `{"monto":${monto},${rest.slice(1)}`
}

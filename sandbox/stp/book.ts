// What STP knows about a company: the orders that it sent and received.
import type { Clock } from '../../src/base/clock.ts'
import type { Fields } from '../../src/base/object.ts'

export type StpOrder = {
  readonly idEF: number
  readonly claveRastreo: string
  readonly folioOrigen: string
  readonly fechaOperacion: number
  /** As the sender wrote it, with two decimals. */
  readonly monto: string
  readonly fields: Fields
  estado: string
  causaDevolucion: number
}

export type StpBook = {
  readonly sent: Map<string, StpOrder>
  readonly received: StpOrder[]
  /** The day of Mexico, YYYYMMDD. */
  today(): number
  nextId(): number
}

const MEXICO_MS = 6 * 3_600_000

export function createStpBook(clock: Clock): StpBook {
  let last = 9_349_000
  return {
    sent: new Map(),
    received: [],
    today() {
      const local = new Date(clock.now().getTime() - MEXICO_MS)
      return Number(local.toISOString().slice(0, 10).replaceAll('-', ''))
    },
    nextId() {
      last += 1
      return last
    },
  }
}

/** As JSON: the amount is a number, and texts are filled up with a space. */
export function orderJson({ monto, fields, claveRastreo, ...order }: StpOrder): string {
  const rest = JSON.stringify({ ...fields, ...order, claveRastreo: `${claveRastreo} ` })
  return `{"monto":${monto},${rest.slice(1)}`
}

// The command line of a run.
import { parseArgs } from 'node:util'

export type Options = {
  /** True for a run of some three and a half minutes, without Medusa and without the large database. */
  readonly quick: boolean
  /** With more than one node, the run measures only the shared work on one database. */
  readonly nodes: number
  readonly rounds: number
  readonly sliceSeconds: number
  /** The number of orders in the large database. */
  readonly orders: number
  readonly medusa: boolean
  /** The folder of another checkout. The run then only compares it with this one. */
  readonly against: string | undefined
  /** The run measures only the savings of each fast path. */
  readonly fastPaths: boolean
  /** The run measures only the audit of a large database. */
  readonly audit: boolean
  /** The run measures only the searches of the back office. */
  readonly search: boolean
  /** The run measures only the cost of the request log per payment. */
  readonly requestLog: boolean
  /** The run measures only an overload of three times the top rate. */
  readonly overload: boolean
  readonly overloadSeconds: number
}

const ROUNDS = 5
/** The section of the request log has many rounds, because single rounds differ by more than the log costs. */
const MANY_ROUNDS = 24
/** Each gateway opens its own connections, and PostgreSQL limits their number. */
const MOST_NODES = 4

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      nodes: { type: 'string', default: '1' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      orders: { type: 'string', default: '3000000' },
      'without-medusa': { type: 'boolean', default: false },
      against: { type: 'string' },
      'fast-paths': { type: 'boolean', default: false },
      audit: { type: 'boolean', default: false },
      search: { type: 'boolean', default: false },
      'request-log': { type: 'boolean', default: false },
      overload: { type: 'boolean', default: false },
    },
  })
  const { quick, 'request-log': requestLog } = values
  const rounds = values.rounds ?? String(requestLog ? MANY_ROUNDS : ROUNDS)
  return {
    quick,
    nodes: whole('nodes', values.nodes, 1, MOST_NODES),
    rounds: whole('rounds', rounds, 1, 1000),
    sliceSeconds: whole('seconds', values.seconds ?? (quick || requestLog ? '3' : '5'), 1, 600),
    orders: whole('orders', values.orders, 10_000, 10_000_000),
    medusa: !quick && !values['without-medusa'],
    against: values.against,
    fastPaths: values['fast-paths'],
    audit: values.audit,
    search: values.search,
    requestLog,
    overload: values.overload,
    overloadSeconds: whole('seconds', values.seconds ?? '60', 1, 600),
  }
}

export function whole(name: string, text: string, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new Error(`--${name} must be a whole number from ${least} to ${most}`)
}

// The lists other than orders that can be exported. Ids sort by time, so an id also marks a place in its list.
import { chargebackStates } from '../../../money/chargebacks/chargeback.ts'
import { listChargebacks } from '../../../money/chargebacks/find-chargeback.ts'
import { readReasons } from '../../../money/chargebacks/reasons.ts'
import { pagePayouts } from '../../../money/payouts/find-payout.ts'
import { payoutStates } from '../../../money/payouts/payout.ts'
import { pageRefunds } from '../../../money/refunds/find-refund.ts'
import { refundStates } from '../../../money/refunds/refund.ts'
import { type Permission, PLATFORM } from '../../../people/roles/permissions.ts'
import { type IdKind, idsFrom } from '../../../platform/base/id.ts'
import { formatAmount } from '../../../platform/base/money.ts'
import { type FieldProblems, Problem } from '../../../platform/errors/problem.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { type FilterFields, readFilter } from '../orders/read-filter.ts'
import { stateWords } from '../state-words.ts'
import type { ExportedList } from './api.ts'

export type OtherList = Exclude<ExportedList, 'orders'>

export const readPermissions = {
  orders: 'orders.read',
  refunds: 'refunds.read',
  payouts: 'payouts.read',
  disputes: 'disputes.read',
} as const satisfies Record<ExportedList, Permission>

export type Line = { readonly id: string; readonly at: Date; readonly cells: readonly string[] }

type Page<State> = {
  /** The merchant, or undefined for all merchants. */
  readonly merNo: number | undefined
  readonly state: State | undefined
  /** An id. The page contains only rows with lower ids. */
  readonly after: string
  readonly limit: number
}

type Source<State extends string> = {
  readonly idKind: IdKind
  readonly states: readonly State[]
  readonly head: readonly string[]
  read(db: Queryable, page: Page<State>): Promise<Line[]>
}

const words = stateWords.en
const payoutWords: Readonly<Record<string, string>> = words.payouts

const source = <State extends string>(given: Source<State>) => given

const sources = {
  refunds: source({
    idKind: 'R',
    states: refundStates,
    head: [
      'refundNo',
      'merRefundNo',
      'tradeNo',
      'merOrderNo',
      'createdAt',
      'decidedAt',
      'state',
      'amount',
      'currency',
      'fee',
      'message',
      'reason',
    ],
    async read(db, page) {
      const found = await pageRefunds(db, page)
      return found.map((refund) => {
        const { refundNo, merRefundNo = '', tradeNo, merOrderNo, createdAt, decidedAt, state } = refund
        const { amount, currency } = refund.money
        const times = [createdAt.toISOString(), decidedAt?.toISOString() ?? '']
        const sums = [formatAmount(amount, currency), currency, formatAmount(refund.fee, currency)]
        const cells = [refundNo, merRefundNo, tradeNo, merOrderNo, ...times, words.refunds[state], ...sums]
        return { id: refundNo, at: createdAt, cells: [...cells, refund.message, refund.remark] }
      })
    },
  }),
  payouts: source({
    idKind: 'T',
    states: payoutStates,
    head: [
      'tradeNo',
      'merOrderNo',
      'createdAt',
      'state',
      'amount',
      'currency',
      'fee',
      'kind',
      'account',
      'beneficiary',
      'message',
    ],
    async read(db, { merNo = PLATFORM, ...page }) {
      const found = await pagePayouts(db, { ...page, merNo })
      return found.map((payout) => {
        const { tradeNo, merOrderNo, createdAt, state, amount, currency, fee, kind, account } = payout
        const inWords = payoutWords[state] ?? state
        const cells = [tradeNo, merOrderNo, createdAt, inWords, amount, currency, fee, kind, account]
        return {
          id: tradeNo,
          at: new Date(createdAt),
          cells: [...cells, payout.beneficiary, payout.message],
        }
      })
    },
  }),
  disputes: source({
    idKind: 'C',
    states: chargebackStates,
    head: [
      'tradeNo',
      'openedAt',
      'answerBy',
      'resolvedAt',
      'state',
      'reason',
      'reasonInWords',
      'amount',
      'currency',
      'fee',
      'evidence',
    ],
    async read(db, { state, ...page }) {
      const [found, reasonOf] = await Promise.all([listChargebacks(db, state, page), readReasons(db)])
      return found.map((one) => {
        const { chargebackId, tradeNo, openedAt, answerBy, resolvedAt, reason, money, fee, evidence } = one
        const times = [openedAt, answerBy, resolvedAt].map((at) => at?.toISOString() ?? '')
        const { currency } = money
        const sums = [formatAmount(money.amount, currency), currency, formatAmount(fee, currency)]
        const why = [reason, reasonOf(reason)]
        const cells = [tradeNo, ...times, words.disputes[one.state], ...why, ...sums, String(evidence)]
        return { id: chargebackId, at: openedAt, cells }
      })
    },
  }),
} as const satisfies Record<OtherList, unknown>

export function headOf(list: OtherList): readonly string[] {
  return sources[list].head
}

export type Span = {
  readonly state: string | undefined
  readonly from: Date | undefined
  readonly until: Date
}

/** Reads the filters of lists other than orders, which are the state and the days. */
export function readSpan(list: OtherList, fields: FilterFields, timezone: string, before: Date): Span {
  const { merNo: _, state, from, to, ...others } = fields
  const states: readonly string[] = sources[list].states
  const wrong: FieldProblems = {
    // An unknown filter is refused. If it were ignored, the file would contain more rows than the person saw.
    ...Object.fromEntries(Object.keys(others).map((name) => [name, 'This list has no such filter.'])),
    ...(state !== undefined && !states.includes(state) && { state: 'Choose a state from the list.' }),
  }
  if (Object.keys(wrong).length > 0) throw new Problem('invalid', 'Check the marked fields.', wrong)
  const days = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const { from: first, until = before } = readFilter(days, timezone, before)
  return { state, from: first, until: until < before ? until : before }
}

/** Reads the next lines. Fewer lines than `limit` mean that the list has ended. */
export async function readLines(
  db: Queryable,
  list: OtherList,
  { state, from, until }: Span,
  page: { readonly merNo: number | undefined; readonly below: string | undefined; readonly limit: number },
): Promise<Line[]> {
  const { merNo, below, limit } = page
  const { idKind } = sources[list]
  const wanted = { merNo, after: below ?? idsFrom(idKind, until), limit }
  const lines = await readFrom(db, list, state, wanted)
  const first = from === undefined ? '' : idsFrom(idKind, from)
  return lines.filter(({ id }) => id >= first)
}

type Wanted = Omit<Page<string>, 'state'>

function readFrom(
  db: Queryable,
  list: OtherList,
  state: string | undefined,
  wanted: Wanted,
): Promise<Line[]> {
  const run = <State extends string>({ states, read }: Source<State>) =>
    read(db, { ...wanted, state: states.find((known) => known === state) })
  if (list === 'refunds') return run(sources.refunds)
  return list === 'payouts' ? run(sources.payouts) : run(sources.disputes)
}

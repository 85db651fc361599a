// Checks the books against every rule, in one consistent snapshot: it does not see changes that payments make meanwhile, and
// does not delay them. It takes no locks, uses one connection, and checks a few merchants at a time.
import type { Clock } from '../base/clock.ts'
import { oldestDelta } from '../ledger/oldest-delta.ts'
import { type Verification, verifyLedger } from '../ledger/verify-ledger.ts'
import type { Db, Tx } from '../postgres/db.ts'
import type { Check, Finding } from './check.ts'
import { accountChecks } from './checks/accounts.ts'
import { afterPaymentChecks } from './checks/after-payment.ts'
import { dueChecks } from './checks/dues.ts'
import { historyChecks } from './checks/history.ts'
import { orderChecks } from './checks/orders.ts'
import { payoutChecks } from './checks/payouts.ts'
import { sumChecks } from './checks/sums.ts'

export const checks: readonly Check[] = [
  ...orderChecks,
  ...historyChecks,
  ...dueChecks,
  ...afterPaymentChecks,
  ...payoutChecks,
  ...accountChecks,
  ...sumChecks,
]

export type Books = Verification & {
  readonly orders: number
  readonly merchants: number
  readonly findings: readonly Finding[]
  /** The age of the oldest delta that is not folded yet; undefined if there is none. */
  readonly oldestDeltaSeconds: number | undefined
}

export type Progress = { readonly done: number; readonly total: number }

/** Enough that small merchants do not cost a round trip each. */
const MERCHANTS_PER_PIECE = 200
/** Above every merchant number. */
const MERCHANT_NUMBER_END = 10_000_000_000
/** Per check and piece: more would not help the operator. */
const MAX_FINDINGS = 100

export type VerifyDeps = {
  readonly db: Db
  readonly clock: Clock
  /** When aborted, the audit ends after the current query with the signal's reason. */
  readonly signal?: AbortSignal
}

export function verifyBooks(
  { db, clock, signal }: VerifyDeps,
  report: (progress: Progress) => void = () => {},
): Promise<Books> {
  return db.transaction(async (tx) => {
    const find = (check: Check, piece?: Piece) => {
      signal?.throwIfAborted()
      return run(tx, check, piece)
    }
    await takeSnapshot(tx)
    const pieces = await piecesOf(tx)
    const total = pieces.length + 1
    const findings: Finding[] = []
    for (const [done, piece] of pieces.entries()) {
      report({ done, total })
      for (const check of checks) if (!check.isGlobal) findings.push(...(await find(check, piece)))
    }
    report({ done: pieces.length, total })
    for (const check of checks) if (check.isGlobal) findings.push(...(await find(check)))
    signal?.throwIfAborted()
    const ledger = await verifyLedger(tx)
    const { orders, merchants } = await countOrders(tx)
    report({ done: total, total })
    return { ...ledger, orders, merchants, findings, oldestDeltaSeconds: await oldestDelta(tx, clock) }
  })
}

/** Uses at most one core, so that payments have the others. */
async function takeSnapshot(tx: Tx): Promise<void> {
  await tx.query({ text: 'set transaction isolation level repeatable read, read only' })
  await tx.query({ text: `set local work_mem = '64MB'` })
  await tx.query({ text: 'set local max_parallel_workers_per_gather = 0' })
}

type Piece = { readonly first: number; readonly last: number }

/** Together they cover every possible merchant number, so that rows of unknown merchants are found too. */
async function piecesOf(tx: Tx): Promise<Piece[]> {
  const rows = await tx.query<{ first: bigint }>({
    text: `
      select mer_no as first from (select mer_no, row_number() over (order by mer_no) as place from merchants) placed
      where place > $1 and place % $1 = 1 order by mer_no`,
    values: [MERCHANTS_PER_PIECE],
  })
  const firsts = [0, ...rows.map(({ first }) => Number(first))]
  return firsts.map((first, at) => ({ first, last: (firsts[at + 1] ?? MERCHANT_NUMBER_END) - 1 }))
}

type FindingRow = { mer_no: bigint | number; subject: string; found: string; expected: string }

async function run(tx: Tx, check: Check, piece?: Piece): Promise<Finding[]> {
  const range = piece === undefined ? [] : [piece.first, piece.last]
  const rows = await tx.query<FindingRow>({
    text: `select * from (${check.text}) broken order by mer_no, subject limit ${MAX_FINDINGS}`,
    values: [...range, ...(check.values ?? [])],
  })
  return rows.map(({ mer_no, subject, found, expected }) => {
    return { check: check.name, merNo: Number(mer_no), subject, found, expected }
  })
}

async function countOrders(tx: Tx): Promise<{ orders: number; merchants: number }> {
  const [row] = await tx.query<{ orders: bigint; merchants: bigint }>({
    text: 'select (select count(*) from orders) as orders, (select count(*) from merchants) as merchants',
  })
  return { orders: Number(row?.orders ?? 0), merchants: Number(row?.merchants ?? 0) }
}

export function isSound({ differences, findings }: Books): boolean {
  return differences.length === 0 && findings.length === 0
}

export function ruleOf(name: string): string {
  return checks.find((check) => check.name === name)?.rule ?? name
}

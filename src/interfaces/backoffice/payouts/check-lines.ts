// Checks payouts as `/payout` would, without making them: fields, account, currency, limits per payout, order numbers and
// balances. Limits by day and month, and balances, are checked again when the payouts are made.
import { expiredUntil } from '../../approvals/approval.ts'
import type { Clock } from '../../base/clock.ts'
import type { Money } from '../../base/money.ts'
import type { Vault } from '../../base/secret.ts'
import { Refusal } from '../../errors/catalogue.ts'
import type { AllBalances } from '../../ledger/lock-balances.ts'
import { readBalances } from '../../ledger/read-balances.ts'
import { type Merchant, mayDo } from '../../merchants/merchant.ts'
import { findDuplicate } from '../../orders/accept-orders.ts'
import { assignFunds, feeOf } from '../../payouts/assign-funds.ts'
import type { NewPayout } from '../../payouts/new-payout.ts'
import { type PayoutRequested, type PrepareDeps, preparePayout } from '../../payouts/prepare-payout.ts'
import type { Queryable } from '../../postgres/db.ts'
import { type Beneficiary, beneficiaryKinds, fieldsOf, fingerprintOf } from '../beneficiaries/beneficiary.ts'
import { findSaved } from '../beneficiaries/find-saved.ts'
import { selectBeneficiaries } from '../beneficiaries/sql.ts'
import { fieldIn } from './field-problem.ts'
import type { Line } from './read-lines.ts'
import { selectWaitingNumbers } from './sql.ts'

export type CheckDeps = PrepareDeps & {
  readonly db: Queryable
  readonly clock: Clock
  readonly vault: Vault
  readPayout(fields: Readonly<Record<string, unknown>>): PayoutRequested
}

export type CheckedLine = {
  readonly no: number
  readonly merOrderNo: string
  readonly beneficiary: string
  /** Set as far as the line could be read. */
  readonly requested: PayoutRequested | undefined
  readonly payout: NewPayout | undefined
  /** What it comes to at the price of now, of a payout in coin. */
  readonly coin?: { readonly amount: string; readonly name: string } | undefined
  readonly isNew: boolean
  readonly problem: string | undefined
  readonly field: string | undefined
}

export type CheckedRun = {
  readonly lines: readonly CheckedLine[]
  readonly balances: AllBalances
  /** In US cents. */
  readonly usdValue: bigint
}

/** Numbers that were left out become those of the run, so that making a line twice is one payout. */
export async function checkLines(
  deps: CheckDeps,
  merchant: Merchant,
  lines: readonly Line[],
  runId: string,
): Promise<CheckedRun> {
  const saved = new Map(
    (await selectBeneficiaries(deps.db, merchant.merNo)).map((one) => [one.beneficiaryId, one]),
  )
  const taken = await selectWaitingNumbers(deps.db, merchant.merNo, expiredUntil(deps.clock.now()))
  const read: CheckedLine[] = []
  for (const line of lines) read.push(await checkLine(deps, merchant, line, { saved, taken, runId }))
  const balances = await currentBalances(deps.db, merchant.merNo)
  const payouts = read.flatMap(({ payout }) => payout ?? [])
  const { refused } = assignFunds(payouts, balances, deps.rates)
  const checked = read.map((line) => {
    const refusal = line.payout && refused.get(line.payout)
    return refusal === undefined ? line : { ...line, problem: refusal.message, field: 'sourceAmount' }
  })
  const usdValue = payouts.reduce((sum, payout) => sum + payout.usdValue, 0n)
  return { lines: await withKnown(deps, merchant.merNo, checked), balances, usdValue }
}

type Given = {
  readonly saved: ReadonlyMap<string, Beneficiary>
  /** Order numbers of lines before, and of runs that wait. */
  readonly taken: Set<string>
  readonly runId: string
}

async function checkLine(
  deps: CheckDeps,
  merchant: Merchant,
  { no, fields }: Line,
  { saved, taken, runId }: Given,
): Promise<CheckedLine> {
  const merOrderNo = fields.merOrderNo || `${runId}-${no}`
  const known = { no, merOrderNo, beneficiary: '', requested: undefined, payout: undefined, isNew: false }
  try {
    const chosen =
      fields.beneficiary === undefined || fields.beneficiary === ''
        ? undefined
        : saved.get(fields.beneficiary)
    if (fields.beneficiary && chosen === undefined)
      throw new Refusal('99997', 'beneficiary must be a saved one')
    const own = chosen === undefined ? {} : fieldsOf(deps.vault, chosen)
    const requested = deps.readPayout({ ...fields, ...own, merOrderNo })
    const line = { ...known, requested, beneficiary: nameIn(requested, chosen) }
    return { ...line, ...(await prepare(deps, merchant, requested, taken)) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...known, problem: error.message, field: fieldIn(error) }
  }
}

async function prepare(deps: CheckDeps, merchant: Merchant, requested: PayoutRequested, taken: Set<string>) {
  const { kind, merOrderNo } = requested
  try {
    if (!mayDo(merchant.state, 'pay')) throw new Refusal('10005')
    if (!beneficiaryKinds.some((known) => known === kind))
      throw new Refusal('10001', 'withdrawType must be 3, 4, 5, 6 or coin: others are made by the interface')
    const { payout, rails } = await preparePayout(deps, merchant, requested)
    const { account, details } = requested
    const quote = rails[0].quote?.({ money: payout.money, beneficiary: { account, details } })
    if (quote?.kind === 'refused') return { problem: quote.why, field: undefined }
    if (taken.has(merOrderNo)) throw new Refusal('10009', 'merOrderNo is used by another line')
    taken.add(merOrderNo)
    const duplicate = await findDuplicate(deps.db, merchant.merNo, merOrderNo, deps.clock.now())
    if (duplicate !== undefined) throw duplicate
    const coin = quote && { amount: quote.amount, name: quote.coin }
    return { payout, coin, problem: undefined, field: undefined }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { problem: error.message, field: fieldIn(error) }
  }
}

/** Marks the lines whose account is not a saved one that may be paid. */
async function withKnown(
  deps: CheckDeps,
  merNo: number,
  lines: readonly CheckedLine[],
): Promise<CheckedLine[]> {
  const saved = await findSaved(
    deps,
    merNo,
    lines.flatMap(({ requested }) => requested ?? []),
  )
  const now = deps.clock.now()
  const usable = new Set(
    saved.filter(({ usableAt }) => usableAt <= now).map(({ fingerprint }) => fingerprint),
  )
  return lines.map((line) => {
    const { requested } = line
    return { ...line, isNew: requested !== undefined && !usable.has(fingerprintOf(deps.vault, requested)) }
  })
}

function nameIn({ details }: PayoutRequested, saved: Beneficiary | undefined): string {
  const name = [details.benFirstName, details.benLastName].filter((part) => part !== undefined).join(' ')
  return saved === undefined ? name : saved.label
}

async function currentBalances(db: Queryable, merNo: number): Promise<AllBalances> {
  const rows = new Map((await readBalances(db, merNo)).map((row) => [row.currency, row]))
  return {
    currencies: [...rows.keys()],
    available: (currency) => rows.get(currency)?.available ?? 0n,
    unsettled: (currency) => rows.get(currency)?.unsettled ?? 0n,
  }
}

export type RunTotal = {
  readonly lines: number
  readonly money: Money
  readonly fees: Money
  readonly available: Money
}

/** By currency. */
export function totalsOf({ lines, balances }: CheckedRun): RunTotal[] {
  const payouts = lines.flatMap(({ payout }) => payout ?? [])
  return [...Map.groupBy(payouts, ({ money }) => money.currency)].map(([currency, own]) => ({
    lines: own.length,
    money: { amount: own.reduce((sum, { money }) => sum + money.amount, 0n), currency },
    fees: { amount: own.reduce((sum, payout) => sum + feeOf(payout), 0n), currency },
    available: { amount: balances.available(currency), currency },
  }))
}

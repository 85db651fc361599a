// Reads lines of payouts from a form or from a CSV file whose columns are the fields of `/payout`. Checks the lines as
// `/payout` would, without making payouts. Limits per day and month are checked only when the payouts are made.
// Balances are then checked again.
import { expiredUntil } from '../../../money/approvals/approval.ts'
import { type AllBalances, readAllBalances } from '../../../money/ledger/lock-balances.ts'
import { type Merchant, mayDo } from '../../../money/merchants/merchant.ts'
import { findDuplicate } from '../../../money/orders/accept-orders.ts'
import { assignFunds, feeOf } from '../../../money/payouts/money.ts'
import type { NewPayout } from '../../../money/payouts/payout.ts'
import {
  type PayoutRequested,
  type PrepareDeps,
  preparePayout,
} from '../../../money/payouts/prepare-payout.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { CsvError, readCsv } from '../../../platform/base/csv.ts'
import type { Money } from '../../../platform/base/money.ts'
import type { Vault } from '../../../platform/base/secret.ts'
import { Refusal } from '../../../platform/errors/catalogue.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { type Beneficiary, beneficiaryKinds, fieldsOf, fingerprintOf } from '../beneficiaries/beneficiary.ts'
import { findSaved } from '../beneficiaries/save-beneficiary.ts'
import { selectBeneficiaries } from '../beneficiaries/sql.ts'
import { fieldIn } from '../field-problems.ts'
import { selectWaitingNumbers } from './sql.ts'

export type Line = { readonly no: number; readonly fields: Readonly<Record<string, string>> }

const MOST_LINES = 1_000

export async function readLines(entered: {
  readonly lines?: readonly Readonly<Record<string, string>>[]
  readonly csv?: string
}): Promise<Line[]> {
  const lines =
    entered.csv === undefined
      ? (entered.lines ?? []).map((fields, at) => ({ no: at + 1, fields }))
      : await fromCsv(entered.csv)
  if (lines.length === 0) throw new Problem('invalid', 'There is no payout in it.', { csv: 'Add a payout.' })
  return lines
}

async function fromCsv(text: string): Promise<Line[]> {
  try {
    return await parse(text)
  } catch (error) {
    if (error instanceof CsvError) throw broken(error.message)
    throw error
  }
}

async function parse(text: string): Promise<Line[]> {
  let names: readonly string[] | undefined
  const lines: Line[] = []
  for await (const { line, cells } of readCsv(piecesOf(text))) {
    if (names === undefined) names = readHead(cells)
    else if (cells.length !== names.length)
      throw new CsvError(line, `it has ${cells.length} cells, the first line has ${names.length}`)
    else lines.push({ no: line, fields: lineOf(names, cells) })
    if (lines.length > MOST_LINES) throw broken(`a file has at most ${MOST_LINES} payouts: divide it`)
  }
  return lines
}

function readHead(cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim())
  if (!names.includes('sourceAmount') || !names.includes('currencyCode'))
    throw broken('the first line names the columns, among them currencyCode and sourceAmount')
  return names
}

function lineOf(names: readonly string[], cells: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, at) => [name, (cells[at] ?? '').trim()]))
}

async function* piecesOf(text: string): AsyncGenerator<string> {
  yield text
}

function broken(why: string): Problem {
  return new Problem('invalid', `The file cannot be read: ${why}.`, { csv: { domain: why } })
}

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
  /**
   * The fields. Undefined if they were refused. `payout` is undefined in this case, and also if `prepare` found a
   * problem.
   */
  readonly requested: PayoutRequested | undefined
  readonly payout: NewPayout | undefined
  readonly coin?: { readonly amount: string; readonly name: string } | undefined
  readonly isNew: boolean
  readonly problem: string | undefined
  readonly field: string | undefined
}

export type CheckedRun = {
  readonly lines: readonly CheckedLine[]
  readonly balances: AllBalances
  /** The value in US cents of all lines that have a payout. */
  readonly usdValue: bigint
}

/**
 * Checks the lines. A line without an order number gets a number that is derived from the run's id and the line's
 * number, so that repeating the line makes no second payout.
 */
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
  const balances = await readAllBalances(deps.db, merchant.merNo)
  const payouts = read.flatMap(({ payout }) => payout ?? [])
  const { refused } = assignFunds(payouts, balances, deps.rates)
  const checked = read.map((line) => {
    const refusal = line.payout && refused.get(line.payout)
    return refusal === undefined ? line : { ...line, problem: refusal.message, field: 'sourceAmount' }
  })
  const usdValue = payouts.reduce((sum, payout) => sum + payout.usdValue, 0n)
  return { lines: await withKnown(deps, merchant.merNo, checked), balances, usdValue }
}

type StoredLine = { readonly no: number; readonly requested: PayoutRequested }

/**
 * Returns the first problem of the stored lines, or undefined. The lines are not compared with the order numbers of
 * waiting runs, because their own run is one of these.
 */
export async function problemOfStored(
  deps: CheckDeps,
  merchant: Merchant,
  lines: readonly StoredLine[],
): Promise<string | undefined> {
  const payouts = new Map<NewPayout, number>()
  for (const { no, requested } of lines) {
    const { payout, problem } = await prepare(deps, merchant, requested, new Set())
    if (payout === undefined) return `Line ${no}: ${problem}`
    payouts.set(payout, no)
  }
  const balances = await readAllBalances(deps.db, merchant.merNo)
  const { refused } = assignFunds([...payouts.keys()], balances, deps.rates)
  const [first] = refused
  return first && `Line ${payouts.get(first[0])}: ${first[1].message}`
}

type Given = {
  readonly saved: ReadonlyMap<string, Beneficiary>
  /** The order numbers of the earlier lines, and of the waiting lines of other runs. */
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
    // The lines of a run are stored, encrypted, until the payouts are made. Card numbers must not be stored, even
    // encrypted.
    if (!beneficiaryKinds.some((known) => known === kind))
      throw new Refusal('10001', 'withdrawType must be 3, 4, 5, 6 or coin: others are made by the interface')
    const { payout, rails } = await preparePayout(deps, merchant, requested)
    const { account, details } = requested
    const quote = rails[0].quote?.({ money: payout.money, beneficiary: { account, details } })
    if (quote?.kind === 'refused') return { problem: quote.why, field: undefined }
    if (taken.has(merOrderNo)) throw new Refusal('10009', 'merOrderNo is used by another line')
    taken.add(merOrderNo)
    const duplicate = await findDuplicate(deps.db, merchant.merNo, merOrderNo, deps.clock.now())
    if (duplicate !== undefined) throw duplicate.refusal
    const coin = quote && { amount: quote.amount, name: quote.coin }
    return { payout, coin, problem: undefined, field: undefined }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { problem: error.message, field: fieldIn(error) }
  }
}

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

type RunTotal = {
  readonly lines: number
  readonly money: Money
  readonly fees: Money
  readonly available: Money
}

export function totalsOf({ lines, balances }: CheckedRun): RunTotal[] {
  const payouts = lines.flatMap(({ payout }) => payout ?? [])
  return [...Map.groupBy(payouts, ({ money }) => money.currency)].map(([currency, own]) => ({
    lines: own.length,
    money: { amount: own.reduce((sum, { money }) => sum + money.amount, 0n), currency },
    fees: { amount: own.reduce((sum, payout) => sum + feeOf(payout), 0n), currency },
    available: { amount: balances.available(currency), currency },
  }))
}

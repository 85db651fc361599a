// The payees of payouts that wait for approval. The person who decides sees whether the merchant has paid the account
// before. Accounts are compared by fingerprint, because different accounts may have the same masked number.
import type { Static } from 'typebox'
import type { Approval } from '../../../money/approvals/approval.ts'
import { maskAccount } from '../../../money/payouts/account.ts'
import { type ListedPayout, openAccounts, openPaidAccounts } from '../../../money/payouts/find-payout.ts'
import type { Vault } from '../../../platform/base/secret.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { type Account, accountInWords, fingerprintOf, sealedFieldsOf } from '../beneficiaries/beneficiary.ts'
import { selectBeneficiaries } from '../beneficiaries/sql.ts'
import type { Payee } from '../decisions/api.ts'
import { toMoney } from '../money.ts'
import { type RunKey, type RunLine, selectFirstLines } from './sql.ts'
import { openLine } from './start-run.ts'

export type PayeeDeps = { readonly db: Queryable; readonly vault: Vault }

type OwnAccount = Account & { readonly merNo: number }

/**
 * Returns a function that says whether an account is new. An account is known if it received one of the merchant's
 * newest successful payouts to accounts with the same masked number.
 */
async function readNew(
  deps: PayeeDeps,
  accounts: readonly OwnAccount[],
): Promise<(account: OwnAccount) => boolean> {
  const masked = accounts.flatMap(({ merNo, kind, account }) =>
    kind === 'checkout' ? [] : { merNo, masked: maskAccount(kind, account) },
  )
  const distinct = new Map(masked.map((one) => [`${one.merNo} ${one.masked}`, one]))
  const keyOf = (one: OwnAccount) => `${one.merNo} ${fingerprintOf(deps.vault, one)}`
  const paid = distinct.size === 0 ? [] : await openPaidAccounts(deps, [...distinct.values()])
  const known = new Set(paid.map(keyOf))
  return (account) => !known.has(keyOf(account))
}

type Newness = { readonly isNew?: boolean }

/** Adds `isNew` to each payout that waits for approval. */
export async function withNewness<Row extends Pick<ListedPayout, 'merNo' | 'tradeNo' | 'state'>>(
  deps: PayeeDeps,
  payouts: readonly Row[],
): Promise<(Row & Newness)[]> {
  const waiting = payouts.filter(({ state }) => state === 'awaiting_approval')
  if (waiting.length === 0) return [...payouts]
  const accounts = new Map((await openAccounts(deps, waiting)).map((one) => [one.tradeNo, one]))
  const isNew = await readNew(deps, [...accounts.values()])
  return payouts.map((payout) => {
    const account = accounts.get(payout.tradeNo)
    return account === undefined ? payout : { ...payout, isNew: isNew(account) }
  })
}

type LinePayee = Newness & { readonly country?: string }

/**
 * Adds the country and `isNew` to each line that waits. Decided lines stay unchanged, because their accounts are no
 * longer stored.
 */
export async function readPayees<Line extends RunKey & Pick<RunLine, 'lineNo' | 'sealed'>>(
  deps: PayeeDeps,
  lines: readonly Line[],
): Promise<(Line & LinePayee)[]> {
  const opened = new Map(
    lines.flatMap((line) => {
      const { merNo, runId, lineNo, sealed } = line
      return sealed === undefined ? [] : [[line, { ...openLine(deps.vault, runId, lineNo, sealed), merNo }]]
    }),
  )
  const isNew = await readNew(deps, [...opened.values()])
  return lines.map((line) => {
    const account = opened.get(line)
    if (account === undefined) return line
    return { ...line, ...countryIn(account), isNew: isNew(account) }
  })
}

function countryIn({ details: { countryCode } }: Pick<Account, 'details'>): { readonly country?: string } {
  return typeof countryCode === 'string' ? { country: countryCode } : {}
}

/** The maximum number of payees that an approval shows. The run's page shows all payees. */
const MOST_PAYEES = 3

export type Payees = ReadonlyMap<string, readonly Static<typeof Payee>[]>

/**
 * Returns the payees of each approval of a merchant, by the approval's subject. The payees are the first payees of a
 * run, or a saved beneficiary.
 */
export async function payeesOf(
  deps: PayeeDeps,
  merNo: number,
  approvals: readonly Approval[],
): Promise<Payees> {
  const runs = approvals
    .filter(({ kind }) => kind === 'payouts')
    .map(({ subject: runId }) => ({ merNo, runId }))
  const saved = approvals.filter(({ kind }) => kind === 'beneficiary').map(({ subject }) => subject)
  return new Map([...(await payeesOfRuns(deps, runs)), ...(await payeesOfSaved(deps, merNo, saved))])
}

async function payeesOfSaved(deps: PayeeDeps, merNo: number, ids: readonly string[]): Promise<Payees> {
  if (ids.length === 0) return new Map()
  const all = await selectBeneficiaries(deps.db, merNo)
  const own = all.filter(({ beneficiaryId }) => ids.includes(beneficiaryId))
  const accounts = own.map((one) => ({ ...one, account: sealedFieldsOf(deps.vault, one).cardNo ?? '' }))
  const isNew = await readNew(deps, accounts)
  const toSaved = (one: (typeof accounts)[number]): Static<typeof Payee> => {
    return {
      beneficiary: one.label,
      account: accountInWords(one.accountMasked, one.details),
      ...countryIn(one),
      isNew: isNew(one),
    }
  }
  return new Map(accounts.map((one) => [one.beneficiaryId, [toSaved(one)]]))
}

async function payeesOfRuns(deps: PayeeDeps, runs: readonly RunKey[]): Promise<Payees> {
  if (runs.length === 0) return new Map()
  const lines = await readPayees(deps, await selectFirstLines(deps.db, runs, MOST_PAYEES))
  const grouped = Map.groupBy(lines, ({ runId }) => runId)
  return new Map([...grouped].map(([runId, own]) => [runId, own.map(toPayee)]))
}

function toPayee(line: RunLine & LinePayee): Static<typeof Payee> {
  const { beneficiary, accountMasked: account, merOrderNo, money, country, isNew } = line
  return {
    beneficiary,
    account,
    merOrderNo,
    money: toMoney(money),
    ...(country !== undefined && { country }),
    ...(isNew !== undefined && { isNew }),
  }
}

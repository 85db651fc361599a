// A correcting entry between two accounts of a merchant. Entries are never changed: a mistake is corrected by another entry,
// with its own subject, its reason in the audit log, and a second person above an amount.
//
// Only accounts that no row explains may be corrected. Unsettled money, margins, suspense and money in flight are the sums
// of orders, refunds and payouts; an entry there would make the books contradict those rows.
import { askApproval } from '../approvals/ask-approval.ts'
import type { Carrying } from '../approvals/decide-approval.ts'
import type { Actor } from '../audit-log/entry.ts'
import { writeAudit } from '../audit-log/write-entry.ts'
import { isCurrency } from '../base/currency.ts'
import { makeId } from '../base/id.ts'
import { formatAmount, isBookable, type Money, parseDecimal } from '../base/money.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import { CORRECTION, correctableAccounts, isCorrectable } from '../ledger/account.ts'
import { postEntries } from '../ledger/post-entries.ts'
import { merchantNames } from '../merchants/merchant-names.ts'
import type { Tx } from '../postgres/db.ts'
import type { DecisionDeps } from './decide-outcome.ts'
import { needsSecondPerson } from './second-person.ts'

/** Money of no known merchant is merchant 0's. */
const PLATFORM = 0

export type Correction = {
  readonly merNo: number
  /** Debited: its balance falls. */
  readonly from: string
  /** Credited: its balance grows. */
  readonly to: string
  readonly money: Money
  readonly reason: string
  readonly actor: Actor
}

export type Corrected = {
  /** The subject of the entry. */
  readonly correctionId: string
  /** Set if it waits for a second person. */
  readonly approvalId: string | undefined
}

export async function correctBalance(deps: DecisionDeps, wanted: Correction): Promise<Corrected> {
  await check(deps, wanted)
  const { merNo, from, to, money, reason, actor } = wanted
  const at = deps.clock.now()
  const correctionId = makeId('K', merNo, at)
  if (!needsSecondPerson(deps, money)) {
    await deps.db.transaction((tx) => book(tx, { ...wanted, correctionId, at }))
    return { correctionId, approvalId: undefined }
  }
  const action = { from, to, amount: formatAmount(money.amount, money.currency), currency: money.currency }
  const asked = { merNo, decider: 'platform', kind: 'correction', subject: correctionId } as const
  const { approvalId } = await deps.db.transaction((tx) =>
    askApproval(tx, { ...asked, action, money, reason, actor, at }),
  )
  return { correctionId, approvalId }
}

export const correctionCarrying: Carrying = {
  async approved(tx, { merNo, subject, action, money, reason, askedBy }, { actor, at }) {
    if (money === undefined) throw new Error('broken invariant: a correction has an amount')
    const { from = '', to = '' } = action
    await book(tx, { merNo, correctionId: subject, from, to, money, reason, actor, askedBy, at })
  },
}

type Booked = Correction & {
  readonly correctionId: string
  readonly askedBy?: Actor | undefined
  readonly at: Date
}

async function book(tx: Tx, booked: Booked): Promise<void> {
  const { merNo, correctionId: subject, from, to, money, reason, actor, askedBy, at } = booked
  await postEntries(tx, [{ merNo, subject, step: CORRECTION, debit: from, credit: to, money, at }])
  const amount = `${formatAmount(money.amount, money.currency)} ${money.currency}`
  const after = { from, to, amount, ...(askedBy && { askedBy: askedBy.name }) }
  await writeAudit(tx, { merNo, at, actor, action: 'ledger.correct', subject, after, reason })
}

async function check({ db }: DecisionDeps, { merNo, from, to, money }: Correction): Promise<void> {
  for (const [field, account] of Object.entries({ from, to }))
    if (!isCorrectable(account))
      throw new OperatorRefusal(
        `the account ${account} cannot be corrected: use ${correctableAccounts}`,
        field,
      )
  if (from === to) throw new OperatorRefusal('the two accounts must differ', 'to')
  if (merNo !== PLATFORM && !(await merchantNames(db, [merNo])).has(merNo))
    throw new OperatorRefusal(`there is no merchant ${merNo}`, 'merNo')
  if (money.amount <= 0n || !isBookable(money.amount))
    throw new OperatorRefusal(
      'the amount must be above zero, and an amount that one entry can hold',
      'amount',
    )
}

/** As operators type it. */
export function readCorrected(amount: string, currency: string): Money {
  if (!isCurrency(currency)) throw new OperatorRefusal(`${currency} is not a currency`, 'currency')
  const minor = parseDecimal(amount, currency)
  if (minor === undefined) throw new OperatorRefusal(`${amount} is not an amount in ${currency}`, 'amount')
  return { amount: minor, currency }
}

// Posts a correcting entry between two accounts of a merchant, or of the platform (merchant 0). Entries are never
// changed: a mistake is corrected by another entry, which has its own subject and a reason in the audit log. Above the
// limit of second-person.ts, a second person must approve the correction.
//
// Only accounts whose balance is not the sum of other rows may be corrected. Unsettled money, margins, suspense and
// money in flight are sums of orders, refunds, payouts and suspense rows. A correction would contradict these rows.

import type { Actor } from '../../platform/audit-log/entry.ts'
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import { isCurrency } from '../../platform/base/currency.ts'
import { makeId } from '../../platform/base/id.ts'
import { formatAmount, formatMoney, isBookable, type Money, parseDecimal } from '../../platform/base/money.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { askApproval } from '../approvals/ask-approval.ts'
import type { Carrying } from '../approvals/decide-approval.ts'
import { needsSecondPerson } from '../approvals/second-person.ts'
import { CORRECTION, correctableAccounts, isCorrectable } from '../ledger/account.ts'
import { postEntries } from '../ledger/post-entries.ts'
import { merchantNames } from '../merchants/list-merchants.ts'
import type { DecisionDeps } from './decide-outcome.ts'

/** The merchant number under which money of no known merchant is booked. */
const PLATFORM = 0

export type Correction = {
  readonly merNo: number
  /** The debited account, whose balance falls. */
  readonly from: string
  /** The credited account, whose balance grows. */
  readonly to: string
  readonly money: Money
  readonly reason: string
  readonly actor: Actor
}

export type Corrected = {
  /** The subject of the entry. */
  readonly correctionId: string
  /** The approval that the correction waits for. Undefined if the correction was posted. */
  readonly approvalId: string | undefined
}

export async function correctBalance(deps: DecisionDeps, wanted: Correction): Promise<Corrected> {
  const { merNo, from, to, money, reason, actor } = wanted
  const at = deps.clock.now()
  const correctionId = makeId('K', merNo, at)
  return deps.db.transaction(async (tx) => {
    await check(tx, wanted)
    if (!(await needsSecondPerson(tx, deps, { merNo, money, actor, at }))) {
      await book(tx, { ...wanted, correctionId, at })
      return { correctionId, approvalId: undefined }
    }
    const action = { from, to, amount: formatAmount(money.amount, money.currency), currency: money.currency }
    const asked = { merNo, kind: 'correction', subject: correctionId } as const
    const { approvalId } = await askApproval(tx, { ...asked, action, money, reason, actor, at })
    return { correctionId, approvalId }
  })
}

export const correctionCarrying: Carrying = {
  async approved(tx, { merNo, subject, action, money, reason, askedBy }, { actor, at }) {
    if (money === undefined) throw new Error('broken invariant: a correction has an amount')
    const { from = '', to = '' } = action
    await check(tx, { merNo, from, to, money })
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
  const after = { from, to, amount: formatMoney(money), ...(askedBy && { askedBy: askedBy.name }) }
  await writeAudit(tx, { merNo, at, actor, action: 'ledger.correct', subject, after, reason })
}

async function check(
  tx: Tx,
  { merNo, from, to, money }: Pick<Correction, 'merNo' | 'from' | 'to' | 'money'>,
): Promise<void> {
  for (const [field, account] of Object.entries({ from, to }))
    if (!isCorrectable(account))
      throw new OperatorRefusal(
        `the account ${account} cannot be corrected: use ${correctableAccounts}`,
        field,
      )
  if (from === to) throw new OperatorRefusal('the two accounts must differ', 'to')
  if (merNo !== PLATFORM && !(await merchantNames(tx, [merNo])).has(merNo))
    throw new OperatorRefusal(`there is no merchant ${merNo}`, 'merNo')
  if (money.amount <= 0n || !isBookable(money.amount))
    throw new OperatorRefusal(
      'the amount must be above zero, and an amount that one entry can hold',
      'amount',
    )
}

/** Reads an amount that an operator typed, and refuses an invalid one. */
export function readCorrected(amount: string, currency: string): Money {
  if (!isCurrency(currency)) throw new OperatorRefusal(`${currency} is not a currency`, 'currency')
  const minor = parseDecimal(amount, currency)
  if (minor === undefined) throw new OperatorRefusal(`${amount} is not an amount in ${currency}`, 'amount')
  return { amount: minor, currency }
}

// Saves and finds beneficiaries. A new or changed account becomes usable after a day, or when a second person approves
// it. The merchant's owners get a mail, because a thief with a stolen session would first change an account.
import { askApproval } from '../../../money/approvals/ask-approval.ts'
import { type Carrying, lockWaiting, rejectWaiting } from '../../../money/approvals/decide-approval.ts'
import { maskAccount } from '../../../money/payouts/account.ts'
import type { PayoutRequested } from '../../../money/payouts/prepare-payout.ts'
import type { Actor } from '../../../platform/audit-log/entry.ts'
import { writeAudit } from '../../../platform/audit-log/write-entry.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { isCurrency } from '../../../platform/base/currency.ts'
import { makeId } from '../../../platform/base/id.ts'
import type { Vault } from '../../../platform/base/secret.ts'
import { atField, Problem } from '../../../platform/errors/problem.ts'
import type { Db, Queryable, Tx } from '../../../platform/postgres/db.ts'
import { type Banks, checkAccount } from '../../../rails/toolkit/check-account.ts'
import { fieldProblem } from '../field-problems.ts'
import {
  type Account,
  accountInWords,
  type Beneficiary,
  type BeneficiaryKind,
  fieldsOf,
  fingerprintOf,
  formerFingerprintOf,
  sealedFieldsOf,
  sealSecrets,
  WAIT_MS,
  withdrawTypeOf,
  withFingerprint,
} from './beneficiary.ts'
import {
  insertBeneficiary,
  lockBeneficiary,
  removeBeneficiary,
  selectByFingerprints,
  updateBeneficiary,
} from './sql.ts'

export type BeneficiaryDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly vault: Vault
  readonly reference: Banks
  /** Reads and checks the fields of a payout. Throws the same refusals as `/payout`. */
  readPayout(fields: Readonly<Record<string, unknown>>): PayoutRequested
  /**
   * Enqueues the alert `payout-account`, which goes to owners, and to other people who may see payouts and have the
   * alert on.
   */
  tellAccountChanged(tx: Tx, change: AccountChange): Promise<void>
}

type AccountChange = {
  readonly merNo: number
  readonly what: string
  /** The payout run that has the new accounts. Undefined if the change is about a saved account. */
  readonly run?: AccountsOfRun
  readonly by: string
  readonly at: Date
}

/** The accounts of a payout run that are not saved, or are saved and not usable yet. */
type AccountsOfRun = {
  readonly runId: string
  /** The number of new accounts that the text `what` does not name. */
  readonly more: number
}

type EnteredBeneficiary = {
  readonly label: string
  readonly kind: BeneficiaryKind
  readonly currency: string
  readonly fields: Readonly<Record<string, string>>
}

type Saving = { readonly merNo: number; readonly actor: Actor }

export async function addBeneficiary(
  deps: BeneficiaryDeps,
  { merNo, actor }: Saving,
  entered: EnteredBeneficiary,
): Promise<Beneficiary> {
  const at = deps.clock.now()
  const beneficiaryId = makeId('Y', merNo, at)
  const created = { merNo, beneficiaryId, createdBy: actor.name, createdAt: at, version: 1 }
  const made: Beneficiary = { ...created, ...waiting(at), ...read(deps, beneficiaryId, entered) }
  await deps.db.transaction(async (tx) => {
    await refuseSecond(tx, deps, made)
    if (!(await insertBeneficiary(tx, made))) throw alreadySaved()
    await announce(tx, deps, made, { actor, at, action: 'beneficiary.add', before: undefined })
  })
  return made
}

/** Changes a beneficiary. The waiting time starts again only if the account changes. */
export async function changeBeneficiary(
  deps: BeneficiaryDeps,
  { merNo, actor }: Saving,
  wanted: EnteredBeneficiary & { readonly beneficiaryId: string; readonly version: number },
): Promise<Beneficiary> {
  const at = deps.clock.now()
  return deps.db.transaction(async (tx) => {
    const waits = await lockWaiting(tx, aboutOf(merNo, wanted.beneficiaryId))
    const stored = await lockBeneficiary(tx, merNo, wanted.beneficiaryId)
    if (stored === undefined) throw noBeneficiary()
    const before = withFingerprint(deps.vault, stored)
    if (before.version !== wanted.version)
      throw new Problem('conflict', 'Somebody else changed this beneficiary. Load it again.')
    const given = Object.entries(wanted.fields).filter(([, value]) => value !== '')
    const fields = { ...sealedFieldsOf(deps.vault, before), ...Object.fromEntries(given) }
    const after = read(deps, before.beneficiaryId, { ...wanted, fields })
    const isOther = after.fingerprint !== before.fingerprint
    const changed = { ...before, ...after, version: before.version + 1, ...(isOther && waiting(at)) }
    await refuseSecond(tx, deps, changed)
    await updateBeneficiary(tx, changed).catch((error: unknown) => {
      throw isSavedAlready(error) ? alreadySaved() : error
    })
    if (isOther) {
      await rejectWaiting(tx, waits, { actor, at })
      await announce(tx, deps, changed, { actor, at, action: 'beneficiary.change', before })
    } else await audit(tx, changed, { actor, at, action: 'beneficiary.change', before })
    return changed
  })
}

export async function dropBeneficiary(
  deps: BeneficiaryDeps,
  { merNo, actor }: Saving,
  beneficiaryId: string,
): Promise<void> {
  const at = deps.clock.now()
  await deps.db.transaction(async (tx) => {
    const waits = await lockWaiting(tx, aboutOf(merNo, beneficiaryId))
    const before = await lockBeneficiary(tx, merNo, beneficiaryId)
    if (before === undefined) throw noBeneficiary()
    await removeBeneficiary(tx, merNo, beneficiaryId)
    await rejectWaiting(tx, waits, { actor, at })
    await audit(tx, before, { actor, at, action: 'beneficiary.remove', before })
  })
}

/**
 * The effects of a decision. An approval makes the account usable at once, if the account is still valid. A rejection
 * removes the beneficiary.
 */
export function beneficiaryCarrying({
  vault,
  reference,
}: Pick<BeneficiaryDeps, 'vault' | 'reference'>): Carrying {
  return {
    async approved(tx, { merNo, subject }, { actor, at }) {
      const found = await lockBeneficiary(tx, merNo, subject)
      if (found === undefined) throw noBeneficiary()
      const { cardNo: account = '', bankCode = '' } = fieldsOf(vault, found)
      const refusal = checkAccount(reference, { kind: found.kind, account, bankCode })
      if (refusal !== undefined) throw refusal
      await updateBeneficiary(tx, {
        ...found,
        usableAt: at,
        confirmedBy: actor.name,
        version: found.version + 1,
      })
    },
    async rejected(tx, { merNo, subject }) {
      await removeBeneficiary(tx, merNo, subject)
    },
  }
}

function aboutOf(merNo: number, subject: string) {
  return { merNo, kind: 'beneficiary', subject } as const
}

function waiting(at: Date) {
  return { usableAt: new Date(at.getTime() + WAIT_MS), confirmedBy: undefined }
}

/** Checks the fields as `/payout` would check a payout of 1.00 to the account. */
function read(deps: BeneficiaryDeps, beneficiaryId: string, entered: EnteredBeneficiary) {
  const { label, kind, currency, fields } = entered
  if (!isCurrency(currency)) throw atField('currency', 'Choose a currency, such as USD.')
  const order = { merOrderNo: 'check', currencyCode: currency, sourceAmount: '1.00' }
  const requested = fieldProblem(() =>
    deps.readPayout({ ...fields, ...order, withdrawType: withdrawTypeOf(kind) }),
  )
  const { personal, details, bankCode } = requested
  // The spaces are removed, because people write IBANs in groups of four.
  const account = requested.account.replace(/\s/g, '')
  const refusal = checkAccount(deps.reference, { kind, account, bankCode })
  if (refusal !== undefined) {
    const advice = refusal.message.replace(/^.*: cardNo is/, 'This is')
    throw new Problem('invalid', 'Check the marked fields.', { 'fields.cardNo': { domain: advice } })
  }
  return {
    label,
    kind,
    currency,
    accountMasked: maskAccount(kind, account),
    fingerprint: fingerprintOf(deps.vault, { kind, account, details }),
    details,
    sealed: sealSecrets(deps.vault, beneficiaryId, { account, personal }),
  }
}

/**
 * Refuses an account that is already saved. The unique index alone would miss rows whose fingerprint has the former
 * format.
 */
async function refuseSecond(tx: Tx, { vault }: BeneficiaryDeps, made: Beneficiary): Promise<void> {
  const { merNo, beneficiaryId, kind, details } = made
  const { cardNo: account = '' } = sealedFieldsOf(vault, made)
  const saved = await findSaved({ db: tx, vault }, merNo, [{ kind, account, details }])
  if (saved.some((one) => one.beneficiaryId !== beneficiaryId)) throw alreadySaved()
}

type Change = {
  readonly actor: Actor
  readonly at: Date
  readonly action: string
  readonly before: Beneficiary | undefined
}

async function announce(tx: Tx, deps: BeneficiaryDeps, made: Beneficiary, change: Change): Promise<void> {
  const { merNo, beneficiaryId, label, currency } = made
  const account = accountInWords(made.accountMasked, made.details)
  const { actor, at } = change
  await audit(tx, made, change)
  await askApproval(tx, {
    merNo,
    kind: 'beneficiary',
    subject: beneficiaryId,
    action: { label, account, of: kindInWords(made), currency },
    money: undefined,
    reason: change.before === undefined ? 'A new payout account' : 'A changed payout account',
    actor,
    at,
  })
  await deps.tellAccountChanged(tx, { merNo, what: `${label} (${account})`, by: actor.name, at })
}

function kindInWords({ kind, details }: Beneficiary): string {
  return kind === 'coin' ? `${details.coin} on ${details.network}` : kind
}

async function audit(tx: Tx, made: Beneficiary, { actor, at, action, before }: Change): Promise<void> {
  const shown = ({ label, kind, currency, accountMasked, details }: Beneficiary) => {
    return { label, kind, currency, account: accountInWords(accountMasked, details) }
  }
  const { merNo, beneficiaryId: subject } = made
  await writeAudit(tx, {
    merNo,
    at,
    actor,
    action,
    subject,
    ...(before && { before: shown(before) }),
    ...(action !== 'beneficiary.remove' && { after: shown(made) }),
  })
}

function isSavedAlready(error: unknown): boolean {
  return error instanceof Error && error.message.includes('beneficiaries_account_once')
}

function alreadySaved(): Problem {
  return atField('fields.cardNo', 'This account is saved already: use that beneficiary.')
}

function noBeneficiary(): Problem {
  return new Problem('not-found', 'There is no such beneficiary.')
}

/**
 * Finds the saved rows of `accounts`. The fingerprints in the database only find candidates, because a fingerprint in
 * the former format matches the same account number at every bank. The decrypted account decides. An older row keeps
 * its fingerprint until it is saved again, because a migration has no master key to compute the new one.
 */
export async function findSaved(
  { db, vault }: { readonly db: Queryable; readonly vault: Vault },
  merNo: number,
  accounts: readonly Account[],
): Promise<Beneficiary[]> {
  const wanted = new Set(accounts.map((one) => fingerprintOf(vault, one)))
  const former = accounts.map((one) => formerFingerprintOf(vault, one))
  const found = await selectByFingerprints(db, merNo, [...wanted, ...former])
  return found.map((one) => withFingerprint(vault, one)).filter(({ fingerprint }) => wanted.has(fingerprint))
}

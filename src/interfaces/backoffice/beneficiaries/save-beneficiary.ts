// Saves a beneficiary. A new or changed account waits for a day or for a second person, and the owner gets a mail: this
// is where somebody with a stolen session would begin.
import { askApproval } from '../../approvals/ask-approval.ts'
import type { Carrying } from '../../approvals/decide-approval.ts'
import { lockWaiting, rejectWaiting } from '../../approvals/reject-waiting.ts'
import type { Actor } from '../../audit-log/entry.ts'
import { writeAudit } from '../../audit-log/write-entry.ts'
import type { Clock } from '../../base/clock.ts'
import { isCurrency } from '../../base/currency.ts'
import { makeId } from '../../base/id.ts'
import type { Vault } from '../../base/secret.ts'
import { type Banks, checkAccount } from '../../channels/payout/check-account.ts'
import { maskAccount } from '../../payouts/account.ts'
import type { PayoutRequested } from '../../payouts/prepare-payout.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { fieldProblem } from '../payouts/field-problem.ts'
import { atField, Problem } from '../problem.ts'
import {
  accountInWords,
  type Beneficiary,
  type BeneficiaryKind,
  fingerprintOf,
  sealedFieldsOf,
  sealSecrets,
  WAIT_MS,
  withdrawTypeOf,
  withFingerprint,
} from './beneficiary.ts'
import { findSaved } from './find-saved.ts'
import { insertBeneficiary, lockBeneficiary, removeBeneficiary, updateBeneficiary } from './sql.ts'

export type BeneficiaryDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly vault: Vault
  readonly reference: Banks
  /** Reads fields as `/payout` does, and refuses as it does. */
  readPayout(fields: Readonly<Record<string, unknown>>): PayoutRequested
  /** Tells the owner, and others who want to know, by mail that an account is new or was changed. */
  tellAccountChanged(tx: Tx, change: AccountChange): Promise<void>
}

export type AccountChange = {
  readonly merNo: number
  readonly what: string
  /** Unset: the account was saved. */
  readonly run?: AccountsOfRun
  readonly by: string
  readonly at: Date
}

/** Accounts that a run of payouts pays, and that are not saved or still wait. */
export type AccountsOfRun = {
  readonly runId: string
  /** How many there are beside those that `what` names. */
  readonly more: number
}

export type EnteredBeneficiary = {
  readonly label: string
  readonly kind: BeneficiaryKind
  readonly currency: string
  readonly fields: Readonly<Record<string, string>>
}

export type Saving = { readonly merNo: number; readonly actor: Actor }

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

/** Only a change of the account makes it wait again. */
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

/** A second person confirms the account, or removes it. */
export const beneficiaryCarrying: Carrying = {
  async approved(tx, { merNo, subject }, { actor, at }) {
    const found = await lockBeneficiary(tx, merNo, subject)
    if (found === undefined) throw noBeneficiary()
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

function aboutOf(merNo: number, subject: string) {
  return { merNo, kind: 'beneficiary', subject } as const
}

function waiting(at: Date) {
  return { usableAt: new Date(at.getTime() + WAIT_MS), confirmedBy: undefined }
}

/** Checked as a payout of any amount would be. */
function read(deps: BeneficiaryDeps, beneficiaryId: string, entered: EnteredBeneficiary) {
  const { label, kind, currency, fields } = entered
  if (!isCurrency(currency)) throw atField('currency', 'Choose a currency, such as USD.')
  const order = { merOrderNo: 'check', currencyCode: currency, sourceAmount: '1.00' }
  const requested = fieldProblem(() =>
    deps.readPayout({ ...fields, ...order, withdrawType: withdrawTypeOf(kind) }),
  )
  const { personal, details, bankCode } = requested
  // People write IBANs in groups.
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

/** The index sees only fingerprints of one form. */
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
    decider: 'merchant',
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

/** Who approves an address must know its chain. */
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

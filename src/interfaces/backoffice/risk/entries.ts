// Adds entries to the risk lists. The payer of an order can be blocked by card, e-mail, address or device.
import { type PastAttempt, readLastAttempt } from '../../../money/order-queries/read-attempts.ts'
import { addEntry, type Named, nameByText, nameCard } from '../../../money/risk/change-lists.ts'
import type { EntryKind } from '../../../money/risk/entry.ts'
import { factsOf } from '../../../money/risk/facts.ts'
import { actorOf, type Caller } from '../../../people/roles/caller.ts'
import { PLATFORM } from '../../../people/roles/permissions.ts'
import { audited } from '../../../platform/audit-log/write-entry.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { merNoOf } from '../../../platform/base/id.ts'
import type { Vault } from '../../../platform/base/secret.ts'
import { aboutField, OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { Db } from '../../../platform/postgres/db.ts'

type NameDeps = { readonly db: Db; readonly vault: Vault }

type Naming = {
  readonly kind: EntryKind
  readonly value?: string | undefined
  readonly tradeNo?: string | undefined
}

export async function nameEntry({ db, vault }: NameDeps, { kind, value, tradeNo }: Naming): Promise<Named> {
  if (value !== undefined && value.trim() !== '')
    return aboutField('value', () => nameByText(vault, kind, value))
  if (tradeNo === undefined || tradeNo.trim() === '')
    throw new OperatorRefusal('give a value, or the number of an order that has it', 'value')
  const key = tradeNo.trim()
  const attempt = await readLastAttempt(db, { merNo: merNoOf(key) ?? 0, tradeNo: key })
  const named = attempt && ofAttempt(kind, attempt)
  if (named === undefined)
    throw new OperatorRefusal(`order ${key} is not known, or has no ${kind}`, 'tradeNo')
  return named
}

function ofAttempt(kind: EntryKind, attempt: PastAttempt): Named | undefined {
  if (kind === 'card') return attempt.card && nameCard(attempt.card)
  const { bin, country, address, emails, device } = factsOf(attempt)
  const value = { bin, country, address, email: emails[0], device }[kind]
  return value === undefined ? undefined : { kind, value, shown: value }
}

type BlockDeps = { readonly db: Db; readonly clock: Clock }

/** The kinds by which a payer can be blocked. Country and BIN are excluded, because too many payers share them. */
const kinds = ['card', 'email', 'address', 'device'] as const satisfies readonly EntryKind[]

export async function namesOfOrder({ db }: Pick<BlockDeps, 'db'>, tradeNo: string): Promise<Named[]> {
  const attempt = await readLastAttempt(db, { merNo: merNoOf(tradeNo) ?? PLATFORM, tradeNo })
  if (attempt === undefined) throw new Problem('not-found', 'There is no such payment.')
  return kinds.map((kind) => ofAttempt(kind, attempt)).filter((named) => named !== undefined)
}

type Blocking = {
  readonly tradeNo: string
  readonly kinds: readonly EntryKind[]
  readonly isForAll: boolean
  readonly reason: string
}

/** Blocks the payer of an order. Returns the values that this call has added to the list. */
export async function blockOrder(
  deps: BlockDeps,
  caller: Caller,
  { tradeNo, kinds: wanted, isForAll, reason }: Blocking,
): Promise<string[]> {
  const names = (await namesOfOrder(deps, tradeNo)).filter(({ kind }) => wanted.includes(kind))
  if (names.length === 0)
    throw new Problem('invalid', 'Check the marked fields.', { kinds: 'Choose what to block.' })
  const merNo = isForAll ? PLATFORM : (merNoOf(tradeNo) ?? PLATFORM)
  const at = deps.clock.now()
  const blocked: string[] = []
  for (const named of names) {
    const line = {
      merNo,
      at,
      actor: actorOf(caller),
      action: 'risk.list-add',
      subject: named.shown,
      reason,
      after: { list: 'block', kind: named.kind, tradeNo },
    }
    const entry = { merNo, list: 'block', reason, named, expiresAt: undefined, by: caller.email, at } as const
    try {
      await addEntry(audited(deps.db, line), entry)
      blocked.push(named.shown)
    } catch (error) {
      // A value that is already on the list is skipped. If it is the only value, the call is refused.
      if (!(error instanceof OperatorRefusal) || error.field !== 'value') throw error
      if (names.length === 1) throw new OperatorRefusal(error.message, 'kinds')
    }
  }
  return blocked
}

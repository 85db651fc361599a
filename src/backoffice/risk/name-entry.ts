// What an entry names: a text that a person typed, or what an order has.
import { merNoOf } from '../../base/id.ts'
import type { Vault } from '../../base/secret.ts'
import { aboutField, OperatorRefusal } from '../../errors/catalogue.ts'
import { type PastAttempt, readLastAttempt } from '../../order-queries/read-attempts.ts'
import type { Db } from '../../postgres/db.ts'
import { type Named, nameByText, nameCard } from '../../risk/change-lists.ts'
import type { EntryKind } from '../../risk/entry.ts'
import { factsOf } from '../../risk/facts.ts'

export type NameDeps = { readonly db: Db; readonly vault: Vault }

export type Naming = {
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

export function ofAttempt(kind: EntryKind, attempt: PastAttempt): Named | undefined {
  if (kind === 'card') return attempt.card && nameCard(attempt.card)
  const { bin, country, address, emails, device } = factsOf(attempt)
  const value = { bin, country, address, email: emails[0], device }[kind]
  return value === undefined ? undefined : { kind, value, shown: value }
}

import { makeId } from '../base/id.ts'
import type { Db, Tx } from '../postgres/db.ts'
import type { LinkKey, PaymentLink } from './payment-link.ts'
import { insertLink, lockLink, updateState } from './sql.ts'

export type NewLink = Omit<PaymentLink, 'linkId' | 'state' | 'claim'>

/** Its content was checked. A link is not changed afterwards: payers who have it must find what they were sent. */
export async function makeLink(
  db: Db,
  wanted: NewLink,
  /** Writes more in the same transaction. */
  also: (tx: Tx, link: PaymentLink) => Promise<void>,
): Promise<PaymentLink> {
  const { merNo, createdAt } = wanted
  const linkId = makeId('P', merNo, createdAt)
  const link: PaymentLink = { ...wanted, linkId, state: 'active', claim: undefined }
  await db.transaction(async (tx) => {
    await insertLink(tx, link)
    await also(tx, link)
  })
  return link
}

/** Switches a link off or on again. Orders that were begun by it stay as they are. Undefined if there is no such link. */
export async function switchLink(
  tx: Tx,
  key: LinkKey,
  state: PaymentLink['state'],
): Promise<PaymentLink | undefined> {
  const link = await lockLink(tx, key, 'for update')
  if (link === undefined || link.state === state) return link
  await updateState(tx, key, state)
  return { ...link, state }
}

import { makeId } from '../base/id.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { linkKeyOf } from './find-link.ts'
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

/**
 * The merchant's people switch a link off or on again. Orders that were begun by it stay as they are. Undefined if there is no
 * such link.
 */
export async function switchLink(
  tx: Tx,
  key: LinkKey,
  state: 'active' | 'off',
): Promise<PaymentLink | undefined> {
  const link = await lockLink(tx, key, 'for update')
  if (link === undefined || link.state === state) return link
  if (link.state === 'stopped')
    throw new OperatorRefusal('this link was stopped by the operator of the gateway: ask there')
  await updateState(tx, key, state)
  return { ...link, state }
}

/** An operator stops a link, or lets a stopped one go on. The merchant's people cannot undo it. */
export function stopLink(db: Db, linkId: string, isStopped: boolean): Promise<PaymentLink> {
  const key = linkKeyOf(linkId)
  return db.transaction(async (tx) => {
    const link = key && (await lockLink(tx, key, 'for update'))
    if (link === undefined) throw new OperatorRefusal(`there is no payment link ${linkId}`)
    if ((link.state === 'stopped') === isStopped)
      throw new OperatorRefusal(isStopped ? 'it is stopped already' : 'it is not stopped')
    const state = isStopped ? 'stopped' : 'active'
    await updateState(tx, link, state)
    return { ...link, state }
  })
}

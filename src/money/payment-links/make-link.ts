// Makes payment links, mails them, and switches them off and on.
import { makeId } from '../../platform/base/id.ts'
import type { Vault } from '../../platform/base/secret.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import { enqueueMail } from '../../platform/mail/enqueue-mail.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { linkKeyOf } from './find-link.ts'
import type { LinkKey, PaymentLink } from './payment-link.ts'
import { insertLink, lockLink, updateState } from './sql.ts'

export type NewLink = Omit<PaymentLink, 'linkId' | 'state' | 'claim'>

/** Stores a checked link. Its content never changes, so that payers who have the link always find the same offer. */
export async function makeLink(
  db: Db,
  wanted: NewLink,
  /** Writes the caller's other rows in the same transaction. */
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

/** Lets the merchant's people switch a link off or on again. Existing orders of the link do not change. */
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

/** Lets an operator stop or reactivate a link. The merchant's people cannot reactivate a stopped link. */
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

export function linkUrl(baseUrl: string, linkId: string): string {
  return `${baseUrl}/link/${linkId}`
}

type LinkMail = {
  readonly to: string
  readonly language: string
  readonly merchantName: string
  readonly amount: string
  readonly url: string
  readonly now: Date
}

export async function mailLink(
  tx: Tx,
  vault: Vault,
  { merNo, title }: PaymentLink,
  { to, language, merchantName, amount, url, now }: LinkMail,
): Promise<void> {
  const values = { company: merchantName, title, amount }
  await enqueueMail(tx, vault, { merNo, to, template: 'payment-link', language, values, now, link: url })
}

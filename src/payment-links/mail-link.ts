import type { Vault } from '../base/secret.ts'
import { enqueueMail } from '../mail/enqueue-mail.ts'
import type { Tx } from '../postgres/db.ts'
import type { PaymentLink } from './payment-link.ts'

export type LinkMail = {
  readonly to: string
  readonly language: string
  readonly merchantName: string
  /** For people to read; '' if the payer enters it. */
  readonly amount: string
  readonly url: string
  readonly now: Date
}

/** Sends the link to a payer. */
export async function mailLink(
  tx: Tx,
  vault: Vault,
  { merNo, title }: PaymentLink,
  { to, language, merchantName, amount, url, now }: LinkMail,
): Promise<void> {
  const values = { company: merchantName, title, amount }
  await enqueueMail(tx, vault, { merNo, to, template: 'payment-link', language, values, now, link: url })
}

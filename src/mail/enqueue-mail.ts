import { makeId } from '../base/id.ts'
import type { Vault } from '../base/secret.ts'
import { assert } from '../errors/catalogue.ts'
import type { Tx } from '../postgres/db.ts'
import { isMailAddress, mailLanguage, type NewMail } from './mail.ts'
import { insertMail } from './sql.ts'

/** In the transaction of the change that it reports: the mail is sent if and only if the change was made. */
export async function enqueueMail(tx: Tx, vault: Vault, mail: NewMail): Promise<void> {
  const { merNo, to, template, language, values, now, link } = mail
  assert(isMailAddress(to), 'mail goes only to checked addresses')
  const mailId = makeId('M', merNo, now)
  const sealedLink = link === undefined ? null : vault.seal(link, linkContext(mailId))
  const stored = { merNo, mailId, to, template, language: mailLanguage(language), values }
  await insertMail(tx, { ...stored, sealedLink, createdAt: now })
}

export function linkContext(mailId: string): string {
  return `mail-link:${mailId}`
}

import type { Queryable, Tx } from '../postgres/db.ts'
import type { StoredMail } from './mail.ts'
import { retryFailed, selectMails } from './sql.ts'

/** Returns a page of mails, newest first. */
export function listMails(db: Queryable, before: string | undefined, limit: number): Promise<StoredMail[]> {
  return selectMails(db, before, limit)
}

/** Makes a failed mail due again. Returns false if no failed mail has this id. */
export function retryMail(tx: Tx, mailId: string, now: Date): Promise<boolean> {
  return retryFailed(tx, mailId, now)
}

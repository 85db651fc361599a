import type { Queryable, Tx } from '../postgres/db.ts'
import type { StoredMail } from './mail.ts'
import { retryFailed, selectMails } from './sql.ts'

/** Newest first. */
export function listMails(db: Queryable, before: string | undefined, limit: number): Promise<StoredMail[]> {
  return selectMails(db, before, limit)
}

/** False if there is no such mail that failed. */
export function retryMail(tx: Tx, mailId: string, now: Date): Promise<boolean> {
  return retryFailed(tx, mailId, now)
}

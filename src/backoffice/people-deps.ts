import type { Clock } from '../base/clock.ts'
import type { Vault } from '../base/secret.ts'
import type { Db } from '../postgres/db.ts'

/** What everything about people and their access needs. */
export type PeopleDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly vault: Vault
  readonly mode: 'sandbox' | 'live'
  readonly baseUrl: string
  /** The platform's own name for number 0. */
  companyOf(merNo: number): Promise<string>
}

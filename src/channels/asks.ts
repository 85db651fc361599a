// References that a channel has learned something about.
import type { Claim } from '../concurrency/claim-loop.ts'
import type { Db, Queryable, Tx } from '../postgres/db.ts'
import { type ClaimedAsk, claimAsks, deleteAsk, insertAsks, postponeAsk } from './store-sql.ts'

export type { ClaimedAsk } from './store-sql.ts'

/** The channel is asked about it, whatever becomes of the caller after its transaction. */
export function askAbout(tx: Tx, channel: string, reference: string, at: Date): Promise<void> {
  return insertAsks(tx, channel, [reference], at)
}

/** Leased until the claim's end. */
export function claimAsked(db: Db, claim: Claim): Promise<ClaimedAsk[]> {
  return claimAsks(db, claim)
}

/** Keeps it if the channel learned something more since the claim. */
export function endAsk(db: Queryable, claimed: ClaimedAsk): Promise<void> {
  return deleteAsk(db, claimed)
}

/** Unless the channel learned something more since the claim: then it is asked about at once. */
export function askLater(db: Queryable, claimed: ClaimedAsk, at: Date): Promise<void> {
  return postponeAsk(db, claimed, at)
}

// Sends failed notifications again when people ask for all of them, in slices: each is one transaction, so a worker that dies
// leaves the rest to the next one.
import type { Logger } from 'pino'
import { type Repetition, repeat } from '../concurrency/repeat.ts'
import type { Db } from '../postgres/db.ts'
import { resendSlice } from './resend-notifications.ts'

export type ResendDeps = {
  readonly db: Db
  readonly log: Logger
  pokeDelivery(): void
}

const EVERY_MS = 1_000

export function startResends({ db, log, pokeDelivery }: ResendDeps): Repetition {
  const resending = repeat({
    everyMs: EVERY_MS,
    async work() {
      if ((await resendSlice(db)) === undefined) return
      pokeDelivery()
      resending.poke()
    },
    failed: (error) =>
      log.error({ err: error }, 'failed notifications could not be resent; it is tried again'),
  })
  return resending
}

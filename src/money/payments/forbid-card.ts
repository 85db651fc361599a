// Card networks forbid further attempts with a card that its issuer will never approve, such as a stolen card or the
// card of a closed account. The card is put on the merchant's block list for a day, so that further payments with the
// card are declined before a channel is called.
import type { Logger } from 'pino'
import type { Clock } from '../../platform/base/clock.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { findCardOf } from '../order-queries/find-attempts.ts'
import type { AttemptKey } from '../orders/order.ts'
import { addEntry, nameCard } from '../risk/change-lists.ts'
import { CARD_NETWORK } from '../risk/entry.ts'

const DAY_MS = 86_400_000

export type ForbidCard = (attempt: AttemptKey) => Promise<void>

export type ForbidDeps = { readonly db: Db; readonly clock: Clock; readonly log: Logger }

/**
 * Makes the function that blocks the card of an attempt. The function never throws: the outcome is already recorded,
 * and the response to the payer does not depend on the block.
 */
export function createForbidCard({ db, clock, log }: ForbidDeps): ForbidCard {
  return async (attempt) => {
    const { merNo, tradeNo } = attempt
    try {
      const card = await findCardOf(db, attempt)
      if (card === undefined) return
      const at = clock.now()
      await addEntry(db, {
        merNo,
        list: 'block',
        named: nameCard(card),
        reason: 'The card network forbids to try this card again',
        expiresAt: new Date(at.getTime() + DAY_MS),
        by: CARD_NETWORK,
        at,
      })
    } catch (err) {
      const isListed = err instanceof OperatorRefusal && err.field === 'value'
      if (!isListed) log.error({ err, tradeNo }, 'a card could not be blocked for a day')
    }
  }
}

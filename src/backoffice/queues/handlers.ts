import { countOpenChargebacks } from '../../chargebacks/find-chargeback.ts'
import { countWaitingMerchants } from '../../merchants/list-merchants.ts'
import type { Watchdog } from '../../notifications/watchdog.ts'
import { countUnknown } from '../../orders/open-attempts.ts'
import { countPayouts } from '../../payouts/count-payouts.ts'
import type { Db } from '../../postgres/db.ts'
import { countOpenRefunds } from '../../refunds/count-refunds.ts'
import { countReviews } from '../../reviews/find-review.ts'
import { countHeld } from '../../suspense/book-suspense.ts'
import type { Handlers } from '../route.ts'
import type { queuesApi } from './api.ts'

export type QueuesDeps = { readonly db: Db; readonly watchdog: Pick<Watchdog, 'health'> }

export function createQueuesHandlers({ db, watchdog }: QueuesDeps): Handlers<typeof queuesApi> {
  return {
    async 'GET /queues'() {
      const [merchants, payouts, reviews] = [
        await countWaitingMerchants(db),
        await countPayouts(db),
        await countReviews(db),
      ]
      return {
        merchantsToApprove: merchants.pending,
        websitesToApprove: merchants.askedWebsites,
        refundsToApprove: (await countOpenRefunds(db)).waiting,
        payoutsToApprove: payouts.waiting,
        unknownOutcomes: await countUnknown(db),
        reviewsToDecide: reviews.submitted,
        suspenseToDecide: await countHeld(db),
        disputesOpen: await countOpenChargebacks(db),
        notificationsOverdue: watchdog.health().overdue,
      }
    },
  }
}

// The receiver of callbacks on a test database, with channels and rails that a test controls.
import fastify from 'fastify'
import { registerCallbacks } from '../../src/interfaces/callbacks/routes.ts'
import { openPayoutBatches } from '../../src/money/payouts/batches.ts'
import { openRefundBatches } from '../../src/money/refunds/batches.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import type { Channel } from '../../src/rails/contract/channel.ts'
import type { PayoutRail } from '../../src/rails/contract/payout-rail.ts'
import { registerPayoutRails } from '../../src/rails/routing/payout-routing.ts'
import { aPlan, openPayments } from '../builders/payments.ts'

export function openCallbacks(
  db: Db,
  channels: readonly Channel[],
  rails: readonly PayoutRail[] = [],
  baseUrl = 'https://pay.example',
) {
  const { deps: payments, alarms } = openPayments(db, channels)
  const { rates } = payments
  const deps = {
    ...payments,
    baseUrl,
    rails: registerPayoutRails(rails),
    refundBatches: openRefundBatches({ db, rates }, 1_000, () => {}),
    payoutBatches: openPayoutBatches({ db, rates }),
    findMerchant: async () => ({ feePlans: new Map([['' as const, aPlan()]]), chargebackUrl: '' }),
  }
  const logged: string[] = []
  const app = fastify({
    logger: { level: 'error', stream: { write: (line: string) => void logged.push(line) } },
  })
  registerCallbacks(app, deps)
  const post = (url: string, payload: string, type = 'text/plain') =>
    app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
  return { deps, post, alarms, logged }
}

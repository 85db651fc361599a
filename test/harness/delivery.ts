// A delivery worker on a test's database that may send to loopback, in this process or in one that a test kills.
import { pino } from 'pino'
import { loadMerchants } from '../../src/money/merchants/load-merchants.ts'
import { createSender } from '../../src/money/notifications/send.ts'
import {
  type DeliveryDeps,
  type DeliveryWorker,
  startDelivery,
} from '../../src/money/notifications/worker.ts'
import { systemClock } from '../../src/platform/base/clock.ts'
import type { Vault } from '../../src/platform/base/secret.ts'
import { createAddressGuard } from '../../src/platform/http/client/address-guard.ts'
import { openPosting } from '../../src/platform/http/client/posting.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import { rsaPair } from '../builders/rsa-keys.ts'

/** A time-out that is much longer than any response takes. */
export const PATIENT_MS = 600_000

export function startTestDelivery(db: Db, vault: Vault, changes: Partial<DeliveryDeps> = {}): DeliveryWorker {
  const { timeoutMs = PATIENT_MS } = changes
  const guard = createAddressGuard({ loopbackAllowed: true, allow: [], ports: 'any' })
  return startDelivery({
    db,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    platformKey: rsaPair('platform').privateKey,
    sender: createSender({ posting: openPosting(guard), timeoutMs }),
    findMerchant: async (merNo) => (await loadMerchants(db, vault, [merNo], new Date())).get(merNo),
    minuteMs: 60_000,
    everyMs: 50,
    timeoutMs,
    ...changes,
  })
}

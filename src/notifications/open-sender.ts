// Opens the client that delivers notifications, with the address rules of the settings.
import { createAddressGuard } from '../http/client/address-guard.ts'
import { openPosting } from '../http/client/open-posting.ts'
import { TIMEOUT_MS } from './schedule.ts'
import { createSender, type Sender } from './send.ts'

export type SenderSettings = {
  readonly mode: 'sandbox' | 'live'
  readonly notifyPorts: readonly number[] | 'any'
  readonly notifyAllow: readonly string[]
  readonly fastPaths: { readonly rawClient: boolean }
}

/** How the exam differs from a usual delivery. */
export type Pace = {
  readonly timeoutMs?: number
  /** Between the pieces of a body. */
  readonly pauseMs?: number
}

export function openSender(settings: SenderSettings, { timeoutMs = TIMEOUT_MS, pauseMs }: Pace = {}): Sender {
  const { mode, notifyPorts, notifyAllow, fastPaths } = settings
  const guard = createAddressGuard({
    loopbackAllowed: mode === 'sandbox',
    allow: notifyAllow,
    ports: notifyPorts,
  })
  const raw = fastPaths.rawClient && pauseMs === undefined
  return createSender({ posting: openPosting(guard, { raw, pauseMs }), timeoutMs })
}

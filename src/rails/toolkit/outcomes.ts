// Outcomes and other results that several protocols share.
import type { CallbackResult, Deposit, Failed, PayerAction } from '../contract/channel.ts'

export function unknown(why: string) {
  return { kind: 'unknown', why } as const
}

export function failed<Cause extends Failed['cause']>(cause: Cause, message: string) {
  return { kind: 'failed', cause, message } as const
}

/** Returns the failure of a payment or payout that the gateway refused before any call. */
export function notSent(message: string) {
  return { ...failed('refused', message), isLocal: true } as const
}

export const cancelled = failed('cancelled', 'Cancelled; nothing was charged')

/** Returns the outcome of a cancelled payment. Any `deposits` came too late or were too small. */
export function cancelledWith(channelRef: string, deposits: readonly Deposit[]): Failed {
  const ref = channelRef === '' ? {} : { channelRef }
  if (deposits.length === 0) return { ...cancelled, ...ref }
  return { ...failed('cancelled', 'Ended before the full amount arrived'), ...ref, deposits }
}

export function refuse(status: number, why: string): CallbackResult {
  return { kind: 'refused', why, answer: { status, type: 'text/plain', body: why } }
}

export function isWebAddress(url: unknown): url is string {
  return typeof url === 'string' && /^https?:$/.test(URL.parse(url)?.protocol ?? '')
}

/** Returns the redirect to the counterparty's page; undefined if the URL is missing or malformed. */
export function redirectTo(url: unknown): PayerAction | undefined {
  return isWebAddress(url) ? { kind: 'redirect', url } : undefined
}

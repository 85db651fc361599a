// Rules for calls to counterparties: the lease of a call (docs/decisions/0382-no-call-after-its-lease.md), and the
// meaning of a failed call.
import type { Clock } from '../../platform/base/clock.ts'
import { whyOf } from '../../platform/base/thrown.ts'

/** The time that is added to a call's time-out before the call counts as lost. */
export const CALL_GRACE_MS = 4_000

/** True if a call that begins now ends before the lease ends. After the lease, another node may call too. */
export function isLeased(clock: Clock, { timeoutMs }: Call, until: Date): boolean {
  return clock.now().getTime() + timeoutMs <= until.getTime()
}

/**
 * Renews the lease as the last step before a call. Returns false if `renew` returns false, or if `renew` took so long
 * that the call might end after the lease.
 */
export async function isRenewed(
  clock: Clock,
  call: Call,
  renew: (until: Date) => Promise<boolean>,
): Promise<boolean> {
  const until = new Date(clock.now().getTime() + call.timeoutMs + CALL_GRACE_MS)
  return (await renew(until)) && isLeased(clock, call, until)
}

type Call = { readonly timeoutMs: number }

/**
 * Turns a failure that was reported to an older claim into an unknown outcome, because the counterparty may accept a
 * call of the latest claim. `asks` is the number of the claim whose call failed. If the counterparty reported the
 * failure without a call, `asks` is undefined, and the failure counts.
 */
export function unlessOvertaken<Outcome extends { readonly kind: string }>(
  outcome: Outcome,
  asks: number | undefined,
  latest: number,
): Outcome | Unknown {
  const isOvertaken = outcome.kind === 'failed' && asks !== undefined && asks !== latest
  return isOvertaken
    ? { kind: 'unknown', why: 'it failed, but a later claim may have a call under way' }
    : outcome
}

type Unknown = { readonly kind: 'unknown'; readonly why: string }

/** Makes the call. A channel or rail must not throw. If its code throws, the outcome is unknown. */
export async function orUnknown<Outcome>(
  whose: 'channel' | 'rail',
  call: () => Promise<Outcome>,
): Promise<Outcome | Unknown> {
  try {
    return await call()
  } catch (error) {
    return { kind: 'unknown', why: `the ${whose}'s code failed: ${whyOf(error)}` }
  }
}

// The rules for the outcomes of payouts that hold for every rail.
import assert from 'node:assert/strict'
import { isFiat } from '../../../src/platform/base/currency.ts'
import type { PayoutFailed, PayoutOutcome } from '../../../src/rails/contract/payout-outcome.ts'
import type { PayoutRail } from '../../../src/rails/contract/payout-rail.ts'
import { eventually } from '../../harness/eventually.ts'
import type { PayoutSuite } from '../payout-driver.ts'

export type Asked = Awaited<ReturnType<PayoutRail['ask']>>

/** Checks that the counterparty has the payout and has not failed it. */
export function assertOpen(
  outcome: PayoutOutcome,
): asserts outcome is Extract<PayoutOutcome, { kind: 'processing' | 'succeeded' }> {
  assert.ok(outcome.kind === 'processing' || outcome.kind === 'succeeded', shown(outcome))
}

export function assertPayoutFailed(
  outcome: { readonly kind: string },
  causes: readonly PayoutFailed['cause'][],
): asserts outcome is PayoutFailed {
  assert.equal(outcome.kind, 'failed', shown(outcome))
  assert.ok('cause' in outcome && causes.some((cause) => cause === outcome.cause), shown(outcome))
}

/** Returns the outcome after the counterparty has decided. */
export async function settled({ driver, rail }: PayoutSuite, reference: string): Promise<Asked> {
  await driver().decide(reference)
  let outcome = await rail().ask(reference)
  const isDecided = async () => {
    if (outcome.kind === 'processing') outcome = await rail().ask(reference)
    return outcome.kind !== 'processing'
  }
  assert.ok(await eventually(isDecided), 'the payout is still open')
  return outcome
}

export function otherThan(currency: string): string {
  return currency === 'EUR' ? 'USD' : 'EUR'
}

/**
 * Checks that a foreign currency is reported as it is, for the caller to compare, or that the outcome is unknown. A
 * text that is not a currency leaves the outcome unknown.
 */
export function assertForeign(outcome: Asked, currency: string): void {
  const isSaid = outcome.kind === 'succeeded' && outcome.money.currency === currency && isFiat(currency)
  assert.ok(isSaid || outcome.kind === 'unknown', `${currency}: ${shown(outcome)}`)
}

export function refOf(outcome: Asked): string | undefined {
  return 'railRef' in outcome ? outcome.railRef : undefined
}

export function shown(value: unknown): string {
  return JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? String(inner) : inner))
}

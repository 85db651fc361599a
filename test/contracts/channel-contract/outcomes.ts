// The rules for outcomes that hold for every rail.
import assert from 'node:assert/strict'
import type { Money } from '../../../src/platform/base/money.ts'
import type {
  AttemptRef,
  Failed,
  Outcome,
  PayerAction,
  Pending,
  Received,
  RefundOutcome,
  Succeeded,
} from '../../../src/rails/contract/channel.ts'
import type { Given, Suite } from '../channel-driver.ts'

/** Starts the attempt, and acts as the payer if the channel needs one. */
export async function pay(suite: Suite, made: Given, deed: 'approve' | 'decline'): Promise<Outcome> {
  const { channel, request, attempt } = made
  const outcome = await channel.start(request)
  if (outcome.kind !== 'pending') return outcome
  const answer = await suite.driver().act(outcome.action, deed)
  return channel.complete({ ...openedAttempt(attempt, outcome), answer })
}

export async function startWaiting(suite: Suite): Promise<Given & { outcome: Pending; action: PayerAction }> {
  const made = suite.given('waits')
  const outcome = await made.channel.start(made.request)
  assertWaiting(outcome)
  const attempt = openedAttempt(made.attempt, outcome)
  assert.deepEqual(await made.channel.ask(attempt), outcome)
  assert.equal(await suite.driver().isCharged(made.reference), false)
  return { ...made, attempt, outcome, action: outcome.action }
}

/** Returns the attempt as the gateway knows it after the start. */
function openedAttempt(attempt: AttemptRef, { channelRef, action }: Pending): AttemptRef {
  return { ...attempt, channelRef, action }
}

export function assertWaiting(outcome: Outcome): asserts outcome is Pending {
  assert.equal(outcome.kind, 'pending', shown(outcome))
}

/** Checks that the full amount has arrived, in one sum or in deposits. */
export function assertPaid(outcome: Outcome, money: Money): asserts outcome is Succeeded | Received {
  assert.ok(outcome.kind === 'succeeded' || outcome.kind === 'received', shown(outcome))
  assert.deepEqual(paidBy(outcome), money)
}

export function paidBy(outcome: Succeeded | Received): Money | undefined {
  if (outcome.kind === 'succeeded') return outcome.money
  const { deposits } = outcome
  const amount = deposits.reduce((sum, { money }) => sum + money.amount, 0n)
  return { amount, currency: deposits[0]?.money.currency ?? '' }
}

export function assertFailed(outcome: Outcome | RefundOutcome, cause: string): asserts outcome is Failed {
  assert.equal(outcome.kind, 'failed', shown(outcome))
  assert.equal(outcome.cause, cause, shown(outcome))
}

export function shown(outcome: unknown): string {
  return JSON.stringify(outcome, (_, value) => (typeof value === 'bigint' ? String(value) : value)) ?? ''
}

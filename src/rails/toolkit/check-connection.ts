// Checks of a connection. `checkByAsking` sends a query about a reference that was never used. A counterparty answers
// this query only if it accepts our credentials. No money can move: the query at most voids a payment that was never
// started.
import { randomBytes } from 'node:crypto'
import { BY_PROXY } from '../../platform/http/client/connection-faults.ts'
import type { Channel } from '../contract/channel.ts'
import type { PayoutRail } from '../contract/payout-rail.ts'
import type { Checked } from '../contract/protocol.ts'

export async function checkByAsking(
  channel: Channel | undefined,
  rail: PayoutRail | undefined,
): Promise<Checked> {
  const reference = `CHECK${randomBytes(10).toString('hex').toUpperCase()}`
  const payIn = channel === undefined ? RIGHT : await checkChannel(channel, reference)
  return payIn.isRight && rail !== undefined ? checkRail(rail, reference) : payIn
}

const RIGHT: Checked = { isRight: true, message: 'It answered, and accepted our credentials.' }

async function checkChannel(channel: Channel, reference: string): Promise<Checked> {
  const { currencies } = channel.traits
  const currency = currencies === 'any' ? 'USD' : (currencies[0] ?? 'USD')
  const outcome = await channel.ask({ reference, money: { amount: 1n, currency } })
  return outcome.kind === 'unknown' && outcome.isAnswered !== true ? wrong(outcome.why) : RIGHT
}

async function checkRail(rail: PayoutRail, reference: string): Promise<Checked> {
  const answer = await rail.ask(reference)
  return answer.kind === 'absent' ? RIGHT : wrong(answer.kind === 'unknown' ? answer.why : answer.kind)
}

function wrong(why: string): Checked {
  return { isRight: false, message: `${why}. Check the address and the credentials.` }
}

/**
 * Returns the result of a check that got no answer. `todo` is the advice to the operator. If the proxy failed, the
 * advice is about the proxy instead.
 */
export function notAnswered(who: string, why: string, todo: string): Checked {
  const look = why.startsWith(BY_PROXY) ? 'Check "proxy".' : todo
  return { isRight: false, message: `${who} did not answer: ${why}. ${look}` }
}

// Checks a channel by asking about a payment or payout that does not exist: only a counterparty that accepts our credentials
// says so. No money can move: a payment that was never started is voided, and there is no such payout.
import { randomBytes } from 'node:crypto'
import type { Channel } from './contract.ts'
import type { PayoutRail } from './payout/contract.ts'
import type { Checked } from './protocol.ts'

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
  return outcome.kind === 'unknown' ? wrong(outcome.why) : RIGHT
}

async function checkRail(rail: PayoutRail, reference: string): Promise<Checked> {
  const answer = await rail.ask(reference)
  return answer.kind === 'absent' ? RIGHT : wrong(answer.kind === 'unknown' ? answer.why : answer.kind)
}

function wrong(why: string): Checked {
  return { isRight: false, message: `${why}. Check the address and the credentials.` }
}

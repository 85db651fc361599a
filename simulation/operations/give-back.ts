// Banks that return money. The beneficiary's bank returns a payout in full or in part. The payer's bank returns a
// refund in full, returns less or more, or does not report an amount.
import { signatureHeader, signRequest, timestampHeader } from '../../src/rails/toolkit/signature.ts'
import { readCounterpartyBooks, type TheirPayout, type TheirRefund } from '../counterparty-books.ts'
import type { Actor, Operation } from '../operation.ts'
import type { ReturnedRefund } from '../witness.ts'
import type { World } from '../world/world.ts'

const TIMEOUT_MS = 7_000

export const returnPayout: Operation = {
  name: 'return a payout',
  weight: 8,
  async run({ world, random }) {
    const { payouts } = readCounterpartyBooks(world.dataDir)
    const paid = payouts.filter((one) => one.succeeds && one.returned === undefined && isPaid(one))
    const payout = random.pick(paid)
    if (payout === undefined) return
    const amount = random.chance(0.5) ? payout.amount : shortOf(payout.amount, random)
    const body = { event: 'return', reference: payout.reference, amount: amount.toString() }
    const status = await post(world, world.channels.url, '/payout-bank/v1/simulate', body)
    world.history.add('the bank returns a payout', payout.reference, { amount, status })
    world.witness.count(this.name, status === undefined ? 'lost' : String(status))
  },
}

/** True if the bank has paid, which takes a second after the request. */
function isPaid({ dueAt }: TheirPayout): boolean {
  return dueAt < Date.now()
}

/** Channels whose callbacks are signed by our bridge protocol. */
const signedChannels = ['card', 'unionpay', 'cash_app', 'gcash', 'spei', 'per_transfer', 'sepa', 'vn_bank']

export const returnRefund: Operation = {
  name: 'return a refund',
  weight: 10,
  async run({ world, random }) {
    const { witness, dataDir, history } = world
    const { refunds } = readCounterpartyBooks(dataDir)
    // The book also contains returns of rejected payments, whose references begin with another letter.
    const paid = refunds.filter(
      (one) =>
        one.succeeds &&
        one.dueAt < Date.now() &&
        one.refundReference.startsWith('B') &&
        !witness.returnedRefunds.has(one.refundReference),
    )
    const refund = random.pick(paid)
    const channel = refund && (await channelOf(world, refund))
    if (refund === undefined || channel === undefined) return
    const returned = asReturned(refund, channel, random)
    witness.returnedRefunds.set(refund.refundReference, returned)
    history.add('the bank returns a refund', refund.refundReference, returned)
    await reportReturn(world, returned)
    witness.count(this.name, returned.isAcknowledged ? 'acknowledged' : 'lost')
  },
}

/**
 * Returns the refund's channel, if its callbacks are signed by our bridge protocol. The card issuer also pays refunds
 * of wallets, which have their own channels.
 */
async function channelOf({ db }: World, { refundReference }: TheirRefund): Promise<string | undefined> {
  const text = `select channel from refunds where refund_no = 'R' || substr($1, 2) and channel = any ($2)`
  const [row] = await db
    .query<{ channel: string }>({ text, values: [refundReference, signedChannels] })
    .catch(() => [])
  return row?.channel
}

function asReturned(refund: TheirRefund, channel: string, random: Actor['random']): ReturnedRefund {
  const { refundReference, amount, currency } = refund
  const kind = random.below(10)
  const money = kind < 5 ? amount : kind < 8 ? shortOf(amount, random) : kind === 8 ? undefined : amount + 3n
  return { channel, refundReference, sent: amount, currency, amount: money, isAcknowledged: false }
}

/** Returns a part of the amount. The bank keeps at most 400 minor units, and at most half of the amount. */
function shortOf(amount: bigint, random: Actor['random']): bigint {
  const kept = BigInt(1 + random.below(MOST_KEPT))
  const most = amount / 2n
  return amount - (kept < most ? kept : most)
}

const MOST_KEPT = 400

/** Sends the bank's report once. The pause calls this function again until the gateway acknowledges the report. */
export async function reportReturn(world: World, returned: ReturnedRefund): Promise<void> {
  const { channel, refundReference, amount, currency } = returned
  const money = amount === undefined ? {} : { returnedAmount: amount.toString(), returnedCurrency: currency }
  const id = `re_${refundReference}`
  const body = { type: 'refund', refundReference, id, status: 'returned', reason: 'Account closed', ...money }
  const status = await post(world, world.callbacks.url, `/callbacks/${channel}`, body)
  if (status === 200) returned.isAcknowledged = true
}

async function post(
  { counterpartySecret }: World,
  baseUrl: string,
  path: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<number | undefined> {
  const body = JSON.stringify(fields)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = signRequest(counterpartySecret, { method: 'POST', path, timestamp, body })
  const own = { [timestampHeader]: timestamp, [signatureHeader]: signature }
  try {
    const response = await fetch(baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...own },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return undefined
  }
}

// Finds a reason why a link could not be paid, before the link is created: a missing rate, the merchant's limits, or no
// usable channel. The link's page makes the same checks, but tells a payer only that the payment failed.

import type { Merchant } from '../../money/merchants/merchant.ts'
import { ownLimits, PAY_INS, readUsage } from '../../money/orders/limit-usage.ts'
import { payableAt } from '../../money/payments/hosted/prepare-hosted.ts'
import { openRates } from '../../money/rates/rates.ts'
import type { Clock } from '../../platform/base/clock.ts'
import { localDay } from '../../platform/base/local-day.ts'
import { formatAmount, type Money } from '../../platform/base/money.ts'
import { Refusal } from '../../platform/errors/catalogue.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Channel } from '../../rails/contract/channel.ts'
import { methodNames } from '../../rails/methods/methods.ts'
import { ANY_BROWSER } from '../../rails/methods/terminal.ts'
import { listPauses } from '../../rails/routing/pauses.ts'
import { registerChannels } from '../../rails/routing/routing.ts'

type LinkProblemDeps = {
  readonly db: Db
  readonly clock: Clock
  /** The channels of the file. Undefined in sandbox, where only the gateway knows its channels. */
  readonly channels: readonly Channel[] | undefined
}

export async function linkProblem(
  deps: LinkProblemDeps,
  merchant: Merchant,
  money: Money,
): Promise<string | undefined> {
  return (await limitProblem(deps, merchant, money)) ?? (await channelProblem(deps, merchant, money))
}

async function limitProblem(
  { db, clock }: LinkProblemDeps,
  merchant: Merchant,
  money: Money,
): Promise<string | undefined> {
  const { merNo, timezone } = merchant
  const rates = await openRates({ db, clock })
  const usdValue = rates.usdValue(money)
  rates.close()
  if (usdValue === undefined)
    return `there is no rate of ${money.currency} to the US dollar: run "fx set --from ${money.currency} --to USD --rate RATE"`
  const worth = money.currency === 'USD' ? '' : ` (${formatAmount(usdValue, 'USD')} USD)`
  const raise = (limit: string, later = '') =>
    `${inWords(money)}${worth} is above what merchant ${merNo} may take: ${limit}. Take a smaller amount, or run "merchant set ${merNo}" with another limit${later}`
  try {
    const limits = ownLimits(merchant, PAY_INS, localDay(clock.now(), timezone), usdValue)
    for (const limit of limits) {
      const used = await readUsage(db, limit)
      if (used + usdValue > limit.most)
        return raise(
          `${formatAmount(limit.most, 'USD')} USD in ${limit.period}, of which ${formatAmount(used, 'USD')} are used`,
          used === 0n ? '' : ', or make the link when that time is over',
        )
    }
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { single } = merchant.limits
    if (error.code === '10023' && single !== undefined)
      return raise(`${formatAmount(single, 'USD')} USD in one payment`)
    return `merchant ${merNo} may take nothing: ${error.message}. Set it with "merchant set ${merNo}"`
  }
}

async function channelProblem(
  { db, channels }: LinkProblemDeps,
  merchant: Merchant,
  money: Money,
): Promise<string | undefined> {
  if (channels === undefined) return undefined
  const registered = registerChannels(channels)
  const payable = (amount: bigint | undefined) =>
    methodNames().flatMap((method) =>
      payableAt(registered, merchant, method, { currency: money.currency, amount, terminals: ANY_BROWSER }),
    )
  const taking = payable(money.amount)
  if (taking.length === 0) {
    const others = payable(undefined)
    return others.length === 0
      ? `no channel takes ${money.currency} for merchant ${merchant.merNo}: compare "channel list" with "merchant show ${merchant.merNo}"`
      : `no channel takes ${inWords(money)}: ${boundsInWords(others, money.currency)}`
  }
  const paused = new Set((await listPauses(db)).map(({ channel }) => channel))
  const [first] = taking
  return first === undefined || taking.some(({ name }) => !paused.has(name))
    ? undefined
    : `every channel that takes ${inWords(money)} is paused: run "channel resume ${first.name}"`
}

function boundsInWords(channels: readonly Channel[], currency: string): string {
  const each = channels.map(({ name, traits: { amounts } }) => {
    const { least, most } = amounts?.get(currency) ?? {}
    const bounds = [
      least === undefined ? '' : `from ${formatAmount(least, currency)}`,
      most === undefined ? '' : `up to ${formatAmount(most, currency)}`,
    ]
    return `${name} takes ${bounds.filter((one) => one !== '').join(' ')} ${currency}`
  })
  return [...new Set(each)].join(', ')
}

const inWords = ({ amount, currency }: Money) => `${formatAmount(amount, currency)} ${currency}`

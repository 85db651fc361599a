// Whether a channel can serve a payment. Routing, refusals and the methods on our pages share this rule.
import { Refusal } from '../errors/catalogue.ts'
import type { Channel } from './contract.ts'
import { allTerminals, type Terminal, type Terminals } from './terminal.ts'

/** The requirements of a payment. */
export type Needs = {
  readonly currency: string
  readonly terminals: Terminals
  /** The merchant sent an Apple Pay or Google Pay token. */
  readonly hasToken: boolean
}

type Traits = Pick<Channel, 'traits'>

export function canServe(channel: Traits, needs: Needs): boolean {
  return (
    takes(channel, needs.currency) &&
    opens(channel, needs) &&
    terminalAt(channel, needs.terminals) !== undefined
  )
}

function takes({ traits: { currencies } }: Traits, currency: string): boolean {
  return currencies === 'any' || currencies.includes(currency)
}

function opens({ traits }: Traits, { hasToken }: Needs): boolean {
  return hasToken || traits.needsToken !== true
}

/** The best terminal that the channel serves. */
export function terminalAt({ traits }: Traits, wanted: Terminals): Terminal | undefined {
  const { terminals } = traits
  return terminals === undefined ? wanted[0] : wanted.find((one) => terminals.includes(one))
}

/** The refusal when none of a method's channels can serve a payment. It says what to send instead. */
export function refusalOf(channels: readonly Channel[], needs: Needs): Refusal {
  if (channels.length === 0) return new Refusal('10011')
  const { currency, terminals } = needs
  const taking = channels.filter((channel) => takes(channel, currency))
  if (taking.length === 0)
    return new Refusal('10019', `no channel accepts ${currency}: send ${listed(currenciesOf(channels))}`)
  const opening = taking.filter((channel) => opens(channel, needs))
  if (opening.length === 0)
    return new Refusal('10011', "no channel has a payment sheet: send the wallet's token")
  const served = allTerminals.filter((one) => opening.some((channel) => terminalAt(channel, [one])))
  return new Refusal('10011', `no channel serves terminal ${terminals[0]}: send ${listed(served)}`)
}

function currenciesOf(channels: readonly Channel[]): readonly string[] {
  const all = channels.flatMap(({ traits: { currencies } }) => (currencies === 'any' ? [] : currencies))
  return [...new Set(all)].sort()
}

function listed(values: readonly string[]): string {
  return values.join(' or ')
}

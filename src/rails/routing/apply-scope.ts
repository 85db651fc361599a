// The settings of every entry that restrict it to what the counterparty accepts, so that we never offer what it would refuse:
// "currencies", "terminals", "countries", "amounts", "refunds". None goes beyond what the method supports; a protocol's default
// currencies are only what most accounts accept. The currencies and amounts hold for payouts, too; the others are of payments.
import { countryCodes } from '../base/country.ts'
import { isFiat } from '../base/currency.ts'
import { parseAmount } from '../base/money.ts'
import { isObject } from '../base/object.ts'
import { SettingError } from '../errors/catalogue.ts'
import type { AmountBounds, Channel, ChannelTraits } from './contract.ts'
import { methods } from './method.ts'
import type { PayoutRail } from './payout/contract.ts'
import type { ChannelSettings } from './settings.ts'
import { allTerminals } from './terminal.ts'

export function applyScope(channel: Channel, settings: ChannelSettings): Channel {
  const { currencies, terminals, countries, amounts, refunds } = settings
  if ([currencies, terminals, countries, amounts, refunds].every((one) => one === undefined)) return channel
  const traits: ChannelTraits = {
    ...channel.traits,
    ...(currencies !== undefined && {
      currencies: currenciesSetting(settings, methods[channel.method].currencies),
    }),
    ...(terminals !== undefined && { terminals: terminalsSetting(settings, channel) }),
    ...(countries !== undefined && { countries: countriesSetting(settings) }),
    ...(amounts !== undefined && { amounts: amountsSetting(settings) }),
    ...(refunds !== undefined && { refundable: channel.traits.refundable && refundsSetting(settings) }),
  }
  return { ...channel, traits }
}

const ofPayments = ['countries', 'terminals', 'refunds']

/** New payouts beyond it go elsewhere; those that it has are sent and asked about as before. */
export function applyRailScope(rail: PayoutRail, settings: ChannelSettings): PayoutRail {
  const { name, methods, currencies, amounts } = settings
  const idle = methods.length > 0 ? undefined : ofPayments.find((one) => settings[one] !== undefined)
  if (idle !== undefined)
    throw new SettingError(
      `channel ${name}: "${idle}" restricts payments, and this channel only pays out: remove it; "currencies" and "amounts" restrict payouts`,
    )
  return {
    ...rail,
    ...(currencies !== undefined && { currencies: currenciesSetting(settings, rail.currencies) }),
    ...(amounts !== undefined && { amounts: amountsSetting(settings) }),
  }
}

/** Each channel of the entry, and its rail, take those that they can. */
function currenciesSetting(settings: ChannelSettings, most: PayoutRail['currencies']): readonly string[] {
  const known = most === 'any' ? 'currency codes' : most.join(', ')
  const list = listSetting(settings, 'currencies', isFiat, known)
  const taken = list.filter((code) => most === 'any' || most.includes(code))
  const { methods, payoutKinds } = settings
  const isWhole = methods.length + payoutKinds.length > 1 || taken.length === list.length
  if (taken.length > 0 && isWhole) return taken
  throw new SettingError(`channel ${settings.name}: "currencies" must be a list of ${known}`)
}

function countriesSetting(settings: ChannelSettings): readonly string[] {
  return listSetting(
    settings,
    'countries',
    (code) => countryCodes.has(code),
    'two-letter ISO country codes such as GB',
  )
}

function refundsSetting({ name, refunds }: ChannelSettings): boolean {
  if (typeof refunds === 'boolean') return refunds
  throw new SettingError(`channel ${name}: "refunds" must be true or false`)
}

/** For example { "EUR": { "least": "1.00", "most": "500.00" } }. */
function amountsSetting({ name, amounts }: ChannelSettings): ReadonlyMap<string, AmountBounds> {
  const wrong = () =>
    new SettingError(`channel ${name}: "amounts" must have "least" and "most" as amounts by currency`)
  if (!isObject(amounts)) throw wrong()
  return new Map(
    Object.entries(amounts).map(([currency, bounds]) => {
      const { least, most, ...others } = isObject(bounds) ? bounds : { wrong: true }
      const of = (text: unknown) => (typeof text === 'string' ? parseAmount(text, currency) : undefined)
      const isRight = (text: unknown) => text === undefined || of(text) !== undefined
      if (!isFiat(currency) || Object.keys(others).length > 0 || !isRight(least) || !isRight(most))
        throw wrong()
      const [low, high] = [of(least), of(most)]
      if (low !== undefined && high !== undefined && low > high)
        throw new SettingError(`channel ${name}: "amounts" of ${currency} has a "least" above its "most"`)
      return [
        currency,
        { ...(low !== undefined && { least: low }), ...(high !== undefined && { most: high }) },
      ]
    }),
  )
}

function terminalsSetting(settings: ChannelSettings, { traits }: Channel) {
  const most = traits.terminals ?? allTerminals
  const listed = listSetting(
    settings,
    'terminals',
    (one) => most.some((other) => other === one),
    most.join(', '),
  )
  return most.filter((one) => listed.includes(one))
}

function listSetting(
  settings: ChannelSettings,
  name: string,
  isKnown: (value: string) => boolean,
  known: string,
): readonly string[] {
  const value = settings[name]
  const list = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
  if (!Array.isArray(value) || list.length === 0 || list.length < value.length || !list.every(isKnown))
    throw new SettingError(`channel ${settings.name}: "${name}" must be a list of ${known}`)
  return list
}

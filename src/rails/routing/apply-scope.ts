// Restricts an entry to what its counterparty accepts: "currencies", "terminals", "countries", "amounts" and "refunds".
// A setting cannot go beyond what the method supports. Only "currencies" may add to the protocol's default, which has
// the currencies that most accounts accept. "currencies" and "amounts" also restrict payouts.
import { countryCodes } from '../../platform/base/country.ts'
import { isFiat } from '../../platform/base/currency.ts'
import { parseAmount } from '../../platform/base/money.ts'
import { isObject } from '../../platform/base/object.ts'
import { SettingError } from '../../platform/errors/catalogue.ts'
import type { AmountBounds, Channel, ChannelTraits } from '../contract/channel.ts'
import type { PayoutRail } from '../contract/payout-rail.ts'
import type { ChannelSettings } from '../contract/settings.ts'
import { methods } from '../methods/methods.ts'
import { allTerminals } from '../methods/terminal.ts'

export function applyScope(channel: Channel, settings: ChannelSettings): Channel {
  const { currencies, terminals, countries, amounts, refunds } = settings
  if ([currencies, terminals, countries, amounts, refunds].every((one) => one === undefined)) return channel
  const traits: ChannelTraits = {
    ...channel.traits,
    ...(currencies !== undefined && {
      currencies: currenciesSetting(settings, methods[channel.method].currencies),
    }),
    ...(terminals !== undefined && { terminals: terminalsSetting(settings, channel) }),
    ...(countries !== undefined && {
      countries: listSetting(settings, 'countries', isCountry, 'two-letter ISO country codes such as GB'),
    }),
    ...(amounts !== undefined && { amounts: amountsSetting(settings) }),
    ...(refunds !== undefined && { refundable: channel.traits.refundable && refundsSetting(settings) }),
  }
  return { ...channel, traits }
}

// "countries" does not restrict payouts: only payouts to bank accounts must name a country, so the setting would have
// no effect on other payouts.
const ofPayments = ['countries', 'terminals', 'refunds']

/**
 * Restricts a rail. New payouts outside the scope go to other rails. Payouts that were already assigned to the rail are
 * not affected.
 */
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

/**
 * Returns the currencies of the setting that this channel or rail supports. In an entry with only one method or kind of
 * payout, all listed currencies must be supported.
 */
function currenciesSetting(settings: ChannelSettings, most: PayoutRail['currencies']): readonly string[] {
  const known = most === 'any' ? 'currency codes' : most.join(', ')
  const list = listSetting(settings, 'currencies', isFiat, known)
  const taken = list.filter((code) => most === 'any' || most.includes(code))
  const { methods, payoutKinds } = settings
  const isWhole = methods.length + payoutKinds.length > 1 || taken.length === list.length
  if (taken.length > 0 && isWhole) return taken
  throw new SettingError(`channel ${settings.name}: "currencies" must be a list of ${known}`)
}

const isCountry = (code: string) => countryCodes.has(code)

function refundsSetting({ name, refunds }: ChannelSettings): boolean {
  if (typeof refunds === 'boolean') return refunds
  throw new SettingError(`channel ${name}: "refunds" must be true or false`)
}

/** Reads "amounts", for example { "EUR": { "least": "1.00", "most": "500.00" } }. */
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

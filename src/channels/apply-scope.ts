// The settings "currencies" and "terminals" of every channel: they restrict it to what the counterparty accepts, so that we
// never offer what it would refuse. Both must lie within what the method and the adapter support.
import { isFiat } from '../base/currency.ts'
import { SettingError } from '../errors/catalogue.ts'
import type { Channel } from './contract.ts'
import { methods } from './method.ts'
import type { ChannelSettings } from './settings.ts'
import { allTerminals } from './terminal.ts'

export function applyScope(channel: Channel, settings: ChannelSettings): Channel {
  const { currencies, terminals } = settings
  if (currencies === undefined && terminals === undefined) return channel
  const traits = {
    ...channel.traits,
    ...(currencies !== undefined && { currencies: currenciesSetting(settings) }),
    ...(terminals !== undefined && { terminals: terminalsSetting(settings, channel) }),
  }
  return { ...channel, traits }
}

function currenciesSetting(settings: ChannelSettings): readonly string[] {
  const { currencies: most } = methods[settings.method]
  const isTaken = (code: string) => (most === 'any' ? isFiat(code) : most.includes(code))
  return listSetting(settings, 'currencies', isTaken, most === 'any' ? 'currency codes' : most.join(', '))
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

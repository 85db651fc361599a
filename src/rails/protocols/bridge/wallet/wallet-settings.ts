// The settings that Apple Pay and Google Pay share: "acquirerUrl" and "acquirerSecret" of the acquirer that charges the
// cards, optionally "walletUrl" and "walletSecret" of the payment sheet, and "ownDisputes", which is true if no other
// channel polls this acquirer's disputes. An acquirer lists the disputes of all cards, and disputes are stored by
// channel. If several channels polled one acquirer, each dispute would be stored several times.
import type { KeyObject } from 'node:crypto'
import { SettingError } from '../../../../platform/errors/catalogue.ts'
import {
  addressSetting,
  type ChannelTools,
  flagSetting,
  type NamedSettings,
  textSetting,
} from '../../../contract/settings.ts'
import { alarmsOf } from '../../../toolkit/alarms.ts'
import { httpSettings } from '../../../toolkit/settings/http-settings.ts'
import { httpTransport, type IssuerOperation } from '../../../toolkit/transport.ts'
import { privateKeyOf } from '../../../toolkit/wallet-token.ts'
import type { BankOperation } from '../bank/bank-channel.ts'
import type { WalletChannelOptions } from './wallet-channel.ts'

type SharedOptions = Pick<
  WalletChannelOptions,
  'name' | 'acquirer' | 'acquirerSecret' | 'ownDisputes' | 'alarms' | 'sheet'
>

type AcquirerNames = { readonly url: string; readonly secret: string }

const ACQUIRER: AcquirerNames = { url: 'acquirerUrl', secret: 'acquirerSecret' }

export function walletSettings(
  settings: NamedSettings,
  tools: ChannelTools,
  names = ACQUIRER,
): SharedOptions {
  const { clock } = tools
  const acquirerSecret = textSetting(settings, names.secret)
  const url = addressSetting(settings, names.url)
  const http = httpSettings(settings)
  const acquirer = httpTransport<IssuerOperation>({ url, secret: acquirerSecret, clock, http })
  const ownDisputes = flagSetting(settings, 'ownDisputes')
  const alarms = alarmsOf(settings.name, tools)
  const base = { name: settings.name, acquirer, acquirerSecret, ownDisputes, alarms }
  if (settings.walletUrl === undefined) return { ...base, sheet: undefined }
  const secret = textSetting(settings, 'walletSecret')
  const transport = httpTransport<BankOperation>({
    url: addressSetting(settings, 'walletUrl'),
    secret,
    clock,
    http,
  })
  return { ...base, sheet: { transport, secret } }
}

/** Reads "privateKeys". During a key rotation there are several keys. */
export function privateKeysSetting(settings: NamedSettings): KeyObject[] {
  const { privateKeys } = settings
  if (!Array.isArray(privateKeys) || privateKeys.length === 0)
    throw new SettingError(`channel ${settings.name}: "privateKeys" must be a list of keys`)
  return privateKeys.map((text) => readSetting(settings, 'privateKeys', () => privateKeyOf(String(text))))
}

/** Reads a setting. The error message never contains the value, which may be a secret. */
export function readSetting<Value>(settings: NamedSettings, name: string, read: () => Value): Value {
  try {
    return read()
  } catch {
    throw new SettingError(`channel ${settings.name}: "${name}" cannot be read`)
  }
}

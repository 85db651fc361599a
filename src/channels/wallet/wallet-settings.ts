// The settings that Apple Pay and Google Pay share: "acquirerUrl" and "acquirerSecret" of whoever charges the cards, and,
// where payers without a token are sent to a sheet, "walletUrl" and "walletSecret" of that. "ownDisputes" is true where no
// card channel of ours uses that acquirer.
import type { KeyObject } from 'node:crypto'
import { SettingError } from '../../errors/catalogue.ts'
import type { BankOperation } from '../bank/bank-channel.ts'
import { addressSetting, type ChannelSettings, type ChannelTools, textSetting } from '../settings.ts'
import { httpTransport, type IssuerOperation } from '../transport.ts'
import { privateKeyOf } from './read-token.ts'
import type { WalletChannelOptions } from './wallet-channel.ts'

type Ways = Pick<WalletChannelOptions, 'name' | 'acquirer' | 'acquirerSecret' | 'ownDisputes' | 'sheet'>

export function walletSettings(settings: ChannelSettings, { clock }: ChannelTools): Ways {
  const acquirerSecret = textSetting(settings, 'acquirerSecret')
  const url = addressSetting(settings, 'acquirerUrl')
  const acquirer = httpTransport<IssuerOperation>({ url, secret: acquirerSecret, clock })
  const ownDisputes = settings.ownDisputes === true
  const base = { name: settings.name, acquirer, acquirerSecret, ownDisputes }
  if (settings.walletUrl === undefined) return { ...base, sheet: undefined }
  const secret = textSetting(settings, 'walletSecret')
  const transport = httpTransport<BankOperation>({
    url: addressSetting(settings, 'walletUrl'),
    secret,
    clock,
  })
  return { ...base, sheet: { transport, secret } }
}

/** "privateKeys": a list, since an old key stays good while a new one is handed out. */
export function privateKeysSetting(settings: ChannelSettings): KeyObject[] {
  const { privateKeys } = settings
  if (!Array.isArray(privateKeys) || privateKeys.length === 0)
    throw new SettingError(`channel ${settings.name} needs a list of "privateKeys"`)
  return privateKeys.map((text) => readSetting(settings, 'privateKeys', () => privateKeyOf(String(text))))
}

/** The value of a setting never shows: it may be a secret. */
export function readSetting<Value>(settings: ChannelSettings, name: string, read: () => Value): Value {
  try {
    return read()
  } catch {
    throw new SettingError(`channel ${settings.name} has a "${name}" that cannot be read`)
  }
}

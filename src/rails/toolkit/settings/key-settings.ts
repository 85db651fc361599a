import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { whyOf } from '../../../platform/base/thrown.ts'
import { SettingError } from '../../../platform/errors/catalogue.ts'
import { type NamedSettings, textSetting } from '../../contract/settings.ts'
import { type AddressBook, openAddressBook } from '../formats/chain-address.ts'
import { readPem } from './http-settings.ts'

const readers = { private: createPrivateKey, public: createPublicKey } as const

export function keySetting(settings: NamedSettings, name: string, half: keyof typeof readers): KeyObject {
  const key = readPem(textSetting(settings, name), readers[half])
  if (key !== 'wrong' && key?.asymmetricKeyType === 'rsa') return key
  throw new SettingError(`channel ${settings.name}: "${name}" must be an RSA ${half} key in PEM`)
}

/** Reads the extended public key that our addresses are derived from. */
export function addressBookSetting(settings: NamedSettings): AddressBook {
  const xpub = textSetting(settings, 'xpub')
  try {
    return openAddressBook(xpub)
  } catch (error) {
    throw new SettingError(
      `channel ${settings.name}: "xpub" must be the extended public key of an account (m/44'/60'/0', "xpub…"): ${whyOf(error)}`,
    )
  }
}

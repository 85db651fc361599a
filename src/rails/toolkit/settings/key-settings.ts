import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { SettingError } from '../../../platform/errors/catalogue.ts'
import { type NamedSettings, textSetting } from '../../contract/settings.ts'
import { type AddressBook, openAddressBook } from '../formats/chain-address.ts'

const readers = { private: createPrivateKey, public: createPublicKey } as const

/** Reads an RSA key in PEM. */
export function keySetting(settings: NamedSettings, name: string, half: keyof typeof readers): KeyObject {
  const key = read(textSetting(settings, name), readers[half])
  if (key?.asymmetricKeyType === 'rsa') return key
  throw new SettingError(`channel ${settings.name}: "${name}" must be an RSA ${half} key in PEM`)
}

/** Reads a key; undefined if it cannot be read. The error is dropped, because it may quote the key. */
function read(pem: string, reader: (pem: string) => KeyObject): KeyObject | undefined {
  try {
    return reader(pem)
  } catch {
    return undefined
  }
}

/** Reads "xpub", the extended public key that our addresses are derived from. */
export function addressBookSetting(settings: NamedSettings): AddressBook {
  const xpub = textSetting(settings, 'xpub')
  try {
    return openAddressBook(xpub)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new SettingError(
      `channel ${settings.name}: "xpub" must be the extended public key of an account (m/44'/60'/0', "xpub…"): ${why}`,
    )
  }
}

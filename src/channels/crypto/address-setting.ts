import { SettingError } from '../../errors/catalogue.ts'
import { type NamedSettings, textSetting } from '../settings.ts'
import { type AddressBook, openAddressBook } from './address.ts'

/** "xpub": the extended public key that our addresses come from. */
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

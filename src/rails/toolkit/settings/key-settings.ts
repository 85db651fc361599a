import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { SettingError } from '../errors/catalogue.ts'
import { type NamedSettings, textSetting } from './settings.ts'

const readers = { private: createPrivateKey, public: createPublicKey } as const

/** Reads an RSA key in PEM. */
export function keySetting(settings: NamedSettings, name: string, half: keyof typeof readers): KeyObject {
  const key = read(textSetting(settings, name), readers[half])
  if (key?.asymmetricKeyType === 'rsa') return key
  throw new SettingError(`channel ${settings.name}: "${name}" must be an RSA ${half} key in PEM`)
}

/** Drops the error, which may quote the key. */
function read(pem: string, reader: (pem: string) => KeyObject): KeyObject | undefined {
  try {
    return reader(pem)
  } catch {
    return undefined
  }
}

import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { SettingError } from '../errors/catalogue.ts'
import { type ChannelSettings, textSetting } from './settings.ts'

const readers = { private: createPrivateKey, public: createPublicKey } as const

/** An RSA key in PEM. */
export function keySetting(settings: ChannelSettings, name: string, half: keyof typeof readers): KeyObject {
  const key = read(textSetting(settings, name), readers[half])
  if (key?.asymmetricKeyType === 'rsa') return key
  throw new SettingError(`channel ${settings.name} needs an RSA ${half} key in PEM as "${name}"`)
}

/** What is wrong with it may quote the key, so it is not passed on. */
function read(pem: string, reader: (pem: string) => KeyObject): KeyObject | undefined {
  try {
    return reader(pem)
  } catch {
    return undefined
  }
}

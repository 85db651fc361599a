import { createHash, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { type Connect, textSetting } from '../../contract/settings.ts'
import { createWalletChannel } from '../bridge/wallet/wallet-channel.ts'
import { privateKeysSetting, readSetting, walletSettings } from '../bridge/wallet/wallet-settings.ts'
import { type ApplePayKeys, openApplePayToken } from './token.ts'

/**
 * Settings besides the shared wallet settings: "merchantId" as registered with Apple, "privateKeys" of the payment
 * processing certificates, and "rootCertificate" (Apple Root CA - G3 in live), as PEM or base64.
 */
export const connectApplePay: Connect = (settings, tools) => {
  const keys: ApplePayKeys = {
    merchantId: textSetting(settings, 'merchantId'),
    root: readSetting(settings, 'rootCertificate', () =>
      certificateOf(textSetting(settings, 'rootCertificate')),
    ),
    keys: privateKeysSetting(settings).map((privateKey) => ({
      privateKey,
      publicKeyHash: hashOf(privateKey),
    })),
  }
  return createWalletChannel({
    ...walletSettings(settings, tools),
    ...tools,
    method: 'apple_pay',
    label: 'Apple Pay',
    openToken: (text, use) => openApplePayToken(text, keys, use, tools.clock.now()),
  })
}

function certificateOf(text: string): X509Certificate {
  return new X509Certificate(text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64'))
}

/** Returns the hash of the public key. A token names the key that it was encrypted for by this hash. */
export function hashOf(privateKey: KeyObject): Buffer {
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return createHash('sha256').update(spki).digest()
}

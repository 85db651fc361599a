// The settings of every channel that is reached by HTTP: "clientCertificate" and "clientKey" in PEM for counterparties
// that ask for our certificate, "ca" for counterparties whose certificate no public authority has signed, and "proxy".
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { SettingError } from '../../../platform/errors/catalogue.ts'
import type { HttpClientOptions } from '../../../platform/http/client/http-client.ts'
import { readProxy } from '../../../platform/http/client/request-head.ts'
import { addressSetting, type NamedSettings, textSetting } from '../../contract/settings.ts'

export function httpSettings(settings: NamedSettings): HttpClientOptions {
  const text = (name: string) => (settings[name] === undefined ? undefined : textSetting(settings, name))
  const [cert, key, ca] = [text('clientCertificate'), text('clientKey'), text('ca')]
  if ((cert === undefined) !== (key === undefined))
    throw new SettingError(`channel ${settings.name}: "clientCertificate" and "clientKey" belong together`)
  const tls = { ...(cert && { cert }), ...(key && { key }), ...(ca && { ca }) }
  requirePem(settings, tls)
  return {
    ...(Object.keys(tls).length > 0 && { tls }),
    ...(settings.proxy !== undefined && { proxy: proxySetting(settings) }),
  }
}

function proxySetting(settings: NamedSettings): string {
  const proxy = addressSetting(settings, 'proxy')
  try {
    readProxy(proxy)
    return proxy
  } catch {
    throw new SettingError(`channel ${settings.name}: the credentials in "proxy" have a malformed escape`)
  }
}

type Pem = { readonly cert?: string; readonly key?: string; readonly ca?: string }

function requirePem({ name }: NamedSettings, tls: Pem): void {
  const wrong = (what: string) => new SettingError(`channel ${name}: ${what}`)
  const cert = readPem(tls.cert, (pem) => new X509Certificate(pem))
  if (cert === 'wrong') throw wrong(`"clientCertificate" must be a certificate in PEM${hint(tls.cert)}`)
  const key = readPem(tls.key, (pem): KeyObject => createPrivateKey(pem))
  if (key === 'wrong')
    throw wrong(`"clientKey" must be a private key in PEM, without a passphrase${hint(tls.key)}`)
  if (cert !== undefined && key !== undefined && !cert.checkPrivateKey(key))
    throw wrong('"clientKey" is not the key of "clientCertificate"')
  // A TLS context ignores a "ca" that it cannot read, and then trusts no certificate at all.
  if (readPem(tls.ca, (pem) => new X509Certificate(pem)) === 'wrong')
    throw wrong(`"ca" must be a certificate in PEM${hint(tls.ca)}`)
  if (readPem('', () => createSecureContext(tls)) === 'wrong')
    throw wrong('TLS cannot use "clientCertificate", "clientKey" and "ca": look at the whole chain')
}

/** Reads a key or certificate. The error is not passed on, because it may quote the key. */
export function readPem<Value>(
  pem: string | undefined,
  reader: (pem: string) => Value,
): Value | 'wrong' | undefined {
  try {
    return pem === undefined ? undefined : reader(pem)
  } catch {
    return 'wrong'
  }
}

/** Explains how to name a file, because people may enter a path where a certificate is expected. */
function hint(text = ''): string {
  return text.includes('-----BEGIN') ? '' : '; if it is a path, write { "file": "PATH" }'
}

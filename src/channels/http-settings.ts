// The settings of every channel that is reached by HTTP: "clientCertificate" and "clientKey" in PEM for counterparties that
// ask for our certificate, "ca" for one that no public authority has signed, and "proxy".
import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { SettingError } from '../errors/catalogue.ts'
import type { HttpClientOptions } from '../http/client/http-client.ts'
import { addressSetting, type NamedSettings, textSetting } from './settings.ts'

export function httpSettings(settings: NamedSettings): HttpClientOptions {
  const text = (name: string) => (settings[name] === undefined ? undefined : textSetting(settings, name))
  const [cert, key, ca] = [text('clientCertificate'), text('clientKey'), text('ca')]
  if ((cert === undefined) !== (key === undefined))
    throw new SettingError(`channel ${settings.name}: "clientCertificate" and "clientKey" belong together`)
  const tls = { ...(cert && { cert }), ...(key && { key }), ...(ca && { ca }) }
  requirePem(settings, tls)
  return {
    ...(Object.keys(tls).length > 0 && { tls }),
    ...(settings.proxy !== undefined && { proxy: addressSetting(settings, 'proxy') }),
  }
}

/** Drops the error, which may quote the key. */
function requirePem({ name }: NamedSettings, tls: { cert?: string; key?: string; ca?: string }): void {
  try {
    createSecureContext(tls)
    // The context ignores an authority that it cannot read, and then trusts nobody.
    if (tls.ca !== undefined) new X509Certificate(tls.ca)
  } catch {
    throw new SettingError(
      `channel ${name}: "clientCertificate", "clientKey" and "ca" must be PEM, and the key that of the certificate`,
    )
  }
}

// When our certificate at a counterparty ends. Most counterparties then just close the connection, so that nothing but the
// certificate itself says what is wrong.
import { X509Certificate } from 'node:crypto'
import { settingsOf } from './setting-names.ts'
import type { ChannelSettings } from './settings.ts'

const DAY_MS = 86_400_000
/** A bank may take weeks to issue a new one. */
const SOON_DAYS = 30

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** A sentence if our certificate has expired or ends soon. */
export function certificateWarning(entry: ChannelSettings, now: Date): string | undefined {
  const { protocol, clientCertificate } = entry
  if (!settingsOf(protocol).includes('clientCertificate')) return undefined
  const end = typeof clientCertificate === 'string' ? endOf(clientCertificate) : undefined
  if (end === undefined) return undefined
  const days = (end.getTime() - now.getTime()) / DAY_MS
  if (days > SOON_DAYS) return undefined
  const on = end.toISOString().slice(0, 10)
  return days <= 0
    ? `Our certificate, "clientCertificate", expired on ${on}: replace it and its key.`
    : `Our certificate, "clientCertificate", ends on ${on}: replace it and its key before.`
}

/** The first end in a chain. The connection complains, with its name, of one that cannot be read. */
function endOf(chain: string): Date | undefined {
  try {
    const all = chain.match(pemCertificate) ?? []
    const ends = all.map((one) => new X509Certificate(one).validToDate.getTime())
    return ends.length === 0 ? undefined : new Date(Math.min(...ends))
  } catch {
    return undefined
  }
}

/** One for each entry whose certificate has expired or ends soon. */
export function certificateWarnings(entries: readonly ChannelSettings[], now: Date): string[] {
  return entries.flatMap((entry) => {
    const warning = certificateWarning(entry, now)
    return warning === undefined ? [] : [`channel ${entry.name}: ${warning}`]
  })
}

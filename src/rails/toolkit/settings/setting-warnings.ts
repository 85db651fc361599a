// Warnings that do not stop the gateway: about settings that the entry's protocol does not have, about secrets that are
// easy to guess, and about certificates that expire soon.

import { X509Certificate } from 'node:crypto'
import type { ChannelSettings } from '../../contract/settings.ts'

const everywhere = [
  'name',
  'protocol',
  'method',
  'methods',
  'currencies',
  'terminals',
  'countries',
  'amounts',
]
const byHttp = ['clientCertificate', 'clientKey', 'ca', 'proxy']
const wallet = ['walletUrl', 'walletSecret', 'ownDisputes']
const token = [...wallet, 'acquirerUrl', 'acquirerSecret', 'privateKeys']

const own: Readonly<Record<string, readonly string[]>> = {
  bridge: [...byHttp, ...wallet, 'url', 'secret', 'payerFields', 'xpub', 'confirmations'],
  adyen: [
    ...[...byHttp, 'url', 'apiKey', 'merchantAccount', 'hmacKey', 'transfersUrl', 'transfersKey'],
    ...['balanceAccountId', 'transfersHmacKey', 'reportUser', 'reportPassword'],
  ],
  alipay: [...byHttp, 'url', 'appId', 'privateKey', 'alipayPublicKey'],
  wechat: [
    ...[...byHttp, 'url', 'mchid', 'appid', 'mobileAppid', 'miniProgramAppid', 'serial', 'privateKey'],
    ...['platformPublicKey', 'apiV3Key'],
  ],
  apple_pay: [...byHttp, ...token, 'merchantId', 'rootCertificate'],
  google_pay: [...byHttp, ...token, 'recipientId', 'rootKeys'],
  pix: [
    ...[...byHttp, 'url', 'tokenUrl', 'clientId', 'clientSecret', 'scopes', 'pixKey', 'payeeName'],
    ...['payeeCity', 'webhookSecret', 'outgoing'],
  ],
  stp: [
    ...[...byHttp, 'url', 'empresa', 'privateKey', 'clabePrefix', 'ordenanteClabe', 'ordenanteName'],
    'callbackSecret',
  ],
  stripe: [...byHttp, 'url', 'secretKey', 'webhookSecret'],
  dlocal: [
    ...[...byHttp, 'url', 'login', 'transKey', 'secretKey', 'payoutUrl', 'payoutClientId'],
    ...['payoutClientSecret', 'payoutPurpose', 'bankCodes'],
  ],
  'sepa-files': ['out', 'in', 'iban', 'bic', 'accountHolder', 'instant'],
  evm: [
    ...[...byHttp, 'network', 'chainId', 'rpcUrls', 'xpub', 'confirmations', 'coins', 'watchDays'],
    ...['quietMinutes', 'outgoing'],
  ],
}

export function settingsOf(protocol: string): readonly string[] {
  return [...everywhere, 'refunds', ...(own[protocol] ?? [])]
}

/** Matches the names under which people write comments, because JSON has no comments. */
const isComment = /^(?:_|\/\/|#|\$)/
/** A field of an entry that the parser derives from the methods, and that is no setting. */
const DERIVED = 'payoutKinds'

/**
 * Returns a sentence for each setting that the entry's protocol does not have. Such a setting has no effect: with a
 * misspelt "refunds", the channel would offer refunds that its account does not support.
 */
export function ignoredSettings(entries: readonly ChannelSettings[]): string[] {
  // An unknown setting must not stop the gateway. After a downgrade an entry still has settings of the newer version,
  // and after a change of its protocol it may have settings of the former protocol.
  return entries.flatMap((entry) => {
    const { name, protocol } = entry
    const known = [...settingsOf(protocol), DERIVED]
    const ignored = Object.keys(entry).filter((one) => !known.includes(one) && !isComment.test(one))
    return ignored.map(
      (one) =>
        `channel ${name}: the protocol ${protocol} has no setting ${JSON.stringify(one.slice(0, 64))}, so it has no effect: correct its name or remove it; settings are ${settingsOf(protocol).join(', ')}`,
    )
  })
}

const SHORTEST = 16
/**
 * The smallest number of different characters in a secret. Output of `openssl rand -hex 16` has fewer with a
 * probability of about 10^-16.
 */
const FEWEST_DIFFERENT = 5
const PLACEHOLDER = /change.?(?:me|it)|replace.?(?:me|this)|your.?secret|placeholder|example|password/i

/**
 * The secrets that operators choose themselves. For the protocol `pix`, "webhookSecret" is one of them, too. All other
 * secrets are issued by the counterparty, or are keys of a fixed form.
 */
const chosen = ['secret', 'walletSecret', 'acquirerSecret', 'callbackSecret']

/**
 * Returns a sentence, without the secret itself, if a secret is short, repetitive or a placeholder. An attacker who
 * guesses a secret can report payments as paid. A weak secret causes only a warning: the counterparty may have chosen
 * the secret, and the gateway must be able to start.
 */
export function weakSecretWarning(entry: ChannelSettings): string | undefined {
  const names = [...chosen, ...(entry.protocol === 'pix' ? ['webhookSecret'] : [])]
  const weak = names
    .filter((name) => settingsOf(entry.protocol).includes(name))
    .find((name) => isWeak(entry[name]))
  if (weak === undefined) return undefined
  return `"${weak}" is easy to guess: use at least ${SHORTEST} random characters, such as those of "openssl rand -hex 32".`
}

function isWeak(value: unknown): boolean {
  if (typeof value !== 'string') return false
  return value.length < SHORTEST || new Set(value).size < FEWEST_DIFFERENT || PLACEHOLDER.test(value)
}

export function weakSecretWarnings(entries: readonly ChannelSettings[]): string[] {
  return entries.flatMap((entry) => {
    const warning = weakSecretWarning(entry)
    return warning === undefined ? [] : [`channel ${entry.name}: ${warning}`]
  })
}

const DAY_MS = 86_400_000
/** The warning begins this many days before the certificate ends. A bank may take weeks to issue a new certificate. */
const SOON_DAYS = 30

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/**
 * Returns a sentence if our certificate has expired or ends soon. Most counterparties close the connection without a
 * message if our certificate has expired. The gateway still makes calls, because the counterparty may accept the
 * certificate, or our clock may be wrong.
 */
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

/** Returns the earliest end of the certificates in a chain; undefined for a chain that http-settings.ts refuses. */
function endOf(chain: string): Date | undefined {
  try {
    const all = chain.match(pemCertificate) ?? []
    const ends = all.map((one) => new X509Certificate(one).validToDate.getTime())
    return ends.length === 0 ? undefined : new Date(Math.min(...ends))
  } catch {
    return undefined
  }
}

export function certificateWarnings(entries: readonly ChannelSettings[], now: Date): string[] {
  return entries.flatMap((entry) => {
    const warning = certificateWarning(entry, now)
    return warning === undefined ? [] : [`channel ${entry.name}: ${warning}`]
  })
}

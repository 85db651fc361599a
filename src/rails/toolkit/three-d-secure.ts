// 3-D Secure: the browser data, and the challenge messages (CReq, CRes) between payer and issuer.
import { memoize } from '../../platform/base/memoize.ts'
import { type Fields, isObject } from '../../platform/base/object.ts'
import type { PayerAction } from '../contract/channel.ts'

/** Reads the browser data from the device fields of the merchant's request. */
export function browserOf(details: Fields, now: Date): Fields {
  const { timezone } = details
  return {
    browserAcceptHeader: given(details.acceptHeader),
    browserUserAgent: given(details.userAgent),
    browserIP: given(details.ipAddress),
    browserLanguage: given(details.language),
    browserColorDepth: given(details.screenColorDepth),
    browserScreenHeight: given(details.screenHeight),
    browserScreenWidth: given(details.screenWidth),
    browserJavaEnabled: given(details.javaEnabled),
    browserJavascriptEnabled: given(details.javascriptEnabled),
    browserTZ: typeof timezone === 'string' ? minutesToUtc(timezone, now) : undefined,
  }
}

export function given(value: unknown): unknown {
  return value === null || value === '' ? undefined : value
}

const QUARTER_MS = 900_000
const MAX_CACHED = 1_000

/**
 * Caches the offsets of time zones, because Intl is slow. The key has a quarter of an hour, because zones change their
 * offset only at full quarters. The cache is bounded, because merchants choose the zones.
 */
const minutesAt = memoize(MAX_CACHED, (key) => {
  const [quarter = '', ...zone] = key.split(' ')
  return askIntl(zone.join(' '), new Date(Number(quarter) * QUARTER_MS))
})

/** Returns the minutes from local time to UTC, like getTimezoneOffset: UTC+8 is -480. Undefined for an unknown zone. */
export function minutesToUtc(zone: string, now: Date): number | undefined {
  return minutesAt(`${Math.floor(now.getTime() / QUARTER_MS)} ${zone}`)
}

function askIntl(zone: string, now: Date): number | undefined {
  let name: string | undefined
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    name = format.formatToParts(now).find((part) => part.type === 'timeZoneName')?.value
  } catch {
    return undefined
  }
  const [, sign, hours = '0', minutes = '0'] = /^GMT(?:([+-])(\d\d):(\d\d))?$/.exec(name ?? '') ?? []
  const offset = Number(hours) * 60 + Number(minutes)
  return sign === '+' ? 0 - offset : offset
}

/** Returns the payer's action for a challenge of the issuer; undefined if the challenge is malformed. */
export function toChallenge({ acsUrl, acsTransID, ...rest }: Fields): PayerAction | undefined {
  const { threeDSServerTransID, messageVersion } = rest
  if (typeof acsUrl !== 'string' || !/^https?:$/.test(URL.parse(acsUrl)?.protocol ?? '')) return undefined
  if (typeof acsTransID !== 'string' || typeof threeDSServerTransID !== 'string') return undefined
  const message = {
    threeDSServerTransID,
    acsTransID,
    messageVersion,
    messageType: 'CReq',
    challengeWindowSize: '05',
  }
  return { kind: 'challenge', acsUrl, creq: Buffer.from(JSON.stringify(message)).toString('base64url') }
}

/**
 * Reads the challenge's id from the browser's `cres`. The result in `cres` is not trusted: a query to the issuer
 * decides.
 */
export function challengeIdOf(cres: string | undefined): string | undefined {
  if (cres === undefined) return undefined
  try {
    const message: unknown = JSON.parse(Buffer.from(cres, 'base64url').toString('utf8'))
    const id = isObject(message) ? message.acsTransID : undefined
    return typeof id === 'string' && /^[0-9a-f-]{36}$/i.test(id) ? id : undefined
  } catch {
    return undefined
  }
}

// The payer's browser as 3-D Secure wants it described, from the device fields of the merchant's request.

type Fields = Readonly<Record<string, unknown>>

/** What is undefined is left out where it is written. */
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

function given(value: unknown): unknown {
  return value === null || value === '' ? undefined : value
}

/** As a browser's getTimezoneOffset counts: UTC+8 is -480. Undefined when it is no zone. */
export function minutesToUtc(zone: string, now: Date): number | undefined {
  const quarter = Math.floor(now.getTime() / QUARTER_MS)
  const known = remembered.get(zone)
  if (known?.quarter === quarter) return known.minutes
  const minutes = askIntl(zone, now)
  // Merchants name zones: what is remembered must stay small whatever they send.
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(zone, { quarter, minutes })
  return minutes
}

/** Making a date format costs more than all else here, so an answer is kept for its quarter of an hour:
 * no clock on earth is changed within one. */
const remembered = new Map<string, { quarter: number; minutes: number | undefined }>()
const QUARTER_MS = 900_000
const MAX_REMEMBERED = 1_000

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

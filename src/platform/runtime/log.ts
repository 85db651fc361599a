// Structured logs: one JSON line per message, or a readable line at a terminal. No code should log bodies or secrets.
// As a second defence, secret fields are redacted, and card numbers are hidden, because a message may quote a caller.
import pino, { type LogFn, type Logger } from 'pino'
import { hideCardNumbers } from '../base/card-number.ts'
import { isObject } from '../base/object.ts'
import { outageOf } from '../postgres/outages.ts'

const secretNames = [
  'cardNo',
  'cardSecurityCode',
  'cardExpireMonth',
  'cardExpireYear',
  'number',
  'securityCode',
  'socialSecurityNumber',
  'customerIdentification',
  'applePayToken',
  'googlePayToken',
  'sign',
  'key',
  'password',
]

type Output = { readonly isTTY?: boolean; write(text: string): unknown }

export function openLog(level: string, output: Output = process.stdout): Logger {
  const paths = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths, censor: '[cut]' },
    hooks: { streamWrite: hideCardNumbers, logMethod: withoutOutages },
  }
  // Without a terminal, pino writes directly to the file or pipe, which is faster.
  if (output === process.stdout && output.isTTY !== true) return pino(options)
  const hasColours = !process.env.NO_COLOR && process.env.TERM !== 'dumb'
  const toText = (line: string) => (output.isTTY === true ? terminalLine(line, hasColours) : line)
  return pino(options, { write: (line) => void output.write(toText(line)) })
}

const DEBUG = 20

/** Logs an outage only at debug level: every worker and request fails, and database-health.ts logs the outage once. */
function withoutOutages(this: Logger, args: Parameters<LogFn>, log: LogFn, level: number): void {
  const [first] = args
  const isOutage = typeof first === 'object' && first !== null && 'err' in first && isOfOutage(first.err)
  if (isOutage && level > DEBUG) this.debug(...args)
  else log.apply(this, args)
}

function isOfOutage(error: unknown): boolean {
  if (outageOf(error) !== undefined) return true
  return error instanceof Error && error.cause !== undefined && isOfOutage(error.cause)
}

/** The terminal's colours of pino's levels. */
const colours: Readonly<Record<number, string>> = { 20: '2', 30: '36', 40: '33', 50: '31', 60: '31' }

/** Makes a line for the terminal. A text that is not a JSON line from pino is returned unchanged. */
export function terminalLine(line: string, hasColours: boolean): string {
  const entry = parse(line)
  if (entry === undefined) return line
  const { level, time, msg, err, ...fields } = entry
  const name = pino.levels.labels[Number(level)] ?? String(level)
  const paint = (text: string, code: string) => (hasColours ? `\x1b[${code}m${text}\x1b[0m` : text)
  const words = [
    paint(clockTime(time), '2'),
    paint(name.padEnd(5), colours[Number(level)] ?? '0'),
    plain(String(msg ?? '')),
    ...Object.entries(fields).map(([field, value]) => paint(`${plain(field)}=${shown(value)}`, '2')),
  ]
  return `${words.join(' ')}\n${isObject(err) ? failure(err) : ''}`
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const entry: unknown = JSON.parse(line)
    return isObject(entry) ? { ...entry } : undefined
  } catch {
    return undefined
  }
}

/** The time without the date, which the reader knows. */
function clockTime(time: unknown): string {
  const at = new Date(typeof time === 'string' ? time : Number.NaN)
  const two = (value: number) => String(value).padStart(2, '0')
  if (Number.isNaN(at.getTime())) return '--:--:--'
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')
}

function shown(value: unknown): string {
  return plain(typeof value === 'string' ? value : JSON.stringify(value))
}

/** The text of an error. A stack already starts with the type and the message. */
function failure({ type, message, stack }: Readonly<Record<string, unknown>>): string {
  const text = typeof stack === 'string' && stack !== '' ? stack : `${type}: ${message}`
  return text
    .split('\n')
    .map((part) => `    ${plain(part.trim())}\n`)
    .join('')
}

/** Replaces control characters, which could control the terminal. */
function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, '\uFFFD')
}

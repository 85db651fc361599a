// Formats a log line for a terminal: time, level, message and fields.
import { isObject } from '../base/object.ts'

type Level = { readonly name: string; readonly colour: string }

const levels: Readonly<Record<number, Level>> = {
  20: { name: 'debug', colour: '2' },
  30: { name: 'info', colour: '36' },
  40: { name: 'warn', colour: '33' },
  50: { name: 'error', colour: '31' },
  60: { name: 'fatal', colour: '31' },
}

/** `line` is a JSON line from pino; any other text is returned unchanged. */
export function terminalLine(line: string, hasColours: boolean): string {
  const entry = parse(line)
  if (entry === undefined) return line
  const { level, time, msg, err, ...fields } = entry
  const { name, colour } = levels[Number(level)] ?? { name: String(level), colour: '0' }
  const paint = (text: string, code: string) => (hasColours ? `\x1b[${code}m${text}\x1b[0m` : text)
  const words = [
    paint(clockTime(time), '2'),
    paint(name.padEnd(5), colour),
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

/** The local time of day; the reader knows the date. */
function clockTime(time: unknown): string {
  const at = new Date(typeof time === 'string' ? time : Number.NaN)
  const two = (value: number) => String(value).padStart(2, '0')
  if (Number.isNaN(at.getTime())) return '--:--:--'
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')
}

function shown(value: unknown): string {
  return plain(typeof value === 'string' ? value : JSON.stringify(value))
}

/** The stack starts with type and message. */
function failure({ type, message, stack }: Readonly<Record<string, unknown>>): string {
  const text = typeof stack === 'string' && stack !== '' ? stack : `${type}: ${message}`
  return text
    .split('\n')
    .map((part) => `    ${plain(part.trim())}\n`)
    .join('')
}

/** Control characters could control the terminal. */
function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, '\uFFFD')
}

// A line of the log for people at a terminal: time, level, what happened, and the fields that came with it.
import { isObject } from '../base/object.ts'

type Level = { readonly name: string; readonly colour: string }

const levels: Readonly<Record<number, Level>> = {
  20: { name: 'debug', colour: '2' },
  30: { name: 'info', colour: '36' },
  40: { name: 'warn', colour: '33' },
  50: { name: 'error', colour: '31' },
  60: { name: 'fatal', colour: '31' },
}

/** `line` is as pino writes it. What is not one of its lines is handed on as it is. */
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

/** In the zone of whoever reads it; the day is known to them. */
function clockTime(time: unknown): string {
  const at = new Date(typeof time === 'string' ? time : Number.NaN)
  const two = (value: number) => String(value).padStart(2, '0')
  if (Number.isNaN(at.getTime())) return '--:--:--'
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')
}

function shown(value: unknown): string {
  return plain(typeof value === 'string' ? value : JSON.stringify(value))
}

/** The stack begins with type and message. */
function failure({ type, message, stack }: Readonly<Record<string, unknown>>): string {
  const text = typeof stack === 'string' && stack !== '' ? stack : `${type}: ${message}`
  return text
    .split('\n')
    .map((part) => `    ${plain(part.trim())}\n`)
    .join('')
}

/** Control characters would act on the terminal. */
function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, '\uFFFD')
}

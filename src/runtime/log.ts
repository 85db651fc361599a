// Structured logs: one JSON line per message, or a readable line at a terminal. No code logs bodies; if some ever did, secrets
// would be redacted here.
import pino, { type Logger } from 'pino'
import { terminalLine } from './terminal-line.ts'

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

/** The part of standard output that the log needs. */
export type Output = { readonly isTTY?: boolean; write(text: string): unknown }

export function openLog(level: string, output: Output = process.stdout): Logger {
  const paths = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths, censor: '[cut]' },
  }
  // For a file or pipe pino writes directly, which is faster.
  if (output === process.stdout && output.isTTY !== true) return pino(options)
  const hasColours = !process.env.NO_COLOR && process.env.TERM !== 'dumb'
  const toText = (line: string) => (output.isTTY === true ? terminalLine(line, hasColours) : line)
  return pino(options, { write: (line) => void output.write(toText(line)) })
}

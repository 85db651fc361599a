// Structured logs: one JSON line each, or at a terminal one line for people. Nobody logs a body; should somebody ever, what is secret in it is cut out here.
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

/** Where lines go: standard output, as it is seen from here. */
export type Output = { readonly isTTY?: boolean; write(text: string): unknown }

export function openLog(level: string, output: Output = process.stdout): Logger {
  const paths = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths, censor: '[cut]' },
  }
  // To a file or pipe pino writes by itself, which is quicker.
  if (output === process.stdout && output.isTTY !== true) return pino(options)
  const hasColours = !process.env.NO_COLOR && process.env.TERM !== 'dumb'
  const toText = (line: string) => (output.isTTY === true ? terminalLine(line, hasColours) : line)
  return pino(options, { write: (line) => void output.write(toText(line)) })
}

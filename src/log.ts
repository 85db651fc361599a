// Structured logs, one JSON line each. Nobody logs a body; should somebody ever, what is secret in it is cut out here.
import pino, { type Logger } from 'pino'

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

export function openLog(level: string): Logger {
  const paths = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths, censor: '[cut]' },
  })
}

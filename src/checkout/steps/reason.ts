// Channels give the reason of a failure in English. Common reasons are translated; others are shown unchanged.
import type { Words } from '../../pages/translations/en.ts'

const known: readonly (readonly [pattern: RegExp, reason: keyof Words['reasons']])[] = [
  [/insufficient|not enough|funds/i, 'insufficientFunds'],
  [/expired card|card (has )?expired/i, 'expiredCard'],
  [/security code|\bcvc\b|\bcvv\b/i, 'securityCode'],
  [/authenticat|verif|3-?d ?s|challenge|wrong code/i, 'notConfirmed'],
  [/expired|ran out|too late|in time/i, 'expired'],
  [/cancel/i, 'cancelled'],
  [/could not be reached|refused to open|not available|unavailable/i, 'unavailable'],
  [/declined|refused|rejected/i, 'declined'],
]

export function reasonOf(message: string, words: Words): string {
  const found = known.find(([pattern]) => pattern.test(message))
  if (found !== undefined) return words.reasons[found[1]]
  return message === '' ? words.reasons.declined : sentence(message)
}

export function sentence(text: string): string {
  if (text === '') return ''
  return /[.!?。]$/.test(text) ? text : `${text}.`
}

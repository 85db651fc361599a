// Secrets that we choose ourselves, and that others could guess. Whoever knows one can report payments as paid. They are
// warned of in live, not refused: a counterparty may have chosen it, and a gateway that does not start helps nobody.
import { settingsOf } from './setting-names.ts'
import type { ChannelSettings } from './settings.ts'

const SHORTEST = 16
/** `openssl rand -hex 16` has more than this many different characters, but for one in millions. */
const FEWEST_DIFFERENT = 5
const PLACEHOLDER = /change.?(?:me|it)|replace.?(?:me|this)|your.?secret|placeholder|example|password/i

/** Of the bridge, ours alone. Others are issued by the counterparty, or are keys whose form is checked. */
const chosen = ['secret', 'walletSecret', 'acquirerSecret', 'callbackSecret']

/** A sentence if a secret is short or a placeholder. It does not repeat the secret. */
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

/** One for each entry with such a secret. */
export function weakSecretWarnings(entries: readonly ChannelSettings[]): string[] {
  return entries.flatMap((entry) => {
    const warning = weakSecretWarning(entry)
    return warning === undefined ? [] : [`channel ${entry.name}: ${warning}`]
  })
}

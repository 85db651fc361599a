// An entry of the block or allow list, and the format of its subject.
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import { isAddressRange } from '../../platform/http/addresses.ts'
import { plainEmail } from './facts.ts'

export const entryKinds = ['card', 'bin', 'country', 'address', 'email', 'device'] as const
export type EntryKind = (typeof entryKinds)[number]
export type ListName = 'block' | 'allow'

/** The `createdBy` of block entries for cards that the card network forbids to try again. */
export const CARD_NETWORK = 'card network'

export type Entry = {
  /** The merchant number, or 0 for an entry that applies to every merchant. */
  readonly merNo: number
  readonly entryId: string
  readonly list: ListName
  readonly kind: EntryKind
  readonly value: string
  /** The value that people see. */
  readonly shown: string
  readonly reason: string
  readonly createdAt: Date
  readonly createdBy: string
  readonly expiresAt: Date | undefined
}

export function isEntryKind(text: string): text is EntryKind {
  const kinds: readonly string[] = entryKinds
  return kinds.includes(text)
}

type Written = { readonly read: (text: string) => string; readonly form: RegExp; readonly rule: string }

const upper = (text: string) => text.trim().toUpperCase()
const lower = (text: string) => text.trim().toLowerCase()

/** The formats of subjects by kind. Cards have no format here: a card is named by its number or by an order. */
const written: Readonly<Record<Exclude<EntryKind, 'card'>, Written>> = {
  bin: { read: upper, form: /^\d{6}$/, rule: 'a BIN is the first six digits of a card' },
  country: { read: upper, form: /^[A-Z]{2}$/, rule: 'a country has two letters, as in DE' },
  address: { read: lower, form: /./, rule: 'give an IP address, or a network as in 203.0.113.0/24' },
  email: {
    read: plainEmail,
    form: /^[^\s@]*@[^\s@]+\.[^\s@]+$/,
    rule: 'give an e-mail address, or a domain as in @example.com',
  },
  device: { read: lower, form: /^[0-9a-f]{32}$/, rule: 'name a device by one of its orders' },
}

const VALUE_LENGTH = 255

/** Returns the value in the form in which it is stored. Throws if the text is no value of this kind. */
export function readValue(kind: Exclude<EntryKind, 'card'>, text: string): string {
  const { read, form, rule } = written[kind]
  const value = read(text)
  if (value.length > VALUE_LENGTH || !form.test(value)) throw new OperatorRefusal(rule)
  if (kind === 'address') checkNetwork(value, rule)
  return value
}

// The shortest prefixes, by IP version. A network with a shorter prefix is refused as a typing mistake, because it
// would contain a large part of the internet.
const SHORTEST_PREFIX = { 4: 8, 6: 19 } as const

function checkNetwork(value: string, rule: string): void {
  if (!isAddressRange(value)) throw new OperatorRefusal(rule)
  const [, prefix] = value.split('/')
  const shortest = SHORTEST_PREFIX[value.includes(':') ? 6 : 4]
  if (prefix !== undefined && Number(prefix) < shortest)
    throw new OperatorRefusal(`the network is too large: its prefix has at least ${shortest} bits`)
}

export function isCurrent({ expiresAt }: Pick<Entry, 'expiresAt'>, now: Date): boolean {
  return expiresAt === undefined || expiresAt > now
}

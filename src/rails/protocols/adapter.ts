// The parts that the adapters of several counterparties share: outcomes, deadlines, answers to callbacks, the reading
// of fields, money in records, and the check of the methods and accounts that an entry may list.
import type { Money } from '../../platform/base/money.ts'
import { type Fields, isObject } from '../../platform/base/object.ts'
import { SettingError } from '../../platform/errors/catalogue.ts'
import type { CallbackResult, Deposit, Failed, PayerAction } from '../contract/channel.ts'
import { type AccountKind, payoutMethodOf } from '../contract/payout-rail.ts'
import type { ChannelSettings } from '../contract/settings.ts'
import type { RecordBody } from '../contract/store.ts'
import type { Method } from '../methods/methods.ts'
import { withDeadline } from '../toolkit/deadline.ts'

export function unknown(why: string) {
  return { kind: 'unknown', why } as const
}

export function failed<Cause extends Failed['cause']>(cause: Cause, message: string) {
  return { kind: 'failed', cause, message } as const
}

/** The failure of a payment or payout that was refused before any call. */
export function notSent(message: string) {
  return { ...failed('refused', message), isLocal: true } as const
}

export const cancelled = failed('cancelled', 'Cancelled; nothing was charged')

/** The outcome of a cancelled payment. Its deposits came too late or were too small. */
export function cancelledWith(channelRef: string, deposits: readonly Deposit[]): Failed {
  const ref = channelRef === '' ? {} : { channelRef }
  if (deposits.length === 0) return { ...cancelled, ...ref }
  return { ...failed('cancelled', 'Ended before the full amount arrived'), ...ref, deposits }
}

/** Returns a function that gives each call the deadline. */
export function timedBy(timeoutMs: number) {
  return <Request, Result>(work: (request: Request, signal: AbortSignal) => Promise<Result>) =>
    (request: Request) =>
      withDeadline(timeoutMs, (signal) => work(request, signal))
}

export function refuse(status: number, why: string): CallbackResult {
  return { kind: 'refused', why, answer: { status, type: 'text/plain', body: why } }
}

export function isWebAddress(url: unknown): url is string {
  return typeof url === 'string' && /^https?:$/.test(URL.parse(url)?.protocol ?? '')
}

/** Returns the redirect to the counterparty's page; undefined if the URL is missing or malformed. */
export function redirectTo(url: unknown): PayerAction | undefined {
  return isWebAddress(url) ? { kind: 'redirect', url } : undefined
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns the text in the field, or ''. */
export function textIn(fields: Fields | undefined, name: string): string {
  const value = fields?.[name]
  return typeof value === 'string' ? value : ''
}

export function objectsIn(list: unknown): Fields[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** JSON's numbers are floats, so the amount is a text of digits. */
export function moneyBody({ amount, currency }: Money) {
  return { amount: amount.toString(), currency }
}

/** Reads what `moneyBody` wrote; undefined if the record has no money. */
export function readMoney(body: RecordBody | undefined): Money | undefined {
  if (!isObject(body) || typeof body.amount !== 'string' || typeof body.currency !== 'string')
    return undefined
  return { amount: BigInt(body.amount), currency: body.currency }
}

/** Throws if the entry lists a method or a kind of account that its protocol does not serve. */
export function checkServed(
  { name, protocol, methods, payoutKinds }: ChannelSettings,
  served: readonly Method[],
  kinds: readonly AccountKind[] = [],
): void {
  if (methods.every((one) => served.includes(one)) && payoutKinds.every((one) => kinds.includes(one))) return
  const all = [...served, ...kinds.map(payoutMethodOf)]
  throw new SettingError(`channel ${name}: the protocol ${protocol} serves ${all.join(', ')} only`)
}

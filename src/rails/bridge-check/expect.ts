// Helpers of the checks. The gateway's own code reads the answers. So if an answer passes, the gateway understands it.
import { isSameMoney } from '../../platform/base/money.ts'
import { type Fields, isObject } from '../../platform/base/object.ts'
import type { Deposit, Dispute } from '../contract/channel.ts'
import { theirReason } from '../contract/counterparty-texts.ts'
import { type BankCharge, readChargeOrFault } from '../protocols/bridge/bank/charge.ts'
import { waitUntil } from './callback-inbox.ts'
import { type Answer, Broken, hold, NotChecked, type TestedBridge } from './check.ts'

/** The `extra` fields of a payment request, as some methods send them. */
export const extra: Fields = { terminal: 'WEB', userId: 'payer-1' }

/** Returns a payment request. `changes` replace fields. */
export function paymentOf(bridge: TestedBridge, reference: string, changes: Fields = {}): Fields {
  const { money, inbox } = bridge
  return {
    reference,
    amount: money.amount.toString(),
    currency: money.currency,
    payee: 'Conformance check',
    expiresAt: new Date(Date.now() + 1_800_000).toISOString(),
    returnUrl: inbox.url,
    callbackUrl: inbox.url,
    extra,
    ...changes,
  }
}

export async function openPayment(bridge: TestedBridge, reference = bridge.reference()): Promise<BankCharge> {
  const answer = await bridge.call('open', paymentOf(bridge, reference))
  expectCurrency(bridge, answer)
  return chargeIn(answer, reference)
}

/**
 * If the bridge seems to refuse the currency, fails with advice to choose another one: many bridges have only one
 * currency.
 */
function expectCurrency({ money: { currency } }: TestedBridge, answer: Answer): void {
  const message = isObject(answer.body) ? messageIn(answer.body) : ''
  const isAboutIt = message === '' || /currenc/i.test(message) || message.includes(currency)
  hold(
    answer.status !== 400 || !isAboutIt,
    `"open" of a payment in ${currency} was answered 400 (${errorIn(answer)}), not 200.`,
    `If your rail does not have ${currency}, name a currency that it has with --currency. Otherwise accept the request.`,
  )
}

export async function lookUp(bridge: TestedBridge, reference: string): Promise<BankCharge> {
  return chargeIn(await bridge.call('lookup', { reference }), reference)
}

export async function payPayment(bridge: TestedBridge): Promise<BankCharge> {
  const { reference } = await openPayment(bridge)
  await simulate(bridge, { reference, event: 'pay' })
  const charge = await lookUp(bridge, reference)
  hold(charge.status === 'paid', `After the payer paid, "status" is "${charge.status}", not "paid".`)
  bridge.finals.push(() => expectUnchanged(bridge, charge))
  return charge
}

async function expectUnchanged(bridge: TestedBridge, before: BankCharge): Promise<void> {
  const { status, deposits } = await lookUp(bridge, before.reference)
  hold(status === 'paid', `A paid payment was "${status}" at the end of the run.`)
  const more = deposits.length - before.deposits.length
  hold(more <= 0, `A payment that was paid once has ${deposits.length} deposits at the end of the run.`)
  const isSame = before.deposits.every((one) => deposits.some((other) => isSameDeposit(one, other)))
  hold(isSame, 'A deposit has another id, amount or currency at the end of the run.')
}

export function isSameDeposit(one: Deposit, other: Deposit): boolean {
  return one.depositRef === other.depositRef && isSameMoney(one.money, other.money)
}

export async function simulate(bridge: TestedBridge, event: Fields): Promise<void> {
  const { status } = await bridge.call('simulate', event)
  hold(status === 200, `"simulate" with ${JSON.stringify(event)} was answered ${status}.`)
}

export function chargeIn(answer: Answer, reference: string): BankCharge {
  hold(answer.status === 200, `A payment was answered ${answer.status} (${errorIn(answer)}), not 200.`)
  const charge = readChargeOrFault(answer.body)
  if (typeof charge === 'string') throw unreadable('payment', charge, answer.body)
  hold(charge.reference === reference, 'The answer names another "reference" than the request.')
  expectDeposits(charge, answer.body)
  return charge
}

/** The format of a time in UTC. The gateway also reads other zones, but the protocol does not allow them. */
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/

function expectDeposits({ money, deposits }: BankCharge, body: unknown): void {
  const other = deposits.find((one) => money !== undefined && one.money.currency !== money.currency)
  hold(
    other === undefined,
    `A payment in ${money?.currency} has a deposit in ${other?.money.currency}: "currency" of a deposit is that of its payment.`,
  )
  const sent = isObject(body) && Array.isArray(body.deposits) ? body.deposits.filter(isObject) : []
  const local = sent.find(({ at }) => typeof at !== 'string' || !UTC.test(at))
  hold(
    local === undefined,
    `"at" of a deposit is ${shown(local?.at)}, not ISO 8601 in UTC, such as "2026-11-16T12:00:00.000Z".`,
  )
}

export function expectRefusal(answer: Answer, status: number, error: string, what: string): void {
  const isRight = answer.status === status && isObject(answer.body) && answer.body.error === error
  hold(
    isRight,
    `${what} was answered ${answer.status} (${errorIn(answer)}), not ${status} with "error": "${error}".`,
  )
}

type Outcome = { readonly kind: string; readonly why?: string }

/** Returns the outcome that the gateway reads in the answer. Fails if the gateway cannot read the answer. */
export function understood<One extends Outcome>(what: string, { body }: Answer, outcome: One): One {
  if (outcome.kind === 'unknown') throw unreadable(what, outcome.why ?? 'its state is not known', body)
  return outcome
}

const FORMS = 'Correct it: docs/bridge-protocol.md lists the form of every value under "Rules".'

export function unreadable(what: string, fault: string, body: unknown): Broken {
  return new Broken(`The gateway cannot read this ${what}: ${fault}. It is ${shown(body)}.`, FORMS)
}

export async function decided<One extends Outcome>(what: string, ask: () => Promise<One>): Promise<One> {
  let outcome = await ask()
  const isOpen = () => outcome.kind === 'pending' || outcome.kind === 'processing'
  const isDecided = await waitUntil(async () => {
    if (isOpen()) outcome = await ask()
    return !isOpen()
  })
  hold(
    isDecided,
    `A ${what} was still "processing" after 20 seconds.`,
    `Set "status" to "succeeded" or "failed" once the rail has decided, and answer a repeated request with it. If the rail's test account takes longer than 20 seconds, this cannot be checked with it.`,
  )
  return outcome
}

/** Checks that three concurrent requests with one reference return the same id. */
export async function expectOne(what: string, ask: () => Promise<unknown>): Promise<string> {
  const ids = new Set(await Promise.all([ask(), ask(), ask()]))
  hold(ids.size === 1, `Three requests with one reference made ${ids.size} ${what}s.`)
  const [id] = ids
  hold(typeof id === 'string' && id !== '', `A ${what} has no id.`)
  return id
}

/** Skips a check that needs a callback if the bridge cannot call this machine. Called before anything is sent. */
export function requireInbox({ inbox }: Pick<TestedBridge, 'inbox'>): void {
  if (!inbox.isReachable)
    throw new NotChecked('Callbacks can be checked only if the bridge runs on this machine.')
}

/** Waits for a callback for which `fits` is true, checks its signature and returns its content. */
export async function expectCallback(
  { inbox }: TestedBridge,
  what: string,
  fits: (content: Fields) => boolean,
): Promise<Fields> {
  requireInbox({ inbox })
  const received = await inbox.wait(fits)
  if (received === undefined)
    throw new Broken(`No callback about ${what} came to "callbackUrl" in 20 seconds.`)
  hold(received.isSigned, `The callback about ${what} has a wrong signature.`)
  return received.content
}

export function sumOf(list: readonly { readonly money: Dispute['money'] }[]): bigint {
  return list.reduce((sum, { money }) => sum + money.amount, 0n)
}

export function errorIn({ body }: Answer): string {
  if (!isObject(body)) return 'no JSON object'
  const message = messageIn(body)
  return `"error": ${shown(body.error ?? null)}${message === '' ? '' : `, "message": ${JSON.stringify(message)}`}`
}

function messageIn({ message }: Fields): string {
  return theirReason(message, message === undefined ? '' : '(too long, or no text)')
}

/**
 * Returns the beginning of an answer. Card numbers are masked, because a bridge may wrongly send them back. Times in
 * milliseconds are not masked.
 */
export function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'no JSON')
    .replaceAll(/\d{14,19}|(?<!\d)(?!1[6-9])\d{12,13}/g, '[digits]')
    .slice(0, 300)
}

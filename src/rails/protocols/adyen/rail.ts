// Payouts by Adyen's transfers, from a balance account to bank accounts and cards. Our reference is the transfer's
// reference and its idempotency key. Paid transfers are recorded and queried again, because they may be returned.
import type { Clock } from '../../../platform/base/clock.ts'
import { timeOf } from '../../../platform/base/id.ts'
import { isObject } from '../../../platform/base/object.ts'
import { parseJson } from '../../../platform/http/client/http-client.ts'
import type { Callback, CallbackResult } from '../../contract/channel.ts'
import type { PayoutOutcome } from '../../contract/payout-outcome.ts'
import type { AccountKind, PayoutRail, PayoutRequest } from '../../contract/payout-rail.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { withDeadline } from '../../toolkit/deadline.ts'
import { notSent, unknown } from '../../toolkit/outcomes.ts'
import { type ReadPaid, readPaid } from '../../toolkit/records/paid-payouts.ts'
import { mayHaveSent, sendOnRecord } from '../../toolkit/records/sent-before.ts'
import { type AdyenApi, whyOpen } from './api.ts'
import { answer, refuse } from './callback.ts'
import type { CardTokens } from './card-tokens.ts'
import { fromSend, readTransfer, refused, type TransferState, toTransfer } from './payout-wire.ts'
import { isSignedBody } from './signature.ts'

type TransferRailOptions = {
  readonly name: string
  readonly kinds: readonly AccountKind[]
  readonly api: AdyenApi
  /** Exchanges card numbers for tokens. Undefined for a channel without payouts to cards. */
  readonly cards: CardTokens | undefined
  readonly store: ChannelStore
  readonly balanceAccountId: string
  readonly hmacKey: Buffer
  readonly clock: Clock
  readonly timeoutMs: number
}

const DAY_MS = 86_400_000
const TRANSFER = 'transfer'
/**
 * The currencies in which this rail pays to cards. The currency is checked before a card is stored at Adyen, because no
 * other rail can pay to a stored card.
 */
const CARD_CURRENCIES = ['EUR', 'CHF', 'CZK', 'DKK', 'HUF', 'ISK', 'NOK', 'PLN', 'RON', 'SEK', 'GBP', 'USD']

export function createTransferRail(options: TransferRailOptions): PayoutRail {
  const { name, kinds, api, cards, store, balanceAccountId, clock, timeoutMs } = options
  const read = readPaid({ store, clock, kind: 'payout-paid' })

  async function send(request: PayoutRequest, signal: AbortSignal): Promise<PayoutOutcome> {
    const body = kinds.includes(request.kind) ? toTransfer(request, balanceAccountId) : undefined
    if (body === undefined) return { ...refused, isLocal: true }
    const { reference } = request
    const reply = await api.postUntilKnown('/transfers', body, { key: reference, signal })
    return read(reference, fromSend(reply, reference, clock.now()))
  }

  async function ask(reference: string, signal: AbortSignal): ReturnType<PayoutRail['ask']> {
    const found = await find(options, reference, signal)
    return found.kind === 'absent' ? found : read(reference, found)
  }

  return {
    name,
    kinds,
    currencies: 'any',
    cardCurrencies: CARD_CURRENCIES,
    needsExpiry: true,
    timeoutMs,
    tokenise: async (number, expiry) =>
      cards === undefined || expiry === undefined ? noCards : cards.store(number, expiry),
    // The payout is recorded before it is sent (see sent-before.ts). The idempotency key is not enough: Adyen keeps it
    // for a limited time, and only within one company account.
    send: (request) =>
      withDeadline(timeoutMs, (signal) =>
        sendOnRecord(store, request.reference, () => send(request, signal)),
      ),
    ask: (reference) => withDeadline(timeoutMs, (signal) => ask(reference, signal)),
    readCallback: (callback) => readTransferCallback(options, callback, read),
  }
}

const noCards = notSent('Adyen takes a card with its expiry date only')

async function find(
  { api, balanceAccountId, clock }: TransferRailOptions,
  reference: string,
  signal: AbortSignal,
): Promise<PayoutOutcome | { readonly kind: 'absent' }> {
  const now = clock.now()
  // The query covers the payout's whole life, because a payout that is not found is sent again. Once Adyen has
  // forgotten the idempotency key, a second request would pay twice.
  const since = Math.min(timeOf(reference).getTime(), now.getTime()) - DAY_MS
  const query = new URLSearchParams({
    balanceAccountId,
    reference,
    createdSince: new Date(since).toISOString(),
    createdUntil: new Date(now.getTime() + DAY_MS).toISOString(),
  })
  const reply = await api.get(`/transfers?${query}`, signal)
  if (reply.kind !== 'answer' || reply.status !== 200) return unknown(whyOpen(reply))
  const { data, _links: links } = reply.body
  if (!Array.isArray(data)) return unknown("Adyen's response has no list of transfers")
  // If there is a later page, the payout may be on it, so it does not count as absent. An absent payout is sent again.
  const hasMore = isObject(links) && isObject(links.next)
  if (data.length === 0) return hasMore ? unknown('Adyen listed a part of the transfers') : { kind: 'absent' }
  const transfers = data.map((one) => readTransfer(one, now))
  const [found] = transfers
  const areOurs = transfers.every((one) => one?.reference === reference && one.id === found?.id)
  return found !== undefined && areOurs ? found.outcome : unknown('Adyen responded about another payout')
}

/**
 * True if the webhook is about a transfer. Webhooks about payments go to the same URL, but lack the header
 * `hmacsignature`.
 */
export function isTransferCallback({ headers }: Callback): boolean {
  return headers[SIGNATURE] !== undefined
}

const SIGNATURE = 'hmacsignature'

async function readTransferCallback(
  { store, hmacKey, clock }: TransferRailOptions,
  { headers, body }: Callback,
  read: ReadPaid,
): Promise<CallbackResult> {
  if (!isSignedBody(body, headers[SIGNATURE] ?? '', hmacKey)) return refuse('it is not signed by Adyen', 401)
  // A transfer is recorded for later queries only if the gateway may have sent it.
  const reportOf = async (one: TransferState) => {
    const isOurs = await mayHaveSent(store, one.reference)
    return isOurs ? { ...one, outcome: await read(one.reference, one.outcome) } : one
  }
  const message = parseJson(body)
  const { type, data } = isObject(message) ? message : {}
  const isTransfer =
    type === 'balancePlatform.transfer.created' || type === 'balancePlatform.transfer.updated'
  const transfer = isTransfer ? readTransfer(data, clock.now()) : undefined
  const isKnown = transfer !== undefined && transfer.outcome.kind !== 'unknown'
  const payouts = isKnown && (await isLatest(store, transfer)) ? [await reportOf(transfer)] : []
  return { kind: 'accepted', reports: [], payouts, answer: answer(200, '[accepted]') }
}

/**
 * Records a change of a transfer. Returns false if a later change is already recorded. Webhooks come in any order, but
 * Adyen numbers the changes of a transfer.
 */
async function isLatest(store: ChannelStore, { id, reference, sequence }: TransferState): Promise<boolean> {
  const key = { kind: TRANSFER, key: id }
  const latest = Number((await store.find(key))?.body.sequence ?? -1)
  if (sequence < latest) return false
  await store.write([{ put: { ...key, reference, body: { sequence } } }])
  return true
}

// Payouts by Adyen's transfers, from a balance account to bank accounts and cards. Our reference is the transfer's reference
// and its idempotency key. Transfers that were paid are remembered, to be asked about again: they may come back.
import type { Clock } from '../../base/clock.ts'
import { timeOf } from '../../base/id.ts'
import { isObject } from '../../base/object.ts'
import { parseJson } from '../../http/client/http-client.ts'
import type { Callback, CallbackResult } from '../contract.ts'
import { withDeadline } from '../deadline.ts'
import type {
  AccountKind,
  PayoutFailed,
  PayoutOutcome,
  PayoutRail,
  PayoutRequest,
} from '../payout/contract.ts'
import { type ReadPaid, readPaid } from '../payout/paid-payouts.ts'
import { mayHaveSent, sendOnRecord } from '../payout/sent-before.ts'
import type { ChannelStore } from '../store.ts'
import { type AdyenApi, whyOpen } from './adyen-api.ts'
import { answer, refuse } from './callbacks.ts'
import type { CardTokens } from './card-tokens.ts'
import { fromSend, readTransfer, refused, type TransferState, toTransfer, unknown } from './transfer-wire.ts'
import { isSignedBody } from './webhook.ts'

export type TransferRailOptions = {
  readonly name: string
  readonly kinds: readonly AccountKind[]
  readonly api: AdyenApi
  /** Undefined: no payouts to cards. */
  readonly cards: CardTokens | undefined
  readonly store: ChannelStore
  readonly balanceAccountId: string
  readonly hmacKey: Buffer
  readonly clock: Clock
  readonly timeoutMs: number
}

const DAY_MS = 86_400_000
const TRANSFER = 'transfer'
/** Of the EEA, and pounds and dollars. A card is stored at Adyen before it is paid to, so no other rail could take the payout then. */
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
    // Adyen answers a repetition as it did first, but only for the days that it keeps the key, and at the same company account.
    send: (request) =>
      withDeadline(timeoutMs, (signal) =>
        sendOnRecord(store, request.reference, () => send(request, signal)),
      ),
    ask: (reference) => withDeadline(timeoutMs, (signal) => ask(reference, signal)),
    readCallback: (callback) => readTransferCallback(options, callback, read),
  }
}

const noCards: PayoutFailed = {
  ...refused,
  isLocal: true,
  message: 'Adyen takes a card with its expiry date only',
}

async function find(
  { api, balanceAccountId, clock }: TransferRailOptions,
  reference: string,
  signal: AbortSignal,
): Promise<PayoutOutcome | { readonly kind: 'absent' }> {
  const now = clock.now()
  // All its life: a payout that is not found is sent again, and Adyen forgets its key after some days.
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
  // It may be on another page, and what is absent is sent again.
  const hasMore = isObject(links) && isObject(links.next)
  if (data.length === 0) return hasMore ? unknown('Adyen listed a part of the transfers') : { kind: 'absent' }
  const transfers = data.map((one) => readTransfer(one, now))
  const [found] = transfers
  const areOurs = transfers.every((one) => one?.reference === reference && one.id === found?.id)
  return found !== undefined && areOurs ? found.outcome : unknown('Adyen responded about another payout')
}

/** One reader serves payments and payouts: only messages about transfers have this header. */
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
  // Transfers of the account that are not ours have no record of their payment.
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

/** Messages come in any order; Adyen numbers the changes of a transfer. */
async function isLatest(store: ChannelStore, { id, reference, sequence }: TransferState): Promise<boolean> {
  const key = { kind: TRANSFER, key: id }
  const latest = Number((await store.find(key))?.body.sequence ?? -1)
  if (sequence < latest) return false
  await store.write([{ put: { ...key, reference, body: { sequence } } }])
  return true
}

// A simulated payout bank with its own database. A reference stands for one payout, which is decided immediately and
// reported a second later. A payout of exactly 6.66 fails. Only the last four characters of accounts and cards are
// stored.

import { randomUUID } from 'node:crypto'
import type { Clock } from '../src/platform/base/clock.ts'
import { parseDecimal } from '../src/platform/base/money.ts'
import type { Fields } from '../src/platform/base/object.ts'
import {
  fieldsOf,
  InvalidRequest,
  type IssuerAnswer,
  problem,
  readAddress,
  readMoney,
  readText,
} from './issuer-request.ts'
import { type Answering, answerBy, type Operation } from './operations.ts'
import type { Outbox } from './outbox.ts'
import { openPayoutBook, type PayoutBook, type SentPayout } from './payout-book.ts'
import { statementOf } from './statement.ts'

export type PayoutBank = Answering & {
  readonly outbox: Outbox
  /** The callback about a payout; undefined if there is no recipient. */
  callbackOf(reference: string): { readonly url: string; readonly payout: Fields } | undefined
  /** Adds a listener, which is called when there is a callback to send. */
  onChange(listener: () => void): void
  close(): void
}

const PAYOUT_MS = 1_000

export type PayoutBankOptions = {
  readonly bookFile: string
  readonly clock: Clock
  /** The time until a payout's outcome is reported. The default is one second. */
  readonly reportsAfterMs?: number
}

const reference = /^[A-Za-z0-9_-]{1,64}$/
const kinds = /^(card|bank_account|pix|per_transfer|spei)$/

type Desk = {
  readonly book: PayoutBook
  readonly clock: Clock
  readonly reportsAfterMs: number
  readonly changed: () => void
}

export function createPayoutBank(options: PayoutBankOptions): PayoutBank {
  const { bookFile, clock, reportsAfterMs = PAYOUT_MS } = options
  const listeners: (() => void)[] = []
  const changed = () => {
    for (const listener of listeners) listener()
  }
  const desk: Desk = { book: openPayoutBook(bookFile), clock, reportsAfterMs, changed }
  const operations = new Map<string, Operation>([
    ['tokenise', (body) => tokenise(desk, body)],
    ['send', (body) => send(desk, body)],
    ['lookup', (body) => lookup(desk, body)],
    ['statement', (body) => statementOf(body, (day) => desk.book.linesOf(day, desk.clock.now()))],
    ['simulate', (body) => simulate(desk, body)],
  ])
  return {
    ...answerBy(operations),
    outbox: desk.book.outbox,
    callbackOf(key) {
      const [url, sent] = [desk.book.callbackUrlOf(key), desk.book.findPayout(key)]
      if (url === undefined || sent === undefined) return undefined
      return { url, payout: { type: 'payout', ...answer(desk, sent).body } }
    },
    onChange: (listener) => void listeners.push(listener),
    close: desk.book.close,
  }
}

function tokenise({ book }: Desk, body: Fields): IssuerAnswer {
  const number = readText(body, 'number', /^\d{12,19}$/)
  const token = `tok_${randomUUID()}`
  book.addToken(token, number.slice(-4))
  return { status: 200, body: { token } }
}

/** Sends a payout. A repeated reference returns the first payout. */
function send(desk: Desk, body: Fields): IssuerAnswer {
  const asked = {
    reference: readText(body, 'reference', reference),
    kind: readText(body, 'kind', kinds),
    last4: lastOf(desk, body),
    ...readMoney(body),
  }
  fieldsOf(body.beneficiary)
  const callbackUrl = body.callbackUrl === undefined ? '' : readAddress(body, 'callbackUrl')
  const failure = BigInt(asked.amount) === parseDecimal('6.66', asked.currency) ? FAILURE : ''
  const dueAt = desk.clock.now().getTime() + desk.reportsAfterMs
  const sent = desk.book.addPayout({ ...asked, id: `po_${randomUUID()}`, failure, dueAt }, callbackUrl)
  desk.changed()
  return answer(desk, sent)
}

const FAILURE = "The beneficiary's bank refused the payout"
const RETURN = "The beneficiary's account is closed"

function lastOf({ book }: Desk, body: Fields): string {
  const account = readText(body, 'account', /^.{1,255}$/)
  if (body.kind !== 'card') return account.slice(-4)
  const last4 = book.findToken(account)
  if (last4 === undefined) throw new InvalidRequest('account is not a known token')
  return last4
}

function lookup(desk: Desk, body: Fields): IssuerAnswer {
  const sent = desk.book.findPayout(readText(body, 'reference', reference))
  return sent === undefined ? problem(404, 'not_found', 'no such payout') : answer(desk, sent)
}

/** Acts as the beneficiary's bank, which returns a paid payout in full or in part. */
function simulate(desk: Desk, body: Fields): IssuerAnswer {
  readText(body, 'event', /^return$/)
  const sent = desk.book.findPayout(readText(body, 'reference', reference))
  if (sent === undefined) return problem(404, 'not_found', 'no such payout')
  if (statusOf(desk, sent) !== 'succeeded') throw new InvalidRequest('only a paid payout comes back')
  const amount = body.amount === undefined ? sent.amount : readText(body, 'amount', /^[1-9]\d{0,14}$/)
  desk.book.giveBack(sent.reference, { reason: RETURN, amount })
  desk.changed()
  return answer(desk, sent)
}

function answer(desk: Desk, sent: SentPayout): IssuerAnswer {
  const { id, amount, currency } = sent
  const status = statusOf(desk, sent)
  const back = desk.book.returnOf(sent)
  const reason = status === 'failed' ? sent.failure : (back?.reason ?? '')
  const returned = back && { returnedAmount: back.amount, returnedCurrency: currency }
  return {
    status: 200,
    body: { id, reference: sent.reference, amount, currency, status, reason, ...returned },
  }
}

function statusOf({ book, clock }: Desk, sent: SentPayout): string {
  if (clock.now().getTime() < sent.dueAt) return 'processing'
  if (sent.failure !== '') return 'failed'
  return book.returnOf(sent) === undefined ? 'succeeded' : 'returned'
}

// A simulated payout bank with its own database. A reference is one payout for good, decided immediately and reported a
// second later; one of exactly 6.66 fails. Only the last four characters of accounts and cards are stored.

import { randomUUID } from 'node:crypto'
import type { Clock } from '../src/base/clock.ts'
import { parseDecimal } from '../src/base/money.ts'
import type { Fields } from '../src/base/object.ts'
import {
  fieldsOf,
  InvalidRequest,
  type IssuerAnswer,
  problem,
  readMoney,
  readText,
} from './issuer-request.ts'
import { type Answering, answerBy, type Operation } from './operations.ts'
import { openPayoutBook, type PayoutBook, type SentPayout } from './payout-book.ts'

export type PayoutBank = Answering & { close(): void }

const PAYOUT_MS = 1_000
const reference = /^[A-Za-z0-9_-]{1,64}$/
const kinds = /^(card|bank_account|pix|per_transfer|spei)$/

type Desk = { readonly book: PayoutBook; readonly clock: Clock }

export function createPayoutBank(options: { readonly bookFile: string; readonly clock: Clock }): PayoutBank {
  const desk = { book: openPayoutBook(options.bookFile), clock: options.clock }
  const operations = new Map<string, Operation>([
    ['tokenise', (body) => tokenise(desk, body)],
    ['send', (body) => send(desk, body)],
    ['lookup', (body) => lookup(desk, body)],
  ])
  return { ...answerBy(operations), close: desk.book.close }
}

function tokenise({ book }: Desk, body: Fields): IssuerAnswer {
  const number = readText(body, 'number', /^\d{12,19}$/)
  const token = `tok_${randomUUID()}`
  book.addToken(token, number.slice(-4))
  return { status: 200, body: { token } }
}

/** Idempotent by reference: a repeated request returns the first payout. */
function send(desk: Desk, body: Fields): IssuerAnswer {
  const asked = {
    reference: readText(body, 'reference', reference),
    kind: readText(body, 'kind', kinds),
    last4: lastOf(desk, body),
    ...readMoney(body),
  }
  fieldsOf(body.beneficiary)
  const failure = BigInt(asked.amount) === parseDecimal('6.66', asked.currency) ? FAILURE : ''
  const dueAt = desk.clock.now().getTime() + PAYOUT_MS
  return answer(desk, desk.book.addPayout({ ...asked, id: `po_${randomUUID()}`, failure, dueAt }))
}

const FAILURE = "The beneficiary's bank refused the payout"

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

function answer({ clock }: Desk, sent: SentPayout): IssuerAnswer {
  const { id, amount, currency, failure, dueAt } = sent
  const decided = failure === '' ? 'succeeded' : 'failed'
  const status = clock.now().getTime() < dueAt ? 'processing' : decided
  const reason = status === 'failed' ? failure : ''
  return { status: 200, body: { id, reference: sent.reference, amount, currency, status, reason } }
}

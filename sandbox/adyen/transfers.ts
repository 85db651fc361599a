// The sandbox's Adyen Transfers: transfers to bank accounts and stored cards. A webhook with a sequence number reports
// each change.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../src/platform/base/clock.ts'
import { type Fields, isObject } from '../../src/platform/base/object.ts'
import { staySilent } from '../silent-reply.ts'
import { amountIn, invalid, textIn } from './checked-fields.ts'
import { authorise, REFUSED, replay, SILENT_AND_NOT_OPENED, SILENT_BUT_OPENED } from './checkout.ts'
import { checkCounterparty } from './counterparties.ts'
import type { Amount } from './signature.ts'
import type { StoredCards } from './stored-cards.ts'
import type { Webhooks } from './webhooks.ts'

export type TransfersOptions = {
  readonly webhooks: Webhooks
  readonly cards: StoredCards
  readonly apiKey: string
  readonly balanceAccountId: string
  readonly clock: Clock
}

export const TRANSFERS_PATH = '/adyen/btl/v4'

/** The value of a transfer that the beneficiary's bank refuses. */
export const REFUSED_TRANSFER = 666

export type Transfers = {
  /** The number of booked transfers with this reference. Returned transfers do not count. */
  countPaid(reference: string): number
  /** The beneficiary's bank sends back `value`, or the whole amount. */
  giveBack(reference: string, value?: number): void
}

type Transfer = {
  readonly id: string
  readonly reference: string
  readonly amount: Amount
  readonly category: string
  readonly createdAt: string
  updatedAt: string
  status: string
  sequenceNumber: number
  tracking: { readonly status: string } | undefined
  events: readonly Fields[]
}

export function registerTransfers(app: FastifyInstance, options: TransfersOptions): Transfers {
  const transfers: Transfer[] = []
  const answers = new Map<string, { status: number; body: Fields }>()
  app.register(
    async (scope) => {
      authorise(scope, options.apiKey)
      scope.post('/transfers', (request, reply) => {
        const body = isObject(request.body) ? request.body : {}
        const { value } = amountIn(body)
        const key = String(request.headers['idempotency-key'] ?? '')
        const isKnown = answers.has(key)
        if (!isKnown && value === SILENT_AND_NOT_OPENED) return staySilent(reply)
        const answer = () => ({ status: 202, body: make(options, transfers, body) })
        if (isKnown || value !== SILENT_BUT_OPENED) return replay(answers, request, reply, answer)
        answers.set(key, answer())
        return staySilent(reply)
      })
      scope.get('/transfers', (request, reply) => {
        const query = isObject(request.query) ? request.query : {}
        checkBalanceAccount(options, query)
        const [since, until] = [timeIn(query, 'createdSince'), timeIn(query, 'createdUntil')]
        const reference = textIn(query, 'reference')
        const data = transfers.filter(({ reference: own, createdAt }) => {
          const at = Date.parse(createdAt)
          return own === reference && at >= since && at <= until
        })
        return reply.send({ data })
      })
    },
    { prefix: TRANSFERS_PATH },
  )
  const paid = (reference: string) =>
    transfers.filter((one) => one.reference === reference && one.status === 'booked')
  return {
    countPaid: (reference) => paid(reference).length,
    giveBack(reference, value) {
      for (const transfer of paid(reference)) {
        const { amount } = transfer
        const credit = { balance: value ?? amount.value, currency: amount.currency, received: 0, reserved: 0 }
        const event = { status: 'returned', type: 'accounting', amount, mutations: [credit] }
        change(options, transfer, { status: 'returned', events: [event] })
      }
    },
  }
}

function make(options: TransfersOptions, transfers: Transfer[], body: Fields): Fields {
  checkBalanceAccount(options, body)
  const category = textIn(body, 'category', /^(bank|card)$/)
  textIn(body, 'description', /^[A-Za-z0-9/\-?:().,'+ ]{1,140}$/)
  const amount = amountIn(body)
  if (amount.value === REFUSED) throw invalid('amount')
  checkCounterparty(body, options.cards)
  const at = options.clock.now().toISOString()
  const transfer: Transfer = {
    id: randomBytes(8).toString('hex').toUpperCase(),
    reference: textIn(body, 'reference', /^.{1,80}$/),
    amount,
    category,
    createdAt: at,
    updatedAt: at,
    status: 'received',
    sequenceNumber: 1,
    tracking: undefined,
    events: [],
  }
  transfers.push(transfer)
  const first = { ...transfer }
  report(options, 'created', transfer)
  proceed(options, transfer)
  return first
}

function proceed(options: TransfersOptions, transfer: Transfer): void {
  const isRefused = transfer.amount.value === REFUSED_TRANSFER
  const states = isRefused ? ['refused'] : ['authorised', 'booked']
  for (const status of states) change(options, transfer, { status })
  if (transfer.status === 'booked') change(options, transfer, { tracking: { status: 'credited' } })
}

function change(
  options: TransfersOptions,
  transfer: Transfer,
  to: Partial<Pick<Transfer, 'status' | 'tracking' | 'events'>>,
): void {
  Object.assign(transfer, to, { updatedAt: options.clock.now().toISOString() })
  transfer.sequenceNumber += 1
  report(options, 'updated', transfer)
}

function report({ webhooks }: TransfersOptions, what: 'created' | 'updated', transfer: Transfer): void {
  const type = `balancePlatform.transfer.${what}`
  webhooks.sendTransfer({ type, environment: 'test', data: { ...transfer } })
}

function checkBalanceAccount({ balanceAccountId }: TransfersOptions, fields: Fields): void {
  if (fields.balanceAccountId !== balanceAccountId) throw invalid('balanceAccountId')
}

function timeIn(fields: Fields, name: string): number {
  const at = Date.parse(textIn(fields, name))
  if (Number.isNaN(at)) throw invalid(name)
  return at
}

// The sandbox's Adyen: Checkout, Transfers, webhooks and payer pages. The demo has no channel for it.
import { createHmac } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { isObject } from '../../src/platform/base/object.ts'
import type { Counterparty, SandboxPlace } from '../place.ts'
import { type Book, openBook } from './book.ts'
import { textIn } from './checked-fields.ts'
import { authorise, CHECKOUT_PATH, type Features, registerCheckout } from './checkout.ts'
import { registerPayerPage } from './page.ts'
import { type CloseBatch, registerReports } from './reports.ts'
import { openStoredCards } from './stored-cards.ts'
import { registerTransfers, TRANSFERS_PATH, type Transfers } from './transfers.ts'
import { openWebhooks, type Webhooks } from './webhooks.ts'

const MERCHANT_ACCOUNT = 'TollgateSandbox'
const BALANCE_ACCOUNT = 'BA00000000000000000000001'

const METHODS = [
  ...['card', 'apple_pay', 'google_pay', 'alipay', 'wechat', 'unionpay', 'cash_app', 'gcash', 'pix', 'sepa'],
  ...['payout_bank', 'payout_card'],
]

export type AdyenCounterparty = Counterparty & {
  readonly book: Book
  readonly transfers: Transfers
  readonly webhooks: Webhooks
  readonly features: Features
  /** The key that signs the results which browsers bring back. */
  readonly secret: string
  readonly hmacKey: string
  readonly merchantAccount: string
  readonly closeBatch: CloseBatch
}

export function mountAdyen({ app, url, clock, secret }: SandboxPlace): AdyenCounterparty {
  const derive = (purpose: string) => createHmac('sha256', secret).update(`adyen ${purpose}`).digest('hex')
  const [apiKey, transfersKey, hmacKey] = [derive('key'), derive('transfers'), derive('webhook')]
  const webhooks = openWebhooks(hmacKey)
  const book = openBook(MERCHANT_ACCOUNT, webhooks)
  const ours = derive('browser')
  const cards = openStoredCards(MERCHANT_ACCOUNT, webhooks)
  const features: Features = { isTerse: false, reversalError: undefined }
  registerCheckout(app, { book, url, apiKey, cards, secret: ours, features })
  registerPayerPage(app, { book, secret: ours })
  const transfers = registerTransfers(app, {
    webhooks,
    cards,
    apiKey: transfersKey,
    balanceAccountId: BALANCE_ACCOUNT,
    clock,
  })
  registerCustomerArea(app, webhooks, apiKey)
  const reader = { user: 'report@Company.TollgateSandbox', password: derive('reports') }
  const closeBatch = registerReports(app, { book, webhooks, url, clock, ...reader })
  return {
    closeBatch,
    transfers,
    book,
    webhooks,
    features,
    secret: ours,
    hmacKey,
    merchantAccount: MERCHANT_ACCOUNT,
    banks: new Map(),
    settings: () => [
      {
        name: 'adyen',
        protocol: 'adyen',
        methods: METHODS,
        url: `${url()}${CHECKOUT_PATH}`,
        apiKey,
        merchantAccount: MERCHANT_ACCOUNT,
        hmacKey,
        transfersUrl: `${url()}${TRANSFERS_PATH}`,
        transfersKey,
        balanceAccountId: BALANCE_ACCOUNT,
        reportUser: reader.user,
        reportPassword: reader.password,
      },
    ],
    close: webhooks.stop,
  }
}

/** Adds a route in place of the form in Adyen's customer area where a merchant enters the webhook address. */
function registerCustomerArea(app: FastifyInstance, webhooks: Webhooks, apiKey: string): void {
  app.register(async (scope) => {
    authorise(scope, apiKey)
    scope.put('/adyen/webhook', (request, reply) => {
      webhooks.address = textIn(isObject(request.body) ? request.body : {}, 'url', /^https?:\/\/./)
      return reply.send({})
    })
  })
}

// The sandbox's Stripe account. Stripe is not a default counterparty, so callers pass it as an extra one.
import { createHmac } from 'node:crypto'
import type { Counterparty, SandboxPlace } from '../place.ts'
import { type Account, createAccount, type Intent } from './account.ts'
import { createEvents } from './events.ts'
import { createKeys } from './keys.ts'
import { createDisputes, createRefunds, type DisputeBook, type Refunds } from './refunds.ts'
import { API_PATH, PAGE_PATH, registerPayerPage, registerStripeApi } from './routes.ts'

export type SandboxStripe = Counterparty & {
  readonly account: Account
  readonly refunds: Refunds
  readonly disputes: DisputeBook
  /** Sets the address for events, as Stripe's dashboard does. */
  notifyAt(url: string): void
}

export function mountStripe({ app, url, secret, clock, minuteMs }: SandboxPlace): SandboxStripe {
  const derive = (purpose: string) => createHmac('sha256', secret).update(purpose).digest('hex').slice(0, 32)
  const secretKey = `sk_live_${derive('stripe key')}`
  const webhookSecret = `whsec_${derive('stripe webhook')}`
  const events = createEvents(webhookSecret, clock)
  const disputes = createDisputes(events, clock)
  const timers = new Set<NodeJS.Timeout>()
  const disputed = (intent: Intent) => {
    const timer = setTimeout(() => disputes.open(intent), minuteMs)
    timers.add(timer)
  }
  const payerUrlOf = (id: string) => `${url()}${PAGE_PATH}/${id}`
  const account = createAccount({ clock, events, payerUrlOf, disputed })
  const refunds = createRefunds(account, events, clock)
  const parts = { secretKey, account, refunds, disputes, events, keys: createKeys(clock) }
  registerStripeApi(app, parts)
  registerPayerPage(app, parts)
  return {
    account,
    refunds,
    disputes,
    notifyAt: events.setEndpoint,
    banks: new Map(),
    settings: () => [
      {
        name: 'stripe',
        protocol: 'stripe',
        methods: ['card', 'alipay', 'wechat', 'cash_app', 'pix'],
        url: `${url()}${API_PATH}`,
        secretKey,
        webhookSecret,
      },
    ],
    async close() {
      for (const timer of timers) clearTimeout(timer)
      refunds.stop()
      await events.stop()
    },
  }
}

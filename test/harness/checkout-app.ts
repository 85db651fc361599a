// The payer's pages for one order whose link is `good`, without a database: the test provides the order.
import { PassThrough } from 'node:stream'
import fastify, { type InjectOptions } from 'fastify'
import type { Browser, PayResult } from '../../src/interfaces/checkout/pay-order.ts'
import { type CheckoutDeps, registerCheckout } from '../../src/interfaces/checkout/routes.ts'
import type { CheckoutView } from '../../src/interfaces/checkout/view.ts'
import type { Form } from '../../src/platform/pages/form.ts'
import type { PayerAction } from '../../src/rails/contract/channel.ts'

export function aView(changes: Partial<CheckoutView> = {}): CheckoutView {
  return {
    merchant: { name: 'Lamp shop', accent: undefined, hasLogo: false },
    tradeNo: 'T1',
    merOrderNo: 'lamp-7',
    money: { amount: 2400n, currency: 'EUR' },
    products: [{ name: 'Lamp', quantity: '1', price: '24.00' }],
    status: 'choosing',
    message: '',
    attempts: 0,
    choices: [
      { method: 'card', asks: [{ name: 'billingCity', maxLength: 100 }] },
      { method: 'alipay', asks: [] },
    ],
    method: undefined,
    action: undefined,
    expiresAt: new Date(Date.now() + 1_800_000),
    received: undefined,
    maySwitch: false,
    mayCancel: true,
    returnUrl: 'https://shop.example/back?a=1&b=2',
    language: 'en',
    frameAncestors: ['https://shop.example:*'],
    ...changes,
  }
}

export const challenge: PayerAction = {
  kind: 'challenge',
  acsUrl: 'https://bank.example:8443/acs?x=1',
  creq: 'eyJhIjoxfQ',
}
export const wallet: PayerAction = { kind: 'redirect', url: 'https://wallet.example/pay?id=7' }

/** Returns an order that waits for its payer. */
export function awaiting(action: PayerAction, changes: Partial<CheckoutView> = {}): CheckoutView {
  const under = { status: 'awaiting-payer', attempts: 1, choices: [], method: 'card', action } as const
  return aView({ ...under, maySwitch: true, ...changes })
}

export type CheckoutApp = ReturnType<typeof checkoutApp>

export function checkoutApp(view: CheckoutView, changes: Partial<CheckoutDeps> = {}) {
  const calls = {
    brought: [] as Form[],
    sent: [] as { form: Form; browser: Browser }[],
    cancelled: [] as string[],
    closed: 0,
  }
  const ofGood = <Value>(token: string, value: Value) => (token === 'good' ? value : undefined)
  const app = fastify({ routerOptions: { maxParamLength: 200 } })
  registerCheckout(app, {
    sandbox: true,
    limit: () => undefined,
    open: async (token) => ofGood(token, view),
    async pay(token, form, browser): Promise<PayResult | undefined> {
      calls.sent.push({ form, browser })
      return ofGood(token, { kind: 'started' })
    },
    async cancel(token, what) {
      calls.cancelled.push(what)
      return ofGood(token, view)
    },
    async complete(token, answer) {
      calls.brought.push(answer)
      return ofGood(token, view)
    },
    pageVersion: async (token) => ofGood(token, 'a version'),
    listen: async (token) => ofGood(token, { stream: new PassThrough().end('data: {}\n\n') }),
    logo: async (token) => ofGood(token, { type: 'image/png', bytes: Buffer.from('89504e47', 'hex') }),
    close: () => calls.closed++,
    ...changes,
  })
  const get = (url = '/pay/good', headers: Record<string, string> = {}) =>
    app.inject({ method: 'GET', url, headers })
  const post = (url: string, form: string | Record<string, string>, headers: Record<string, string> = {}) => {
    const payload = typeof form === 'string' ? form : new URLSearchParams(form).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return app.inject({ method: 'POST', url, payload, headers: { ...type, ...headers } })
  }
  return { app, get, post, send: (options: InjectOptions) => app.inject(options), ...calls, calls }
}

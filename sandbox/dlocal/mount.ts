// The sandbox's dLocal: payments, refunds, payouts and signed notifications. dLocal is not a default counterparty, so
// callers pass it as an extra one.
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import type { Fields } from '../../src/platform/base/object.ts'
import { createHttpClient } from '../../src/platform/http/client/http-client.ts'
import { createBank } from '../bank/bank.ts'
import { payerUrlOf, registerBankPage } from '../bank/page-routes.ts'
import { type Message, startCallbacks } from '../callbacks.ts'
import type { Counterparty, SandboxPlace } from '../place.ts'
import { paymentJson } from './payment.ts'
import { type Payouts, registerPayouts } from './payouts.ts'
import { API_PATH, registerDlocalApi } from './routes.ts'
import { type Keys, sign } from './signature.ts'

export type SandboxDlocal = Counterparty & {
  readonly payouts: Payouts
  /** Sets the address for notifications about payouts, as the dashboard does. */
  notifyPayoutsAt(url: string): void
}

const PAYOUTS_PATH = '/dlocal-payouts'
const method = 'dlocal'

export function mountDlocal({ app, folder, url, secret, clock }: SandboxPlace): SandboxDlocal {
  const derive = (purpose: string) => createHmac('sha256', secret).update(purpose).digest('hex').slice(0, 32)
  const keys: Keys = {
    login: 'sandbox-login',
    transKey: derive('dlocal trans key'),
    secretKey: derive('dlocal secret key'),
  }
  const client = { id: 'sandbox-client', secret: derive('dlocal client') }
  const bank = createBank({ bookFile: join(folder, 'dlocal.sqlite'), clock, takes: 'exact' })
  const pageOf = (charge: { readonly id: string }) => payerUrlOf({ url, method }, charge)
  registerBankPage(app, { bank, method, url })
  const message = (to: string, body: string): Message => {
    const date = clock.now().toISOString()
    const headers = { 'x-login': keys.login, 'x-date': date, authorization: sign(keys, date, body) }
    return { url: to, headers: { ...headers, 'content-type': 'application/json' }, body }
  }
  const messageOf = (reference: string): Message | undefined => {
    const charge = bank.find(reference)
    return charge && message(charge.callbackUrl, paymentJson(charge, pageOf(charge)))
  }
  const callbacks = startCallbacks({ outbox: bank.outbox, messageOf })
  bank.onChange(callbacks.poke)
  const send = createHttpClient()
  let payoutsUrl = ''
  const notify = (to: string, body: string) => {
    const { url: _to, ...rest } = message(to, body)
    void send({ method: 'POST', url: new URL(to), ...rest, signal: AbortSignal.timeout(10_000) })
  }
  registerDlocalApi(app, { bank, keys, clock, payerUrlOf: pageOf, notify })
  const decided = (payout: Fields) => {
    if (payoutsUrl !== '') notify(payoutsUrl, JSON.stringify(payout))
  }
  const payouts = registerPayouts(app, PAYOUTS_PATH, { client, clock, decided })
  return {
    banks: new Map([[method, bank]]),
    payouts,
    notifyPayoutsAt(to) {
      payoutsUrl = to
    },
    settings: () => [
      {
        name: method,
        protocol: method,
        methods: [
          ...['per_transfer', 'vn_bank', 'spei', 'pix', 'gcash'],
          ...['payout_per', 'payout_spei', 'payout_pix', 'payout_bank'],
        ],
        url: `${url()}${API_PATH}`,
        ...keys,
        payoutUrl: `${url()}${PAYOUTS_PATH}`,
        payoutClientId: client.id,
        payoutClientSecret: client.secret,
      },
    ],
    async close() {
      payouts.stop()
      await callbacks.stop()
      bank.close()
    },
  }
}

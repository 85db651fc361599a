// A bank of our own protocol: a signed JSON API, signed callbacks, and the payer page.
import type { FastifyInstance } from 'fastify'
import type { Fields } from '../../src/platform/base/object.ts'
import { type Callbacks, signedMessage, startCallbacks } from '../callbacks.ts'
import { registerIssuerApi } from '../issuer-routes.ts'
import { answerBy } from '../operations.ts'
import type { BankCharge } from './charge.ts'
import { bankOperations, callbackOf } from './operations.ts'
import { type PageOptions, payerUrlOf, registerBankPage } from './page-routes.ts'

export type BankApi = PageOptions & {
  readonly secret: string
}

/** Serves the API and the page of one bank under /banks/<method>, and sends its callbacks. */
export function registerBank(app: FastifyInstance, options: BankApi): Callbacks {
  const { bank, method, secret } = options
  const desk = {
    bank,
    serialise: (charge: BankCharge) => chargeBody(charge, payerUrlOf(options, charge)),
    changed: () => callbacks.poke(),
  }
  registerIssuerApi(app, answerBy(bankOperations(desk)), secret, `/banks/${method}`)
  registerBankPage(app, options)
  const callbacks = startCallbacks({
    outbox: bank.outbox,
    messageOf(key) {
      const callback = callbackOf(desk, key)
      return callback && signedMessage(callback.url, secret, callback.content)
    },
  })
  bank.onChange(callbacks.poke)
  return callbacks
}

/** Returns the charge in the form of the protocol. */
function chargeBody(charge: BankCharge, payerUrl: string): Fields {
  const { returnUrl: _return, callbackUrl: _callback, openedAt: _at, deposits, ...rest } = charge
  return { ...rest, payerUrl, deposits: deposits.map((one) => ({ ...one, at: one.at.toISOString() })) }
}

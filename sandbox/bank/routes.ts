// A bank of our own protocol: a signed JSON API, signed callbacks, and the payer page.
import type { FastifyInstance } from 'fastify'
import type { Fields } from '../../src/base/object.ts'
import { isObject } from '../../src/base/object.ts'
import { type Callbacks, signedMessage, startCallbacks } from '../callbacks.ts'
import { type IssuerAnswer, problem, readAddress, readMoney, readText } from '../issuer-request.ts'
import { registerIssuerApi } from '../issuer-routes.ts'
import { answerBy, type Operation } from '../operations.ts'
import type { Bank } from './bank.ts'
import type { BankCharge, BankOrder } from './charge.ts'
import { type PageOptions, payerUrlOf, registerBankPage } from './page-routes.ts'

export type BankApi = PageOptions & {
  readonly secret: string
}

const referencePattern = /^[A-Za-z0-9_-]{1,64}$/

/** The API, page and callbacks of one bank, under /banks/<method>. */
export function registerBank(app: FastifyInstance, options: BankApi): Callbacks {
  const { bank, method, secret } = options
  const serialise = (charge: BankCharge) => chargeBody(charge, payerUrlOf(options, charge))
  registerIssuerApi(app, answerBy(operationsOf(bank, serialise)), secret, `/banks/${method}`)
  registerBankPage(app, options)
  const callbacks = startCallbacks({
    outbox: bank.outbox,
    messageOf(reference) {
      const charge = bank.find(reference)
      if (charge === undefined || charge.callbackUrl === '') return undefined
      return signedMessage(charge.callbackUrl, secret, serialise(charge))
    },
  })
  bank.onChange(callbacks.poke)
  return callbacks
}

function operationsOf(bank: Bank, serialise: (charge: BankCharge) => Fields): ReadonlyMap<string, Operation> {
  const chargeAnswer = (charge: BankCharge): IssuerAnswer => ({ status: 200, body: serialise(charge) })
  return new Map<string, Operation>([
    [
      'open',
      (body) => {
        const opening = bank.open(readOrder(body))
        if (opening.kind === 'opened') return chargeAnswer(opening.charge)
        return opening.kind === 'silent'
          ? undefined
          : problem(400, 'invalid_request', 'the charge was refused')
      },
    ],
    [
      'lookup',
      (body) => {
        const charge = bank.find(readText(body, 'reference', referencePattern))
        return charge === undefined ? problem(404, 'not_found', 'no such charge') : chargeAnswer(charge)
      },
    ],
    ['cancel', (body) => chargeAnswer(bank.cancel(readText(body, 'reference', referencePattern)))],
    [
      'refund',
      (body) => {
        const refundReference = readText(body, 'refundReference', referencePattern)
        const reference = readText(body, 'reference', referencePattern)
        return { status: 200, body: bank.refund({ refundReference, reference, ...readMoney(body) }) }
      },
    ],
  ])
}

function readOrder(body: Fields): BankOrder {
  return {
    reference: readText(body, 'reference', referencePattern),
    ...readMoney(body),
    returnUrl: readAddress(body, 'returnUrl'),
    callbackUrl: readAddress(body, 'callbackUrl'),
    payee: readText(body, 'payee', /^[^\p{Cc}]{1,255}$/u),
    extra: isObject(body.extra) ? body.extra : {},
  }
}

/** A charge in the form of the protocol. */
function chargeBody(charge: BankCharge, payerUrl: string): Fields {
  const { returnUrl: _return, callbackUrl: _callback, openedAt: _at, deposits, ...rest } = charge
  return { ...rest, payerUrl, deposits: deposits.map((one) => ({ ...one, at: one.at.toISOString() })) }
}

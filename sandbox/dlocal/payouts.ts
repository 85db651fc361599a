// dLocal's payouts API. An access token is valid for three minutes, external ids are unique, and a payout is decided
// after a second.
import { createHmac, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../src/platform/base/clock.ts'
import { type Fields, isObject } from '../../src/platform/base/object.ts'
import { isEqualSecret } from '../../src/platform/base/secret.ts'
import { InvalidRequest, readText } from '../issuer-request.ts'
import { staySilent } from '../silent-reply.ts'
import { readAmount } from './payment.ts'
import { acceptText, bodyOf, problem } from './routes.ts'

export type PayoutParts = {
  readonly client: { readonly id: string; readonly secret: string }
  readonly clock: Clock
  /** Called when a payout is decided or returned. */
  readonly decided: (payout: Fields) => void
}

type Payout = { readonly content: Fields; readonly minor: string; status: string; statusCode: string }

export type Payouts = {
  /** The payout with this external id, in its current state. */
  find(externalId: string): Fields | undefined
  /** The beneficiary's bank sends the money back. */
  giveBack(externalId: string): void
  stop(): void
}

const LIFE_S = 180
const DECIDED_MS = 1_000
/** Amounts in the minor unit: accepted without a response, ignored without a response, refused, and failed later. */
const [LOST, IGNORED, REFUSED, FAILS] = ['119', '6975', '2', '666']
const currencies: Readonly<Record<string, string>> = { PE: 'PEN', VN: 'VND', MX: 'MXN', BR: 'BRL', PH: 'PHP' }

export function registerPayouts(app: FastifyInstance, prefix: string, parts: PayoutParts): Payouts {
  const payouts = new Map<string, Payout>()
  const timers = new Set<NodeJS.Timeout>()
  const { client, clock, decided } = parts
  const seal = (until: string) => createHmac('sha256', client.secret).update(until).digest('hex')

  function decide(payout: Payout): void {
    const [status, statusCode] = payout.minor === FAILS ? ['REJECTED', '300'] : ['PAID', '200']
    Object.assign(payout, { status, statusCode })
    decided(toJson(payout))
  }

  function add(body: Fields): Payout {
    const currency = readText(body, 'currency', /^[A-Z]{3}$/)
    const payout = {
      content: { ...body, id: `PO-${randomUUID()}` },
      minor: readAmount(body, currency),
      status: 'PENDING',
      statusCode: '100',
    }
    payouts.set(String(body.external_id), payout)
    const timer = setTimeout(() => {
      timers.delete(timer)
      decide(payout)
    }, DECIDED_MS)
    timers.add(timer)
    return payout
  }

  app.register(
    async (scope) => {
      acceptText(scope)
      scope.setErrorHandler((error, _request, reply) => {
        if (error instanceof InvalidRequest) return problem(reply, 400, 5001, error.message)
        throw error
      })
      scope.post('/oauth/token', (request, reply) => {
        const { grant_type: grant, client_id: id, client_secret: secret } = bodyOf(request)
        const isClient = id === client.id && isEqualSecret(String(secret), client.secret)
        if (grant !== 'client_credentials' || !isClient)
          return reply.code(401).send({ error: 'invalid_client' })
        const until = String(Math.floor(clock.now().getTime() / 1000) + LIFE_S)
        return {
          access_token: `${until}.${seal(until)}`,
          token_type: 'Bearer',
          expires_in: LIFE_S,
          scope: 'payouts',
        }
      })
      const isGood = (authorization = '') => {
        const [, until = '', sealed = ''] = /^Bearer (\d{1,12})\.(.+)$/.exec(authorization) ?? []
        return Number(until) * 1000 > clock.now().getTime() && isEqualSecret(sealed, seal(until))
      }
      scope.post('/payouts/v3', (request, reply) => {
        if (!isGood(request.headers.authorization)) return problem(reply, 401, 3001, 'Invalid credentials')
        const body = bodyOf(request)
        checkPayout(body)
        if (payouts.has(String(body.external_id)))
          return problem(reply, 400, 5009, 'External ID is duplicated')
        const minor = readAmount(body, String(body.currency))
        if (minor === IGNORED) return staySilent(reply)
        if (minor === REFUSED) return problem(reply, 400, 5007, 'Amount not allowed')
        const payout = add(body)
        return minor === LOST ? staySilent(reply) : toJson(payout)
      })
      scope.get<{ Querystring: { external_id?: string } }>('/payouts/v3', (request, reply) => {
        if (!isGood(request.headers.authorization)) return problem(reply, 401, 3001, 'Invalid credentials')
        const payout = payouts.get(request.query.external_id ?? '')
        return payout === undefined ? problem(reply, 404, 4000, 'Payout not found') : toJson(payout)
      })
    },
    { prefix },
  )
  return {
    find(externalId) {
      const payout = payouts.get(externalId)
      return payout && toJson(payout)
    },
    giveBack(externalId) {
      const payout = payouts.get(externalId)
      if (payout === undefined) return
      Object.assign(payout, { status: 'REJECTED', statusCode: '300' })
      decided(toJson(payout))
    },
    stop() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

function checkPayout(body: Fields): void {
  readText(body, 'external_id', /^[\w-]{1,100}$/)
  readText(body, 'payment_method_id', /^BANK_TRANSFER$/)
  readText(body, 'flow_type', /^B2[BC]$/)
  readText(body, 'purpose', /^[A-Z_]+$/)
  const country = readText(body, 'country', /^[A-Z]{2}$/)
  if (currencies[country] !== body.currency) throw new InvalidRequest('currency not allowed for this country')
  const beneficiary = isObject(body.beneficiary) ? body.beneficiary : {}
  readText(beneficiary, 'first_name', /^.{1,100}$/)
  readText(beneficiary, 'last_name', /^.{1,100}$/)
  const account = isObject(beneficiary.bank_account) ? beneficiary.bank_account : {}
  checkAccount(account, country)
  if (country !== 'PE' && country !== 'BR') return
  const document = isObject(beneficiary.document) ? beneficiary.document : {}
  readText(document, 'id', /^[0-9A-Z]{4,18}$/)
  readText(document, 'type', country === 'BR' ? /^(CPF|CNPJ)$/ : /^(DNI|RUC|CE|PASS)$/)
}

const BIC = /^[A-Z]{6}[0-9A-Z]{2}([0-9A-Z]{3})?$/

/**
 * Checks the bank code, which must be dLocal's own and not a BIC. In Peru and Mexico, the code is the first three
 * digits of the account. A Pix key needs no code.
 */
function checkAccount(account: Fields, country: string): void {
  const length = country === 'PE' ? 20 : country === 'MX' ? 18 : undefined
  const number = readText(account, 'account', length === undefined ? /^.{1,100}$/ : /^\d+$/)
  if (country === 'BR' && account.type === 'PIX') return
  const code = readText(account, 'code', /^\w{1,32}$/)
  const isRight = length === undefined ? !BIC.test(code) : number.length === length && number.startsWith(code)
  if (!isRight || (length !== undefined && code.length !== 3))
    throw new InvalidRequest('bank account or bank code is wrong')
}

function toJson({ content, status, statusCode }: Payout): Fields {
  return { ...content, status, status_code: statusCode }
}

// The merchant interface with stubs behind it: merchants as data, and a handler that returns what it received.
import { createHash } from 'node:crypto'
import type { RequestListener } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import type { CheckedRequest } from '../../src/interfaces/merchant-api/checks/check-request.ts'
import type { EndpointPath } from '../../src/interfaces/merchant-api/endpoints.ts'
import {
  createFrame,
  type Frame,
  type FrameDeps,
  type FrameOptions as ServerOptions,
} from '../../src/interfaces/merchant-api/frame.ts'
import {
  createServerFor,
  registerMerchantApi,
  serverOptions,
} from '../../src/interfaces/merchant-api/serve-request.ts'
import type { Merchant } from '../../src/money/merchants/merchant.ts'
import { Gate } from '../../src/platform/concurrency/gate.ts'
import type { Refusal } from '../../src/platform/errors/catalogue.ts'
import { openReach } from '../../src/platform/http/client/address-guard.ts'
import { createDrain } from '../../src/platform/http/server/drain-connections.ts'
import { rsaPair } from '../builders/rsa-keys.ts'
import { fastPaths } from './fast-paths.ts'

export const MER_NO = 100001
export const KEY = 'key-of-the-tests'

export function aMerchant(changes: Partial<Merchant> = {}): Merchant {
  return {
    merNo: MER_NO,
    name: 'Corner Shop',
    state: 'active',
    timezone: 'UTC',
    websites: ['shop.example'],
    askedWebsites: [],
    keys: [{ keyId: 'K1', key: KEY, usedAt: new Date(), retiresAt: undefined }],
    rsaKey: undefined,
    rsaUse: undefined,
    webhookSecret: 'whsec_dGVzdA==',
    ips: [],
    requireRsa: false,
    requireIp: false,
    signAnswers: false,
    notifyReview: false,
    amountsInNotifications: true,
    currencies: new Map([['USD', 'USD']]),
    methods: undefined,
    cardBrands: undefined,
    feePlans: new Map(),
    limits: { single: undefined, daily: undefined, monthly: undefined },
    refundCredit: 0n,
    chargebackUrl: '',
    approveRefunds: false,
    payoutApproval: undefined,
    reviewAbove: undefined,
    routes: new Map(),
    accent: undefined,
    hasLogo: false,
    ...changes,
  }
}

export type JsonBody = Record<string, unknown>

export function aCardPayment(changes: JsonBody = {}): JsonBody {
  return {
    merNo: MER_NO,
    merOrderNo: 'ORDER-1',
    currencyCode: 'USD',
    sourceAmount: '10.00',
    returnUrl: 'https://shop.example/back',
    notifyUrl: 'https://shop.example/notify',
    cardNo: '4242424242424242',
    cardExpireMonth: '12',
    cardExpireYear: '2030',
    cardSecurityCode: '123',
    ...anAddress('billing'),
    ...anAddress('shipping'),
    userAgent: 'Mozilla/5.0',
    ipAddress: '192.0.2.10',
    productInfoList: [{ sku: 'S-1', productName: 'Lamp', price: '10.00', quantity: '1' }],
    version: 'V3.0.0',
    ...changes,
  }
}

function anAddress(who: string): JsonBody {
  return {
    [`${who}FirstName`]: 'Test',
    [`${who}LastName`]: 'Payer',
    [`${who}Address1`]: '1 Mill Lane',
    [`${who}City`]: 'Austin',
    [`${who}State`]: 'TX',
    [`${who}Country`]: 'US',
    [`${who}ZipCode`]: '78701',
    [`${who}Phone`]: '15125550100',
    [`${who}Email`]: 'ada@shop.example',
  }
}

const orderSigned = ['merNo', 'merOrderNo', 'currencyCode', 'sourceAmount']

/** Signs a body as a merchant does: the values in order, then the key. */
export function signed(body: JsonBody, names: readonly string[] = orderSigned, key = KEY): JsonBody {
  const text = names.map((name) => String(body[name] ?? '')).join('')
  return { ...body, sign: createHash('md5').update(`${text}${key}`).digest('hex').toUpperCase() }
}

export const platformKeys = rsaPair('platform')

export type TestFrame = {
  readonly app: FastifyInstance
  readonly frame: Frame
  /** The requests that reached the handlers. */
  readonly reached: CheckedRequest[]
  readonly keyUses: string[]
  readonly observed: string[]
  /** Posts a body. A body that is not a string is sent as JSON. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<TestAnswer>
}

export type TestAnswer = {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly text: string
  readonly body: { code: string; message: string; data?: JsonBody; sign?: string }
}

export type FrameOptions = Partial<Omit<FrameDeps, 'findMerchant' | 'duplicateOf'>> & {
  readonly merchants?: readonly Merchant[]
  readonly duplicate?: Refusal
  /** The options of the HTTP server. */
  readonly server?: Partial<ServerOptions> & { readonly routes?: (app: FastifyInstance) => void }
}

const served: readonly EndpointPath[] = [
  '/payment',
  '/cashier/checkStandPay',
  '/cashier/checkStandPayment',
  '/payout',
  '/refund/apply',
  '/order/query',
  '/balance/query',
  '/order/queryOrderList',
  '/order/queryAmount',
  '/review/submit',
]

export async function buildFrame(options: FrameOptions = {}): Promise<TestFrame> {
  const { merchants = [aMerchant()], duplicate, server, ...deps } = options
  const drain = createDrain()
  const reached: CheckedRequest[] = []
  const keyUses: string[] = []
  const observed: string[] = []
  const echo = async (request: CheckedRequest) => {
    reached.push(request)
    return { data: { tradeNo: 'T1', payCode: 0 } }
  }
  const frame = createFrame(
    {
      mode: 'sandbox',
      mayNotify: openReach({ loopbackAllowed: true, allow: [] }),
      clock: { now: () => new Date() },
      findMerchant: async (merNo) => merchants.find((merchant) => merchant.merNo === merNo),
      keyUsed: (_merNo, { keyId }) => keyUses.push(keyId),
      duplicateOf: async () =>
        duplicate && {
          refusal: duplicate,
          first: { tradeNo: 'T1', createdAt: new Date(), requestMac: undefined },
        },
      requestMacOf: (text) => text,
      platformKey: platformKeys.privateKey,
      gate: new Gate({ most: 1_000 }),
      queryGate: new Gate({ most: 1_000 }),
      handlers: Object.fromEntries(served.map((path) => [path, echo])),
      observe: (endpoint, code) => observed.push(`${endpoint} ${code}`),
      ...deps,
    },
    {
      log: { info: () => {}, error: () => {} },
      began: drain.began,
      rawServer: fastPaths.rawServer,
      ...server,
    },
  )
  const serverFactory = (toRoutes: RequestListener) => createServerFor(frame, toRoutes)
  const app = Fastify({ ...serverOptions, logger: false, serverFactory })
  drain.watch(app)
  registerMerchantApi(app, frame)
  server?.routes?.(app)
  await app.ready()
  const ask: TestFrame['post'] = (path, body, headers) => post(app, path, body, headers)
  return { app, frame, reached, keyUses, observed, post: ask }
}

async function post(
  app: FastifyInstance,
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const answer = await app.inject({
    method: 'POST',
    url,
    payload: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', referer: 'https://shop.example/cart', ...headers },
  })
  return { status: answer.statusCode, headers: answer.headers, text: answer.body, body: answer.json() }
}

// Checks what we send to Adyen, Stripe and a bank's Pix API, and what their simulations in the sandbox answer, against
// the public documents of these interfaces. No package has the document of the Pix API, so its schema is written here.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Ajv } from 'ajv'
import { mountPix } from '../sandbox/pix/mount.ts'
import { mountStripe } from '../sandbox/stripe/mount.ts'
import { systemClock } from '../src/platform/base/clock.ts'
import type { Fields } from '../src/platform/base/object.ts'
import type { Channel, Outcome, StartRequest } from '../src/rails/contract/channel.ts'
import { openStore } from '../src/rails/toolkit/records/store.ts'
import { makeReference } from './contracts/channel-driver.ts'
import { makeRequest } from './contracts/sandbox-driver.ts'
import { cardRequest, openAdyenWorld, visit } from './counterparties/adyen.ts'
import { connectChannel, toolsWith } from './counterparties/connect-entry.ts'
import { openFaultyProxy } from './counterparties/faulty-proxy.ts'
import { decideOn, openMounted } from './counterparties/mounted.ts'
import { checker, type Exchange, readForm, readPublic, recording } from './harness/foreign-openapi.ts'
import { cloneDatabase } from './harness/harness.ts'

const closing: (() => Promise<void>)[] = []
after(async () => {
  for (const close of closing.toReversed()) await close()
})

const database = await cloneDatabase()
closing.push(() => database.drop())
const storeOf = (name: string) => openStore({ db: database.db, clock: systemClock }, name)
const tools = toolsWith({ timeoutMs: 60_000, storeOf })

async function record(url: string, readBody: (text: string) => unknown) {
  const exchanges: Exchange[] = []
  const proxy = await openFaultyProxy(url)
  proxy.meet(recording(exchanges, readBody))
  closing.push(() => proxy.close())
  return { url: proxy.url, exchanges }
}

const person = {
  ...{ FirstName: 'Ada', LastName: 'Lovelace', Address1: 'Ludwigstr. 1', City: 'München', State: 'Bayern' },
  ...{ Country: 'DE', ZipCode: '80539', Phone: '+4989550100', Email: 'ada@shop.example' },
}
const details = Object.fromEntries(
  ['billing', 'shipping'].flatMap((kind) =>
    Object.entries(person).map(([name, value]) => [kind + name, value]),
  ),
)

function withPerson(request: StartRequest): StartRequest {
  const device = { userAgent: 'Mozilla/5.0', ipAddress: '203.0.113.7' }
  return { ...request, details: { ...request.details, ...details, ...device } }
}

async function refund(channel: Channel, request: StartRequest, paid: Outcome): Promise<void> {
  assert.ok(paid.kind === 'succeeded')
  const { channelRef } = paid
  const refundReference = makeReference()
  const asked = { ...request, channelRef, refundReference, refund: { ...request.money, amount: 100n } }
  assert.notEqual((await channel.refund(asked)).kind, 'failed')
}

function pathsOf(exchanges: readonly Exchange[]): string {
  return exchanges.map(({ method, path }) => `${method} ${path}`).join('\n')
}

/** The lengths that version 72 of Adyen's API added to the parts of a payment. */
const lengthsOf72: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  BillingAddress: { postalCode: 10, stateOrProvince: 3 },
  DeliveryAddress: { postalCode: 10, stateOrProvince: 3 },
  Name: { firstName: 80, lastName: 80 },
  PaymentRequest: { reference: 80, telephoneNumber: 64, origin: 80, shopperEmail: 256, shopperIP: 50 },
}

/**
 * Returns the document of version 71, which the package has, changed to version 72, which our addresses name. Version
 * 72 adds lengths and two values that we use.
 */
function adyen72(): Fields {
  const document = readPublic('adyen.com/CheckoutService-v71')
  const { schemas } = Object(document.components)
  for (const [name, lengths] of Object.entries(lengthsOf72))
    for (const [field, maxLength] of Object.entries(lengths)) {
      assert.ok(schemas[name].properties[field] !== undefined, `${name}.${field}`)
      schemas[name].properties[field].maxLength = maxLength
    }
  schemas.ThreeDSRequestData.properties.nativeThreeDS.enum.push('disabled')
  const texts = ['iban', 'bic', 'beneficiary', 'reference', 'paymentMethodType', 'url', 'shopperEmail']
  const properties = {
    ...Object.fromEntries(texts.map((name) => [name, { type: 'string' }])),
    totalAmount: { $ref: '#/components/schemas/Amount' },
    type: { enum: ['bankTransfer'] },
  }
  const transfer = { type: 'object', properties, required: ['type'], additionalProperties: false }
  schemas.PaymentResponse.properties.action.oneOf.push(transfer)
  return document
}

test("Adyen's Checkout", async () => {
  const world = await openAdyenWorld()
  closing.push(() => world.close())
  const settings = world.settings('card', 'pix', 'sepa', 'alipay')
  const { url, exchanges } = await record(String(settings.url), JSON.parse)
  const { channels } = world.connect({ ...settings, url })
  const channelOf = (method: string) => channels.find((one) => one.method === method) ?? assert.fail(method)
  const card = channelOf('card')
  const EUR = { amount: 25_00n, currency: 'EUR' }
  const request = withPerson(cardRequest(EUR, {}))
  await refund(card, request, await card.start(request))
  const challenged = withPerson(cardRequest(EUR, { number: '4212345678910006' }))
  const started = await card.start(challenged)
  assert.ok(started.kind === 'pending')
  const params = await visit(world, started.action, { decision: 'approve' })
  await card.complete({ ...challenged, answer: params, action: started.action })
  for (const [method, currency] of [
    ['sepa', 'EUR'],
    ['alipay', 'EUR'],
    ['pix', 'BRL'],
  ] as const) {
    const personal = { socialSecurityNumber: '52998224725' }
    const asked = { method, money: { amount: 25_00n, currency }, details: { name: 'Ada Lovelace' }, personal }
    const open = makeRequest(asked, 'pays')
    assert.equal((await channelOf(method).start(open)).kind, 'pending')
    await channelOf(method).cancel(open)
  }
  for (const path of ['/payments', '/payments/details', '/refunds', '/cancels'])
    assert.match(pathsOf(exchanges), new RegExp(`POST .*${path}$`, 'm'))
  const check = checker(adyen72(), { prefix: new URL(url).pathname, sends: 'json' })
  assert.deepEqual(exchanges.flatMap(check), [])
})

test("Stripe's payments", async () => {
  const { entry, close } = await openMounted(mountStripe)
  closing.push(close)
  const { url, exchanges } = await record(String(entry.url), readForm)
  const channel = connectChannel({ ...entry, url }, 'card', tools)
  const pay = async (number: string) => {
    const money = { amount: 1_250n, currency: 'USD' }
    const card = { number, expiryMonth: '4', expiryYear: '39', securityCode: '123' }
    const request = { ...withPerson(makeRequest({ method: 'card', money }, 'pays')), card }
    return { request, outcome: await channel.start(request) }
  }
  const { request, outcome } = await pay('4242424242424242')
  await refund(channel, request, outcome)
  await pay('4000000000000002')
  const challenged = await pay('4000000000003220')
  assert.equal(challenged.outcome.kind, 'pending')
  await channel.ask(challenged.request)
  await channel.cancel(challenged.request)
  assert.match(pathsOf(exchanges), /POST .*\/refunds$/m)
  assert.match(pathsOf(exchanges), /POST .*\/confirm$/m)
  assert.match(pathsOf(exchanges), /POST .*\/cancel$/m)
  const document = readPublic('stripe.com')
  // The document allows only cards that are tokens already. Stripe also takes card numbers from companies that are
  // allowed to have them.
  const { schema } = Object(document.paths)['/v1/payment_intents/{intent}/confirm'].post.requestBody.content[
    'application/x-www-form-urlencoded'
  ]
  schema.properties.payment_method_data.properties.type.enum.push('card')
  const check = checker(document, {
    prefix: new URL(url).pathname.replace(/\/v1$/, ''),
    sends: 'form',
  })
  assert.deepEqual(exchanges.flatMap(check), [])
})

const amount = { type: 'string', pattern: '^\\d{1,10}\\.\\d{2}$' }
const time = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' }
const letters = (least: number, most: number) => ({
  type: 'string',
  pattern: `^[a-zA-Z0-9]{${least},${most}}$`,
})
const text = (maxLength: number) => ({ type: 'string', maxLength })
const object = (properties: Fields, ...optional: string[]) => {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, required }
}
const person55 = object({ cpf: { type: 'string', pattern: '^\\d{11}$' }, nome: text(200) })

/** Version 2.9 of the Pix API, as far as we use it. */
const pixSchemas = {
  askedCharge: object(
    {
      calendario: object({ expiracao: { type: 'integer' } }),
      devedor: person55,
      valor: object({ original: amount }),
      chave: text(77),
      solicitacaoPagador: text(140),
    },
    'devedor',
    'solicitacaoPagador',
  ),
  askedReturn: object({ valor: amount }),
  webhook: object({ webhookUrl: { type: 'string', pattern: '^https?://' } }),
  anything: {},
  return: object(
    {
      id: letters(1, 35),
      rtrId: letters(32, 32),
      valor: amount,
      horario: object({ solicitacao: time, liquidacao: time }, 'liquidacao'),
      status: { enum: ['EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO'] },
      natureza: { enum: ['ORIGINAL', 'RETIRADA', 'MED_OPERACIONAL', 'MED_FRAUDE', 'MED_PIX_AUTOMATICO'] },
      motivo: text(140),
    },
    'natureza',
    'motivo',
  ),
  pix: object(
    {
      endToEndId: letters(32, 32),
      txid: letters(1, 35),
      valor: amount,
      horario: time,
      devolucoes: { type: 'array', items: { $ref: '#/definitions/return' } },
    },
    'txid',
    'devolucoes',
  ),
  charge: object(
    {
      calendario: object({ criacao: time, expiracao: { type: 'integer' } }),
      txid: letters(26, 35),
      revisao: { type: 'integer' },
      loc: object({ id: { type: 'integer' }, location: text(77), tipoCob: { enum: ['cob'] }, criacao: time }),
      location: text(77),
      status: { enum: ['ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', 'REMOVIDA_PELO_PSP'] },
      devedor: person55,
      valor: object({ original: amount }),
      chave: text(77),
      solicitacaoPagador: text(140),
      pixCopiaECola: text(512),
      infoAdicionais: { type: 'array', maxItems: 50, items: object({ nome: text(50), valor: text(200) }) },
      pix: { type: 'array', items: { $ref: '#/definitions/pix' } },
    },
    'devedor',
    'pix',
    'infoAdicionais',
  ),
  // The public document also requires `cobs` here. No bank sends `cobs`, because it describes charges and not received
  // Pix.
  list: object({
    parametros: object({
      inicio: time,
      fim: time,
      paginacao: object({
        paginaAtual: { type: 'integer', minimum: 0 },
        itensPorPagina: { type: 'integer', minimum: 1 },
        quantidadeDePaginas: { type: 'integer', minimum: 1 },
        quantidadeTotalDeItens: { type: 'integer', minimum: 0 },
      }),
    }),
    pix: { type: 'array', items: { $ref: '#/definitions/pix' } },
  }),
}

const pixPaths: readonly (readonly [RegExp, asked: string | undefined, answered: string])[] = [
  [/^PUT .*\/cob\/\w+$/, 'askedCharge', 'charge'],
  [/^(GET|PATCH) .*\/cob\/\w+$/, undefined, 'charge'],
  [/^PUT .*\/devolucao\/\w+$/, 'askedReturn', 'return'],
  [/^GET .*\/devolucao\/\w+$/, undefined, 'return'],
  [/^GET .*\/pix$/, undefined, 'list'],
  [/^PUT .*\/webhook\/[\w-]+$/, 'webhook', 'anything'],
]

test("a bank's Pix API", async () => {
  const { entry, counterparty, close } = await openMounted(mountPix)
  closing.push(close)
  const { url, exchanges } = await record(String(entry.url), (body) =>
    body.startsWith('{') ? JSON.parse(body) : readForm(body),
  )
  const channel = connectChannel({ ...entry, url }, 'pix', tools)
  const money = { amount: 12_50n, currency: 'BRL' }
  const personal = { socialSecurityNumber: '52998224725' }
  const start = async () => {
    const request = makeRequest({ method: 'pix', money, details: { name: 'Ada' }, personal }, 'pays')
    const started = await channel.start(request)
    assert.ok(started.kind === 'pending' && started.action.kind === 'qr')
    return { request, page: started.action.appUrl ?? assert.fail() }
  }
  const cancelled = await start()
  await channel.cancel(cancelled.request)
  const { request, page } = await start()
  await decideOn(page, 'approve')
  await refund(channel, request, await paidOutcome(channel, request))
  counterparty.takeBack(request.reference)
  assert.equal((await channel.disputes?.(new Date(Date.now() - 3_600_000)))?.kind, 'listed')
  const ajv = new Ajv({ strict: false, allErrors: true })
  const complaints = exchanges.flatMap(({ method, path, body, status, answer }) => {
    if (path.endsWith('/oauth/token') || status >= 400) return []
    const found = pixPaths.find(([pattern]) => pattern.test(`${method} ${path}`))
    if (found === undefined) return [`${method} ${path} is not known`]
    const [, asked, answered] = found
    return [...wrong(asked, body), ...wrong(answered, answer)].map((why) => `${method} ${path} ${why}`)
  })
  for (const [pattern] of pixPaths.filter(([one]) => !one.source.includes('GET .*\\/devolucao')))
    assert.ok(
      exchanges.some(({ method, path }) => pattern.test(`${method} ${path}`)),
      String(pattern),
    )
  assert.deepEqual(complaints, [])

  function wrong(name: string | undefined, value: unknown): string[] {
    if (name === undefined) return []
    const validate = ajv.compile({ definitions: pixSchemas, $ref: `#/definitions/${name}` })
    validate(value)
    return (validate.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`)
  }
})

/** Returns the success of a payment whose only transfer has arrived. */
async function paidOutcome(channel: Channel, request: StartRequest): Promise<Outcome> {
  const found = await channel.ask(request)
  assert.ok(found.kind === 'received' && found.deposits.length === 1)
  return { kind: 'succeeded', money: request.money, channelRef: found.channelRef }
}

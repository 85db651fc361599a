// Compares the merchants' guides with the code: every request passes the checks of the interface, and every name, code,
// value and table that a guide shows is the code's own. A story sends the same requests to a gateway.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, parse } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { REFUSED, SILENT_AND_NOT_OPENED, SILENT_BUT_OPENED } from '../sandbox/bank/bank.ts'
import { challengeCode } from '../sandbox/issuer-challenges.ts'
import { sandboxCards } from '../sandbox/sandbox-cards.ts'
import { shopStates } from '../src/interfaces/exam/exercise.ts'
import {
  type Endpoint,
  endpoints,
  isEndpoint,
  tableOfNoChoice,
} from '../src/interfaces/merchant-api/endpoints.ts'
import { sharedFields, tablesOf } from '../src/interfaces/merchant-api/fields/described-tables.ts'
import type { Field, Table } from '../src/interfaces/merchant-api/fields/field.ts'
import { checkTypes, readFields } from '../src/interfaces/merchant-api/fields/read-fields.ts'
import { readPayout } from '../src/interfaces/merchant-api/fields/read-payout.ts'
import {
  checkoutFields,
  checkoutPaymentFields,
  fileTypes,
  infoTypes,
} from '../src/interfaces/merchant-api/fields/request-fields.ts'
import { answers, answersOf, notificationFields } from '../src/interfaces/merchant-api/fields/sent-fields.ts'
import { referenceLists } from '../src/interfaces/merchant-api/reference/lists.ts'
import { eventRules } from '../src/money/notifications/notification.ts'
import { TIMEOUT_MS, waitsMs } from '../src/money/notifications/schedule.ts'
import { State } from '../src/money/orders/order.ts'
import { currencyOf, type PayoutKind, withdrawTypes } from '../src/money/payouts/payout.ts'
import { merchantCommands } from '../src/operator/cli/merchants/merchant.ts'
import { merchantRoles } from '../src/people/roles/permissions.ts'
import { isCurrency } from '../src/platform/base/currency.ts'
import { type Fields, isObject } from '../src/platform/base/object.ts'
import { md5 } from '../src/platform/base/secret.ts'
import { catalogue } from '../src/platform/errors/catalogue.ts'
import { type Method, methodNames, methods } from '../src/rails/methods/methods.ts'
import { knowsBank } from '../src/rails/methods/traits.ts'
import { checkAccount } from '../src/rails/toolkit/check-account.ts'
import { developersWords } from '../web/src/words/developers.ts'
import { aReference } from './builders/reference.ts'
import {
  blocksOf,
  codesIn,
  type Example,
  examplesOf,
  filled,
  guideNamed,
  guides,
  problemsOf,
  rowsOf,
} from './harness/guides.ts'

const examples = guides.flatMap(examplesOf)
const allEndpoints: readonly Endpoint[] = Object.values(endpoints)

function fileOf(method: string): string {
  return method.replaceAll('_', '-')
}

const root = fileURLToPath(new URL('..', import.meta.url))
const sampleLink = /^\[samples\]\(\.\.\/\.\.\/examples\/#([\w-]+)\)$/gm

/**
 * Returns the name in lower case without hyphens: a sample is named RsaSign in Java, and rsa-sign in other languages.
 */
function plain(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase()
}

/**
 * The guides whose code blocks tests run, by the language of the blocks. Stories send all JSON, type all commands, and
 * open the pages of the drop-in.
 */
const runIn: Readonly<Record<string, RegExp>> = {
  json: /./,
  sh: /./,
  text: /^notifications$/,
  html: /^drop-in$/,
  js: /^drop-in$/,
  '': /^(drop-in|exam)$/,
}

describe('every guide', () => {
  for (const guide of guides)
    it(`${guide.name} begins with a title and says what it is for`, () => {
      assert.match(guide.text, /^# [A-Z].*\n\n[A-Z`].*[^\n]/)
      assert.ok(!/<\/?[a-z]+>/.test(guide.text.replace(/`[^`]*`/g, '')), 'plain markdown, without HTML')
    })

  it('shows samples that exist in every language', () => {
    const tasks = new Set(
      guides.flatMap(({ text }) => [...text.matchAll(sampleLink)].map(([, task = '']) => task)),
    )
    assert.ok(tasks.size > 0)
    const languages = Map.groupBy(
      globSync('examples/{curl,typescript,php,python,java,go}/*', { cwd: root }),
      dirname,
    )
    assert.equal(languages.size, 6)
    for (const [language, files] of languages)
      for (const task of tasks)
        assert.ok(
          files.some((file) => plain(parse(file).name) === plain(task)),
          `${language} has ${task}`,
        )
  })

  it('has no sample that no test runs', () => {
    const strange = guides.flatMap((guide) =>
      blocksOf(guide)
        .filter(({ language }) => !(runIn[language]?.test(guide.name) ?? false))
        .map(({ language, code }) => `${guide.name}, ${language}: ${code}`),
    )
    assert.deepEqual(strange, [])
    const { state, credits } = JSON.parse(blocksOf(guideNamed('exam'))[1]?.code ?? '')
    assert.ok(
      shopStates.includes(state) && Number.isInteger(credits),
      'what the exam reads at a state address',
    )
  })

  it('names only codes, cards, endpoints, fields and values that exist', () => {
    const unknown = guides.flatMap(({ name, text }) => unknownIn(text).map((what) => `${name}: ${what}`))
    assert.deepEqual(unknown, [])
  })
})

function unknownIn(text: string): string[] {
  const prose = filled(text.replace(/^```.*?^```$/gms, ''))
  const errors = [...prose.matchAll(/(?<![\d.,-])(?:1[01]\d{3}|9999\d|00000)(?![\d.,]\d|\d)/g)].map(
    ([code]) => code,
  )
  const named = codesIn(prose).filter((code) => !isKnown(code))
  return [...errors.filter((code) => !Object.hasOwn(catalogue, code)), ...named]
}

function isKnown(code: string): boolean {
  if (/^\d{16}$/.test(code)) return sandboxCards.includes(code)
  if (/^\/[a-z]/.test(code)) return isEndpoint(code)
  const reference = /\/reference\/(.+)$/.exec(code)?.[1]
  if (reference !== undefined) return referenceLists(aReference).has(reference)
  if (/^[a-z]+([A-Z][a-z0-9]*)+$/.test(code)) return names.has(code) || values.has(code) || outside.has(code)
  if (/^[A-Z]{3,}\d*(_[A-Z0-9]+)*$/.test(code))
    return values.has(code) || isCurrency(code) || outside.has(code)
  return true
}

function walk(table: Table): readonly Field[] {
  return table.flatMap((field) => [field, ...walk(field.fields ?? []), ...walk(field.of ? [field.of] : [])])
}

const requestTables = allEndpoints.flatMap((endpoint) => [
  tableOfNoChoice(endpoint),
  ...[...endpoint.choices.values()].map(({ table }) => table),
])
const fields = [...requestTables, ...Object.values(answers), ...Object.values(notificationFields)].flatMap(
  walk,
)
const names = new Set([
  ...fields.flatMap(({ name, aliases = [] }) => [name, ...aliases]),
  ...allEndpoints.flatMap(({ chosenBy }) => chosenBy?.name ?? []),
])
const values = new Set([
  ...fields.flatMap(({ oneOf = [] }) => oneOf),
  ...allEndpoints.flatMap(({ choices }) => [...choices.keys()]),
  ...Object.values(eventRules).flatMap(({ acknowledgedBy }) => acknowledgedBy),
])
/** Names from HTTP and Apple's own interface, settings, and the currency code `PER`, which only we take. */
const outside = new Set([
  ...['POST', 'paymentData', 'PER', 'TOLLGATE_MINUTE_MS', 'TOLLGATE_BASE_URL'],
  // Names of the drop-in, and a verdict of the exam.
  ...['orderNo', 'isFinal', 'onResult', 'onClose', 'needsWindow', 'atBank', 'FAILED'],
])

describe('the page of what is not supported', () => {
  it('names nothing that the interface has', () => {
    const { text } = guideNamed('not-supported')
    const words = ['capture', 'void', 'recurring', 'subscription', 'instalment', 'mandate', 'saved', 'split']
    const services = ['PayPal', 'Klarna', 'iDEAL', 'ACH']
    const has = [...Object.keys(endpoints), ...names, ...methodNames()].map((name) => name.toLowerCase())
    for (const word of [...words, 'discount', 'taxes', 'tips', ...services]) {
      assert.ok(text.includes(word), word)
      assert.deepEqual(
        has.filter((name) => name.split(/[/_]/).some((part) => part.startsWith(word.toLowerCase()))),
        [],
      )
    }
  })

  it('says truly that an order has one currency, and that an amount of zero is refused', () => {
    const { text } = guideNamed('not-supported')
    assert.match(text, /An order has one `currencyCode`/)
    assert.match(text, /`0\.00` is refused with 99997/)
    const { body } = examples.find(({ path }) => path === '/cashier/checkStandPay') ?? assert.fail()
    const withAmount = (sourceAmount: string) => () =>
      readFields(checkoutFields(), { ...body, sourceAmount }, { mayNotify: () => false, currency: 'EUR' })
    assert.doesNotThrow(withAmount('0.01'))
    assert.throws(withAmount('0.00'), { code: '99997' })
    const item = find(checkoutFields(), 'productInfoList')?.of?.fields ?? []
    assert.deepEqual(
      item.filter(({ name }) => /currency/i.test(name)),
      [],
    )
  })
})

it('the signing page says where an RSA key is registered, and by whom', () => {
  const { text } = guideNamed('signing')
  const setRsa = merchantCommands.find(({ name }) => name === 'merchant set-rsa') ?? assert.fail()
  assert.deepEqual(Object.keys(setRsa.options ?? {}), ['file'])
  assert.ok(text.includes(`-- ${setRsa.name} ${setRsa.argument} --file public.pem`))
  const { keys, rsa, uploadRsa } = developersWords.en
  assert.ok(text.includes(`Developers, ${keys}, ${rsa}: choose "${uploadRsa}"`))
  const roles = Object.entries(merchantRoles).map(([name, may]) => ({ name, may: may as readonly string[] }))
  const able = (permission: string) =>
    roles.filter(({ may }) => may.includes(permission)).map(({ name }) => name)
  assert.deepEqual(
    { live: able('keys.secret'), sandbox: able('keys.edit') },
    {
      live: ['owner'],
      sandbox: ['owner', 'developer'],
    },
  )
})

describe('every request in a guide', () => {
  for (const example of examples)
    it(`${example.guide}: ${example.path} passes the checks`, () => check(example))

  it('shows each endpoint that takes JSON, each method and each kind of payout', () => {
    for (const method of methodNames()) assert.ok(ofMethod(method), method)
    for (const type of withdrawTypes.keys())
      assert.ok(
        examples.some(({ body }) => body.withdrawType === type),
        `withdrawType ${type}`,
      )
  })
})

function ofMethod(method: Method): Example | undefined {
  const types: readonly string[] = methods[method].paymentTypes
  return examples.find(({ path, paymentType }) => path === '/payment' && types.includes(paymentType))
}

function check({ path, paymentType, body, answer }: Example): void {
  const endpoint: Endpoint = endpoints[path]
  const { chosenBy, choices } = endpoint
  const chosen = chosenBy?.in === 'header' ? paymentType : String(body[chosenBy?.name ?? ''] ?? '')
  const choice = choices.get(chosen)
  assert.ok(choice, `${path} knows ${chosen}`)
  const { table, method } = choice
  assert.deepEqual(strangers(table, body), [], 'fields that the interface does not know')
  checkTypes(table, body)
  readFields(table, body, { mayNotify: () => false, currency: String(body.currencyCode ?? '') })
  if (method !== undefined) {
    assert.equal(methods[method].checkFields?.(body), undefined)
    const { bank } = methods[method]
    assert.ok(bank === undefined || knowsBank(aReference, bank, body))
  }
  if (path === '/payout') checkPayout(body)
  if (answer !== undefined) checkAnswer(path, answer)
}

function checkPayout(body: Fields): void {
  const { kind, account, bankCode } = readPayout(body, () => false)
  if (kind !== 'checkout') assert.equal(checkAccount(aReference, { kind, account, bankCode }), undefined)
}

function strangers(table: Table, body: Fields): string[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const field = table.find((one) => one.name === name || one.aliases?.includes(name))
    if (field === undefined) return [name]
    const [inner, parts] = Array.isArray(value) ? [field.of?.fields, value] : [field.fields, [value]]
    return inner === undefined ? [] : parts.filter(isObject).flatMap((part) => strangers(inner, part))
  })
}

/** Checks that `data` is of one of the kinds that the endpoint answers with. */
function checkAnswer(path: Example['path'], { code, message, data }: Fields): void {
  assert.deepEqual({ code, message }, { code: '00000', message: 'SUCCESS' })
  assert.ok(isObject(data))
  const kinds = answersOf[path].map((kind) => problemsOf(answers[kind], data))
  assert.ok(
    kinds.some((problems) => problems.length === 0),
    `${path}: ${kinds.map((problems) => problems.join(', ')).join(' or ')}`,
  )
}

/** Checks that the rows of a page's table of fields agree with the interface. */
function checkFieldRows(page: string, table: Table): void {
  const rows = rowsOf(guideNamed(page), 'Request')
  assert.ok(rows.length > 0)
  for (const [field = '', required] of rows) {
    const [name = ''] = codesIn(field)
    const isChooser = name === 'paymentMode'
    assert.equal(required === 'yes', isChooser || find(table, name)?.required, `${page}: ${name}`)
  }
}

/**
 * Checks that the page lists each field that only this method or kind requires, and each field that no other one has.
 */
function checkSpecialFields(page: string, endpoint: Endpoint, name: string): void {
  const tables = tablesOf(endpoint)
  const table = tables.get(name)?.table ?? []
  checkFieldRows(page, table)
  const others = [...tables].filter(([other]) => other !== name).map(([, one]) => one.table)
  const shared = sharedFields([table, ...others])
  const special = table.filter((field) =>
    field.required
      ? find(shared, field.name)?.required !== true
      : others.every((other) => !find(other, field.name)),
  )
  const shown = rowsOf(guideNamed(page), 'Request').flatMap(([field = '']) => codesIn(field))
  const missing = special.filter((field) => !shown.includes(field.name)).map((field) => field.name)
  assert.deepEqual(missing, [], `${page} does not show`)
}

function find(table: Table, name: string): Field | undefined {
  return table.find((field) => field.name === name)
}

describe('the page of a method', () => {
  for (const method of methodNames())
    it(`${method} shows its fields, values, currencies, time and whether it can be refunded`, () => {
      const page = `method-${fileOf(method)}`
      checkSpecialFields(page, endpoints['/payment'], method)
      const facts = new Map(
        rowsOf(guideNamed(page), 'Currencies and limits').map(([what = '', value = '']) => [what, value]),
      )
      const { paymentTypes, currencies, awaitsPayerMinutes, refundable } = methods[method]
      const types = facts.get('`paymentType`') ?? ''
      assert.deepEqual(
        codesIn(types),
        paymentTypes.filter((type) => type !== ''),
      )
      const modes = codesIn(
        facts.get('`paymentMode` of [checkout payment](method-checkout-payment.md)') ?? '',
      )
      assert.deepEqual(modes.sort(), modesOf(method).sort())
      assert.deepEqual(codesIn(facts.get('Currencies') ?? ''), currencies === 'any' ? [] : currencies)
      assert.equal(facts.get('Time to pay'), timeInWords(awaitsPayerMinutes))
      assert.equal(facts.get('Refunds'), refundable ? 'yes' : 'no')
    })

  it('the overview and the page of checkout payments list them all', () => {
    const listed = rowsOf(guideNamed('payments'), 'Choose an endpoint').map(
      ([, type = '']) => codesIn(type)[0],
    )
    for (const method of methodNames())
      assert.ok(method === 'card' || listed.includes(methods[method].paymentTypes[0]), method)
    const [, modes = ''] = rowsOf(guideNamed('method-checkout-payment'), 'Currencies and limits')[0] ?? []
    assert.deepEqual(codesIn(modes).sort(), methodNames().flatMap(modesOf).sort())
    checkFieldRows('method-checkout-payment', checkoutPaymentFields('pix'))
    checkFieldRows('hosted-checkout', checkoutFields())
  })
})

function modesOf(method: Method): string[] {
  const { choices } = endpoints['/cashier/checkStandPayment']
  return [...choices].filter(([, choice]) => choice.method === method).map(([mode]) => mode)
}

function timeInWords(minutes: number): string {
  return minutes < 24 * 60 ? `${minutes} minutes` : `${minutes / 24 / 60} days`
}

describe('the page of a kind of payout', () => {
  for (const [type, kind] of withdrawTypes)
    it(`${kind} shows its fields, value and currency`, () => {
      const page = `payout-${fileOf(kind)}`
      checkSpecialFields(page, endpoints['/payout'], kind)
      const rows = rowsOf(guideNamed(page), 'Currencies and limits')
      assert.deepEqual(
        rows.map(([, value = '']) => codesIn(value)),
        [[type], currenciesOf(kind)],
      )
    })
})

function currenciesOf(kind: PayoutKind): string[] {
  const only = currencyOf[kind]
  return only === undefined ? [] : [only]
}

describe('lists and figures', () => {
  it('the states of orders', () => {
    const shown = rowsOf(guideNamed('payments'), 'The states of an order')
    assert.deepEqual(
      shown.map(([state]) => Number(state)),
      Object.values(State),
    )
  })

  it('the reasons of disputes', () => {
    const shown = rowsOf(guideNamed('disputes'), 'Reasons')
    const pairs = shown.flatMap(([reason = '', words]) => codesIn(reason).map((code) => [code, words]))
    const migration = readFileSync(`${root}/migrations/0040_reference_data.sql`, 'utf8')
    const listed = [...migration.matchAll(/\('dispute-reasons', '(\w+)', '([^']+)'/g)].map((row) =>
      row.slice(1),
    )
    assert.deepEqual(pairs, listed)
  })

  it('the names of information and files in reviews', () => {
    const [info, files] = rowsOf(guideNamed('reviews'), '2. Submit')
    assert.deepEqual(codesIn(info?.[1] ?? ''), infoTypes)
    assert.deepEqual(codesIn(files?.[1] ?? ''), fileTypes)
  })

  it('the fields that each endpoint signs', () => {
    const shown = rowsOf(guideNamed('signing'), 'MD5')
    const pairs = shown.flatMap(([paths = '', signed = '']) =>
      codesIn(paths)
        .filter((path) => path.startsWith('/'))
        .map((path) => `${path} ${codesIn(signed).join()}`),
    )
    const expected = Object.entries(endpoints).flatMap(([path, { signed, ...more }]) => [
      `${path} ${signed.join()}`,
      ...('signedLonger' in more ? [`${path} ${more.signedLonger.join()}`] : []),
    ])
    assert.deepEqual(pairs.sort(), expected.sort())
  })

  it('the signatures to test with', () => {
    const key = /with the key `([^`]+)`/.exec(guideNamed('signing').text)?.[1]
    const shown = rowsOf(guideNamed('signing'), 'MD5').slice(-3)
    assert.ok(key)
    for (const [text = '', sign] of shown) assert.equal(`\`${md5(`${codesIn(text)[0]}${key}`)}\``, sign)
  })

  it('the sandbox cards, and the amounts that make a channel fail', () => {
    const cards = rowsOf(guideNamed('testing'), 'Cards').flatMap(([cell = '']) => codesIn(cell))
    assert.deepEqual(cards, sandboxCards)
    const amounts = rowsOf(guideNamed('testing'), 'Amounts with a meaning')
    const units = [REFUSED, SILENT_BUT_OPENED, SILENT_AND_NOT_OPENED]
    assert.deepEqual(
      amounts.map((row) => row.slice(0, 2).flatMap(codesIn)),
      units.map((unit) => [(Number(unit) / 100).toFixed(2), `${unit}.00`]),
    )
  })
})

it('sentences name the times and thresholds of the code', () => {
  const minutes = waitsMs(1)
  const schedule = `${minutes.slice(0, -1).join(', ')} and ${minutes.at(-1)} minutes`
  const threshold = `${Number(methods.sepa.reviewAbove).toLocaleString('en-US')}.00 EUR`
  const said: readonly (readonly [page: string, words: string])[] = [
    ['notifications', schedule],
    ['notifications', `within ${TIMEOUT_MS / 1000} seconds`],
    ['reviews', threshold],
    ['method-sepa', threshold],
    ['testing', `\`${challengeCode}\` succeeds`],
  ]
  for (const [page, words] of said) assert.ok(guideNamed(page).text.includes(words), `${page}: ${words}`)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CARD_NETWORK, type Entry, readValue } from './entry.ts'
import { begin, type Count, finish, needsIn } from './evaluate.ts'
import { factsOf, type RiskSubject } from './facts.ts'
import { type Conditions, parseConditions, type Rule, readRule } from './rule.ts'
import { createSnapshot } from './snapshot.ts'

const now = new Date('2026-11-16T12:00:00Z')
const card = { first6: '424242', last4: '4242', brand: 'visa', fingerprint: 'f00d', country: 'BR' }
const subject: RiskSubject = {
  merNo: 7,
  method: 'card',
  usdValue: 100_00n,
  card,
  details: {
    billingEmail: 'Payer@Example.com',
    billingCountry: 'US',
    shippingCountry: 'DE',
    ipAddress: '203.0.113.7',
    userAgent: 'Mozilla/5.0',
  },
}

function anEntry(changes: Partial<Entry>): Entry {
  const about = { createdAt: now, createdBy: 'test', expiresAt: undefined, reason: 'test' }
  const named = { list: 'block', kind: 'card', value: 'f00d', shown: '' } as const
  return { merNo: 0, entryId: `entry ${changes.list ?? 'block'}`, ...named, ...about, ...changes }
}

function aRule(conditions: Conditions, changes: Partial<Rule> = {}): Rule {
  const made = { createdAt: now, createdBy: 'test', changedAt: now, changedBy: 'test', version: 1 }
  const tried = { triedAt: undefined, tried: undefined }
  const rule = { merNo: 0, ruleId: 'rule', name: 'A rule', action: 'refuse', state: 'on' } as const
  return { ...rule, conditions, ...made, ...tried, ...changes }
}

type Given = { entries?: readonly Entry[]; rules?: readonly Rule[]; counts?: readonly Count[] }

function verdictOf(given: Given, changes: Partial<RiskSubject> = {}) {
  const { entries = [], rules = [], counts = [] } = given
  const facts = factsOf({ ...subject, ...changes })
  const begun = begin(createSnapshot(entries, rules).scopesOf(facts.merNo), facts, now)
  assert.equal(needsIn(begun).length, counts.length, 'what must be counted')
  return finish(begun, facts, counts)
}

const refuses = (given: Given, changes?: Partial<RiskSubject>) =>
  verdictOf(given, changes)?.refusal !== undefined

test('each kind of entry names payments', () => {
  const named: readonly Partial<Entry>[] = [
    { kind: 'card', value: 'f00d' },
    { kind: 'bin', value: '424242' },
    { kind: 'country', value: 'US' },
    { kind: 'address', value: '203.0.113.7' },
    { kind: 'address', value: '203.0.113.0/24' },
    { kind: 'email', value: 'payer@example.com' },
    { kind: 'email', value: '@example.com' },
    { kind: 'device', value: factsOf(subject).device ?? '' },
  ]
  for (const one of named) assert.ok(refuses({ entries: [anEntry(one)] }), JSON.stringify(one))
  const others: readonly Partial<Entry>[] = [
    { kind: 'card', value: 'beef' },
    { kind: 'address', value: '203.0.114.0/24' },
    { kind: 'email', value: '@ample.com' },
    { merNo: 8 },
    { expiresAt: now },
  ]
  for (const one of others) assert.ok(!refuses({ entries: [anEntry(one)] }), JSON.stringify(one))
})

test('an allow entry wins over block entries and rules, and its payment is still counted', () => {
  const velocity = { per: 'card', minutes: 60, mostPayments: 1 } as const
  const allowed = verdictOf({
    entries: [anEntry({}), anEntry({ merNo: 7, list: 'allow', kind: 'email', value: 'payer@example.com' })],
    rules: [aRule({ above: '1' }), aRule({ velocity })],
  })
  assert.deepEqual(allowed?.hits, [])
  assert.deepEqual(allowed?.uses, [{ merNo: 0, key: 'card:f00d', usdValue: 100_00n }])
})

test('all conditions of a rule must hold', () => {
  const holding: readonly Conditions[] = [
    { above: '99.99' },
    { countries: ['GB', 'US'] },
    { countriesDiffer: true },
    { issuerCountries: ['FR', 'BR'] },
    { bins: ['424242'] },
    { methods: ['card'], above: '50' },
  ]
  for (const one of holding) assert.ok(refuses({ rules: [aRule(one)] }), JSON.stringify(one))
  const others: readonly Conditions[] = [
    { above: '100' },
    { countries: ['GB'] },
    { issuerCountries: ['FR'] },
    { bins: ['400000'] },
    { methods: ['pix'] },
    { countries: ['US'], above: '100' },
  ]
  for (const one of others) assert.ok(!refuses({ rules: [aRule(one)] }), JSON.stringify(one))
  assert.ok(!refuses({ rules: [aRule({ countries: ['US'] })] }, { details: {} }), 'no country')
  const fromBrazil = aRule({ issuerCountries: ['BR'] })
  assert.ok(!refuses({ rules: [fromBrazil] }, { card: { ...card, country: undefined } }), 'not in the table')
})

test('velocity counts this payment too, by number or by amount', () => {
  const byNumber = aRule({ velocity: { per: 'address', minutes: 10, mostPayments: 3 } })
  assert.ok(!refuses({ rules: [byNumber], counts: [{ payments: 2, usd: 0n }] }))
  assert.ok(refuses({ rules: [byNumber], counts: [{ payments: 3, usd: 0n }] }))
  const byAmount = aRule({ velocity: { per: 'merchant', minutes: 10, mostAmount: '250' } })
  assert.ok(!refuses({ rules: [byAmount], counts: [{ payments: 9, usd: 150_00n }] }))
  assert.ok(refuses({ rules: [byAmount], counts: [{ payments: 9, usd: 150_01n }] }))
  const byCard = aRule({ velocity: { per: 'card', minutes: 10, mostPayments: 1 } })
  assert.ok(!refuses({ rules: [byCard], counts: [{ payments: 9, usd: 0n }] }, { card: undefined }))
  const newCard = aRule({ newCardDays: 30 })
  assert.ok(refuses({ rules: [newCard], counts: [{ payments: 0, usd: 0n }] }))
  assert.ok(!refuses({ rules: [newCard], counts: [{ payments: 1, usd: 0n }] }))
})

test('nothing is counted for a rule whose other conditions do not hold', () => {
  const rule = aRule({ above: '500', velocity: { per: 'card', minutes: 10, mostPayments: 1 } })
  assert.deepEqual(verdictOf({ rules: [rule] })?.hits, [])
})

test('a rule that watches is only recorded, and a challenge is for cards', () => {
  const watched = verdictOf({ rules: [aRule({ above: '1' }, { state: 'watching' })] })
  assert.equal(watched?.refusal, undefined)
  assert.deepEqual(watched?.hits, [{ sourceId: 'rule', name: 'A rule', action: 'refuse', watched: true }])
  const rules = [
    aRule({ above: '1' }, { action: 'challenge', ruleId: 'a' }),
    aRule({ above: '1' }, { action: 'review', ruleId: 'b' }),
  ]
  const both = verdictOf({ rules })
  assert.deepEqual(
    { challenges: both?.challenges, reviews: both?.reviews, refusal: both?.refusal },
    { challenges: true, reviews: true, refusal: undefined },
  )
  const onWallet = verdictOf({ rules }, { method: 'unionpay', card: undefined })
  assert.equal(onWallet, undefined, 'neither is possible')
  assert.equal(verdictOf({ rules: [aRule({ above: '1' }, { state: 'off' })] }), undefined)
})

test('what people write is read strictly', () => {
  assert.equal(readValue('country', ' de '), 'DE')
  assert.equal(readValue('email', 'A@B.example'), 'a@b.example')
  for (const [kind, text] of [
    ['bin', '4242424'],
    ['address', '203.0.113'],
    ['address', '0.0.0.0/0'],
    ['email', 'nobody'],
  ] as const)
    assert.throws(() => readValue(kind, text), /./, text)
  assert.deepEqual(parseConditions('{"above":"5","countries":["de"]}'), { above: '5', countries: ['DE'] })
  for (const text of ['[]', '{"above":5}', '{"aboev":"5"}', '{"velocity":{"per":"card","minutes":5}}'])
    assert.throws(() => parseConditions(text), /./, text)
  assert.throws(() => readRule({ name: 'x', action: 'refuse', conditions: {} }), /at least one/)
  const named = (name: string) => readRule({ name, action: 'refuse', conditions: { above: '5' } }).name
  assert.equal(named(` ${'x'.repeat(100)} `), 'x'.repeat(100))
  for (const name of [' ', 'x'.repeat(101), 'two\nlines'])
    assert.throws(() => named(name), /1 to 100 characters/, JSON.stringify(name))
})

test('no allow entry lets a card be tried again that its network forbids, until that ends', () => {
  const allowed = anEntry({ list: 'allow', kind: 'country', value: 'US' })
  const forbidden = anEntry({ merNo: 7, createdBy: CARD_NETWORK, expiresAt: new Date(now.getTime() + 1) })
  assert.ok(refuses({ entries: [allowed, forbidden] }))
  assert.ok(!refuses({ entries: [allowed, { ...forbidden, expiresAt: now }] }))
  assert.ok(!refuses({ entries: [allowed, { ...forbidden, createdBy: 'a person' }] }))
})

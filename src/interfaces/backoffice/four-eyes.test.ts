// In every kind of approval, a second person with the permission can approve. If a person requested the approval, this
// person cannot approve it.
import assert from 'node:assert/strict'
import { after, before, describe, it, test } from 'node:test'
import { anOperator, aPayment, noRates } from '../../../test/builders/builders.ts'
import { paidOrder } from '../../../test/builders/paid-orders.ts'
import { accept, anApplication } from '../../../test/builders/refunds.ts'
import {
  type Answer,
  type BackOffice,
  caller,
  makeSession,
  openBackOffice,
  type Person,
  type RouteKey,
} from '../../../test/harness/back-office.ts'
import { call, newNumber } from '../../../test/harness/client.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { operatorAt } from '../../../test/harness/operator.ts'
import { askApproval } from '../../money/approvals/ask-approval.ts'
import {
  approvalRules,
  checkApprover,
  isSamePerson,
  type WaitingKind,
} from '../../money/approvals/may-approve.ts'
import { acceptPayments } from '../../money/payments/accept-payments.ts'
import { recordOutcomes } from '../../money/payments/record-outcomes.ts'
import { bookSuspense } from '../../money/suspense/book-suspense.ts'
import { PLATFORM } from '../../people/roles/permissions.ts'
import { makeId } from '../../platform/base/id.ts'

let office: BackOffice
before(async () => {
  office = await openBackOffice()
  const { databaseUrl, dataDir, demo } = office
  // With this limit, an operator must approve every payout in USD.
  const set = ['merchant', 'set', String(demo.merNo), '--payout-approval', '0.00']
  await operatorAt({ databaseUrl, dataDir }).run(...set)
})
after(() => office.close())

const reason = 'Looked at twice'
const large = { amount: 500_000n, currency: 'USD' }

type Asked = {
  /** The person who requested the approval. Undefined if the merchant's own program made the request. */
  readonly asker: Person | undefined
  approve(person: Person): Promise<Answer<RouteKey>>
}

/** For each kind of approval, a function that requests one. If a kind is missing, the compiler reports an error. */
const cases: Readonly<Record<WaitingKind, () => Promise<Asked>>> = {
  async outcome() {
    const asker = await office.operator('finance')
    // The gateway does not have this channel, so the resolver cannot decide the payment.
    const made = aPayment({ merNo: office.demo.merNo, money: large })
    await acceptPayments(office.db, [
      { ...made, attempt: made.attempt && { ...made.attempt, channel: 'removed' } },
    ])
    const { merNo, tradeNo } = made
    const outcome = { kind: 'unknown', why: 'silent' } as const
    const report = { merNo, tradeNo, attemptNo: 1, outcome, at: new Date(), awaitsPayerMinutes: 30 }
    await recordOutcomes({ db: office.db, rates: noRates }, [report])
    const body = { as: 'failed', reason } as const
    const asked = await asker.call('POST /outcomes/:tradeNo/decide', { params: { tradeNo }, body })
    return { asker, approve: approveByOperators(asked.approvalId) }
  },

  async correction() {
    const asker = await office.operator('finance')
    const entry = { merNo: '0', from: 'platform:fees', to: 'rail:card', amount: '5000.00', currency: 'USD' }
    const asked = await asker.call('POST /corrections', { body: { ...entry, reason } })
    return { asker, approve: approveByOperators(asked.approvalId) }
  },

  async suspense() {
    const asker = await office.operator('finance')
    const stray = {
      merNo: PLATFORM,
      channel: 'card',
      money: large,
      why: 'unmatched',
      origin: 'statement',
    } as const
    const [held] = await office.db.transaction((tx) =>
      bookSuspense(tx, [{ ...stray, reference: 'four eyes', at: new Date() }]),
    )
    const params = { suspenseId: held?.suspenseId ?? '' }
    const asked = await asker.call('POST /suspense/:suspenseId/return', { params, body: { reason } })
    return { asker, approve: approveByOperators(asked.approvalId) }
  },

  async refund() {
    const asker = await office.operator('finance')
    const payment = await paidOrder(office.db, { merNo: office.demo.merNo })
    const by = { actor: { kind: 'user', name: asker.email }, reason } as const
    const { refundNo } = await accept(
      office.db,
      anApplication(payment, { terms: { approveRefunds: true }, by }),
    )
    const { rows } = await asker.call('GET /refunds/waiting', { query: {} })
    const row = rows.find((one) => one.refundNo === refundNo)
    assert.deepEqual({ askedBy: row?.askedBy, isOwn: row?.isOwn }, { askedBy: asker.email, isOwn: true })
    const input = { params: { refundNo }, body: { reason } }
    return { asker, approve: (person) => person.attempt('POST /refunds/:refundNo/approve', input) }
  },

  /** Makes a payout as a person of the merchant, who then becomes an operator with the same e-mail address. */
  async payout() {
    const finance = await office.person(office.demo.merNo, 'finance')
    const owner = await office.person(office.demo.merNo, 'owner')
    const { runId, approvalId } = await newRun(finance)
    const released = await approveByMerchant(approvalId)(owner)
    assert.equal(released.status, 200)
    let tradeNo = ''
    await eventually(async () => {
      const { lines } = await finance.call('GET /payouts/runs/:runId', { params: { runId } })
      tradeNo = lines[0]?.tradeNo ?? ''
      return tradeNo !== ''
    })
    const { email } = finance
    await office.db.query({ text: `update users set state = 'disabled' where email = $1`, values: [email] })
    const token = await makeSession(office.db, { merNo: PLATFORM, role: 'admin', email, password: undefined })
    const asker = caller(office.baseUrl, email, `tollgate=${token}`)
    const input = { params: { tradeNo }, body: { reason } }
    return { asker, approve: (person) => person.attempt('POST /payouts/:tradeNo/approve', input) }
  },

  async payouts() {
    const asker = await office.person(office.demo.merNo, 'finance')
    const { approvalId } = await newRun(asker)
    return { asker, approve: approveByMerchant(approvalId) }
  },

  async own_payout() {
    const owner = await office.person(office.demo.merNo, 'owner')
    const { version } = await owner.call('GET /payouts/settings', {})
    const settings = { secondPersonAbove: '0.50', includesInterface: true, version }
    await owner.call('PUT /payouts/settings', { body: settings })
    const order = { merNo: office.demo.merNo, merOrderNo: newNumber(), ipAddress: '203.0.113.7' }
    const money = { withdrawType: '3', currencyCode: 'USD', sourceAmount: '1.00', version: 'V3.0.0' }
    const body = { ...aLine('DE89370400440532013000'), ...order, ...money }
    const { data } = await call(office.demo, '/payout', { ...body, returnUrl: 'https://shop.example/back' })
    const input = { params: { tradeNo: String(data.tradeNo) }, body: { reason } }
    const approve: Asked['approve'] = (person) => person.attempt('POST /payouts/own/:tradeNo/approve', input)
    return { asker: undefined, approve }
  },

  /** Stores the approval directly, because in sandbox a new owner needs no approval. */
  async owner() {
    const asker = await office.person(office.demo.merNo, 'owner')
    const [actor, at] = [{ kind: 'user', name: asker.email } as const, new Date()]
    const subject = `new-owner-${Date.now()}@shop.example`
    const action = { step: 'invite', name: 'New owner', userId: makeId('U', office.demo.merNo, at) }
    const asked = { merNo: office.demo.merNo, kind: 'owner', decider: 'merchant', subject, action } as const
    const { approvalId } = await office.db.transaction((tx) =>
      askApproval(tx, { ...asked, money: undefined, reason, actor, at }),
    )
    return { asker, approve: approveByMerchant(approvalId) }
  },

  async beneficiary() {
    const asker = await office.person(office.demo.merNo, 'finance')
    const { cardNo, ...fields } = aLine('FR1420041010050500013M02606')
    const entered = {
      label: 'Mill',
      kind: 'bank_account',
      currency: 'USD',
      fields: { ...fields, cardNo },
    } as const
    const { beneficiaryId } = await asker.call('POST /beneficiaries', { body: entered })
    const { rows } = await asker.call('GET /beneficiaries', {})
    const { approvalId } = rows.find((one) => one.beneficiaryId === beneficiaryId) ?? {}
    return { asker, approve: approveByMerchant(approvalId) }
  },
}

function approveByOperators(approvalId = ''): Asked['approve'] {
  const input = { params: { approvalId }, body: { reason } }
  return (person) => person.attempt('POST /approvals/:approvalId/approve', input)
}

function approveByMerchant(approvalId = ''): Asked['approve'] {
  const input = { params: { approvalId }, body: { reason } }
  return (person) => person.attempt('POST /payouts/approvals/:approvalId/approve', input)
}

function aLine(cardNo: string) {
  const street = { addressLine: '1 Market Street', city: 'Berlin', countryCode: 'DE' }
  return { benFirstName: 'Paper', benLastName: 'Mill', ...street, beneficiaryType: 'business', cardNo }
}

let runs = 0

/** Starts a run to an account that is not saved, so a second person of the merchant must approve it. */
function newRun(person: Person) {
  const money = { withdrawType: '3', currencyCode: 'USD', sourceAmount: '1.00' }
  const lines = [{ ...aLine('DE89370400440532013000'), ...money }]
  return person.call('POST /payouts/runs', { body: { lines, reason, key: `four-eyes-${++runs}` } })
}

const kinds = Object.keys(approvalRules).filter((name): name is WaitingKind => name in approvalRules)

describe('an approval', () => {
  for (const kind of kinds)
    it(`of the kind ${kind} takes a second person with the permission`, async () => {
      const { asker, approve } = await cases[kind]()
      const own = asker && (await approve(asker)).problem?.message
      if (asker) assert.match(own ?? '', /you asked for \w+ yourself: a second person must approve it/)
      const isOfOperators = approvalRules[kind].decider === 'platform'
      const merNo = isOfOperators ? PLATFORM : office.demo.merNo
      for (const [company, role] of [
        [merNo, 'viewer'],
        [isOfOperators ? office.demo.merNo : PLATFORM, isOfOperators ? 'owner' : 'admin'],
      ] as const)
        assert.equal((await approve(await office.person(company, role))).problem?.code, 'not-allowed')
      const second = await office.person(merNo, isOfOperators ? 'admin' : 'owner')
      assert.equal((await approve(second)).status, 200)
    })
})

test('the kinds of approvals that rows may have are those of the table', async () => {
  const [stored] = await office.db.query<{ kinds: string }>({
    text: `select pg_get_constraintdef(oid) as kinds from pg_constraint where conname = 'approvals_kind_known'`,
  })
  const named = [...(stored?.kinds ?? '').matchAll(/'(\w+)'::text/g)].map(([, kind]) => kind)
  const elsewhere = ['refund', 'payout', 'own_payout']
  assert.deepEqual(named.sort(), kinds.filter((kind) => !elsewhere.includes(kind)).sort())
})

test('one address is one person in every company, and so is its account of the operating system', () => {
  const user = (name: string) => ({ kind: 'user', name }) as const
  const command = (name: string) => ({ kind: 'command', name }) as const
  assert.ok(isSamePerson(user('ann@shop.example'), user('Ann@shop.example')))
  assert.ok(isSamePerson(command('ann'), command('ann')))
  assert.ok(isSamePerson(command('ann'), user('ann@shop.example')))
  assert.ok(isSamePerson(user('ann@shop.example'), command('Ann@shop.example')))
  assert.ok(!isSamePerson(user('ann@shop.example'), user('ann@operator.example')))
  assert.ok(!isSamePerson(user('ann@shop.example'), command('bob')))
  const waiting = { kind: 'refund', merNo: 1, id: 'R1', askedBy: user('ann@operator.example') } as const
  assert.throws(() => checkApprover(waiting, anOperator(command('ann')), true), /a second person/)
  checkApprover(waiting, anOperator(command('ann')), false)
  checkApprover({ ...waiting, askedBy: undefined }, anOperator(command('ann')), true)
})

// Requests for a second person in every state, and the saved beneficiaries of payouts, written by the gateway's own
// functions.
import assert from 'node:assert/strict'
import {
  addBeneficiary,
  type BeneficiaryDeps,
  beneficiaryCarrying,
  changeBeneficiary,
  dropBeneficiary,
} from '../../src/interfaces/backoffice/beneficiaries/save-beneficiary.ts'
import { readPayout } from '../../src/interfaces/merchant-api/fields/read-payout.ts'
import { decideApproval } from '../../src/money/approvals/decide-approval.ts'
import { findWaitingApproval } from '../../src/money/approvals/list-approvals.ts'
import type { Approver } from '../../src/money/approvals/may-approve.ts'
import { decisionCarrying } from '../../src/money/decisions/carrying.ts'
import { correctBalance } from '../../src/money/decisions/correct-balance.ts'
import { decideOutcome } from '../../src/money/decisions/decide-outcome.ts'
import { decideSuspense } from '../../src/money/decisions/decide-suspense.ts'
import { createMerchant } from '../../src/money/merchants/create-merchant.ts'
import { readOptions } from '../../src/money/merchants/options.ts'
import type { NewPayment } from '../../src/money/orders/new-order.ts'
import { acceptPayments } from '../../src/money/payments/accept-payments.ts'
import { recordOutcomes } from '../../src/money/payments/record-outcomes.ts'
import { listHeld } from '../../src/money/suspense/book-suspense.ts'
import { disableByCommand } from '../../src/people/registration/command-users.ts'
import { inviteUser } from '../../src/people/registration/invite.ts'
import { ownerCarrying } from '../../src/people/registration/owner-carrying.ts'
import { aCaller, anOperator, aPayment, aSuccess, noRates } from './builders.ts'
import { openCase } from './deposits.ts'
import { IBAN, type TestPayouts } from './payouts.ts'

const DAY_MS = 86_400_000
const ann = { kind: 'user', name: 'ann@operator.example' } as const
const bob = { kind: 'user', name: 'bob@operator.example' } as const

/** How a request ends. An expired request is followed by a new request about the same subject. */
const ends = ['waiting', 'approved', 'rejected', 'expired'] as const
type End = (typeof ends)[number]

type Approvals = {
  readonly setup: TestPayouts
  readonly deps: Parameters<typeof decideOutcome>[0]
  /** Asks for an approval, and lets the request end in the given way. */
  readonly end: (end: End, ask: () => Promise<string | undefined>) => Promise<void>
}

export async function writeApprovals(setup: TestPayouts): Promise<void> {
  const { db, vault } = setup.deps
  let ageDays = 0
  const clock = { now: () => new Date(Date.now() - ageDays * DAY_MS) }
  const deps = { ...setup.deps, clock, secondPersonAbove: 0n }
  const people = {
    ...({ db, clock, vault, mode: 'live', baseUrl: 'https://pay.example' } as const),
    companyOf: async () => 'Shop',
  }
  const carrying = { ...decisionCarrying(deps), owner: ownerCarrying(people) }
  const end: Approvals['end'] = async (how, ask) => {
    ageDays = how === 'expired' ? 9 : 0
    const approvalId = await ask()
    ageDays = 0
    assert.ok(approvalId, 'a second person is needed')
    if (how === 'waiting') return
    if (how === 'expired') return void (await ask())
    const approves = how === 'approved'
    await decideApproval(
      { db, clock, carrying },
      { approvalId, by: anOperator(bob), approves, reason: 'Seen' },
    )
  }
  const approvals = { setup, deps, end }
  await writeCorrections(approvals)
  await writeOutcomes(approvals)
  await writeSuspense(approvals)
  const options = readOptions({ name: 'Owned Shop', sites: ['shop.example'] })
  for (const how of ends) {
    const wanted = { options, pending: false, now: clock.now() }
    const { merNo } = await db.transaction((tx) => createMerchant(tx, vault, wanted))
    const person = { email: 'new@shop.example', name: 'New', role: 'owner' }
    const caller = aCaller(0, ann.name)
    await end(how, async () => (await inviteUser(people, caller, merNo, person)).approvalId)
    if (how !== 'approved') continue
    // A later change of the owner is no effect of the approval.
    const later = new Date(clock.now().getTime() + 1)
    await disableByCommand(db, { email: person.email, merNo }, { actor: ann, now: later })
  }
}

/** No request for a correction is followed by a second request, because each correction has a number of its own. */
async function writeCorrections({ deps, end }: Approvals): Promise<void> {
  const money = { amount: 9_100n, currency: 'USD' }
  const moved = { merNo: 0, from: 'platform:fees', to: 'rail:card', money, actor: ann, reason: 'A mistake' }
  for (const how of ['waiting', 'approved', 'rejected'] as const)
    await end(how, async () => (await correctBalance(deps, moved)).approvalId)
}

async function writeOutcomes({ deps, end }: Approvals): Promise<void> {
  const reason = 'The acquirer said so'
  for (const how of ends) {
    const { tradeNo } = await unknownPayment(deps.db)
    const decided = { tradeNo, as: 'succeeded', reason, actor: ann } as const
    await end(how, async () => (await decideOutcome(deps, decided)).approvalId)
  }
  const { tradeNo } = await unknownPayment(deps.db)
  const failed = { tradeNo, as: 'failed', reason, actor: ann } as const
  await end('approved', async () => (await decideOutcome(deps, failed)).approvalId)
}

async function unknownPayment(db: TestPayouts['db']): Promise<NewPayment> {
  const createdAt = new Date(Date.now() - 10 * DAY_MS)
  const payment = aPayment({ createdAt, money: { amount: 9_200n, currency: 'USD' } })
  await acceptPayments(db, [payment])
  const outcome = { kind: 'unknown', why: 'no response' } as const
  await recordOutcomes({ db, rates: noRates }, [aSuccess(payment, { outcome, at: createdAt })])
  return payment
}

async function writeSuspense({ setup, deps, end }: Approvals): Promise<void> {
  for (const as of ['accept', 'return'] as const)
    for (const how of ends) {
      const late = await openCase(setup.db)
      await late.expires()
      await late.comes(9_000n)
      const [held] = await listHeld(setup.db, late.order.merNo, 1)
      assert.ok(held)
      const decided = { suspenseId: held.suspenseId, as, reason: 'It came late', actor: ann }
      await end(how, async () => (await decideSuspense(deps, decided)).approvalId)
    }
}

const person = (merNo: number, name: string): Approver => ({
  actor: { kind: 'user', name },
  merNo,
  need: () => {},
})

/** The people of a merchant: Zoe enters payouts and beneficiaries, and Yan is the second person. */
export const zoe = { kind: 'user', name: 'zoe@shop.example' } as const
export const yan = (merNo: number) => person(merNo, 'yan@shop.example')

export function beneficiaryDeps({ deps }: TestPayouts): BeneficiaryDeps {
  return {
    ...deps,
    readPayout: (body) => readPayout(body, () => false),
    tellAccountChanged: async () => {},
  }
}

export const payee = {
  benFirstName: 'Paper',
  benLastName: 'Mill',
  addressLine: '1 Market Street',
  city: 'Berlin',
  countryCode: 'DE',
  beneficiaryType: 'business',
}

/** IBANs of test accounts. The first IBAN belongs to no saved beneficiary. */
export const ibans = [
  IBAN,
  ...['DE02120300000000202051', 'DE02500105170137075030', 'DE02100500000054540402'],
  ...['DE02300209000106531065', 'DE02200505501015871393', 'DE02701500000000594937'],
]

/** Writes beneficiaries in every state, and returns the id of one that is usable. */
export async function writeBeneficiaries(setup: TestPayouts, merNo: number): Promise<string> {
  const deps = beneficiaryDeps(setup)
  const { db, clock, vault, reference } = deps
  const by = { merNo, actor: zoe }
  const accounts = ibans.slice(1)
  const add = () => {
    setup.pass(1)
    const fields = { ...payee, cardNo: accounts.pop() ?? '' }
    return addBeneficiary(deps, by, { label: 'Mill', kind: 'bank_account', currency: 'USD', fields })
  }
  const decide = async (subject: string, approves: boolean) => {
    const asked = await findWaitingApproval(db, { merNo, kind: 'beneficiary', subject })
    const carrying = { beneficiary: beneficiaryCarrying({ vault, reference }) }
    const approvalId = asked?.approvalId ?? ''
    await decideApproval({ db, clock, carrying }, { approvalId, by: yan(merNo), approves, reason: 'Seen' })
  }
  await add()
  const usable = await add()
  await decide(usable.beneficiaryId, true)
  await decide((await add()).beneficiaryId, false)
  const changed = await add()
  const { beneficiaryId, version, label, kind, currency } = changed
  const fields = { ...payee, cardNo: accounts.pop() ?? '' }
  await changeBeneficiary(deps, by, { beneficiaryId, version, label, kind, currency, fields })
  await changeBeneficiary(deps, by, {
    ...{ beneficiaryId, kind, currency },
    version: version + 1,
    label: 'Paper mill',
    fields: payee,
  })
  await dropBeneficiary(deps, by, (await add()).beneficiaryId)
  return usable.beneficiaryId
}

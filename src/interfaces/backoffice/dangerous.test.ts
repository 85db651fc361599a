// Every change that needs a permission of operators asks for the second factor again. The exceptions are listed here
// with their reasons.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type BackOffice,
  openBackOffice,
  type Person,
  type RouteKey,
} from '../../../test/harness/back-office.ts'
import { sampleOf } from '../../../test/harness/sample-input.ts'
import { grantable, PLATFORM } from '../../people/roles/permissions.ts'
import { api } from './api.ts'
import type { Route } from './route.ts'

/** Routes that do not ask for the second factor, with the reasons. */
const withoutFactor: Readonly<Partial<Record<RouteKey, string>>> = {
  'DELETE /bulk-refunds/:bulkId': 'gives up a file of refunds before any is made',
  'DELETE /export-schedules/:scheduleId': 'ends a report of the person',
  'DELETE /exports/:exportId': 'deletes a file that can be made again',
  'DELETE /views/:viewId': 'a saved filter',
  'POST /approvals/:approvalId/reject': 'no money moves, and it can be asked for again',
  'POST /books/verify': 'reads the books',
  'POST /bulk-refunds': 'a dry run: the start asks',
  'POST /channels/:name/check': 'asks the counterparty something harmless',
  'POST /channels/:name/pause': 'must be quick while a channel loses payments, and is undone by one press',
  'POST /channels/:name/resume': 'as quick as the pause: payments are lost meanwhile',
  'POST /disputes/:tradeNo/deadline': 'a date by which evidence is wanted; no money moves',
  'POST /disputes/:tradeNo/evidence': 'a file for the acquirer; no money moves',
  'POST /doctor': 'reads the installation',
  'POST /export-schedules': 'what the person may read anyway, only to the own address',
  'POST /exports': 'what the person may read anyway',
  'POST /mail/:mailId/retry': 'sends what was to be sent anyway',
  'POST /mail/test': 'a mail to the own address',
  'POST /merchants/:merNo/exams': 'only in sandbox, where no money moves',
  'POST /merchants/:merNo/websites': 'daily work of a queue, for a merchant who was approved with the factor',
  'POST /notifications/:notificationId/resend': 'repeats what was sent to the same address',
  'POST /notifications/resend': 'repeats what was sent to the same addresses',
  'POST /notifications/resend-failed': 'repeats what was sent to the same addresses',
  'POST /reconciliation/fetches': 'stores a statement; to decide about its money asks',
  'POST /reconciliation/imports': 'stores a statement; to decide about its money asks',
  'POST /reconciliation/statements/:statementId/differences/:no/explain': 'a note; no money moves',
  'POST /reference-items': 'names in a list for payers',
  'POST /reference-items/:code/remove': 'names in a list for payers',
  'POST /reviews/:tradeNo/ask': 'a question to the merchant; to decide asks',
  'POST /reviews/:tradeNo/pick': 'says who works on it',
  'POST /risk/entries': 'must be quick while a fraud goes on',
  'POST /risk/entries/:entryId/remove': 'as quick as the entry: a payer who was blocked by mistake waits',
  'POST /risk/orders/:tradeNo/block': 'must be quick while a fraud goes on',
  'POST /risk/rules': 'a draft, which does nothing: to switch it on asks',
  'POST /risk/rules/:ruleId/try': 'a preview',
  'POST /signature/explain': 'computes what a signature should be, and stores nothing',
  'POST /users/:userId/resend': 'a mail to the same address, with the same role',
  'POST /views': 'a saved filter',
  'PUT /developers/notifications': 'which notifications a merchant gets; their content is signed',
  'PUT /links/:linkId/stop': 'must be quick while a fraud goes on',
  'PUT /notifications/pause': 'nothing is lost: they wait',
  'PUT /reference-items/:code': 'names in a list for payers',
  'PUT /risk/rules/:ruleId': 'only a rule that is off: to switch it on asks',
  'PUT /views/:viewId': 'a saved filter',
}

let office: BackOffice
let admin: Person
before(async () => {
  office = await openBackOffice()
  admin = await office.operator()
  await office.db.query({ text: `update sessions set factor_at = factor_at - interval '6 minutes'` })
})
after(() => office.close())

const routeOf = (name: RouteKey): Route => api[name]
const ofOperators: readonly string[] = grantable(PLATFORM)
const changing = (Object.keys(api) as RouteKey[]).filter(
  (name) => !name.startsWith('GET ') && ofOperators.includes(routeOf(name).access),
)

test('every change by an operator asks for the factor, or says why not', () => {
  const open = changing.filter((name) => routeOf(name).dangerous === undefined)
  assert.deepEqual(open.toSorted(), Object.keys(withoutFactor).toSorted())
})

/** Makes a valid call about something that does not exist. */
function answerOf(name: RouteKey, given: object) {
  const { params, query, body } = routeOf(name)
  const parts = Object.entries({ params, query, body }).filter(([, schema]) => schema !== undefined)
  return admin.attempt(
    name,
    Object.fromEntries(parts.map(([part, schema]) => [part, sampleOf(schema ?? {}, { ...given })])),
  )
}

test('a change is refused five minutes after the factor, and a preview is not', async () => {
  for (const name of changing) {
    const { dangerous } = routeOf(name)
    if (dangerous === undefined) continue
    const real = { dryRun: false, reason: 'A reason' }
    assert.equal((await answerOf(name, real)).problem?.code, 'factor-needed', name)
    if (dangerous !== 'unless-dry-run') continue
    const { problem } = await answerOf(name, { ...real, dryRun: true })
    assert.notEqual(problem?.code, 'factor-needed', `the preview of ${name}`)
  }
})

test('a merchant is edited only with the factor, and the preview shows the change without it', async () => {
  const params = { merNo: office.demo.merNo }
  const body = { options: { approveRefunds: 'on' }, reason: 'A reason' }
  const preview = await admin.call('PUT /merchants/:merNo', { params, body: { ...body, dryRun: true } })
  assert.deepEqual(
    preview.changes.map(({ name }) => name),
    ['approveRefunds'],
  )
  assert.equal(
    (await admin.attempt('PUT /merchants/:merNo', { params, body })).problem?.code,
    'factor-needed',
  )
  const { merchant } = await admin.call('GET /merchants/:merNo', { params })
  assert.equal(merchant.approveRefunds, false)
})

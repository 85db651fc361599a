import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { commands } from '../src/cli.ts'
import { officePages } from './office-pages.ts'

const root = new URL('..', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const app = globSync('web/src/**/*.{ts,tsx}', { cwd: root }).map(read).join('\n')
const routes = globSync('src/backoffice/*/api.ts', { cwd: root }).flatMap((path) =>
  [...read(path).matchAll(/^ {2}'((?:GET|POST|PUT|DELETE) [^']+)'/gm)].map(([, name = '']) => name),
)

test('every page has its picture in the documents', () => {
  const shown = read('docs/back-office-pages.md')
  const pictures = [...shown.matchAll(/^\*\*.+\*\* `([^`]+)`\n\n!\[.+\]\(pictures\/[\w-]+\.png\)$/gm)]
  assert.deepEqual(
    pictures.map(([, path]) => path).sort(),
    // The details of a line are beside its list, under the same address.
    officePages.map(({ path }) => path.replace(/\/:\w+\?$/, '').replace(/^\/order\/.*/, '/order')).sort(),
  )
})

/** Nobody calls them yet. */
const unused: readonly string[] = [
  // The page of rates shows the newest one of each pair.
  'GET /rates/:from/:to',
  // The form of corrections reads the trial balance.
  'GET /books/balances',
  // A view is saved anew under its name.
  'PUT /views/:viewId',
]

test('every route is used by the web app', () => {
  assert.ok(routes.length > 200, `${routes.length} routes found`)
  assert.deepEqual(
    routes.filter((name) => !app.includes(`'${name}'`) && !app.includes(`"${name}"`)).sort(),
    [...unused].sort(),
  )
})

/** Where operators or merchants do in the back office what a command does. */
const places: Readonly<Record<string, string>> = {
  'merchant create': 'POST /merchants',
  'merchant show': 'GET /merchants/:merNo',
  'merchant set': 'PUT /merchants/:merNo',
  'merchant set-rsa': 'PUT /keys/rsa',
  'merchant rotate-key': 'POST /keys/rotate',
  'merchant approve': 'POST /merchants/:merNo/state',
  'merchant suspend': 'POST /merchants/:merNo/state',
  'merchant close': 'POST /merchants/:merNo/state',
  'merchant plan': 'PUT /merchants/:merNo/plans/:method',
  'merchant route': 'PUT /merchants/:merNo/routes/:method/:channel',
  'merchant site': 'POST /merchants/:merNo/websites',
  'fee-plan list': 'GET /fee-plans',
  'fee-plan set': 'PUT /fee-plans/:plan/:method',
  'fee-plan assign': 'PUT /merchants/:merNo/fee-plan',
  'user create': 'POST /users',
  'user disable': 'POST /users/:userId/disable',
  'user reset-factor': 'POST /users/:userId/reset-factor',
  'user list': 'GET /users',
  'platform limit': 'PUT /platform/limits/:method',
  'platform show': 'GET /platform/limits',
  'fx set': 'POST /rates',
  settle: 'POST /settlement/runs',
  'channel list': 'GET /channels',
  'channel show': 'GET /channels',
  'channel check': 'POST /channels/:name/check',
  'channel pause': 'POST /channels/:name/pause',
  'channel resume': 'POST /channels/:name/resume',
  'chargeback open': 'POST /disputes',
  'chargeback resolve': 'POST /disputes/:tradeNo/resolve',
  'chargeback list': 'GET /disputes',
  'chargeback evidence': 'POST /disputes/:tradeNo/evidence',
  'link list': 'GET /links',
  'link stop': 'PUT /links/:linkId/stop',
  'link resume': 'PUT /links/:linkId/stop',
  'risk list': 'GET /risk/entries',
  'risk add': 'POST /risk/entries',
  'risk remove': 'POST /risk/entries/:entryId/remove',
  'risk rules': 'GET /risk/rules',
  'risk add-rule': 'POST /risk/rules',
  'risk try': 'POST /risk/rules/:ruleId/try',
  'risk switch': 'POST /risk/rules/:ruleId/state',
  'reference list': 'GET /reference-items',
  'reference add': 'POST /reference-items',
  'reference change': 'PUT /reference-items/:code',
  'reference remove': 'POST /reference-items/:code/remove',
  'ledger verify': 'POST /books/verify',
  'ledger correct': 'POST /corrections',
  statement: 'GET /statement.csv',
  'suspense list': 'GET /suspense',
  'suspense accept': 'POST /suspense/:suspenseId/accept',
  'suspense return': 'POST /suspense/:suspenseId/return',
  'suspense assign': 'POST /suspense/:suspenseId/assign',
  reconcile: 'POST /reconciliation/imports',
  'notify list': 'GET /notifications',
  'notify resend': 'POST /notifications/:notificationId/resend',
  'notify recover': 'POST /notifications/resend-failed',
  'notify pause': 'PUT /notifications/pause',
  'notify resume': 'PUT /notifications/pause',
  exam: 'POST /exams',
  'payout list': 'GET /payouts/waiting',
  'payout approve': 'POST /payouts/:tradeNo/approve',
  'payout reject': 'POST /payouts/:tradeNo/reject',
  'outcome list': 'GET /outcomes',
  'outcome decide': 'POST /outcomes/:tradeNo/decide',
  'approval list': 'GET /approvals',
  'approval approve': 'POST /approvals/:approvalId/approve',
  'approval reject': 'POST /approvals/:approvalId/reject',
  'refund list': 'GET /refunds/waiting',
  'refund approve': 'POST /refunds/:refundNo/approve',
  'refund reject': 'POST /refunds/:refundNo/reject',
  'review list': 'GET /reviews',
  'review show': 'GET /reviews/:tradeNo',
  'review pick': 'POST /reviews/:tradeNo/pick',
  'review ask': 'POST /reviews/:tradeNo/ask',
  'review approve': 'POST /reviews/:tradeNo/approve',
  'review reject': 'POST /reviews/:tradeNo/reject',
  'review file': 'GET /reviews/:tradeNo/files/:fileId',
  sign: 'POST /signature/explain',
  explain: 'GET /orders/:tradeNo',
  'search rebuild': 'POST /search/rebuild',
  doctor: 'POST /doctor',
}

/**
 * `listen` shows notifications in a terminal, `pay` is a sample of the merchant interface, `bridge check` tries somebody's
 * program, and `golive` comes before there is a back office to work in.
 */
const onlyCommands: readonly string[] = [
  'listen',
  'pay',
  'bridge check',
  'golive',
  'golive link',
  'golive confirm',
]

test('what a command does can be done in the back office', () => {
  const names = commands.map(({ name }) => name)
  assert.deepEqual([...Object.keys(places), ...onlyCommands].sort(), names.sort())
  assert.deepEqual(
    Object.values(places).filter((route) => !routes.includes(route)),
    [],
  )
})

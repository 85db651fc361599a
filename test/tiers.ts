// Which tests run when. `quick` starts no browsers, processes or sandboxes, and is short enough to run between two edits. The
// usual run holds every promise once. `more` holds what takes long, and repeats tests under other conditions.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'

/** Files that run together, under the same conditions. */
export type Pass = {
  readonly title: string
  readonly files: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly postgres: 'embedded' | 'oldest'
  /** How many files run at once. */
  readonly atATime: number
}

const AT_A_TIME = 4
/** A browser, its gateway and its database keep two cores busy. */
const BROWSERS_AT_A_TIME = 2

/** Gateways from start to stop with their own databases, and whatever else takes many seconds of processor time. */
const long: readonly string[] = [
  'src/postgres/embedded/embedded-postgres.test.ts',
  'src/postgres/idle-transactions.test.ts',
  'src/settlement/killed.test.ts',
  'test/stories/golive.test.ts',
  'src/channels/adyen/channel.test.ts',
  'src/channels/adyen/transfer-rail.test.ts',
  'src/channels/stripe/channel.test.ts',
  'src/channels/stripe/refunds.test.ts',
  'src/channels/stp/channel.test.ts',
  'src/channels/stp/faults.test.ts',
  'src/channels/stp/pay-in-faults.test.ts',
  'src/channels/stp/rail.test.ts',
  'src/channels/stp/skew.test.ts',
  'src/channels/cash-app/channel.test.ts',
  'src/channels/per-transfer/channel.test.ts',
  'src/channels/payout/paid-payouts.test.ts',
  'src/channels/alipay/channel.test.ts',
  'src/channels/wechat/channel.test.ts',
  'src/channels/spei/channel.test.ts',
  'src/channels/vn-bank/channel.test.ts',
  'src/channels/pix/channel.test.ts',
  'src/channels/dlocal/faults.test.ts',
  'src/channels/dlocal/payer.test.ts',
  'src/channels/sepa-files/pages.test.ts',
  'src/channels/sepa-files/reported-again.test.ts',
  'src/bridge-check/sentences.test.ts',
  'src/channels/bridge/wallet-tokens.test.ts',
  'src/channels/payout/bank-rail.test.ts',
  'src/channels/sepa-files/channel.test.ts',
  'src/channels/sepa-files/rail.test.ts',
  'src/channels/pix/outgoing/rail.test.ts',
  'src/channels/sepa-files/killed.test.ts',
  'src/cli/bridge-channel.test.ts',
  'test/bridge-protocol.test.ts',
  'src/channels/dlocal/channel.test.ts',
  'src/channels/dlocal/payouts.test.ts',
  'src/channels/evm/chain.test.ts',
  'src/channels/evm/faults.test.ts',
  'src/channels/evm/payout.test.ts',
  'src/channels/evm/refund.test.ts',
  'src/backoffice/exams/exams.test.ts',
  'src/backoffice/field-refusals.test.ts',
  'src/bridge-check/broken-bridges.test.ts',
  'src/http/client/cut-connections.test.ts',
  'src/bridge-check/run-checks.test.ts',
  'src/bridge-check/starter-bridge.test.ts',
  'src/bridge-check/starter-contract.test.ts',
  'test/stories/adyen.test.ts',
  'test/stories/bank-logs.test.ts',
  'test/stories/card-logs.test.ts',
  'test/stories/chain-logs.test.ts',
  'test/stories/exam.test.ts',
  'test/stories/guides.test.ts',
  'test/stories/bad-input.test.ts',
  'test/stories/merchant-terms.test.ts',
  'test/stories/rehearsal.test.ts',
  'test/stories/review.test.ts',
  'test/stories/card-data.test.ts',
  'test/stories/chain-payments.test.ts',
  'test/stories/chargebacks.test.ts',
  'test/stories/coin-payouts.test.ts',
  'test/stories/deploy.test.ts',
  'test/stories/failover.test.ts',
  'test/stories/frozen-calls.test.ts',
  'test/stories/frozen-node.test.ts',
  'test/stories/killed-gateway.test.ts',
  'test/stories/languages.test.ts',
  'test/stories/openapi.test.ts',
  'test/stories/overload.test.ts',
  'test/stories/sdk-package.test.ts',
  'test/stories/sdk.test.ts',
  'test/stories/sepa-files.test.ts',
  'test/stories/shop-program.test.ts',
  'test/stories/simulation-checks.test.ts',
  'test/stories/start-and-stop.test.ts',
  'test/stories/two-nodes.test.ts',
]

/** Every page in every language, every method on two screens, the stories of the back office. */
const browsers: readonly string[] = [
  'test/stories/challenge.browser.test.ts',
  'test/stories/coin-payouts.browser.test.ts',
  'test/stories/drop-in.browser.test.ts',
  'test/stories/docs.browser.test.ts',
  'test/stories/home.browser.test.ts',
  'test/stories/looks.browser.test.ts',
  'test/stories/merchant-life.browser.test.ts',
  'test/stories/methods.browser.test.ts',
  'test/stories/company.browser.test.ts',
  'test/stories/two-editors.browser.test.ts',
  'test/stories/decided-first.browser.test.ts',
  'test/stories/back-office.browser.test.ts',
  'test/stories/developers.browser.test.ts',
  'test/stories/empty-pages.browser.test.ts',
  'test/stories/every-page.browser.test.ts',
  'test/stories/exam.browser.test.ts',
  'test/stories/links.browser.test.ts',
  'test/stories/money.browser.test.ts',
  'test/stories/operator-choices.browser.test.ts',
  'test/stories/operators.browser.test.ts',
  'test/stories/operations.browser.test.ts',
  'test/stories/plans.browser.test.ts',
  'test/stories/orders.browser.test.ts',
  'test/stories/people.browser.test.ts',
  'test/stories/php-shop.browser.test.ts',
  'test/stories/quick-start.browser.test.ts',
  'test/stories/reference.browser.test.ts',
  'test/stories/risk.browser.test.ts',
  'test/stories/passkeys.browser.test.ts',
  'test/stories/shop.browser.test.ts',
  'test/stories/shop-window.browser.test.ts',
]

/** Short in the usual run: random walks take more steps here. */
const extended: readonly string[] = ['test/stories/money-model.test.ts']
/** Channels pass the contract in all their variants. */
const extent = { TOLLGATE_MODEL_STEPS: '200', TOLLGATE_SOAK_SECONDS: '30', TOLLGATE_CHANNEL_VARIANTS: 'on' }

/** Stories that go through HTTP in, HTTP out and batches of statements. */
const withoutFastPaths: readonly string[] = [
  'test/stories/money-races.test.ts',
  'test/stories/notifications.test.ts',
  'test/stories/chargebacks.test.ts',
  'test/stories/refunds.test.ts',
  'test/stories/payouts.test.ts',
  'test/stories/cards.test.ts',
  'test/stories/bad-input.test.ts',
  'test/stories/killed-gateway.test.ts',
  'test/stories/known-failures.test.ts',
  'test/stories/overload.test.ts',
  'test/stories/queries.test.ts',
]

/** Beside the quick tier, which holds nearly all SQL. */
const onOldestPostgres: readonly string[] = [
  'test/stories/bad-rows.test.ts',
  'test/stories/known-failures.test.ts',
  'test/stories/money-model.test.ts',
  'test/stories/payouts.test.ts',
  'test/stories/queries.test.ts',
  'test/stories/refunds.test.ts',
]

/** The text of views that it compares is another before version 16. */
const notOnOldestPostgres: readonly string[] = ['test/schema.test.ts']

/** They begin first: a long file that begins late runs alone at the end. */
const longest: readonly string[] = [
  'test/stories/checkout.browser.test.ts',
  'test/stories/looks.browser.test.ts',
  'test/stories/methods.browser.test.ts',
  'test/stories/killed-gateway.test.ts',
  'test/stories/notifications.test.ts',
  'test/stories/chargebacks.test.ts',
  'test/stories/money-races.test.ts',
]

/** Names of what starts processes, or the sandbox's counterparties. */
const slow =
  /gateway-process\.ts|child_process|channel-contract\.ts|sandbox-driver\.ts|checkout-with-sandbox\.ts|startSandbox/

/** Races, thousands of rows, or all time zones: each takes seconds of processor time. */
const slowest: readonly string[] = [
  'src/audit/verify-books.test.ts',
  'src/base/clock-changes.test.ts',
  'src/demo/create-demo.test.ts',
  'src/http/server/rate-limit.test.ts',
  'src/http/server/connections.test.ts',
  'src/merchants/change-merchant.test.ts',
  'src/notifications/send.test.ts',
  'src/notifications/worker.test.ts',
  'src/order-queries/milestones.test.ts',
  'src/reconciliation/arrivals.test.ts',
  'src/refunds/races.test.ts',
  'src/settlement/early-margin.test.ts',
  'src/runtime/open-database.test.ts',
  'src/settlement/settle-due.test.ts',
  'test/decimals-migration.test.ts',
]

/** All test files of ours; `test/evm` has packages of its own once the tests of chains have run. */
export function testFiles(): string[] {
  return ['src', 'sandbox', 'sdk', 'shop', 'test'].flatMap(testFilesIn).sort()
}

function testFilesIn(folder: string): string[] {
  return globSync(`${folder}/**/*.test.ts`, { exclude: ['**/node_modules/**'] }).sort()
}

/** What was asked for: a tier by its flag, files by their names, or the usual run. */
export function passesOf(asked: readonly string[]): Pass[] {
  const [first] = asked
  if (first !== undefined && !first.startsWith('--')) {
    const named = pass('the files named', asked.flatMap(filesOf))
    return [{ ...named, atATime: named.files.length === 1 ? 1 : AT_A_TIME }]
  }
  const all = testFiles()
  const usual = all.filter((file) => !long.includes(file) && !browsers.includes(file))
  const quick = usual.filter(isQuick)
  if (first === '--quick') return [pass('quick', quick)]
  const oldest = [...onOldestPostgres, ...slowest, ...quick].filter(
    (file) => !notOnOldestPostgres.includes(file),
  )
  if (first !== '--more') return [pass('every promise once', usual)]
  return [
    pass('what takes long', [...long, ...extended], extent),
    { ...pass('in browsers', browsers), atATime: BROWSERS_AT_A_TIME },
    pass('fast paths off', withoutFastPaths, { TOLLGATE_FAST_PATHS: 'off' }),
    { ...pass('on PostgreSQL 15', oldest), postgres: 'oldest' },
  ]
}

/** A folder stands for its tests. */
function filesOf(named: string): string[] {
  if (!existsSync(named))
    throw new Error(`there is no ${named}: name test files, or folders that contain some`)
  return statSync(named).isDirectory() ? testFilesIn(named) : [named]
}

function pass(title: string, files: readonly string[], env: Pass['env'] = {}): Pass {
  const sorted = files.toSorted((one, other) => rank(one) - rank(other))
  return { title, files: sorted, env, postgres: 'embedded', atATime: AT_A_TIME }
}

function rank(file: string): number {
  const at = longest.indexOf(file)
  if (at >= 0) return at
  return longest.length + (file.startsWith('test/stories/') ? 0 : 1)
}

function isQuick(file: string): boolean {
  if (/\.browser\.test\.ts$|^test\/stories\//.test(file) || slowest.includes(file)) return false
  return !slow.test(readFileSync(file, 'utf8'))
}

// The tiers of the tests, by the names of their files. `npm test` runs `*.test.ts`. `npm run test:more` runs
// `*.long.test.ts` (gateways from start to stop, the contracts of most rails, and all else that takes many seconds) and
// `*.browser.test.ts`, and repeats some tests under other conditions. `npm run test:quick` starts no browsers,
// processes or sandboxes: it is short enough to run between two edits.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'

/** Files that run together, under the same conditions. */
export type Pass = {
  readonly title: string
  readonly files: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly postgres: 'embedded' | 'oldest'
  /** The number of files that run at once. */
  readonly atATime: number
}

const AT_A_TIME = 4
/** A browser, its gateway and its database keep two cores busy. */
const BROWSERS_AT_A_TIME = 2

/** Tests that are short in the usual run. Their random sequences run longer with the settings below. */
const extended: readonly string[] = ['test/stories/money-model.test.ts']
/** The settings of the long runs. With them, channels also pass the contract in all their variants. */
const extent = { TOLLGATE_MODEL_SECONDS: '60', TOLLGATE_SOAK_SECONDS: '30', TOLLGATE_CHANNEL_VARIANTS: 'on' }

/** Stories that use the fast paths: of incoming HTTP, and of pipelines of statements. */
const withoutFastPaths: readonly string[] = [
  'test/stories/money-races.test.ts',
  'test/stories/notifications.test.ts',
  'test/stories/chargebacks.long.test.ts',
  'test/stories/refunds.test.ts',
  'test/stories/payouts.test.ts',
  'test/stories/cards.test.ts',
  'test/stories/bad-input.long.test.ts',
  'test/stories/killed-gateway.long.test.ts',
  'test/stories/known-failures.test.ts',
  'test/stories/overload.long.test.ts',
  'test/stories/queries.test.ts',
]

/** The stories that also run on the oldest PostgreSQL, besides the quick tier, which has nearly all SQL. */
const onOldestPostgres: readonly string[] = [
  'test/stories/bad-rows.test.ts',
  'test/stories/known-failures.test.ts',
  'test/stories/money-model.test.ts',
  'test/stories/payouts.test.ts',
  'test/stories/queries.test.ts',
  'test/stories/refunds.test.ts',
]

/** A test that compares the text of views, which is different before version 16. */
const notOnOldestPostgres: readonly string[] = ['test/schema.test.ts']

/** The files that begin first, each in its own process: a long file that begins late runs alone at the end. */
const longest: readonly string[] = [
  'src/money/audit/every-column.long.test.ts',
  'test/stories/checkout.test.ts',
  'test/stories/looks.browser.test.ts',
  'test/stories/methods.browser.test.ts',
  'test/stories/killed-gateway.long.test.ts',
  'test/stories/notifications.test.ts',
  'test/stories/chargebacks.long.test.ts',
  'test/stories/money-races.test.ts',
]

/** The names by which a file shows that it starts processes or the sandbox's counterparties. */
const slow =
  /gateway-process\.ts|child_process|channel-contract\.ts|sandbox-driver\.ts|checkout-with-sandbox\.ts|startSandbox/

/** Files with races, thousands of rows, or all time zones. Each takes seconds of processor time. */
const slowest: readonly string[] = [
  'src/money/audit/verify-books.test.ts',
  'src/platform/base/clock-changes.test.ts',
  'src/operator/demo/create-demo.test.ts',
  'src/platform/http/server/rate-limit.test.ts',
  'src/platform/http/server/connections.test.ts',
  'src/money/merchants/change-merchant.test.ts',
  'src/money/notifications/send.test.ts',
  'src/money/notifications/worker.test.ts',
  'src/money/order-queries/milestones.test.ts',
  'src/money/reconciliation/arrivals.test.ts',
  'src/money/refunds/races.test.ts',
  'src/money/settlement/early-margin.test.ts',
  'src/platform/runtime/open-database.test.ts',
  'src/money/settlement/settle-due.test.ts',
  'test/decimals-migration.test.ts',
]

/**
 * Returns all our test files. `test/counterparties/evm` contains packages once the tests of chains have run. The tests
 * of these packages are left out.
 */
export function testFiles(): string[] {
  return ['src', 'sandbox', 'sdk', 'shop', 'mutate', 'test'].flatMap(testFilesIn).sort()
}

function testFilesIn(folder: string): string[] {
  return globSync(`${folder}/**/*.test.ts`, { exclude: ['**/node_modules/**'] }).sort()
}

/** Returns the passes for the arguments: a tier by its flag, files by their names, or the usual run. */
export function passesOf(asked: readonly string[]): Pass[] {
  const [first] = asked
  if (first !== undefined && !first.startsWith('--')) {
    const named = pass('the files named', asked.flatMap(filesOf))
    return [{ ...named, atATime: named.files.length === 1 ? 1 : AT_A_TIME }]
  }
  const all = testFiles()
  const long = all.filter((file) => file.endsWith('.long.test.ts'))
  const browsers = all.filter((file) => file.endsWith('.browser.test.ts'))
  const usual = all.filter((file) => !/\.(long|browser)\.test\.ts$/.test(file))
  const quick = usual.filter(isQuick)
  if (first === '--quick') return [pass('quick', quick)]
  const oldest = [...onOldestPostgres, ...slowest, ...quick].filter(
    (file) => !notOnOldestPostgres.includes(file),
  )
  if (first !== '--more') return [pass('the usual run', usual)]
  return [
    pass('what takes long', [...long, ...extended], extent),
    { ...pass('in browsers', browsers), atATime: BROWSERS_AT_A_TIME },
    pass('fast paths off', withoutFastPaths, { TOLLGATE_FAST_PATHS: 'off' }),
    { ...pass('on PostgreSQL 15', oldest), postgres: 'oldest' },
  ]
}

/** Returns the test files that an argument names. A folder stands for all its test files. */
function filesOf(named: string): string[] {
  if (!existsSync(named))
    throw new Error(`there is no ${named}: name test files, or folders that contain some`)
  return statSync(named).isDirectory() ? testFilesIn(named) : [named]
}

function pass(title: string, files: readonly string[], env: Pass['env'] = {}): Pass {
  const sorted = files.toSorted((one, other) => rank(one) - rank(other))
  return { title, files: sorted, env, postgres: 'embedded', atATime: AT_A_TIME }
}

export function isAmongLongest(file: string): boolean {
  return longest.includes(file)
}

function rank(file: string): number {
  const at = longest.indexOf(file)
  if (at >= 0) return at
  return longest.length + (file.startsWith('test/stories/') ? 0 : 1)
}

function isQuick(file: string): boolean {
  if (file.startsWith('test/stories/') || slowest.includes(file)) return false
  return !slow.test(readFileSync(file, 'utf8'))
}

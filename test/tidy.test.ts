// The style guide as a test. Every complaint names a file and says what to do.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { circles, foreignReads, otherLists, straySql, tolerated } from './tidy-exceptions.ts'

/** Each line may use the lines above it, but not its own or those below. */
const tiers: readonly (readonly string[])[] = [
  ['errors'],
  ['base'],
  ['postgres'],
  ['concurrency'],
  ['http'],
  ['reference'],
  ['channels', 'ledger', 'rates', 'pages', 'audit-log', 'request-log'],
  ['mail', 'bridge-check'],
  ['merchants', 'suspense', 'approvals', 'risk'],
  ['notifications'],
  ['orders'],
  ['order-queries'],
  ['payments'],
  ['refunds', 'chargebacks', 'payouts', 'settlement', 'reviews', 'payment-links'],
  ['reconciliation', 'audit', 'callbacks'],
  ['decisions'],
  ['merchant-api', 'checkout'],
  ['exam'],
  ['backoffice', 'docs'],
  // From here on the gateway is composed. Settings, log and metrics are passed to the domains, which never import them.
  ['config'],
  ['runtime', 'demo', 'sandbox', 'connections'],
  ['doctor'],
  ['golive'],
  ['app', 'cli'],
  ['gateway'],
  ['main'],
]

/** The sandbox simulates counterparties. Besides the lowest layers it shares only the pages and the signature of requests. */
const sandboxMayUse = /^src\/((base|errors|postgres|concurrency|http|pages)\/.*|channels\/signature\.ts)$/
const startsSandbox = 'src/main.ts'

/** Domains that may read every table: they compare the books, or show one order with all its rows. */
const mayReadAll = /^src\/(audit|order-queries)\//

/** The files that may contain SQL: sql.ts and *-sql.ts, order-queries, the checks of the audit, and owners of a table. */
const sqlFiles = /\/([\w-]+-)?sql\.ts$|^src\/audit\/checks\/|^src\/order-queries\//
const owners: readonly string[] = [
  'src/ledger/fold.ts',
  'src/orders/daily-totals.ts',
  'src/orders/dues.ts',
  'src/orders/limit-usage.ts',
  'src/orders/lock-orders.ts',
  'src/orders/new-order.ts',
  'src/orders/open-attempts.ts',
  'src/orders/platform-limits.ts',
  'src/orders/write-changes.ts',
  'src/payments/use-token.ts',
  'src/ledger/balances.ts',
  'src/ledger/post-entries.ts',
  'src/notifications/enqueue-notifications.ts',
  'src/postgres/migrate.ts',
  'src/postgres/sweep.ts',
]

const SRC_LINES = 300
const TEST_LINES = 400

const root = fileURLToPath(new URL('..', import.meta.url))
const self = 'test/tidy.test.ts'

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (
      /^(\.git|data|test\/screenshots|\.setup\.lock.*)$|^web\/dist(\.next)?$|^sdk\/dist$|^plugins\/.*(dist|\.medusa|\.next)$|(^|\/)node_modules$|\.log$/.test(
        path,
      )
    )
      return []
    return entry.isDirectory() ? filesUnder(path) : [path]
  })
}

type File = { readonly path: string; readonly text: string }
const files: readonly File[] = filesUnder('.').map((path) => {
  return { path, text: readFileSync(join(root, path), 'utf8') }
})
const code = files.filter(({ path }) => /\.(ts|tsx|mjs|js)$/.test(path) && path !== self)
const isTest = ({ path }: File) => path.endsWith('.test.ts') || /^(plugins\/)?test\//.test(path)
const src = code.filter((file) => /^(src|sandbox)\//.test(file.path) && !isTest(file))

test('the test finds the source files', () => {
  assert.ok(src.length > 100 && files.some(({ path }) => path === '.ci/run'), `${files.length} files seen`)
})

type Rule = {
  readonly name: string
  readonly of: readonly File[]
  /** What to do about the file; undefined if it follows the rule. */
  readonly complain: (file: File) => string | undefined
}

/** One complaint, about the first match. */
function without(pattern: RegExp, advice: string): Rule['complain'] {
  return ({ text }) => {
    const found = pattern.exec(text)
    if (found === null) return undefined
    return `line ${text.slice(0, found.index).split('\n').length}, "${found[0].trim()}": ${advice}`
  }
}

const rules: readonly Rule[] = [
  {
    name: 'files have kebab-case names',
    of: code,
    complain: ({ path }) =>
      /^[a-z0-9]+(-[a-z0-9]+)*((\.browser)?\.test)?\.(ts|tsx|mjs|js)$/.test(basename(path))
        ? undefined
        : 'rename it',
  },
  {
    name: 'no file is a barrel',
    // A package that others install has one entry.
    of: code.filter(({ path }) => path !== 'sdk/src/entry.ts'),
    complain: (file) =>
      basename(file.path).startsWith('index.')
        ? 'import from the files themselves'
        : without(/^export (\*|\{[^}]*\}) from .*/m, 'let callers import it where it is defined')(file),
  },
  {
    name: 'names say what the code does',
    of: code,
    complain: (file) =>
      /(^|-)(service|manager|helper|util)s?\b/.test(basename(file.path))
        ? 'name it by what it does'
        : without(
            /\b(class|type|interface|function|const|let)\s+\w*(Service|Manager|Helper|Util)s?\b/,
            'name it by what it does',
          )(file),
  },
  {
    name: 'there are no default exports',
    // Medusa looks for them.
    of: code.filter(({ path }) => !/^plugins\/medusa\/src\/(providers|api)\//.test(path)),
    complain: without(/^export default .*/m, 'export it by name'),
  },
  {
    name: 'types are not silenced',
    of: code,
    complain: without(
      /[:<|&(,]\s*any\b(?=\s*[\])>,;=|&[]|\s*$)|\bas (any|unknown as)\b|@ts-(ignore|nocheck|expect-error)/m,
      'give it its true type',
    ),
  },
  {
    name: 'money is never a float',
    of: src.filter(({ path }) => path !== 'src/base/money.ts'),
    complain: without(
      /\bparseFloat\b|\.toFixed\(|\bNumber\([\w.]*amount\b/i,
      'calculate in bigint, by base/money.ts',
    ),
  },
  {
    name: `files of src have at most ${SRC_LINES} lines, tests at most ${TEST_LINES}`,
    of: code.filter(
      ({ path }) =>
        /^(src|sandbox|sdk|shop|plugins|test|web)\//.test(path) && path !== 'sdk/src/generated.ts',
    ),
    complain: (file) => {
      const lines = file.text.split('\n').length - 1
      const most = isTest(file) ? TEST_LINES : SRC_LINES
      return lines > most ? `${lines} lines: divide it by what its parts are for` : undefined
    },
  },
  {
    name: 'planner settings are in postgres/db.ts',
    of: src.filter(({ path }) => path !== 'src/postgres/db.ts'),
    complain: without(/\benable_[a-z]+(scan|join|sort)\b|\bplan_cache_mode\b/, 'ask for `byKey` instead'),
  },
  {
    name: 'no comment postpones work',
    of: files.filter(({ path }) => path !== self),
    complain: without(/\b(TODO|FIXME)\b/, 'do it, or open an issue'),
  },
  {
    name: 'nothing names the machine it was written on, or where its packages came from',
    of: files.filter(({ path }) => path !== self),
    complain: without(
      /(?<![\w.])\/(home|root|work|Users)\/\w+|\/\/[\w.-]*(registry|npmjs|mirror)[\w.-]*\.\w+|"resolved":/,
      'leave it out',
    ),
  },
]

for (const { name, of, complain } of rules) {
  test(name, () => {
    const complaints = of.flatMap((file) => {
      const complaint = complain(file)
      return complaint === undefined ? [] : [`${file.path}: ${complaint}`]
    })
    assert.deepEqual(complaints, [])
  })
}

test('dependencies run one way', () => {
  const wrong = imports(src)
    .map(({ from, to }) => ({ edge: `${from} → ${to}`, why: whyWrong(from, to) }))
    .filter(({ why }) => why !== undefined)
  const complaints = wrong.filter(({ edge }) => !tolerated.includes(edge))
  assert.deepEqual(complaints, [])
  const needless = tolerated.filter((edge) => !wrong.some((one) => one.edge === edge))
  assert.deepEqual(needless, [], 'these imports are gone: remove them from the list of tolerated ones')
})

function whyWrong(from: string, to: string): string | undefined {
  const [user, used] = [unitOf(from), unitOf(to)]
  if (user === used) return undefined
  for (const unit of [user, used]) if (tierOf(unit) < 0) return `${unit} has no tier: give it one in ${self}`
  if (user === 'sandbox')
    return sandboxMayUse.test(to) ? undefined : 'the sandbox is a counterparty: it uses base alone'
  if (used === 'sandbox')
    return from === startsSandbox ? undefined : 'the sandbox is another program: know it by its address'
  return tierOf(used) < tierOf(user)
    ? undefined
    : `${used} is not below ${user}: pass it in, or move the shared part down`
}

/** A domain's folder. A file directly in src belongs to the folder of its name. */
function unitOf(path: string): string {
  if (path.startsWith('sandbox/')) return 'sandbox'
  return (path.split('/')[1] ?? '').replace(/\.ts$/, '')
}

function tierOf(unit: string): number {
  return tiers.findIndex((tier) => tier.includes(unit))
}

/** The shop is a merchant: it knows the gateway by the SDK, and shares only values, pages and the files of the data folder. */
const shopMayUse =
  /^(shop|sdk\/src|src\/(base|errors|pages))\/|^src\/(demo\/(demo-file|shop-address)|http\/server\/listen-at)\.ts$/

test('the demo shop calls the gateway as merchants do', () => {
  const shop = code.filter((file) => file.path.startsWith('shop/') && !isTest(file))
  assert.ok(shop.length > 10)
  assert.deepEqual(
    imports(shop).filter(({ to }) => !shopMayUse.test(to)),
    [],
  )
})

test("a domain's sql, routes and worker are its own", () => {
  const composition = ['app', 'gateway']
  const complaints = imports(src).filter(({ from, to }) => {
    if (unitOf(from) === unitOf(to)) return false
    if (/\/([\w-]+-)?sql\.ts$/.test(to)) return true
    return /\/(routes|worker)\.ts$/.test(to) && !composition.includes(unitOf(from))
  })
  assert.deepEqual(complaints, [], 'call a use case of that domain instead')
})

function imports(of: readonly File[]): { readonly from: string; readonly to: string }[] {
  return of.flatMap(({ path, text }) => {
    const found = text.matchAll(/(?:\bfrom|^import|\bimport\()\s*'(\.[^']+)'/gm)
    return [...found].map(([, to = '']) => ({ from: path, to: join(path, '..', to) }))
  })
}

test('no files import each other in a circle, not even for types', () => {
  const uses = new Map<string, string[]>()
  for (const { from, to } of imports(src)) uses.set(from, [...(uses.get(from) ?? []), to])
  const reachable = new Map(src.map(({ path }) => [path, reachableFrom(path, uses)]))
  const found = src.flatMap(({ path }) => {
    const circle = [...(reachable.get(path) ?? [])].filter((other) => reachable.get(other)?.has(path))
    return circle.length === 0 ? [] : [circle.sort().join(', ')]
  })
  onlyTolerated([...new Set(found)], circles, 'move what both need into a third file')
})

function reachableFrom(path: string, uses: ReadonlyMap<string, readonly string[]>): Set<string> {
  const seen = new Set<string>()
  const waiting = [...(uses.get(path) ?? [])]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    waiting.push(...(uses.get(next) ?? []))
  }
  return seen
}

const tables = [...read('migrations/schema.sql').matchAll(/^create table (\w+)/gm)].map(
  ([, name = '']) => name,
)

/** The domains that write a table; the first is its owner. The sandbox's counterparties have their own databases. */
function writersOf(table: string): string[] {
  const writes = new RegExp(`\\b(insert into|update|delete from)\\s+${table}\\b`)
  const units = src.filter(({ text }) => writes.test(text)).map(({ path }) => unitOf(path))
  return [...new Set(units.filter((unit) => unit !== 'sandbox'))]
}

test('every table is written from one domain', () => {
  assert.ok(tables.includes('orders'))
  const shared = tables.filter((table) => writersOf(table).length > 1)
  const complaints = shared.map((table) => `${table} is written by ${writersOf(table).join(' and ')}`)
  assert.deepEqual(complaints, [], 'leave a table to its owner, and call its use case')
})

test('orders are read through their view outside of orders, order-queries and the audit', () => {
  const mayRead = ['orders', 'order-queries', 'audit', 'sandbox']
  const reads =
    /\b(from|join|update|into|using)\s+(orders|attempts|attempt_rows|order_events|order_event_rows)\b/
  const outside = src.filter(({ path }) => !mayRead.includes(unitOf(path)))
  const complaints = outside.flatMap((file) => {
    const complaint = without(
      reads,
      'read current_orders or current_attempts, or call a use case of orders',
    )(file)
    return complaint === undefined ? [] : [`${file.path}: ${complaint}`]
  })
  assert.deepEqual(complaints, [])
})

test('a table is read by the domain that owns it', () => {
  // Orders have their own rule.
  const others = tables.filter((table) => !['orders', 'attempt_rows', 'order_event_rows'].includes(table))
  const found = others.flatMap((table) => {
    const reads = new RegExp(`\\b(from|join)\\s+${table}\\b`)
    const [owner] = writersOf(table)
    const readers = src.filter(({ path, text }) => sqlFiles.test(path) && reads.test(text))
    const foreign = readers.filter(({ path }) => unitOf(path) !== owner && !mayReadAll.test(path))
    return foreign.map(({ path }) => `${path} reads ${table}`)
  })
  onlyTolerated(found.sort(), foreignReads, 'call a use case of the domain that owns the table')
})

test('lists go to SQL through postgres/lists.ts', () => {
  const pattern = /\bjson_to_recordset\b|\bunnest\s*\(\s*\$\d|\b(any|all)\s*\(\s*\$\d/
  const others = src.filter(({ path, text }) => path !== 'src/postgres/lists.ts' && pattern.test(text))
  onlyTolerated(
    others.map(({ path }) => path),
    otherLists,
    'use listOf or arrayOf',
  )
})

test('SQL is only in the files for it', () => {
  const pattern =
    /[`'"]\s*(with\s+(recursive\s+)?\w+\s+as\b|select\b[^`'"]*\bfrom\s+(?!pg_)|insert into\b|update\s+\w+\s+(\w+\s+)?set\b|delete from\b)/
  const withSql = src.filter(({ path, text }) => path.startsWith('src/') && pattern.test(text))
  const stray = withSql.filter(({ path }) => !sqlFiles.test(path) && !owners.includes(path))
  onlyTolerated(
    stray.map(({ path }) => path),
    straySql,
    "move it into the domain's sql.ts",
  )
  const silent = owners.filter((path) => !/^\/\/ Owns /.test(read(path)))
  assert.deepEqual(silent, [], 'begin with "Owns" and the table')
})

/** Fails for a file that is not on the list, and for a line of the list that is no longer needed. */
function onlyTolerated(found: readonly string[], list: readonly string[], advice: string): void {
  assert.deepEqual(
    found.filter((one) => !list.includes(one)),
    [],
    advice,
  )
  assert.deepEqual(
    list.filter((one) => !found.includes(one)),
    [],
    `these follow the rule now: remove them from the list in test/tidy-exceptions.ts`,
  )
}

test('migrations are numbered without a gap', () => {
  const names = files.map(({ path }) => path).filter((path) => path.startsWith('migrations/'))
  const numbered = names.filter((path) => path !== 'migrations/schema.sql').sort()
  const wrong = numbered.filter((path, at) => {
    const number = String(at + 1).padStart(4, '0')
    return !new RegExp(`^migrations/${number}_[a-z0-9]+(_[a-z0-9]+)*\\.sql$`).test(path)
  })
  assert.deepEqual(wrong, [], 'name it NNNN_what.sql, with the next free number')
})

test('every dependency has its reason in docs/decisions', () => {
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies']
  const names = ['package.json', 'web/package.json'].flatMap((path) => {
    const manifest: Record<string, Record<string, string>> = JSON.parse(read(path))
    return kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {}))
  })
  const decisions = files.filter(({ path }) => path.startsWith('docs/decisions/')).map(({ text }) => text)
  const isNamed = (name: string) => decisions.some((text) => text.includes(`\`${name}\``))
  const unnamed = names.filter((name) => !isNamed(name) && !isNamed(name.replace(/\/.*/, '/*')))
  assert.deepEqual(unnamed, [], 'write a line that says why it is needed and nothing smaller would do')
})

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

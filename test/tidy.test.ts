// The style guide as a test. Every complaint names a file and says what to do.
import assert from 'node:assert/strict'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { code, type File, files, groups, isTest, read, selves, src, unitOf } from './harness/source-files.ts'

const tiers = Object.values(groups).flat()

/** The sandbox simulates counterparties. Besides the lowest layers, the sandbox shares only the pages. */
const sandboxMayUse = /^src\/platform\/(base|errors|postgres|concurrency|http|pages)\//
const startsSandbox = 'src/gateway/main.ts'

const MOST_LINES = 500

const computesMoney = /^(model|src|sandbox|shop|sdk|web|simulation|bench|plugins|examples)\//
/**
 * The files with numbers that are no money (times, rates, the height of a bar), and the two boundaries where decimals
 * are read.
 */
const floats: readonly string[] = [
  'bench/statistics.ts',
  'plugins/medusa/src/session-data.ts',
  'simulation/bugs/prove.ts',
  'simulation/report-failure.ts',
  'simulation/report.ts',
  'src/platform/base/money.ts',
  'web/src/pages/overview/day-chart.tsx',
]

test('the test finds the source files', () => {
  assert.ok(src.length > 100 && files.some(({ path }) => path === '.ci/run'), `${files.length} files seen`)
})

type Rule = {
  readonly name: string
  readonly of: readonly File[]
  /** The advice about the file; undefined if it follows the rule. */
  readonly complain: (file: File) => string | undefined
}

/** Returns a check that complains about the first match. */
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
      /^[a-z0-9]+(-[a-z0-9]+)*((\.browser|\.long)?\.test)?\.(ts|tsx|mjs|js)$/.test(basename(path))
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
    // Medusa loads these files by their default exports.
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
    of: code.filter((file) => computesMoney.test(file.path) && !floats.includes(file.path) && !isTest(file)),
    complain: without(
      /\bparseFloat\b|\.toFixed\(|\bNumber\([\w.]*amount\b/i,
      'calculate in bigint, by base/money.ts',
    ),
  },
  {
    name: `files have at most ${MOST_LINES} lines`,
    of: code.filter(({ path }) => path !== 'sdk/src/generated.ts'),
    complain: (file) => {
      const lines = file.text.split('\n').length - 1
      return lines > MOST_LINES ? `${lines} lines: divide it by what its parts are for` : undefined
    },
  },
  {
    name: 'lines of documents have at most 120 characters, except in tables and code',
    of: files.filter(({ path }) => path.endsWith('.md')),
    complain: ({ text }) => {
      const prose = text.replace(/^ *```[\s\S]*?^ *```/gm, (block) => block.replace(/[^\n]+/g, ''))
      const at = prose
        .split('\n')
        .findIndex((line) => line.length > 120 && !/^(\||\[[^\]]+\]:|#| {4})/.test(line))
      return at < 0 ? undefined : `line ${at + 1}: wrap the paragraph`
    },
  },
  {
    name: 'planner settings are in postgres/db.ts',
    of: src.filter(({ path }) => path !== 'src/platform/postgres/db.ts'),
    complain: without(/\benable_[a-z]+(scan|join|sort)\b|\bplan_cache_mode\b/, 'ask for `byKey` instead'),
  },
  {
    name: 'no comment postpones work',
    of: files.filter(({ path }) => !selves.includes(path)),
    complain: without(/\b(TODO|FIXME)\b/, 'do it, or open an issue'),
  },
  {
    name: 'nothing names the machine it was written on, or where its packages came from',
    of: files.filter(({ path }) => !selves.includes(path)),
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
  const wrong = imports(src).flatMap(({ from, to }) => {
    const why = whyWrong(from, to)
    return why === undefined ? [] : [`${from} → ${to}: ${why}`]
  })
  assert.deepEqual(wrong, [])
})

function whyWrong(from: string, to: string): string | undefined {
  const [user, used] = [unitOf(from), unitOf(to)]
  if (user === used) return undefined
  if (user === 'sandbox')
    return sandboxMayUse.test(to)
      ? undefined
      : 'the sandbox is a counterparty: it uses a few folders of platform alone'
  if (used === 'sandbox')
    return from === startsSandbox ? undefined : 'the sandbox is another program: know it by its address'
  for (const unit of [user, used])
    if (tierOf(unit) < 0) return `${unit} has no tier: give it one in test/harness/source-files.ts`
  return tierOf(used) < tierOf(user)
    ? undefined
    : `${used} is not below ${user}: pass it in, or move the shared part down`
}

/**
 * Returns the tier of a domain's folder, such as `orders` for src/money/orders/order.ts. The files of gateway/ have one
 * tier. A folder in the wrong group has none, because its name contains the group.
 */
function tierOf(unit: string): number {
  return tiers.findIndex((tier) => tier.includes(unit))
}

test('README.md and docs/architecture.md name the same groups and folders, and each group has a short README', () => {
  const folders = [
    ...new Set(src.filter(({ path }) => path.startsWith('src/')).map(({ path }) => unitOf(path))),
  ]
  assert.deepEqual(
    folders.sort(),
    tiers.flat().sort(),
    'test/harness/source-files.ts names every folder of src',
  )
  const inReadme = [...read('README.md').matchAll(/^\| \[`src\/([a-z]+)\/`\]/gm)].map(([, name]) => name)
  assert.deepEqual(inReadme, Object.keys(groups))
  const [, section = ''] = read('docs/architecture.md').split('## Groups and folders\n')
  const [, list = ''] = section.split('```\n')
  const shown: Record<string, string[][]> = {}
  let current: string[][] = []
  for (const [, group = '', names = ''] of list.matchAll(/^(\w*) +(\w[\w-]*(?:, [\w-]+)*)(?= {2}|$)/gm)) {
    if (group !== '') {
      current = []
      shown[group] = current
    }
    current.push(names.split(', '))
  }
  const { gateway, ...others } = groups
  assert.ok(gateway && /^gateway /m.test(list))
  delete shown.gateway
  assert.deepEqual(shown, others)
  const long = Object.keys(groups).filter((group) => read(`src/${group}/README.md`).split('\n').length > 21)
  assert.deepEqual(long, [], 'a README of a group has at most 20 lines')
})

/** The imports that the files of each program beside the gateway may have. */
const programs: readonly { readonly folder: string; readonly why: string; readonly mayUse: RegExp }[] = [
  {
    folder: 'shop/',
    why: 'the demo shop is a merchant: it calls the gateway by the SDK, and shares only values, pages and the files of the data folder',
    mayUse:
      /^(shop|sdk\/src|src\/platform\/(base|errors|pages))\/|^src\/(operator\/demo\/(demo-file|shop-address)|platform\/http\/server\/listen-at)\.ts$/,
  },
  {
    folder: 'web/',
    why: 'a browser loads it: of the server it knows the declarations of the API, permissions, texts of refusals, words for states, and two rules that import nothing',
    mayUse:
      /^web\/|^src\/(interfaces\/backoffice\/(api|route|state-words)|people\/roles\/permissions|platform\/(errors\/(problem|page-texts)|pages\/accent|base\/iban-currency))\.ts$/,
  },
  {
    folder: 'sdk/src/',
    why: 'merchants install it without the gateway',
    mayUse: /^sdk\/src\//,
  },
  {
    folder: 'bench/',
    why: 'it starts gateways and fills their tables, and knows neither users nor interfaces, nor the programs that use it',
    mayUse:
      /^(bench|test\/(harness|builders|counterparties)|src\/(platform|money|gateway))\/|^(sandbox\/(card-issuer|server)|src\/rails\/protocols\/bridge\/card\/card-channel)\.ts$/,
  },
  {
    folder: 'mutate/',
    why: 'it reads the source as text: it knows how tests run, and nothing of the gateway',
    mayUse: /^(mutate|test\/harness)\/|^(bench\/options|simulation\/bugs\/plant)\.ts$/,
  },
  {
    folder: 'model/rules/',
    why: 'it is a second opinion about the rules: whatever it shares with the gateway, it cannot judge',
    mayUse: /^model\/rules\//,
  },
  {
    folder: 'model/operations/',
    why: 'it calls use cases, and the workers that continue them, but no statements',
    mayUse:
      /^model\/|^test\/(builders\/|harness\/eventually\.)|^src\/(rails\/contract|platform\/base)\/|^src\/(money|interfaces)\/[\w-]+\/([\w-]+\/)?(?!routes\.|([\w-]+-)?sql\.)[\w-]+\.ts$/,
  },
  {
    folder: 'simulation/',
    why: 'it judges gateways from outside: it shares values, states and the audit with them, but neither their statements nor their workers; it signs people in as test/harness does',
    mayUse:
      /^(simulation|test\/(harness|builders)|sandbox\/wallets|src\/platform\/(base|postgres))\/|^(bench\/(child|report)|src\/rails\/toolkit\/signature|src\/interfaces\/backoffice\/(api|route))\.ts$|^src\/people\/|^src\/money\/[\w-]+\/(?!routes\.|worker\.|([\w-]+-)?sql\.)[\w-]+\.ts$/,
  },
]

for (const { folder, why, mayUse } of programs) {
  test(`${folder} imports only what it may`, () => {
    const own = code.filter((file) => file.path.startsWith(folder) && !isTest(file))
    assert.ok(own.length > 5)
    const wrong = imports(own).filter(({ to }) => !mayUse.test(to))
    assert.deepEqual(wrong, [], why)
  })
}

test("a domain's sql, routes and worker are its own", () => {
  const composition = ['gateway']
  const complaints = imports(src).filter(({ from, to }) => {
    if (unitOf(from) === unitOf(to)) return false
    if (/\/([\w-]+-)?sql\.ts$/.test(to)) return true
    return /\/(routes|worker)\.ts$/.test(to) && !composition.includes(unitOf(from))
  })
  assert.deepEqual(complaints, [], 'call a use case of that domain instead')
})

type Edge = { readonly from: string; readonly to: string }

/** Returns the relative imports, including those of types. */
function imports(of: readonly File[]): Edge[] {
  return of.flatMap(({ path, text }) => {
    const found = text.matchAll(
      /^(?:import|export)\b[^'"`;]*?\bfrom\s*'(\.[^']+)'|^import\s*'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'/gm,
    )
    return [...found].map(([, from, bare, dynamic]) => {
      return { from: path, to: join(path, '..', from ?? bare ?? dynamic ?? '') }
    })
  })
}

test('no files import each other in a circle, not even for types', () => {
  assert.ok(code.some(({ path }) => path.startsWith('web/src/')))
  assert.deepEqual(circlesAmong(imports(code)), [], 'move what both need into a third file')
})

/** Returns each circle of imports, with its files in alphabetical order. */
function circlesAmong(edges: readonly Edge[]): string[] {
  const uses = new Map<string, string[]>()
  for (const { from, to } of edges) uses.set(from, [...(uses.get(from) ?? []), to])
  const reachable = new Map([...uses.keys()].map((path) => [path, reachableFrom(path, uses)]))
  const found = [...reachable].flatMap(([path, others]) => {
    const circle = [...others].filter((other) => reachable.get(other)?.has(path) && others.has(path))
    return circle.length === 0 ? [] : [circle.sort().join(', ')]
  })
  return [...new Set(found)]
}

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

test('migrations are numbered without a gap', () => {
  const names = files.map(({ path }) => path).filter((path) => path.startsWith('migrations/'))
  const numbered = names.filter((path) => path !== 'migrations/schema.sql').sort()
  const wrong = numbered.filter((path, at) => {
    const number = String(at + 1).padStart(4, '0')
    return !new RegExp(`^migrations/${number}_[a-z0-9]+(_[a-z0-9]+)*\\.sql$`).test(path)
  })
  assert.deepEqual(wrong, [], 'name it NNNN_what.sql, with the next free number')
})

test('every dependency has its reason in docs/dependencies.md', () => {
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies']
  const names = ['package.json', 'web/package.json'].flatMap((path) => {
    const manifest: Record<string, Record<string, string>> = JSON.parse(read(path))
    return kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {}))
  })
  const reasons = read('docs/dependencies.md')
  const isNamed = (name: string) => reasons.includes(`\`${name}\``)
  const unnamed = names.filter((name) => !isNamed(name) && !isNamed(name.replace(/\/.*/, '/*')))
  assert.deepEqual(unnamed, [], 'write a line that says why it is needed and nothing smaller would do')
})

// Compares the documents with the code: settings, commands, metrics, cards and files are all listed, and all exist.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, parse } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runTollgate } from './harness/operator.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const documents = globSync(['*.md', 'docs/**/*.md', 'src/*/README.md'], { cwd: root }).map((path) => {
  return { path, text: read(path) }
})

/** Returns the texts of the pattern's first group, each once, sorted. */
function all(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, found = '']) => found))].sort()
}

function section(path: string, heading: string): string {
  const found = read(path)
    .split(/^## /m)
    .find((part) => part.startsWith(`${heading}\n`))
  assert.ok(found, `${path} has a section "${heading}"`)
  return found
}

const settingsOf: readonly (readonly [path: string, heading: string, source: string])[] = [
  ['docs/operations/configure.md', 'Settings', 'src/platform/config/config.ts'],
  ['docs/operations/run.md', 'The sandbox on its own', 'sandbox/main.ts'],
  ['docs/operations/run.md', 'The demo shop', 'shop/main.ts'],
]

for (const [path, heading, source] of settingsOf) {
  test(`${path}, "${heading}", lists the settings that ${source} reads`, () => {
    const readFromEnv = all(read(source), /(?:\benv\.|\benv, ?\n? *'|\bwhole\(')([A-Z][A-Z_]+)/g)
    assert.deepEqual(all(section(path, heading), /^\| `([A-Z_]+)`/gm), readFromEnv)
  })
}

test('every setting that a document mentions is read somewhere', () => {
  const sources = globSync(['src/**/*.ts', 'sandbox/**/*.ts', 'test/**/*.ts'], { cwd: root })
    .map(read)
    .join('\n')
  const unknown = documents.flatMap(({ path, text }) =>
    all(text, /\b(TOLLGATE_[A-Z_]+|\w*DATABASE_URL)\b/g)
      .filter((name) => !sources.includes(name))
      .map((name) => `${path}: ${name}`),
  )
  assert.deepEqual(unknown, [])
})

test('docs/operations/watch.md lists the metrics that there are, and other documents name no others', () => {
  const made = all(
    read('src/platform/runtime/metrics.ts') + read('src/gateway/watch.ts'),
    /'(tollgate_[a-z_]+)'/g,
  )
  assert.ok(made.length > 5)
  assert.deepEqual(all(section('docs/operations/watch.md', 'Metrics'), /^\| `(tollgate_[a-z_]+)`/gm), made)
  const elsewhere = documents.flatMap(({ path, text }) =>
    all(text, /`(tollgate_[a-z_]+)`/g)
      .filter((name) => !made.includes(name))
      .map((name) => `${path}: ${name}`),
  )
  assert.deepEqual(elsewhere, [])
})

test('docs/operations/run.md says why each flag of the start script is there', () => {
  const { scripts } = JSON.parse(read('package.json'))
  const flags = all(scripts.start, /(?<= )(--[\w-]+|[A-Z_]+(?==))/g)
  assert.ok(flags.includes('MALLOC_ARENA_MAX') && flags.includes('--max-semi-space-size'))
  assert.deepEqual(
    all(section('docs/operations/run.md', 'Runtime flags'), /^\| `([\w-]+)(?:=\d+)?` \| \S/gm),
    flags,
  )
})

test('README.md lists the sandbox cards that there are', () => {
  const table = read('README.md').split('## Sandbox cards')[1]?.split('\n## ')[0] ?? ''
  assert.deepEqual(all(table, /\b(\d{16})\b/g), all(read('sandbox/sandbox-cards.ts'), /'(\d{16})'/g))
})

async function help(...command: readonly string[]): Promise<string> {
  return (await runTollgate([...command, '--help'], {})).stdout
}

const commandLine = /^ {2}([a-z]+(?:[ -][a-z]+)*)(?= )/gm
const commands = all(await help(), commandLine)

test('docs/operations/commands.md lists the commands that there are, with options that they take', async () => {
  assert.ok(commands.includes('ledger verify'))
  const calls = all(read('docs/operations/commands.md'), /^\| `([^`]+)`/gm)
  assert.deepEqual(calls.map(commandIn).sort(), commands)
  for (const call of calls) await checkOptions(call)
})

test('docs/operations/commands.md has the groups of the help, in its order', async () => {
  const usage = await help()
  const titles = [...usage.matchAll(/^$\n(\S[^.\n]+)\n {2}/gm)].map(([, title = '']) => title)
  assert.equal(titles[0], 'For developers of a shop')
  const pages = read('docs/operations/commands.md').matchAll(/^## (.*)\n\n\| Command/gm)
  assert.deepEqual(
    [...pages].map(([, title]) => title),
    titles,
  )
  for (const title of titles) {
    const listed = usage.split(`\n${title}\n`)[1]?.split('\n\n')[0] ?? ''
    const calls = all(section('docs/operations/commands.md', title), /^\| `([^`]+)`/gm)
    assert.deepEqual(calls.map(commandIn).sort(), all(listed, commandLine), title)
  }
})

test('docs/guides/testing.md lists the events of "trigger"', async () => {
  const { stdout } = await runTollgate(['trigger', '--json'], {})
  const events = JSON.parse(stdout).events.map(({ event }: { event: string }) => event)
  assert.ok(events.includes('dispute'))
  assert.deepEqual(all(section('docs/guides/testing.md', 'Events'), /^\| `([a-z-]+)`/gm), events.toSorted())
})

test('every command that a document calls exists, with its options', async () => {
  for (const { text } of documents) {
    for (const call of all(text, /npm run --silent tollgate -- ([^`\n]+)/g)) {
      if (/^(--help|COMMAND)/.test(call)) continue
      assert.ok(commands.includes(commandIn(call)), `there is no command "${call}"`)
      await checkOptions(call)
    }
  }
})

function commandIn(call: string): string {
  const [first = '', second = ''] = call.split(' ')
  return commands.includes(`${first} ${second}`) ? `${first} ${second}` : first
}

async function checkOptions(call: string): Promise<void> {
  const options = all(call, /(--[a-z-]+)/g)
  if (options.length === 0) return
  const usage = await help(...commandIn(call).split(' '))
  const unknown = options.filter((option) => !usage.includes(`${option} `))
  assert.deepEqual(unknown, [], `options of "${call}"`)
}

test('every script, path, test file and link that a document names is there', () => {
  const { scripts } = JSON.parse(read('package.json'))
  const missing = documents.flatMap(({ path, text }) => {
    // The change log names files as they were at the time of each change.
    const named = path === 'CHANGELOG.md' ? [] : pathsIn(text).filter((name) => !isThere(name))
    const linked = all(text, /\]\((?!https?:)([^)#]+)/g).map((link) => join(dirname(path), link))
    const run = all(text, /npm run (?:--silent )?([a-z]+(?::[a-z]+)?)/g).filter(
      (name) => scripts[name] === undefined,
    )
    const dead = linked.filter((file) => !existsSync(join(root, file)))
    return [...named, ...dead, ...run].map((what) => `${path}: ${what}`)
  })
  assert.deepEqual(missing, [])
})

/** Files and folders that programs create. */
const created = read('.gitignore').split('\n').map(withoutSlash)
const present = [
  ...globSync(['**/*', '.ci/*'], { cwd: root, exclude: ['**/node_modules/**', 'data/**'] }),
  ...created,
].map((path) => `/${withoutSlash(path)}`)
const topFolders = globSync(['*/', '.ci/'], { cwd: root })
  .map(withoutSlash)
  .filter((name) => !created.includes(name))

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '')
}

/**
 * Returns the paths that a text names: paths below a top-level folder, paths of source files and folders below any
 * other folder, and bare names of test files.
 */
function pathsIn(text: string): string[] {
  const paths = all(text, /`([\w.-]+(?:\/[\w.-]+)+\/?)`/g)
  const ours = paths.filter(
    (path) => topFolders.includes(path.split('/')[0] ?? '') || /(\.(ts|tsx|mjs|sql|md)|\/)$/.test(path),
  )
  return [...ours, ...all(text, /`([\w-]+(?:\.\w+)?\.test\.ts)`/g)]
}

/** A path may be given from any folder: `money/orders/` stands for `src/money/orders/`. */
function isThere(path: string): boolean {
  const end = `/${withoutSlash(path)}`
  const isFromRoot = topFolders.includes(path.split('/')[0] ?? '')
  return isFromRoot ? present.includes(end) : present.some((known) => known.endsWith(end))
}

const listedFiles = [
  'src/**/*.ts',
  'sandbox/**/*.ts',
  'sdk/{generate,src}/*.ts',
  'web/{*.ts,src/**/*.{ts,tsx,css}}',
]
const filesByFolder = Map.groupBy(
  globSync(listedFiles, { cwd: root }).filter((path) => !path.endsWith('.test.ts')),
  (path) => dirname(path).replace(/^src\//, ''),
)
const folders = [...filesByFolder].map(([folder, files]) => {
  return { folder, names: files.map((file) => parse(file).name).sort() }
})

/**
 * True for an area of the back office with only routes and handlers. docs/architecture.md lists these areas before its
 * table of files.
 */
function isPlainArea({ folder, names }: { folder: string; names: readonly string[] }): boolean {
  return folder.startsWith('interfaces/backoffice/') && names.join() === 'api,handlers'
}

test('docs/architecture.md lists the files of each folder', () => {
  const rows = folders
    .filter((one) => !isPlainArea(one))
    .map(({ folder, names }) => `| \`${folder}/\` | ${names.join(', ')} |`)
  const listed = section('docs/architecture.md', 'All files').match(/^\| `.*$/gm) ?? []
  // The parentheses say what a file does. They have no commas, because commas separate the files.
  const names = listed.map((row) => row.replace(/ \([^(),|]+\)/g, ''))
  assert.deepEqual(names.toSorted(), rows.toSorted())
})

test('docs/architecture.md lists the areas of the back office that its table of files leaves out', () => {
  const lines = section('docs/architecture.md', 'All files').match(/^(?:- for | {2}).*$/gm) ?? []
  const areas = folders.filter(isPlainArea).map(({ folder }) => basename(folder))
  assert.deepEqual(all(lines.join('\n'), /`([a-z-]+)`/g), areas.sort())
})

test('docs/README.md, the map, names every document', () => {
  const mapped = all(read('docs/README.md'), /\]\(([^)#]+)\)/g).map((link) => join('docs', link))
  const missing = documents
    .map(({ path }) => path)
    .filter((path) => !/^(src\/\w+\/README|docs\/README|docs\/decisions\/\d.*)\.md$/.test(path))
  assert.deepEqual(
    missing.filter((path) => !mapped.includes(path)),
    [],
  )
})

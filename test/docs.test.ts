// Compares the documents with the code: settings, commands, metrics, cards and files are all listed, and all exist.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runTollgate } from './operator.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).map((path) => {
  return { path, text: read(path) }
})
const operations = read('docs/operations.md')

/** Every first group that matches, once, in order. */
function all(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, found = '']) => found))].sort()
}

function section(text: string, heading: string): string {
  const found = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`))
  assert.ok(found, `docs/operations.md has a section "${heading}"`)
  return found
}

const settingsOf: readonly (readonly [heading: string, source: string])[] = [
  ['Settings', 'src/config.ts'],
  ['The sandbox on its own', 'sandbox/main.ts'],
  ['The demo shop', 'shop/main.ts'],
]

for (const [heading, source] of settingsOf) {
  test(`docs/operations.md, "${heading}", lists the settings that ${source} reads`, () => {
    const readFromEnv = all(read(source), /(?:\benv\.|\benv, ?\n? *'|\bwhole\(')([A-Z][A-Z_]+)/g)
    assert.deepEqual(all(section(operations, heading), /^\| `([A-Z_]+)`/gm), readFromEnv)
  })
}

test('every setting that a document mentions is read somewhere', () => {
  const sources = globSync(['src/**/*.ts', 'sandbox/**/*.ts', 'test/*.ts'], { cwd: root })
    .map(read)
    .join('\n')
  const unknown = documents.flatMap(({ path, text }) =>
    all(text, /\b(TOLLGATE_[A-Z_]+|\w*DATABASE_URL)\b/g)
      .filter((name) => !sources.includes(name))
      .map((name) => `${path}: ${name}`),
  )
  assert.deepEqual(unknown, [])
})

test('docs/operations.md lists the metrics that there are', () => {
  const made = all(read('src/runtime/metrics.ts') + read('src/gateway/watch.ts'), /'(tollgate_[a-z_]+)'/g)
  assert.ok(made.length > 5)
  assert.deepEqual(all(operations, /`(tollgate_[a-z_]+)`/g), made)
})

test('docs/operations.md says why each flag of the start script is there', () => {
  const { scripts } = JSON.parse(read('package.json'))
  const flags = all(scripts.start, /(?<= )(--[\w-]+|[A-Z_]+(?==))/g)
  assert.ok(flags.includes('MALLOC_ARENA_MAX') && flags.includes('--max-semi-space-size'))
  assert.deepEqual(all(section(operations, 'Runtime flags'), /^\| `([\w-]+)(?:=\d+)?` \| \S/gm), flags)
})

test('README.md lists the sandbox cards that there are', () => {
  const table = read('README.md').split('## Sandbox cards')[1]?.split('\n## ')[0] ?? ''
  assert.deepEqual(all(table, /\b(\d{16})\b/g), all(read('sandbox/sandbox-cards.ts'), /'(\d{16})'/g))
})

async function help(...command: readonly string[]): Promise<string> {
  return (await runTollgate([...command, '--help'], {})).stdout
}

const commands = all(await help(), /^ {2}([a-z]+(?:[ -][a-z]+)*)(?= )/gm)

test('docs/operations.md lists the commands that there are, with options that they take', async () => {
  assert.ok(commands.includes('ledger verify'))
  const calls = all(section(operations, 'Command line'), /^\| `([^`]+)`/gm)
  assert.deepEqual(calls.map(commandIn).sort(), commands)
  for (const call of calls) await checkOptions(call)
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

test('every script, file and link that a document names is there', () => {
  const { scripts } = JSON.parse(read('package.json'))
  const missing = documents.flatMap(({ path, text }) => {
    const named = all(text, /`((?:src|sandbox|test|docs|migrations)\/[\w./-]*)`/g)
    const linked = all(text, /\]\((?!https?:)([^)#]+)/g).map((link) => join(dirname(path), link))
    const run = all(text, /npm run (?:--silent )?([a-z]+(?::[a-z]+)?)/g).filter(
      (name) => scripts[name] === undefined,
    )
    return [...[...named, ...linked].filter((file) => !existsSync(join(root, file))), ...run].map(
      (what) => `${path}: ${what}`,
    )
  })
  assert.deepEqual(missing, [])
})

test('docs/README.md, the map, names every document', () => {
  const mapped = all(read('docs/README.md'), /\]\(([^)#]+)\)/g).map((link) => join('docs', link))
  const missing = documents
    .map(({ path }) => path)
    .filter((path) => !/^docs\/(README|decisions\/\d.*)\.md$/.test(path))
  assert.deepEqual(
    missing.filter((path) => !mapped.includes(path)),
    [],
  )
})

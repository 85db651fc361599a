// Compares docs/glossary.md with the code: the tables and types that the glossary names exist, and replaced words do
// not come back.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const [terms = '', replaced = ''] = read('docs/glossary.md').split('\n## Replaced words\n')

/** Returns the cells of each row of the tables, including their heads. */
function rowsOf(text: string): string[][] {
  const rows = text.split('\n').filter((line) => line.startsWith('| '))
  return rows.map((line) => line.split('|').slice(1, -1)).map((cells) => cells.map((cell) => cell.trim()))
}

const glossary = rowsOf(terms).filter(([term]) => term !== 'Term')
const sources = globSync(['src/**/*.ts', 'sandbox/**/*.ts'], { cwd: root }).map(read).join('\n')
const schema = read('migrations/schema.sql')

test('the glossary has a meaning for each term, and each term once', () => {
  assert.ok(glossary.length > 50)
  for (const [term = '', meaning = '', , , ...more] of glossary) {
    assert.match(meaning, /^[A-Z`].*\.$/, term)
    assert.deepEqual(more, [], `${term} has a cell too many`)
  }
  const names = glossary.map(([term]) => term)
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  )
})

test('the tables and types that the glossary names exist', () => {
  const missing = glossary.flatMap(([term, , carriers = '']) =>
    [...carriers.matchAll(/`(\w+)`/g)]
      .map(([, name = '']) => name)
      .filter((name) => !exists(name))
      .map((name) => `${term}: ${name}`),
  )
  assert.deepEqual(missing, [])
})

function exists(name: string): boolean {
  return /^[a-z]/.test(name)
    ? new RegExp(`^create (table|view) ${name}\\b`, 'm').test(schema)
    : new RegExp(`^export (type|class) ${name}\\b`, 'm').test(sources)
}

const banned = rowsOf(replaced)
  .map(([word = '']) => word)
  .filter((word) => word !== 'Word')

test('no identifier or file name uses a word that the glossary replaced', () => {
  assert.ok(banned.length > 0)
  const paths = globSync('{src,sandbox,sdk,test,bench}/**/*.ts', { cwd: root }).filter(
    (path) => !path.includes('node_modules'),
  )
  const complaints = paths.flatMap((path) => {
    const names = new Set([basename(path), ...identifiersIn(read(path))])
    return [...names].flatMap((name) => {
      const word = replacedIn(name)
      return word === undefined ? [] : [`${path}: ${name} contains "${word}"`]
    })
  })
  assert.deepEqual(complaints, [], 'use the word that docs/glossary.md gives instead')
})

/** The replaced word in each name. Most names occur in many files, so each name is searched only once. */
const known = new Map<string, string | undefined>()

function replacedIn(name: string): string | undefined {
  if (known.has(name)) return known.get(name)
  const words = wordsOf(name)
  const word = banned.find((one) => words.includes(` ${one} `))
  known.set(name, word)
  return word
}

const commentsAndTexts =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g

function identifiersIn(code: string): string[] {
  return code.replace(commentsAndTexts, ' ').match(/[A-Za-z_$][\w$]*/g) ?? []
}

/** Returns the words of a name: `keptFile`, `KEPT_FILE` and `kept-file.ts` all contain " kept file ". */
function wordsOf(name: string): string {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []
  return ` ${words.join(' ').toLowerCase()} `
}

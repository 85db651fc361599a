// Every decision is short, has a title, a status and a date, is in the index, and is linked from the code or document
// that it is about.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = 'docs/decisions'
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const index = read(join(folder, 'README.md'))
const decisions = readdirSync(join(root, folder))
  .filter((name) => name !== 'README.md')
  .sort()
  .map((name) => ({ name, number: name.slice(0, 4), text: read(join(folder, name)) }))
const numbers = decisions.map(({ number }) => number)

const HEAD = /^# (?<title>.+)\n\nStatus: accepted\. Date: (?<date>\d{4}-\d\d-\d\d)\.\n\n/
const MOST_LINES = 15
const LONGEST_LINE = 120

test('decisions are named NNNN-what.md, and no number is used twice', () => {
  const wrong = decisions.filter(({ name }) => !/^\d{4}(-[a-z0-9]+)+\.md$/.test(name)).map(({ name }) => name)
  assert.deepEqual(wrong, [])
  assert.equal(new Set(numbers).size, numbers.length, `a number is used twice: ${numbers.join(' ')}`)
})

test('every decision begins with its title, and a line "Status: accepted. Date: YYYY-MM-DD."', () => {
  const without = decisions.filter(({ text }) => !HEAD.test(text)).map(({ name }) => name)
  assert.deepEqual(without, [])
})

test(`every decision has at most ${MOST_LINES} lines of at most ${LONGEST_LINE} characters`, () => {
  const linesOf = (text: string) => text.trimEnd().split('\n')
  const isLong = ({ text }: { readonly text: string }) =>
    linesOf(text).length > MOST_LINES || linesOf(text).some((line) => line.length > LONGEST_LINE)
  assert.deepEqual(
    decisions.filter(isLong).map(({ name }) => name),
    [],
  )
})

test('docs/decisions/README.md lists every decision with its title and date, in order', () => {
  const expected = decisions.map(({ name, number, text }) => {
    const { title, date } = HEAD.exec(text)?.groups ?? {}
    return `| [${number}](${name}) | ${title} | accepted | ${date} |`
  })
  assert.deepEqual(index.match(/^\| \[\d{4}\].*$/gm), expected)
})

test('every decision is linked from a file outside of docs/decisions, and every decision that is named exists', () => {
  const named = new Set(textFilesUnder('.').flatMap((path) => namedIn(read(path))))
  assert.deepEqual(
    numbers.filter((number) => !named.has(number)),
    [],
    'link it from the file that it is about',
  )
  assert.deepEqual(
    [...named].filter((number) => !numbers.includes(number)).sort(),
    [],
    'there is no such decision',
  )
})

test('every decision that another one refers to exists', () => {
  // The pattern leaves out file modes and the numbers of migrations.
  const reference = /(?<!mode |migration[ -]|[\d.])\b0\d{3}\b(?!\d)/gi
  const references = decisions.flatMap(({ name, text }) =>
    [...text.matchAll(reference)].map(([number]) => ({ name, number })),
  )
  assert.deepEqual(
    references.filter(({ number }) => !numbers.includes(number)),
    [],
  )
})

/** Returns the numbers in `decisions/0010-what.md`, `decision 0010` and `decisions 0010 and 0011`. */
function namedIn(text: string): string[] {
  const places = text.match(/\bdecisions?(?:\/| \[?)\d{4}\b(?:(?:, | and )\d{4}\b)*/gi) ?? []
  return places.flatMap((place) => place.match(/\d{4}/g) ?? [])
}

/** Leaves out the changelog and the migrations, which are history and may name a decision that is gone. */
function textFilesUnder(under: string): string[] {
  return readdirSync(join(root, under), { withFileTypes: true }).flatMap((entry) => {
    const path = join(under, entry.name)
    if (
      /^(\.git|\.setup\.lock.*|CHANGELOG\.md|data|docs\/decisions|migrations|test\/(screenshots|decisions\.test\.ts))$|(^|\/)(node_modules|dist|\.next|\.medusa)$/.test(
        path,
      )
    )
      return []
    if (entry.isDirectory()) return textFilesUnder(path)
    return /\.(md|ts|tsx|js|mjs|json|sql|yaml|yml)$/.test(path) ? [path] : []
  })
}

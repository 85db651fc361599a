// Every decision has a title, a status and a date, is in the index, and refers only to decisions that exist.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const folder = new URL('../docs/decisions/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const index = read('README.md')
const decisions = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .sort()
  .map((name) => ({ name, number: name.slice(0, 4), text: read(name) }))
const numbers = decisions.map(({ number }) => number)

const HEAD =
  /^# (?<title>.+)\n\nStatus: (?<status>accepted|(?:amended|replaced) by \d{4}(?:, \d{4})*)\. Date: (?<date>\d{4}-\d\d-\d\d)\.\n\n/

test('decisions are named NNNN-what.md, and no number is used twice', () => {
  const wrong = decisions.filter(({ name }) => !/^\d{4}(-[a-z0-9]+)+\.md$/.test(name)).map(({ name }) => name)
  assert.deepEqual(wrong, [])
  assert.equal(new Set(numbers).size, numbers.length, `a number is used twice: ${numbers.join(' ')}`)
})

test('every decision begins with its title, and a line "Status: accepted. Date: YYYY-MM-DD."', () => {
  const without = decisions.filter(({ text }) => !HEAD.test(text)).map(({ name }) => name)
  assert.deepEqual(without, [])
})

test('docs/decisions/README.md lists every decision with its title, status and date, in order', () => {
  const expected = decisions.map(({ name, number, text }) => {
    const { title, status, date } = HEAD.exec(text)?.groups ?? {}
    return `| [${number}](${name}) | ${title} | ${status} | ${date} |`
  })
  assert.deepEqual(index.match(/^\| \[\d{4}\].*$/gm), expected)
})

test('a decision that is amended or replaced names later decisions, which exist', () => {
  for (const { name, number, text } of decisions) {
    const status = HEAD.exec(text)?.groups?.status ?? ''
    for (const [later] of status.matchAll(/\d{4}/g)) {
      assert.ok(numbers.includes(later), `${name}: there is no decision ${later}`)
      assert.ok(later > number, `${name}: ${later} is not later`)
    }
  }
})

test('every decision that another one refers to exists', () => {
  // Not a file mode, and not a migration.
  const reference = /(?<!mode |migration[ -]|[\d.])\b0\d{3}\b(?!\d)/gi
  const references = decisions.flatMap(({ name, text }) =>
    [...text.matchAll(reference)].map(([number]) => ({ name, number })),
  )
  assert.ok(references.length > 20)
  assert.deepEqual(
    references.filter(({ number }) => !numbers.includes(number)),
    [],
  )
})

// Reads the merchants' guides for tests: their pages, tables and code blocks, and the documented requests with their
// answers.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type EndpointPath, isEndpoint } from '../../src/interfaces/merchant-api/endpoints.ts'
import type { Table } from '../../src/interfaces/merchant-api/fields/field.ts'
import { type Fields, isObject } from '../../src/platform/base/object.ts'

const folder = fileURLToPath(new URL('../../docs/guides/', import.meta.url))

export type Guide = { readonly name: string; readonly text: string }

export const guides: readonly Guide[] = globSync(`${folder}*.md`)
  .sort()
  .map((path) => ({ name: basename(path, '.md'), text: readFileSync(path, 'utf8') }))

export function guideNamed(name: string): Guide {
  const found = guides.find((guide) => guide.name === name)
  assert.ok(found, `there is a guide docs/guides/${name}.md`)
  return found
}

/** The values that a gateway's site fills in. */
export const standIns: Readonly<Record<string, string>> = {
  baseUrl: 'https://pay.example',
  merNo: '10000001',
  site: 'shop.example',
  key: 'KEY',
}

export function filled(text: string, values = standIns): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    assert.ok(values[name] !== undefined, `the site fills in {{${name}}}`)
    return values[name]
  })
}

export type Block = { readonly language: string; readonly code: string; readonly before: string }

/** Returns the fenced blocks, each with the last line of text before it. */
export function blocksOf({ text }: Guide): Block[] {
  const blocks: Block[] = []
  let before = ''
  for (const [line, language = '', code] of text.matchAll(/^```(\w*)\n(.*?)^```$|^[^\n]+$/gms))
    if (code === undefined) before = line
    else {
      blocks.push({ language, code, before })
      before = ''
    }
  return blocks
}

/** Returns the cells of all table rows below a heading, without the heads of the tables. */
export function rowsOf({ name, text }: Guide, heading: string): string[][] {
  const part = text.split(/^#+ /m).find((one) => one.startsWith(`${heading}\n`))
  assert.ok(part, `${name} has a section "${heading}"`)
  return [...part.matchAll(/^\| (.*) \|$(?!\n\|-)/gm)].map(([, cells = '']) => cells.split(' | '))
}

/** Returns the texts in backticks. */
export function codesIn(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
}

export type Example = {
  readonly guide: string
  readonly path: EndpointPath
  readonly paymentType: string
  readonly body: Fields
  /** The whole response, if the guide shows it. */
  readonly answer: Fields | undefined
}

const marker = /^`POST (\/[\w/]+)`(?: with the header `paymentType: (\w+)`)?$/

/** Returns the requests in JSON, each with the response that follows. */
export function examplesOf(guide: Guide): Example[] {
  const examples: Example[] = []
  for (const block of blocksOf(guide).filter(({ language }) => language === 'json')) {
    const value: unknown = JSON.parse(filled(block.code))
    assert.ok(isObject(value), `${guide.name}: a JSON block is an object`)
    const [, path = '', paymentType = ''] = marker.exec(block.before) ?? []
    if (isEndpoint(path))
      examples.push({ guide: guide.name, path, paymentType, body: value, answer: undefined })
    else if (isEnvelope(value)) addAnswer(examples, value, guide)
    else
      assert.ok(
        isNotification(value),
        `${guide.name}: is ${block.code} a request? Name its endpoint above it`,
      )
  }
  return examples
}

function isEnvelope({ code }: Fields): boolean {
  return typeof code === 'string' && code.length === 5
}

function addAnswer(examples: Example[], answer: Fields, { name }: Guide): void {
  const last = examples.pop()
  assert.ok(last !== undefined && last.answer === undefined, `${name}: an answer follows its request`)
  examples.push({ ...last, answer })
}

/** True for the JSON body of a notification, which has no merchant number. */
export function isNotification(value: Fields): boolean {
  return 'sign' in value && 'tradeNo' in value && !('merNo' in value)
}

export function problemsOf(table: Table, data: Fields): string[] {
  const missing = table.filter(({ name, required }) => required && data[name] === undefined)
  return [
    ...missing.map(({ name }) => `${name} is missing`),
    ...Object.keys(data).filter((name) => !table.some((field) => field.name === name)),
  ]
}

import assert from 'node:assert/strict'
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openInbox } from './inbox.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-inbox-'))
after(() => rmSync(folder, { recursive: true }))
const put = (name: string, text: string) => writeFileSync(join(folder, name), text)
const listed = (place: string) => readdirSync(join(folder, place)).sort()

test('a file is claimed once it no longer changes', async () => {
  const inbox = openInbox(folder)
  put('grows.xml', '<a>')
  put('later.xml.tmp', '<a/>')
  put('.hidden.xml', '<a/>')
  assert.deepEqual(await inbox.claim(), [])
  appendFileSync(join(folder, 'grows.xml'), '</a>')
  assert.deepEqual(await inbox.claim(), [], 'it has grown since')
  assert.deepEqual(await inbox.claim(), ['grows.xml'])
  assert.equal(String(await inbox.read('grows.xml')), '<a></a>')
  assert.deepEqual(listed('work'), ['grows.xml'])
})

test('a file that a crash left is read again, and then done', async () => {
  const inbox = openInbox(folder)
  assert.deepEqual(await inbox.claim(), ['grows.xml'])
  await inbox.done('grows.xml', undefined)
  assert.deepEqual({ work: listed('work'), done: listed('done') }, { work: [], done: ['grows.xml'] })
  assert.equal(await inbox.read('grows.xml'), undefined)
})

test('a name may come again; nothing is overwritten', async () => {
  const inbox = openInbox(folder)
  put('grows.xml', '<b/>')
  await inbox.claim()
  assert.deepEqual(await inbox.claim(), ['grows.xml'])
  await inbox.done('grows.xml', 'reference,type\n')
  assert.deepEqual(listed('done'), ['grows.xml', 'grows.xml.2', 'grows.xml.2.csv'])
})

test('a bad file has a sentence beside it', async () => {
  const inbox = openInbox(folder)
  renameSync(join(folder, 'later.xml.tmp'), join(folder, 'later.xml'))
  await inbox.claim()
  assert.deepEqual(await inbox.claim(), ['later.xml'])
  await inbox.bad('later.xml', 'is not UTF-8')
  assert.deepEqual(listed('bad'), ['later.xml', 'later.xml.why.txt'])
  assert.equal(readFileSync(join(folder, 'bad', 'later.xml.why.txt'), 'utf8'), 'later.xml is not UTF-8.\n')
})

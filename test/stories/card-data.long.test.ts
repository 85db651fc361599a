// Searches for card numbers and security codes in everything that a run leaves behind: every file of the data folder,
// PostgreSQL's files with their write-ahead log, every table as text (compressed values are plain there), all output at
// log level debug, and every response.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Db } from '../../src/platform/postgres/db.ts'
import { connectDatabase } from '../../src/platform/runtime/open-database.ts'
import { openPage, submit } from '../harness/browser.ts'
import { type Account, call, cardBody, pay, signed } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { fastPaths } from '../harness/fast-paths.ts'
import { type Installation, openInstallation } from '../harness/gateway-process.ts'
import { type Place, readTables } from '../harness/leak-story.ts'
import { codePattern } from '../harness/leaks.ts'

type Card = { readonly number: string; readonly code: string }

const sandboxCards: readonly Card[] = [
  { number: '4242424242424242', code: '731' },
  { number: '5555555555554444', code: '732' },
  { number: '4000000000000002', code: '733' },
  { number: '4000000000009995', code: '734' },
  { number: '4000000000000069', code: '735' },
  { number: '4000000000000127', code: '736' },
  { number: '4000000000000259', code: '737' },
  { number: '4000000000000119', code: '738' },
  { number: '4000000000006975', code: '739' },
]
const challenged: Card = { number: '4000000000003220', code: '841' }
const declinedLater: Card = { number: '4000008400001629', code: '842' }
/** The cards of refused requests. One of the numbers is too long for a card. */
const refused: readonly Card[] = [
  { number: '4111111111111111', code: '951' },
  { number: '5105105105105100', code: '952' },
  { number: '4012888888881881', code: '953' },
  { number: '4222222222222220', code: '954' },
  { number: '378282246310005', code: '955' },
  { number: '42424242424242424242', code: '956' },
  { number: '6011111111111117', code: '957' },
]
const cards = [...sandboxCards, challenged, declinedLater, ...refused]

/** The number of calls to the interface: each card is sent once. */
const CALLS = cards.length

/** An address, which may be stored. Finding it proves that the search works. */
const ADDRESS = 'Planted Street 4929123412341234'

test('card number and security code are neither on disk nor in a log', async (t) => {
  const settings = { TOLLGATE_LOG_LEVEL: 'debug', TOLLGATE_CHANNEL_TIMEOUT_MS: '5000' }
  const installation = await openInstallation(settings)
  t.after(() => installation.remove())
  const gateway = await installation.start()
  const answers = await useCards(gateway.account)
  const tables = await tablesOf(installation)
  assert.equal(await gateway.stop(), 0)

  const left: readonly Place[] = [
    ['the answers', answers.join('\n')],
    ['what was printed', installation.output()],
    ...tables,
    ...filesOf(installation),
  ]
  assert.deepEqual(findCards(left), [])

  await t.test('the same search finds what may be stored, in tables, files and write-ahead log', () => {
    const where = left.filter(([, text]) => text.includes(ADDRESS)).map(([name]) => name)
    assert.ok(where.includes('table order_details'), where.join())
    assert.ok(where.includes('the bodies of the request log'), where.join())
    assert.ok(
      where.some((name) => name.includes('/pg_wal/')),
      where.join(),
    )
    assert.ok(
      where.some((name) => name.includes('/base/')),
      where.join(),
    )
    const masked = /400000.{1,3}1629|"card_first6":"400000","card_last4":"1629"/s
    const maskedIn = left.filter(([, text]) => masked.test(text)).map(([name]) => name)
    assert.ok(maskedIn.includes('table attempt_rows'), maskedIn.join())
    assert.ok(
      maskedIn.some((name) => name.includes('/base/')),
      maskedIn.join(),
    )
    assert.match(installation.output(), /"level":30/)
  })

  await t.test('the search would find a number or code', () => {
    for (const text of [
      'x4242424242424242x',
      'card 5555 5555 5555 4444',
      '4000-0084-0000-1629',
      '{"cardSecurityCode":"731"}',
      '{\\"securityCode\\":\\"951\\"}',
      'cvc=842',
      'CVV: 957',
    ])
      assert.equal(findCards([['planted', `\0\0${text}\0`]]).length, 1, text)
  })
})

function findCards(places: readonly Place[]): string[] {
  return cards.flatMap(({ number, code }) => {
    const grouped = number.replace(/(\d{4})(?=\d)/g, '$1[ -]?')
    const pattern = new RegExp(`${grouped}|${codePattern(code)}`, 'i')
    return places.filter(([, text]) => pattern.test(text)).map(([where]) => `${number} ${code} in ${where}`)
  })
}

/** Sends each card in one payment. Some of the payments are refused. Returns the responses as text. */
async function useCards(account: Account): Promise<string[]> {
  const fields = ({ number, code }: Card) => ({
    cardNo: number,
    cardSecurityCode: code,
    billingAddress1: ADDRESS,
  })
  const paid = await Promise.all(sandboxCards.map((card) => pay(account, fields(card))))
  for (const reply of paid) assert.equal(reply.code, '00000')
  const pages: string[] = []
  for (const card of [challenged, declinedLater]) {
    const reply = await pay(account, fields(card))
    paid.push(reply)
    const codePage = await submit(await openPage(String(reply.data.payUrl)))
    const result = await submit(await submit(codePage, { code: '123456' }))
    assert.match(result.html, /Return to shop/)
    pages.push(result.html)
  }
  const turnedAway = await refuseCards(account, fields)
  return [...paid.map((reply) => JSON.stringify(reply)), ...pages, ...turnedAway]
}

async function refuseCards(
  account: Account,
  fields: (card: Card) => Record<string, string>,
): Promise<string[]> {
  const [forged, typed, lacking, broken, stranger, long, misnamed] = refused
  assert.ok(forged && typed && lacking && broken && stranger && long && misnamed)
  const replies = await Promise.all([
    call(account, '/payment', { ...cardBody(account, fields(forged)), sign: '0'.repeat(32) }),
    pay(account, { ...fields(typed), cardNo: Number(typed.number), cardSecurityCode: Number(typed.code) }),
    pay(account, { ...fields(lacking), billingCity: '' }),
    pay({ ...account, merNo: 99 }, fields(stranger)),
    pay(account, fields(long)),
    pay(account, { ...fields(misnamed), merOrderNo: 'x'.repeat(33) }),
  ])
  assert.deepEqual(
    replies.map((reply) => reply.code),
    ['10015', '99996', '10002', '10004', '99997', '99997'],
  )
  const malformed = JSON.stringify(signed(account, '/payment', cardBody(account, fields(broken)))).slice(
    0,
    -1,
  )
  const headers = { 'content-type': 'application/json', referer: `https://${account.site}/` }
  const answer = await fetch(`${account.baseUrl}/payment`, { method: 'POST', headers, body: malformed })
  return [...replies.map((reply) => JSON.stringify(reply)), await answer.text()]
}

async function tablesOf({ dataDir }: Installation): Promise<readonly Place[]> {
  const { db, close } = await connectDatabase({ dataDir, databaseUrl: undefined, fastPaths }, () => {})
  try {
    assert.ok(await eventually(async () => (await countRequests(db)) === CALLS), 'not all calls are logged')
    return await readTables(db)
  } finally {
    await close()
  }
}

async function countRequests(db: Db): Promise<number> {
  const [row] = await db.query<{ count: number }>({
    text: `select (select count(*) from request_log)::int
      + (select coalesce(sum(cardinality(places)), 0) from request_log_payments)::int as count`,
  })
  return row?.count ?? 0
}

/** Returns the files as latin1, so that a text search works in binary files. */
function filesOf(installation: Installation): [string, string][] {
  const folders = [...new Set([installation.dataDir, installation.clusterDir()])]
  const names = folders.flatMap((folder) => {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  })
  return [...new Set(names)].map((name) => [name, readFileSync(name, 'latin1')])
}

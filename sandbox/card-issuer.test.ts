import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import { createCardIssuer } from './card-issuer.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-issuer-'))
const bookFile = join(folder, 'book.sqlite')
let now = new Date('2026-03-31T23:59:59Z')
const options = { bookFile, acsUrl: () => 'http://127.0.0.1:1/acs', minuteMs: 500, clock: { now: () => now } }
const issuer = createCardIssuer(options)
after(() => {
  issuer.close()
  rmSync(folder, { recursive: true })
})

let references = 0

function authorisation(number: string, more: Record<string, unknown> = {}) {
  references += 1
  return {
    merchantReference: `REF${references}`,
    amount: '1250',
    currency: 'USD',
    card: { number, expiryMonth: '12', expiryYear: '2030', securityCode: '987' },
    notificationUrl: 'http://127.0.0.1:1/complete',
    ...more,
  }
}

async function call(operation: string, body: unknown) {
  const answer = await issuer.handle({ operation, body }, AbortSignal.timeout(50))
  return answer === undefined ? 'silence' : answer.body
}

describe('the sandbox cards', () => {
  const table = [
    ['4242424242424242', 'captured', ''],
    ['5555555555554444', 'captured', ''],
    ['4000000000000002', 'declined', 'The bank declined the payment'],
    ['4000000000009995', 'declined', 'Insufficient funds'],
    ['4000000000000069', 'declined', 'The card has expired'],
    ['4000000000000127', 'declined', 'The security code is wrong'],
    ['4000002500003155', 'declined', 'The bank wants the payer to confirm the payment'],
    ['4000000000009979', 'declined', 'The card was reported stolen'],
    ['4000000000003220', 'challenge', ''],
    ['4000008400001629', 'challenge', ''],
    ['4000000000000259', 'captured', ''],
    ['4111111111111111', 'declined', 'Not a sandbox card: use one of the documented sandbox cards'],
    ['4242424242424241', 'declined', 'The card number is not valid'],
  ] as const
  for (const [number, status, reason] of table) {
    it(`${number} is ${status} ${reason}`, async () => {
      const body = authorisation(number)
      const { card: _card, notificationUrl: _url, ...echoed } = body
      const answer = await call('authorise', body)
      assert.partialDeepStrictEqual(answer, { ...echoed, status, reason })
      assert.deepEqual(await call('authorise', body), answer)
      assert.deepEqual(await call('lookup', body), answer)
    })
  }

  it('4000002500003155 is challenged if the merchant insists on it, and 4000000000009979 never is', async () => {
    const ask = (number: string, more = {}) => call('authorise', authorisation(number, more))
    const insists = { threeDSRequestorChallengeInd: '04' }
    assert.partialDeepStrictEqual(await ask('4000002500003155'), { status: 'declined', advice: 'challenge' })
    assert.partialDeepStrictEqual(await ask('4000002500003155', insists), { status: 'challenge' })
    assert.partialDeepStrictEqual(await ask('4000000000009979', insists), {
      status: 'declined',
      advice: 'never',
    })
  })

  it('4000000000000119 is charged and never gets a response', async () => {
    const body = authorisation('4000000000000119')
    assert.equal(await call('authorise', body), 'silence')
    assert.partialDeepStrictEqual(await call('lookup', body), { status: 'captured', amount: '1250' })
    assert.partialDeepStrictEqual(await call('void', body), { status: 'captured' })
  })

  it('4000000000006975 is not charged and never gets a response', async () => {
    const body = authorisation('4000000000006975')
    assert.equal(await call('authorise', body), 'silence')
    assert.partialDeepStrictEqual(await call('lookup', body), { error: 'not_found' })
    assert.partialDeepStrictEqual(await call('void', body), { status: 'voided' })
    assert.partialDeepStrictEqual(await call('authorise', body), { status: 'voided' })
  })

  it('are valid until the end of their month', async () => {
    const card = { number: '4242424242424242', expiryMonth: '03', expiryYear: '2026', securityCode: '987' }
    assert.partialDeepStrictEqual(await call('authorise', authorisation('', { card })), {
      status: 'captured',
    })
    now = new Date('2026-04-01T00:00:00Z')
    assert.partialDeepStrictEqual(await call('authorise', authorisation('', { card })), {
      status: 'declined',
      reason: 'The card has expired',
    })
  })
})

describe('the card issuer', () => {
  it('refuses an invalid request with the name of the field, not its value', async () => {
    const bad = [
      null,
      [],
      'text',
      authorisation('4242', {}),
      authorisation('4242424242424242', { merchantReference: '../x' }),
      authorisation('4242424242424242', { amount: 1250 }),
      authorisation('4242424242424242', { amount: '0' }),
      authorisation('4242424242424242', { amount: '-5' }),
      authorisation('4242424242424242', { currency: 'XXY' }),
      authorisation('4242424242424242', { card: null }),
      authorisation('4000000000003220', { notificationUrl: 'javascript:alert(1)' }),
    ]
    for (const body of bad) {
      const answer = await call('authorise', body)
      assert.partialDeepStrictEqual(answer, { error: 'invalid_request' })
      assert.doesNotMatch(JSON.stringify(answer), /4242|987|alert/)
    }
    assert.partialDeepStrictEqual(await call('__proto__', {}), { error: 'no_such_operation' })
  })

  it('lists exactly the disputed charges, one minute after they were made', async () => {
    const body = authorisation('4000000000000259')
    now = new Date(now.getTime() + 60_000)
    const since = String(now.getTime())
    await call('authorise', body)
    await call('authorise', body)
    assert.deepEqual(await call('chargebacks', { since }), { list: [] })
    now = new Date(now.getTime() + options.minuteMs)
    const due = await call('chargebacks', { since })
    const lookup = await call('lookup', body)
    assert.ok(typeof due === 'object' && Array.isArray(due.list) && typeof lookup === 'object')
    const { status: _status, reason: _reason, ...disputed } = lookup
    const details = { reasonCode: '4853', disputedAt: now.getTime() }
    assert.deepEqual(due.list, [{ ...disputed, ...details }])
  })

  const refused = [
    ['USD', '666'],
    ['KWD', '6660'],
  ] as const
  for (const [currency, amount] of refused) {
    it(`refuses a refund of exactly 6.66 ${currency} after a second`, async () => {
      const body = { ...authorisation('4242424242424242'), amount: '999900', currency }
      await call('authorise', body)
      const refund = { ...body, amount, refundReference: `R${body.merchantReference}` }
      assert.partialDeepStrictEqual(await call('refund', refund), { status: 'processing', reason: '' })
      now = new Date(now.getTime() + 999)
      assert.partialDeepStrictEqual(await call('lookup-refund', refund), { status: 'processing' })
      now = new Date(now.getTime() + 1)
      assert.partialDeepStrictEqual(await call('lookup-refund', refund), {
        status: 'failed',
        reason: 'The bank refused the refund',
      })
      assert.deepEqual(await call('refund', refund), await call('lookup-refund', refund))
    })
  }

  it('refunds 666 yen, which is not 6.66', async () => {
    const body = { ...authorisation('4242424242424242'), amount: '666', currency: 'JPY' }
    await call('authorise', body)
    await call('refund', { ...body, refundReference: 'RJPY' })
    now = new Date(now.getTime() + 1_000)
    assert.partialDeepStrictEqual(await call('lookup-refund', { refundReference: 'RJPY' }), {
      status: 'succeeded',
      amount: '666',
    })
  })

  it('stores no card numbers or security codes', async () => {
    await call('authorise', authorisation('5555555555554444'))
    const files = readdirSync(folder).filter((name) => name.startsWith('book.sqlite'))
    assert.ok(files.includes('book.sqlite-wal'))
    for (const file of files)
      assert.doesNotMatch(readFileSync(join(folder, file), 'latin1'), /5555555555554444|4242424242424242/)
    // Three digits occur by chance within ids, so the test compares whole values.
    const values = allValues(bookFile)
    assert.ok(values.includes('captured'))
    assert.ok(!values.includes('987'))
  })
})

function allValues(file: string): string[] {
  const db = new DatabaseSync(file, { readOnly: true })
  const tables = db.prepare("select name from sqlite_schema where type = 'table'").all()
  const rows = tables.flatMap(({ name }) => db.prepare(`select * from ${name}`).all())
  db.close()
  return rows.flatMap((row) => Object.values(row).map(String))
}

describe('the card book', () => {
  it('survives kill -9, and several processes can write it', async () => {
    const file = join(folder, 'shared', 'book.sqlite')
    const writers = ['a', 'b', 'c'].map((name) => spawnWriter(file, name))
    const references = await Promise.all(writers.map(killAfter300))
    const reader = createCardIssuer({ ...options, bookFile: file })
    for (const merchantReference of references.flat()) {
      const answer = await reader.handle({ operation: 'lookup', body: { merchantReference } })
      assert.equal(answer?.body.status, 'captured', merchantReference)
    }
    reader.close()
  })
})

/** Starts a process that charges without end and prints each reference once it has the response. */
function spawnWriter(file: string, name: string): ChildProcess {
  const program = `
    import { createCardIssuer } from ${JSON.stringify(new URL('./card-issuer.ts', import.meta.url).href)}
    const clock = { now: () => new Date('2026-03-01') }
    const issuer = createCardIssuer({ bookFile: ${JSON.stringify(file)}, acsUrl: () => '', minuteMs: 1, clock })
    const card = { number: '4242424242424242', expiryMonth: '03', expiryYear: '2026', securityCode: '987' }
    for (let n = 0; ; n += 1) {
      const merchantReference = '${name}' + n
      await issuer.handle({ operation: 'authorise', body: { merchantReference, amount: '1', currency: 'USD', card } })
      await new Promise((resolve) => process.stdout.write(merchantReference + '\\n', resolve))
    }`
  const args = ['--input-type=module-typescript', '--eval', program]
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}

async function killAfter300(writer: ChildProcess): Promise<string[]> {
  let said = ''
  let lines = 0
  writer.stdout?.on('data', (chunk) => {
    said += chunk
    lines += String(chunk).split('\n').length - 1
    if (lines >= 300) writer.kill('SIGKILL')
  })
  await once(writer, 'close')
  assert.ok(lines >= 300)
  return said.split('\n').slice(0, -1)
}

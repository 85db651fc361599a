import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { aPayment, aSuccess, noRates } from '../../../test/builders/builders.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { giveMasterKey, type Ran, runTollgate } from '../../../test/harness/operator.ts'
import { acceptPayments } from '../../money/payments/accept-payments.ts'
import { recordOutcomes } from '../../money/payments/record-outcomes.ts'

let dataDir: string
const database = useDatabase({
  before() {
    dataDir = mkdtempSync(join(tmpdir(), 'tollgate-cli-'))
    giveMasterKey(dataDir)
  },
  after: () => rmSync(dataDir, { recursive: true }),
})

function run(args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  return runTollgate(args, { DATABASE_URL: database.url, TOLLGATE_DATA_DIR: dataDir, ...env })
}

/** Runs a command with --json. The command must succeed and print one document. */
async function json(...args: string[]) {
  const { status, stdout, stderr } = await run([...args, '--json'])
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

async function refused(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run([...args, '--json'])
  assert.equal(status, 1, stderr)
  const { error } = JSON.parse(stdout)
  assert.equal(stderr.trim(), error)
  return error
}

async function createMerchant(...args: string[]): Promise<string> {
  const made = await json('merchant', 'create', '--name', 'Shop', '--site', 'shop.example', ...args)
  return String(made.merNo)
}

function writeFile(name: string, content: string): string {
  const file = join(dataDir, name)
  writeFileSync(file, content)
  return file
}

function writeDemo(baseUrl: string): void {
  writeFile('demo.json', JSON.stringify({ baseUrl, merNo: 12345678, key: 'K'.repeat(32), site: 'localhost' }))
}

const md5 = (string: string) => createHash('md5').update(string).digest('hex').toUpperCase()

describe('wrong usage', () => {
  for (const [args, said] of [
    [[], /name a command/],
    [['merchant', 'create', '--name', 'x'], /--site is missing/],
    [['merchant', 'create', '--nowhere', 'x'], /^There is no option "--nowhere" of merchant create\.$/m],
    [['merchant', 'create', '--name'], /'--name <value>' argument missing/],
    [['merchant', 'show'], /MERNO is missing/],
    [['merchant', 'show', '1', '2'], /unexpected argument 2/],
    [['merchant', 'set', '1'], /at least one option/],
    [['merchant', 'plan', '1', '--method', 'card'], /give an option to change, or --remove/],
    [['platform', 'limit', '--method', 'card'], /give --daily, --monthly or both/],
    [['sign', '/nowhere', '--body', 'x'], /there is no endpoint \/nowhere/],
    [['notify', 'resend'], /--trade-no is missing/],
    [['notify', 'list', '--state', 'lost'], /--state must be one of pending, retrying, delivered, failed/],
  ] as const) {
    test(`"${args.join(' ')}" exits with 2 and prints the usage on standard error`, async () => {
      const { status, stdout, stderr } = await run(args)
      assert.equal(status, 2)
      assert.equal(stdout, '')
      assert.match(stderr, said)
      assert.match(stderr, /Usage: npm run --silent tollgate --/)
    })
  }

  for (const [typed, said] of [
    ['merchnat list', 'There is no command "merchnat". Did you mean "merchant"?'],
    ['pya --card 4242424242424242', 'There is no command "pya". Did you mean "pay"?'],
    ['merchant creat --name x', 'There is no command "merchant creat". Did you mean "merchant create"?'],
    [
      'ledger rebuild',
      'There is no command "ledger rebuild". Commands of ledger: verify, review-past, correct.',
    ],
    ['fx', 'There is no command "fx". Commands of fx: set.'],
    ['fx --from USD', 'There is no command "fx". Commands of fx: set.'],
    [
      'nonsense',
      'There is no command "nonsense". To list all commands, run npm run --silent tollgate -- --help',
    ],
    ['merchant create --nmae x', 'There is no option "--nmae" of merchant create. Did you mean "--name"?'],
    ['pay --crad=4242424242424242', 'There is no option "--crad" of pay. Did you mean "--card"?'],
    ['merchnat --help', 'There is no command "merchnat". Did you mean "merchant"?'],
  ] as const) {
    test(`"${typed}" exits with 2 and prints one line`, async () => {
      const { status, stdout, stderr } = await run(typed.split(' '))
      assert.deepEqual({ status, stdout, stderr }, { status: 2, stdout: '', stderr: `${said}\n` })
    })
  }

  test('with --json standard output is one document', async () => {
    const { status, stdout } = await run(['merchnat', '--json'])
    assert.equal(status, 2)
    assert.deepEqual(JSON.parse(stdout), {
      error: 'There is no command "merchnat". Did you mean "merchant"?',
    })
  })

  test('--help lists the commands, or the options of one', async () => {
    const all = await run(['--help'])
    assert.equal(all.status, 0)
    for (const name of ['merchant create', 'fx set', 'ledger verify', 'sign', 'pay', 'explain', 'doctor']) {
      assert.ok(all.stdout.includes(`  ${name}`), name)
    }
    const one = await run(['merchant', 'create', '--help'])
    assert.equal(one.status, 0)
    assert.match(one.stdout, /--settle-currency CUR/)
  })
})

describe('merchants', () => {
  test('one is created active, shown without its secrets, suspended, approved and closed', async () => {
    const made = await json('merchant', 'create', '--name', 'Bücher', '--site', 'bücher.example')
    assert.deepEqual(Object.keys(made), ['merNo', 'key', 'webhookSecret'])
    const merNo = String(made.merNo)
    const { stdout } = await run(['merchant', 'show', merNo, '--json'])
    assert.ok(!stdout.includes(made.key) && !stdout.includes(made.webhookSecret))
    const shown = JSON.parse(stdout)
    assert.equal(shown.state, 'active')
    assert.deepEqual(shown.websites, ['xn--bcher-kva.example'])
    for (const [step, state] of [
      ['suspend', 'suspended'],
      ['approve', 'active'],
      ['close', 'closed'],
    ] as const) {
      assert.deepEqual(await json('merchant', step, merNo), { merNo: made.merNo, state })
    }
    assert.match(await refused('merchant', 'approve', merNo), /is closed/)
  })

  test('a pending one waits for approval', async () => {
    const merNo = await createMerchant('--pending')
    assert.equal((await json('merchant', 'show', merNo)).state, 'pending')
    assert.equal((await json('merchant', 'approve', merNo)).state, 'active')
  })

  test('options are set at creation and later', async () => {
    const merNo = await createMerchant(
      '--currencies',
      'USD,EUR',
      '--settle-currency',
      'EUR',
      '--fee-bps',
      '290',
    )
    const options = [
      '--require-rsa',
      'on',
      '--sign-answers',
      'on',
      '--notify-review',
      'on',
      '--ip',
      '203.0.113.0/24',
    ]
    const limits = ['--refund-credit', '1.50', '--limit-single', '7', '--limit-daily', 'none']
    const shown = await json('merchant', 'set', merNo, ...options, ...limits, '--timezone', 'Asia/Manila')
    assert.deepEqual(shown.currencies, { EUR: 'EUR', USD: 'EUR' })
    assert.equal(shown.feePlans[0].feeBps, 290)
    assert.deepEqual(shown.limits, { single: '7.00', daily: null, monthly: '10000000.00' })
    assert.equal(shown.refundCredit, '1.50')
    assert.deepEqual(
      { requireRsa: shown.requireRsa, signAnswers: shown.signAnswers, notifyReview: shown.notifyReview },
      { requireRsa: true, signAnswers: true, notifyReview: true },
    )
    assert.deepEqual(shown.ips, ['203.0.113.0/24'])
    assert.equal(shown.timezone, 'Asia/Manila')
  })

  test('the key is rotated, and both are listed', async () => {
    const merNo = await createMerchant()
    const rotated = await json('merchant', 'rotate-key', merNo)
    assert.deepEqual(Object.keys(rotated), ['key'])
    assert.match(rotated.key, /^[0-9A-Za-z]{32}$/)
    const { keys } = await json('merchant', 'show', merNo)
    assert.deepEqual(
      keys.map((key: { retiresAt: unknown }) => key.retiresAt === null),
      [true, false],
    )
  })

  test("rotating the demo merchant's key updates demo.json", async () => {
    const merNo = Number(await createMerchant())
    writeFile('demo.json', JSON.stringify({ merNo, key: 'old', site: 'localhost' }))
    const { key } = await json('merchant', 'rotate-key', String(merNo))
    const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
    assert.deepEqual(demo, { merNo, key, site: 'localhost' })
  })

  test('an RSA public key is registered from its file, and a bad one is refused', async () => {
    const merNo = await createMerchant()
    const spki = { publicKeyEncoding: { type: 'spki', format: 'pem' } } as const
    const good = writeFile('good.pem', generateKeyPairSync('rsa', { modulusLength: 2048, ...spki }).publicKey)
    const short = writeFile(
      'short.pem',
      generateKeyPairSync('rsa', { modulusLength: 1024, ...spki }).publicKey,
    )
    await json('merchant', 'set-rsa', merNo, '--file', good)
    assert.equal((await json('merchant', 'show', merNo)).rsaKey, true)
    assert.match(await refused('merchant', 'set-rsa', merNo, '--file', short), /1024 bits/)
    assert.match(
      await refused('merchant', 'set-rsa', merNo, '--file', join(dataDir, 'none.pem')),
      /cannot be read/,
    )
  })

  test('a refusal prints one sentence and exits with 1', async () => {
    assert.equal(await refused('merchant', 'show', '99'), 'there is no merchant 99')
    assert.equal(await refused('merchant', 'close', 'abc'), 'there is no merchant abc')
    assert.match(await refused('merchant', 'create', '--name', 'x', '--site', 'a/b'), /a\/b is not a website/)
    const { stdout } = await run(['merchant', 'show', '99'])
    assert.equal(stdout, '')
  })
})

describe('rates and the ledger', () => {
  test('a rate is set', async () => {
    const rate = ['--from', 'USD', '--to', 'EUR', '--rate', '0.92', '--valid-from', '2100-01-31']
    const wanted = { from: 'USD', to: 'EUR', rate: '0.92', validFrom: '2100-01-31T00:00:00.000Z' }
    const opposite = { from: 'EUR', to: 'USD', rate: '1.086956521739' }
    assert.deepEqual(await json('fx', 'set', ...rate), { ...wanted, opposite })
    assert.match(await refused('fx', 'set', '--from', 'USD', '--to', 'EUR', '--rate', '0'), /is not a rate/)
    const past = ['--from', 'USD', '--to', 'EUR', '--rate', '0.92', '--valid-from', '2026-01-31']
    assert.match(await refused('fx', 'set', ...past), /a rate cannot begin in the past/)
  })

  test('a sound ledger is reported as such, and one wrong balance exits with 1', async () => {
    assert.deepEqual((await json('ledger', 'verify')).differences, [])
    await database.db.query({
      text: `insert into balance_sums (mer_no, account, currency, debits, credits) values (7, 'fees', 'USD', 0, 5)`,
    })
    const { status, stdout } = await run(['ledger', 'verify', '--json'])
    assert.equal(status, 1)
    const wrong = { merNo: 7, account: 'fees', currency: 'USD', balance: '5', entries: '0' }
    assert.deepEqual(JSON.parse(stdout).differences, [wrong])
    await database.db.query({ text: 'delete from balance_sums where mer_no = 7' })
  })
})

describe('sign', () => {
  const body = {
    merNo: 12345678,
    merOrderNo: 'A-1',
    currencyCode: 'USD',
    sourceAmount: '10.00',
    x: 'not signed',
  }

  test('shows the string to sign without the key, and the signature', async () => {
    const file = writeFile('body.json', JSON.stringify(body))
    const signed = await json('sign', '/payment', '--body', file, '--key', 'secret')
    assert.equal(signed.stringToSign, '12345678A-1USD10.00<KEY>')
    assert.equal(signed.sign, md5('12345678A-1USD10.00secret'))
  })

  test("takes the demo merchant's key, or any merchant's from the database", async () => {
    writeDemo('http://127.0.0.1:1')
    const file = writeFile('body.json', JSON.stringify(body))
    const byDemo = await json('sign', 'payment', '--body', file)
    assert.equal(byDemo.sign, md5(`12345678A-1USD10.00${'K'.repeat(32)}`))
    const made = await json('merchant', 'create', '--name', 'Shop', '--site', 'shop.example')
    const byOther = await json('sign', '/payment', '--body', file, '--mer-no', String(made.merNo))
    assert.equal(byOther.sign, md5(`12345678A-1USD10.00${made.key}`))
  })

  test('a body that is not a JSON object is refused', async () => {
    const file = writeFile('list.json', '[1]')
    assert.match(
      await refused('sign', '/payment', '--body', file, '--key', 'k'),
      /does not contain a JSON object/,
    )
  })
})

describe('pay', () => {
  test('sends a signed card payment from the demo merchant’s website, and prints the response', async () => {
    const data = { tradeNo: 'T1', merOrderNo: 'M1', payCode: 0 }
    const seen: { path?: string | undefined; referer?: string | undefined; body: Record<string, string> }[] =
      []
    const gateway = createServer(async (request: IncomingMessage, response) => {
      seen.push({
        path: request.url,
        referer: request.headers.referer,
        body: JSON.parse(await text(request)),
      })
      response.end(JSON.stringify({ code: '00000', message: 'SUCCESS', data }))
    })
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
    const address = gateway.address()
    assert.ok(typeof address === 'object' && address !== null)
    writeDemo(`http://127.0.0.1:${address.port}`)
    try {
      const answer = await json('pay', '--card', '4242424242424242', '--amount', '12.50')
      assert.deepEqual(answer, { code: '00000', message: 'SUCCESS', data })
      const { stdout } = await run(['pay', '--card', '4242424242424242'])
      assert.match(stdout, /The payment is paid\.[\s\S]*tollgate -- explain T1/)
    } finally {
      gateway.close()
    }
    const { path, referer, body } = seen[0] ?? { body: {} }
    assert.equal(path, '/payment')
    assert.equal(referer, 'http://localhost/')
    assert.equal(body.cardNo, '4242424242424242')
    assert.equal(body.sign, md5(`12345678${body.merOrderNo}USD12.50${'K'.repeat(32)}`))
  })

  test('says what to do when no gateway responds or there is no demo merchant', async () => {
    writeDemo('http://127.0.0.1:1')
    assert.match(await refused('pay', '--card', '4242424242424242'), /no gateway answers.*npm start/)
    rmSync(join(dataDir, 'demo.json'))
    assert.match(await refused('pay', '--card', '4242424242424242'), /demo\.json does not exist/)
  })
})

describe('explain', () => {
  test('shows states, attempts, ledger entries and notifications on one screen', async () => {
    const payment = aPayment({ notifyUrl: 'https://shop.example/n' })
    await acceptPayments(database.db, [payment])
    await recordOutcomes({ db: database.db, rates: noRates }, [aSuccess(payment)])
    const found = await json('explain', payment.tradeNo)
    assert.equal(found.amount, '10.00')
    assert.equal(found.merOrderNo, payment.merOrderNo)
    assert.partialDeepStrictEqual(found.states.at(-1), { from: 1, to: 5 })
    assert.equal(found.attempts[0].card, '424242…4242 visa')
    assert.deepEqual(
      { step: found.entries[0].step, amount: found.entries[0].amount },
      { step: 'payment', amount: '10.00' },
    )
    const [notification] = found.notifications
    assert.deepEqual(
      { event: notification.event, state: notification.state },
      { event: 'payment', state: 'pending' },
    )
    assert.deepEqual(notification.deliveries, [])
    const { stdout } = await run(['explain', payment.tradeNo])
    const wanted = [
      '1 processing → 5 succeeded',
      '424242…4242',
      'rail:card → merchant:unsettled',
      'https://shop.example/n',
    ]
    for (const words of wanted) assert.ok(stdout.includes(words), words)
  })

  test("control characters in a channel's message do not reach the terminal", async () => {
    const payment = aPayment()
    const outcome = { kind: 'failed', cause: 'declined', message: 'no\u001b[2Jway' } as const
    await acceptPayments(database.db, [payment])
    await recordOutcomes({ db: database.db, rates: noRates }, [aSuccess(payment, { outcome })])
    const { stdout } = await run(['explain', payment.tradeNo])
    assert.match(stdout, /6 failed: no\uFFFD\[2Jway/)
  })

  test("an order is also found by the shop's order number", async () => {
    const payment = aPayment({ merOrderNo: 'cart 7' })
    await acceptPayments(database.db, [payment])
    assert.equal((await json('explain', 'cart 7')).tradeNo, payment.tradeNo)
    assert.deepEqual(await json('explain', 'cart 7'), await json('explain', payment.tradeNo))
  })

  test('an order number that several merchants use lists their orders and explains none', async () => {
    const earlier = new Date(Date.now() - 60_000)
    const other = aPayment({ merNo: 87654321, merOrderNo: 'cart 8', createdAt: earlier })
    const payment = aPayment({ merOrderNo: 'cart 8' })
    await acceptPayments(database.db, [other, payment])
    const { status, stdout } = await run(['explain', 'cart 8'])
    assert.equal(status, 1)
    const [said, ...rows] = stdout.trimEnd().split('\n')
    assert.equal(said, 'Several merchants have an order cart 8. Explain one of them by its trade number:')
    assert.deepEqual(
      rows.map((row) => row.split(/ +/)[1]),
      [payment.tradeNo, other.tradeNo],
    )
    const asJson = await run(['explain', 'cart 8', '--json'])
    assert.equal(asJson.status, 1)
    const [first] = JSON.parse(asJson.stdout).orders
    assert.partialDeepStrictEqual(first, { merNo: payment.merNo, amount: '10.00', currency: 'USD', state: 1 })
  })

  test('an order that does not exist is refused', async () => {
    assert.match(await refused('explain', 'T123'), /there is no order T123 in the database of DATABASE_URL/)
  })
})

describe('doctor', () => {
  const statusOf = (stdout: string, check: string) =>
    JSON.parse(stdout).findings.find((finding: { check: string }) => finding.check === check)?.status

  test('passes a sound installation, and warns that no gateway runs', async () => {
    await createMerchant('--currencies', 'USD,XOF')
    const { status, stdout } = await run(['doctor', '--json'], { PORT: '1' })
    assert.equal(status, 0)
    for (const check of [
      'node',
      'settings',
      'data folder',
      'database',
      'clock',
      'migrations',
      'mode',
      'master key',
    ]) {
      assert.equal(statusOf(stdout, check), 'ok', check)
    }
    assert.equal(statusOf(stdout, 'rates'), 'warn')
    assert.match(stdout, /XOF/)
    assert.equal(statusOf(stdout, 'gateway'), 'warn')
  })

  test('fails on a master key that does not decrypt the stored secrets', async () => {
    await createMerchant()
    const { status, stdout } = await run(['doctor', '--json'], { TOLLGATE_MASTER_KEY: 'ab'.repeat(32) })
    assert.equal(status, 1)
    assert.equal(statusOf(stdout, 'master key'), 'fail')
  })

  test('fails on an unreachable database and on a bad setting, with one sentence each', async () => {
    const away = await run(['doctor', '--json'], { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' })
    assert.equal(away.status, 1)
    assert.equal(statusOf(away.stdout, 'database'), 'fail')
    const bad = await run(['doctor'], { PORT: 'eighty' })
    assert.equal(bad.status, 1)
    assert.match(bad.stdout, /fail +settings +PORT must be a whole number/)
  })
})

test('every command reports a bad setting in one sentence', async () => {
  const { status, stderr } = await run(['merchant', 'show', '1'], { TOLLGATE_MODE: 'test' })
  assert.equal(status, 1)
  assert.equal(stderr, 'TOLLGATE_MODE must be one of sandbox, live\n')
})

// The samples in every language against a real gateway in sandbox, and against docs/vectors.json. A language whose
// tools cannot be installed here is skipped, with the name of the package that it needs.
import assert from 'node:assert/strict'
import { verify } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { md5 } from '../../src/platform/base/secret.ts'
import { openReceiver, type Received, type Receiver } from '../counterparties/receiver.ts'
import { type Account, pay } from '../harness/client.ts'
import { missingTool } from '../harness/debian-packages.ts'
import { eventually } from '../harness/eventually.ts'
import { freePort, type Installation, openInstallation } from '../harness/gateway-process.ts'
import { openShell } from '../harness/guide-shell.ts'
import { useDatabase } from '../harness/harness.ts'
import { type Operator, operatorAt } from '../harness/operator.ts'
import { type Env, type Language, languages, openSamples, type Samples } from '../harness/samples.ts'
import { type ShownSample, shownSamples } from '../harness/shown-samples.ts'
import type { UnusableKey } from '../vectors/forgeries.ts'
import { readVectors, vectorsPath } from '../vectors/vectors-file.ts'

const vectors = readVectors()
const { keys } = vectors

let installation: Installation
let operator: Operator
let receiver: Receiver
let account: Account
let settings: Readonly<Record<string, string>>
/** The output of each sample, by its name without hyphens and capitals. */
const printed: Readonly<Record<string, RegExp>> = {
  sign: /^\d+order-1USD12\.34<KEY>\n[\dA-F]{32}\n$/,
  rsasign: /^escaped&currencyCode=USD&.*\n[\w+/]+={0,2}\n$/,
  pay: /^\S+ T\w+ 0\n$/,
  checkout: /^http\S+\n$/,
  query: /^(3|succeeded)\n$/,
  refund: /^\w{9,}\n$/,
  payout: /^\S+ T\w+ [02]\n$/,
  verifynotification: /\bpayment \w+ (0|succeeded)\b/,
}

let shown: readonly ShownSample[]

const database = useDatabase({
  async before() {
    installation = await openInstallation({ DATABASE_URL: database.url })
    account = (await installation.start()).account
    operator = operatorAt({ databaseUrl: database.url, dataDir: installation.dataDir })
    receiver = await openReceiver()
    shown = await shownSamples(account.baseUrl)
    const demo = JSON.parse(readFileSync(join(installation.dataDir, 'demo.json'), 'utf8'))
    const privateKey = join(installation.dataDir, 'merchant.pem')
    writeFileSync(privateKey, keys.merchantPrivateKey)
    settings = {
      TOLLGATE_URL: account.baseUrl,
      TOLLGATE_MERNO: String(account.merNo),
      TOLLGATE_KEY: account.key,
      TOLLGATE_SITE: account.site,
      TOLLGATE_WEBHOOK_SECRET: demo.webhookSecret,
      TOLLGATE_PRIVATE_KEY: privateKey,
    }
  },
  async after() {
    await receiver.close()
    await installation.remove()
  },
})

for (const language of languages) {
  const missing = await missingTool(language.tools)
  if (missing !== undefined) console.error(`The samples in ${language.name} are not tested: ${missing}`)
  describe(`the samples in ${language.name}`, { skip: missing ?? false }, () => tests(language))
}

function tests(language: Language): void {
  const port = freePort()
  let samples: Samples
  before(async () => {
    const notifyUrl = language.server ? `http://127.0.0.1:${await port}/` : `${receiver.url}/${language.name}`
    samples = await openSamples(language, { ...settings, TOLLGATE_NOTIFY_URL: notifyUrl })
  })
  after(() => samples.remove())

  it('agree with all vectors', async () => {
    const { md5: requests, rsa, notifications, unusableKeys } = vectors
    const count = [...requests, ...rsa, ...notifications, ...unusableKeys].length
    assert.deepEqual(await samples.run('vectors', vectorsPath), [`${count} vectors agree`])
  })

  it('name a vector that differs', async () => {
    const [signed, canonical, notification] = [vectors.md5[0], vectors.rsa[0], vectors.notifications[0]]
    const unusable = { ...vectors.unusableKeys[0], value: keys.merchantKey }
    const wrong = {
      keys,
      md5: [{ ...signed, sign: '0'.repeat(32) }],
      rsa: [{ ...canonical, string: 'escaped&' }],
      notifications: [{ ...notification, event: null }],
      unusableKeys: [unusable],
    }
    const file = samples.write('wrong.json', JSON.stringify(wrong))
    const error: unknown = await samples.run('vectors', file).catch((reason: unknown) => reason)
    assert.ok(error instanceof Error)
    for (const vector of [signed, canonical, notification, unusable])
      assert.ok(error.message.includes(vector?.name ?? '?'), `${error.message} names ${vector?.name}`)
  })

  it('do not sign, and accept nothing from strangers, if a key is empty or not set', async () => {
    const { TOLLGATE_KEY: _, ...unset } = settings
    const { merchantKey, webhookSecret } = keys
    const stranger = vectors.unusableKeys[0]
    assert.ok(stranger)
    const emptyFile = samples.write('empty.pem', '')
    for (const env of [unset, { ...unset, TOLLGATE_KEY: '' }]) {
      const programs = samples.under(env)
      await assert.rejects(programs.run('sign'), /TOLLGATE_KEY is missing/)
      await assert.rejects(programs.run('query', 'order-1'), /missing/)
    }
    for (const [env, named] of [
      [{}, /key is missing|TOLLGATE_KEY/],
      [{ TOLLGATE_KEY: '' }, /key is missing|TOLLGATE_KEY/],
      [{ TOLLGATE_KEY: merchantKey, TOLLGATE_WEBHOOK_SECRET: '' }, /webhook_?secret/i],
      [{ TOLLGATE_PLATFORM_KEY: emptyFile, TOLLGATE_WEBHOOK_SECRET: webhookSecret }, /platform_?key/i],
    ] as const)
      assert.match(await failureOf(language, samples, env, stranger), named)
  })

  it('show how to sign', async () => {
    const text = `${account.merNo}order-1USD12.34`
    assert.deepEqual(await samples.run('sign'), [`${text}<KEY>`, md5(text + account.key)])
  })

  it('show how to sign with RSA', async () => {
    const [text = '', sign = ''] = await samples.run('rsa-sign')
    assert.match(text, /^escaped&currencyCode=USD&merNo=\d+&merOrderNo=order-1&productInfoList=\[\{"price":/)
    assert.ok(verify('sha256', Buffer.from(text), keys.merchantPublicKey, Buffer.from(sign, 'base64')))
  })

  it('pay, query, refund and verify the notification', async () => {
    const server = language.server && samples.serve(await port)
    if (server !== undefined) assert.ok(await eventually(() => refusesForgeries(port)), server.output())
    const [merOrderNo = '', tradeNo = '', payCode] = await words(samples.run('pay'))
    assert.equal(payCode, '0')
    assert.match((await samples.run('query', merOrderNo))[0] ?? '', /^(3|succeeded)$/)
    const [refundNo = ''] = await samples.run('refund', merOrderNo, tradeNo, '2.00')
    const stored = await operator.run('explain', tradeNo)
    assert.ok(JSON.stringify(stored).includes(refundNo) && refundNo.length > 8, refundNo)
    const printed = new RegExp(`payment ${tradeNo} (0|succeeded)`)
    if (server === undefined) {
      assert.match(await verifiedFromFiles(language, samples), printed)
    } else {
      assert.ok(await eventually(() => printed.test(server.output())), server.output())
      assert.ok(await eventually(() => isDelivered(tradeNo)), 'the gateway saw SUCCESS')
      server.stop()
    }
  })

  it('open a page and pay out', async () => {
    const [payUrl = ''] = await samples.run('checkout')
    assert.equal((await fetch(payUrl)).status, 200)
    const [, , payCode] = await words(samples.run('payout'))
    assert.match(payCode ?? '', /^[02]$/)
  })

  it('run alone, pasted from a page into an empty folder', async () => {
    const own = shown.filter((sample) => sample.language === language.name)
    assert.ok(own.length > 1)
    for (const sample of own) await runAlone(sample)
  })
}

/** Saves the code as the page says, in an empty folder, and types the page's commands there. */
async function runAlone({ language, file, code, commands }: ShownSample): Promise<void> {
  const task = file.replace(/\..*/, '').replaceAll('-', '').toLowerCase()
  const prints = printed[task] ?? assert.fail(`${file} has no line in the list above`)
  const { data } = await pay(account)
  const port = await freePort()
  const words = { ORDER: data.merOrderNo, TRADENO: data.tradeNo, AMOUNT: '2.00', 8000: port }
  const typed = Object.entries({ ...words, BODY_FILE: 'body', HEADERS_FILE: 'headers' }).reduce(
    (text, [name, value]) => text.replace(new RegExp(`\\b${name}\\b`), String(value)),
    commands,
  )
  const isReceiver = task === 'verifynotification'
  const { TOLLGATE_WEBHOOK_SECRET: _, ...others } = settings
  const shell = openShell({ ...others, ...tools, ...(isReceiver && { TOLLGATE_KEY: keys.merchantKey }) })
  const notification = vectors.notifications.find(
    ({ signedBy, event }) => signedBy === 'md5' && event === 'payment',
  )
  assert.ok(notification)
  const { body, headers } = notification
  try {
    shell.write(file, code)
    if (!isReceiver || language === 'curl') {
      shell.write('body', body)
      shell.write('headers', '')
      await shell.type(typed, { prints })
      return
    }
    const url = `http://127.0.0.1:${port}/`
    const isAnswered = async () => {
      const answer = await fetch(url, { method: 'POST', body, headers }).catch(() => undefined)
      if (answer !== undefined) assert.equal(await answer.text(), 'SUCCESS')
      return answer !== undefined
    }
    const act = async () => assert.ok(await eventually(isAnswered), `${file} listens`)
    await shell.type(typed, { prints, whileRunning: { ready: /(?:)/, act } })
  } finally {
    shell.remove()
  }
}

/** The pinned Node comes first. npm reaches no registry: nothing listens at that address. */
const tools = {
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
  GOFLAGS: '-mod=mod',
  npm_config_registry: 'http://127.0.0.1:9/',
  npm_config_fetch_retries: '0',
}

/** The output of a receiver with an unusable key, which stops at its start or fails at a notification. */
async function failureOf(
  language: Language,
  samples: Samples,
  env: Env,
  { body, headers }: UnusableKey,
): Promise<string> {
  const programs = samples.under(env)
  if (language.server === undefined) {
    const files = filesOf(samples, { body, headers })
    return programs.run('verify-notification', ...files).then(String, String)
  }
  const port = await freePort()
  const served = programs.serve(port)
  const isOver = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers }).catch(
      () => undefined,
    )
    if (answer !== undefined) assert.equal(answer.status, 500, await answer.text())
    return served.output() !== '' && (answer !== undefined || !served.isRunning())
  }
  assert.ok(await eventually(isOver), served.output())
  served.stop()
  return served.output()
}

async function words(lines: Promise<string[]>): Promise<string[]> {
  return ((await lines)[0] ?? '').split(' ')
}

/** True if the receiver listens. The test fails if the receiver accepts a forged notification. */
async function refusesForgeries(port: Promise<number>): Promise<boolean> {
  const body = 'tradeNo=T1&merOrderNo=A-1&code=0&message=&sign=00000000000000000000000000000000'
  const answer = await fetch(`http://127.0.0.1:${await port}/`, { method: 'POST', body }).catch(
    () => undefined,
  )
  if (answer !== undefined) assert.equal(answer.status, 400, await answer.text())
  return answer !== undefined
}

async function isDelivered(tradeNo: string): Promise<boolean> {
  const { notifications } = await operator.run('notify', 'list', '--trade-no', tradeNo)
  return (
    Array.isArray(notifications) &&
    notifications.some(({ event, state }) => event === 'payment' && state === 'delivered')
  )
}

/**
 * Runs a sample of a language without a server: it verifies the notification that this test received, and refuses a
 * forged one. Returns the output.
 */
async function verifiedFromFiles({ name }: Language, samples: Samples): Promise<string> {
  const path = `/${name}`
  assert.ok(await eventually(() => receiver.received(path).length > 0))
  const [received] = receiver.received(path)
  assert.ok(received)
  const lines = await samples.run('verify-notification', ...filesOf(samples, received))
  const forged = { ...received, body: received.body.replace('code=0', 'code=1') }
  await assert.rejects(samples.run('verify-notification', ...filesOf(samples, forged)))
  return lines.join('\n')
}

function filesOf(samples: Samples, { body, headers }: Pick<Received, 'body' | 'headers'>): string[] {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return [samples.write('body', body), samples.write('headers', lines.join(''))]
}

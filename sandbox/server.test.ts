import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { signatureHeader, signRequest, timestampHeader } from '../src/rails/toolkit/signature.ts'
import { eventually } from '../test/harness/eventually.ts'
import { startSandbox } from './server.ts'
import { sandboxSecret } from './shared-secret.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-sandbox-'))
after(() => rmSync(folder, { recursive: true }))

const open = (name: string, more = {}) =>
  startSandbox({ host: '127.0.0.1', dataDir: join(folder, name), minuteMs: 60_000, ...more })

describe('the sandbox server', () => {
  it('reuses its port, and takes another one while that is in use', async () => {
    const first = await open('ports')
    const second = await open('ports')
    assert.notEqual(second.url, first.url)
    await first.close()
    await second.close()
    const third = await open('ports')
    assert.equal(third.url, second.url)
    assert.equal(readFileSync(join(folder, 'ports/sandbox/port'), 'utf8').trim(), new URL(third.url).port)
    await third.close()
  })

  it('creates a secret that only its owner can read', async () => {
    const secret = sandboxSecret(join(folder, 'secret'))
    assert.match(secret, /^[0-9a-f]{64}$/)
    assert.equal(sandboxSecret(join(folder, 'secret')), secret)
    assert.equal(statSync(join(folder, 'secret/sandbox/card-issuer.secret')).mode & 0o777, 0o600)
  })

  it('accepts only requests that were signed recently with the secret, for this path and body', async () => {
    const sandbox = await open('signed', { secret: 's' })
    const body = '{"merchantReference":"A1"}'
    const seconds = Math.floor(Date.now() / 1000)
    const send = async (secret: string, age: number, signedPath = '/v1/lookup', signedBody = body) => {
      const timestamp = String(seconds - age)
      const parts = { method: 'POST', path: signedPath, timestamp, body: signedBody }
      const headers = {
        'content-type': 'application/json',
        [timestampHeader]: timestamp,
        [signatureHeader]: signRequest(secret, parts),
      }
      return (await fetch(`${sandbox.url}/v1/lookup`, { method: 'POST', headers, body })).status
    }
    assert.equal(await send('s', 0), 404)
    assert.equal(await send('s', 290), 404)
    assert.equal(await send('other', 0), 401)
    assert.equal(await send('s', 310), 401)
    assert.equal(await send('s', -310), 401)
    assert.equal(await send('s', 0, '/v1/void'), 401)
    assert.equal(await send('s', 0, '/v1/lookup', '{}'), 401)
    await sandbox.close()
  })

  it('shows a page that asks for the code and says that no money moves', async () => {
    const sandbox = await open('acs')
    const page = await postForm(`${sandbox.url}/acs`, { creq: await challenge(sandbox) })
    const text = await page.text()
    assert.equal(page.status, 200)
    assert.match(text, /Sandbox: no money moves/)
    assert.match(text, /\$12\.50/)
    assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none';/)
    assert.doesNotMatch(text, /<script>| on[a-z]+=/)
    const script = await fetch(`${sandbox.url}/assets/pay.js`)
    assert.match(script.headers.get('content-type') ?? '', /javascript/)
    assert.match(await script.text(), /data-auto-submit/)
    await sandbox.close()
  })

  it('lets every site show the bank’s page in a frame, except for the card whose bank refuses frames', async () => {
    const sandbox = await open('frames')
    for (const [number, ancestors] of [
      ['4000000000003220', '*'],
      ['4000000000003253', "'none'"],
    ] as const) {
      const creq = await challenge(sandbox, number, `F${number}`)
      const { acsTransID } = JSON.parse(Buffer.from(creq, 'base64url').toString())
      const answers = [
        await postForm(`${sandbox.url}/acs`, { creq }),
        await postForm(`${sandbox.url}/acs/answer`, { acsTransID, code: '123456' }),
        await postForm(`${sandbox.url}/acs`, { creq }),
      ]
      for (const { headers } of answers)
        assert.ok(headers.get('content-security-policy')?.endsWith(`frame-ancestors ${ancestors}`), number)
    }
    await sandbox.close()
  })

  it('allows the form that leads back to post only to the payment page', async () => {
    const sandbox = await open('back')
    const creq = await challenge(sandbox)
    const { acsTransID } = JSON.parse(Buffer.from(creq, 'base64url').toString())
    const page = await postForm(`${sandbox.url}/acs/answer`, { acsTransID, code: ' 123456 ' })
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /form-action 'self' https:\/\/shop\.example;/,
    )
    const cres = /name="cres" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
    assert.partialDeepStrictEqual(JSON.parse(Buffer.from(cres, 'base64url').toString()), {
      messageType: 'CRes',
      acsTransID,
      transStatus: 'Y',
    })
    const late = await postForm(`${sandbox.url}/acs`, { creq })
    assert.equal(late.status, 400)
    assert.match(await late.text(), /nothing to confirm/)
    await sandbox.close()
  })

  it('shows a page for an unknown challenge', async () => {
    const sandbox = await open('unknown')
    const forged = Buffer.from('{"messageType":"CReq"}').toString('base64url')
    for (const creq of ['', 'x', forged, 'bnVsbA'])
      assert.equal((await postForm(`${sandbox.url}/acs`, { creq })).status, 400)
    assert.equal(
      (await postForm(`${sandbox.url}/acs/answer`, { acsTransID: 'x', code: '123456' })).status,
      400,
    )
    await sandbox.close()
  })

  it('stops immediately while a caller waits for a missing response', async () => {
    const sandbox = await open('stop', { secret: 's' })
    const body = JSON.stringify(authorisation('4000000000000119'))
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = signRequest('s', { method: 'POST', path: '/v1/authorise', timestamp, body })
    const headers = {
      'content-type': 'application/json',
      [timestampHeader]: timestamp,
      [signatureHeader]: signature,
    }
    const request = fetch(`${sandbox.url}/v1/authorise`, { method: 'POST', headers, body })
    const ended = assert.rejects(request)
    const lookup = () => sandbox.issuer.handle({ operation: 'lookup', body: { merchantReference: 'A1' } })
    assert.ok(await eventually(async () => (await lookup())?.status === 200))
    const closed = sandbox.close().then(() => ended)
    // Without the stop, the caller would wait a minute.
    const tooLong = sleep(30_000, 'it waited for the caller', { ref: false })
    assert.equal(await Promise.race([closed, tooLong]), undefined)
  })
})

describe('npm run sandbox', () => {
  it('prints ready and its address, and stops on SIGTERM', async () => {
    const child = run({ TOLLGATE_DATA_DIR: join(folder, 'process') })
    const [line] = await once(child.stdout, 'data')
    const url = /^ready (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(String(line))?.[1] ?? ''
    assert.equal((await fetch(`${url}/assets/pay.css`)).status, 200)
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [0, null])
  })

  it('refuses to start in live, and names a wrong setting', async () => {
    for (const [name, value] of [
      ['TOLLGATE_MODE', 'live'],
      ['TOLLGATE_SANDBOX_PORT', '70000'],
      ['TOLLGATE_MINUTE_MS', 'soon'],
      ['TOLLGATE_SANDBOX_REHEARSAL_URL', 'localhost:8080'],
    ] as const) {
      const child = run({ TOLLGATE_DATA_DIR: join(folder, 'refused'), [name]: value })
      let said = ''
      child.stderr.on('data', (chunk) => {
        said += chunk
      })
      assert.deepEqual(await once(child, 'close'), [1, null])
      assert.match(said, new RegExp(`^${name} .*\n$`))
    }
  })
})

function run(env: Record<string, string>) {
  const main = new URL('./main.ts', import.meta.url).pathname
  const { TOLLGATE_MODE: _mode, HOST: _host, ...inherited } = process.env
  return spawn(process.execPath, [main], { env: { ...inherited, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
}

function authorisation(number: string) {
  return {
    merchantReference: 'A1',
    amount: '1250',
    currency: 'USD',
    card: { number, expiryMonth: '03', expiryYear: '2046', securityCode: '987' },
    notificationUrl: 'https://shop.example/pay/token/complete',
  }
}

async function challenge(
  sandbox: Awaited<ReturnType<typeof open>>,
  number = '4000000000003220',
  merchantReference = 'A1',
): Promise<string> {
  const body = { ...authorisation(number), merchantReference }
  const answer = await sandbox.issuer.handle({ operation: 'authorise', body })
  const asked = answer?.body.challenge
  assert.ok(typeof asked === 'object')
  return Buffer.from(JSON.stringify({ ...asked, messageType: 'CReq' })).toString('base64url')
}

function postForm(url: string, form: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(form) })
}

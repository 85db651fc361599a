// A passkey in a real browser, with Chromium's own authenticator. The back office verifies what the passkey signs.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type BackOffice, openBackOffice } from '../harness/back-office.ts'
import { launchChromium } from '../harness/chromium.ts'
import { demoOwner, mailTo } from '../harness/people.ts'

let office: BackOffice
let browser: Browser
before(async () => {
  office = await openBackOffice()
  browser = await launchChromium()
})
after(async () => {
  await browser.close()
  await office.close()
})

async function openPage(): Promise<Page> {
  const page = await browser.newPage()
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(`${office.baseUrl}/sandbox/mail`)
  return page
}

type Reply = { readonly status: number; readonly body: unknown }

function call(page: Page, method: string, path: string, body?: unknown): Promise<Reply> {
  return page.evaluate(
    async ([how, where, what]) => {
      const response = await fetch(`/backoffice/api${where}`, {
        method: how ?? 'GET',
        ...(what !== undefined && { body: what, headers: { 'content-type': 'application/json' } }),
      })
      return { status: response.status, body: await response.json() }
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)],
  )
}

/** Creates or gets a passkey in the page. The browser itself reads and writes the JSON forms. */
function credential(page: Page, kind: 'create' | 'get', options: unknown): Promise<unknown> {
  const script = `(async () => {
    const options = ${JSON.stringify(options)}
    const publicKey = ${kind === 'create'}
      ? PublicKeyCredential.parseCreationOptionsFromJSON(options)
      : PublicKeyCredential.parseRequestOptionsFromJSON(options)
    const found = await navigator.credentials.${kind}({ publicKey })
    return found.toJSON()
  })()`
  return page.evaluate(script)
}

test('a person sets up a passkey and signs in with it', async () => {
  const page = await openPage()
  const login = demoOwner(office)
  assert.deepEqual((await call(page, 'POST', '/session', login)).body, { next: 'done' })
  const creation = await call(page, 'POST', '/account/passkeys/challenge')
  const passkey = await credential(page, 'create', creation.body)
  const enrolled = await call(page, 'POST', '/account/passkeys', { name: 'This computer', passkey })
  assert.equal(enrolled.status, 200, JSON.stringify(enrolled.body))
  assert.equal((await call(page, 'DELETE', '/session')).status, 200)

  assert.deepEqual((await call(page, 'POST', '/session', login)).body, { next: 'factor' })
  const request = await call(page, 'POST', '/session/passkey')
  const answer = await credential(page, 'get', request.body)
  const given = await call(page, 'POST', '/session/factor', { passkey: answer })
  assert.deepEqual(given.body, { next: 'done' })
  assert.equal((await call(page, 'GET', '/account/sessions')).status, 200)
})

test('the mails of a sandbox are a plain page with links', async () => {
  const { email } = demoOwner(office)
  await office.stranger.call('POST /account/forgotten', { body: { email } })
  await mailTo(office, email, /Set a new password/)
  const page = await browser.newPage()
  await page.goto(`${office.baseUrl}/sandbox/mail`)
  const link = page.getByRole('link').first()
  await link.waitFor()
  assert.match((await link.getAttribute('href')) ?? '', /\/backoffice\/link#/)
  assert.equal(await page.locator('script').count(), 0)
})

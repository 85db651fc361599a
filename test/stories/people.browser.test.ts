// People in a real browser: second factor, passkeys, invitations, registration, profile, team and roles.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Demo } from '../../src/operator/demo/demo-file.ts'
import { stepAt, totpCode } from '../../src/people/factors/totp.ts'
import { eventually } from '../harness/eventually.ts'
import { type OfficeBrowser, openOfficeBrowser } from '../harness/office-browser.ts'
import { checkLooks } from '../harness/page-checks.ts'

let browser: OfficeBrowser
let demo: Demo
before(async () => {
  browser = await openOfficeBrowser()
  demo = JSON.parse(readFileSync(`${browser.office.dataDir}/demo.json`, 'utf8'))
})
after(() => browser.close())
afterEach(() => browser.assertQuiet())

const PASSWORD = 'a quiet harbour at dusk'

function codeOf(secret: string, stepsAhead = 0): string {
  return totpCode(secret, stepAt(new Date()) + stepsAhead)
}

async function enterPassword(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function setPassword(page: Page): Promise<void> {
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Set the password' }).click()
}

/** Returns the newest link that was sent to an address. */
async function linkTo(email: string): Promise<string> {
  let link: string | undefined
  await eventually(async () => {
    const html = await (await fetch(`${browser.office.baseUrl}/sandbox/mail`)).text()
    const mail = html.split('<article').find((part) => part.includes(email))
    link = /href="([^"]+)"/.exec(mail ?? '')?.[1]
    return link !== undefined
  })
  return link ?? assert.fail(`no mail to ${email}`)
}

/** Ages the second factor, so that from now on dangerous actions of this person ask for it again. */
async function ageFactor(email: string): Promise<void> {
  await browser.office.db.query({
    text: `update sessions set factor_at = factor_at - interval '10 minutes'
           where user_id in (select user_id from users where email = $1)`,
    values: [email],
  })
}

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' })

test('an operator signs in with a code, and a wrong one is explained at its field', async () => {
  const page = await browser.open('')
  const { email, password, totpSecret } = demo.operator
  await enterPassword(page, email, password)
  await page.getByRole('heading', { name: 'Second step' }).waitFor()
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('alert').waitFor()
  await checkLooks(page, 'office-second-step')
  await page.getByLabel('Code', { exact: true }).fill(codeOf(totpSecret))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await navigation(page).waitFor()
})

test('a company registers, confirms by mail and is inside', async () => {
  const page = await browser.open('')
  await page.getByRole('link', { name: 'Register your company' }).click()
  await page.getByLabel('Company').fill('Lamps & More')
  await page.getByLabel('Your name').fill('Rosa Diaz')
  await page.getByLabel('E-mail address').fill('rosa@lamps.example')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('alert').waitFor()
  assert.equal(await page.getByLabel('Company').inputValue(), 'Lamps & More')
  await page.getByLabel('Website').fill('lamps.example')
  await page.getByLabel('Country').selectOption('ES')
  await checkLooks(page, 'office-register')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
  await page.goto(await linkTo('rosa@lamps.example'))
  await page.getByRole('heading', { name: 'Confirm your company' }).waitFor()
  await checkLooks(page, 'office-set-password')
  await setPassword(page)
  await page.getByText('Your company waits for approval').waitFor()
  await page.goto(`${browser.office.baseUrl}/backoffice/settings/company`)
  await page.getByText('lamps.example (waiting for approval)').waitFor()
  await checkLooks(page, 'office-company')
  await page.goto(await linkTo('rosa@lamps.example'))
  await page.getByText('This link no longer works').waitFor()
})

test('an owner invites a colleague after confirming who it is, and the colleague sets a password', async () => {
  const owner = await browser.office.person(browser.office.demo.merNo, 'owner', PASSWORD)
  const page = await browser.open('/settings/team', owner)
  await page.getByRole('link', { name: owner.email }).first().waitFor()
  await checkLooks(page, 'office-team')
  await page.setViewportSize({ width: 1280, height: 900 })
  await ageFactor(owner.email)
  await page.getByRole('button', { name: 'Invite a colleague' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite a colleague' })
  await dialog.getByLabel('E-mail address').fill('nina@shop.example')
  await dialog.getByLabel('Name').fill('Nina')
  await dialog.getByLabel('Role').selectOption('support')
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await confirm.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await checkLooks(page, 'office-confirm')
  await confirm.getByRole('button', { name: 'Confirm' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByText('Invited').waitFor()

  const theirs = await browser.open('')
  await theirs.goto(await linkTo('nina@shop.example'))
  await theirs.getByRole('heading', { name: 'Welcome to Tollgate' }).waitFor()
  await theirs.getByLabel('New password').fill('short')
  await theirs.getByRole('button', { name: 'Set the password' }).click()
  await theirs.getByRole('alert').waitFor()
  await setPassword(theirs)
  await navigation(theirs).waitFor()

  await page.reload()
  await page.getByRole('link', { name: 'Nina' }).click()
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByLabel('Reason').fill('Left the company.')
  await page.getByRole('dialog', { name: 'Disable Nina?' }).getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('dialog', { name: 'Member of the team' }).getByText('Disabled').waitFor()
  await checkLooks(page, 'office-person')
})

test('an invitation to an address that has an account says so', async () => {
  const email = 'mara@shop.example'
  const links: string[] = []
  for (const merNo of [browser.office.demo.merNo, browser.office.demo.merNo + 1]) {
    const owner = await browser.office.person(merNo, 'owner')
    await owner.call('POST /users', { body: { email, name: 'Mara', role: 'viewer' } })
    links.push(await linkTo(email))
  }
  const [first = '', second = ''] = links
  assert.notEqual(second, first)
  const page = await browser.open('')
  await page.goto(first)
  await setPassword(page)
  await navigation(page).waitFor()
  const later = await browser.open('')
  await later.goto(second)
  await later.getByRole('heading', { name: 'You have an account already' }).waitFor()
  await checkLooks(later, 'office-invited-elsewhere')
  await later.getByRole('link', { name: 'Back to sign-in' }).click()
  await later.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('roles are a table of permissions, and people make their own', async () => {
  const owner = await browser.office.person(browser.office.demo.merNo, 'owner')
  const page = await browser.open('/settings/roles', owner)
  await page.getByRole('button', { name: 'New role' }).click()
  await page.getByLabel('Name').fill('night-shift')
  await page.getByLabel('See orders').check()
  await checkLooks(page, 'office-role')
  await page.getByRole('button', { name: 'Save the role' }).click()
  await page.getByRole('columnheader', { name: /night-shift/ }).waitFor()
  await checkLooks(page, 'office-roles')
})

test('a person sets up an app and a passkey, and signs in with the passkey', async () => {
  const support = await browser.office.person(browser.office.demo.merNo, 'support', PASSWORD)
  const page = await browser.open('/settings/profile', support)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  })
  await page.getByRole('button', { name: 'Set up' }).click()
  const secret = (await page.locator('.mono').textContent()) ?? ''
  await checkLooks(page, 'office-app')
  await page.getByLabel('Code that the app shows').fill(codeOf(secret))
  await page.getByRole('button', { name: 'Confirm' }).click()
  const [recoveryCode = ''] = ((await page.locator('pre').first().textContent()) ?? '').split('\n')
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name of the passkey').fill('Work laptop')
  await page.getByRole('button', { name: 'Create the passkey' }).click()
  await page.getByText('Work laptop').waitFor()
  await checkLooks(page, 'office-profile')
  await page.setViewportSize({ width: 1280, height: 900 })
  const signInAgain = async () => {
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await enterPassword(page, support.email, PASSWORD)
  }
  await signInAgain()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await navigation(page).waitFor()
  await signInAgain()
  await page.getByLabel('Code', { exact: true }).fill(recoveryCode)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('9 are left').waitFor()
  await page.getByRole('button', { name: 'Go on' }).click()
  await navigation(page).waitFor()
})

test('a forgotten password is set anew, and alerts are chosen', async () => {
  const { email } = demo.merchantUser
  const page = await browser.open('')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('E-mail address').fill(email)
  await checkLooks(page, 'office-forgotten')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
  await page.goto(await linkTo(email))
  await setPassword(page)
  await navigation(page).waitFor()
  await page.goto(`${browser.office.baseUrl}/backoffice/settings/alerts`)
  const alert = page.getByLabel('A notification could not be delivered')
  const wasOn = await alert.isChecked()
  await alert.click()
  await page.getByText('Saved').waitFor()
  await page.reload()
  assert.equal(await alert.isChecked(), !wasOn)
  await checkLooks(page, 'office-alerts')
})

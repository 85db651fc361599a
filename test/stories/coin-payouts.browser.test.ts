// An address of a chain is saved as a beneficiary in the back office, and a payout to it is checked but not made, in a
// real browser. The chain cannot be read.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { HDKey } from '@scure/bip32'
import type { Person } from '../harness/back-office.ts'
import { type OfficeBrowser, openOfficeBrowser } from '../harness/office-browser.ts'
import { checkLooks } from '../harness/page-checks.ts'

const address = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'
const token = '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174'
const folder = mkdtempSync(join(tmpdir(), 'tollgate-coin-pages-'))

const entry = {
  name: 'polygon',
  protocol: 'evm',
  methods: ['payout_coin'],
  network: 'POLYGON',
  chainId: 137,
  rpcUrls: ['http://127.0.0.1:1/'],
  xpub: HDKey.fromMasterSeed(new Uint8Array(32)).derive("m/44'/60'/0'").publicExtendedKey,
  confirmations: 1,
  coins: { USDC: { address: token, decimals: 6, price: '1.25' } },
  outgoing: { from: address, folder: join(folder, 'signer') },
}

let browser: OfficeBrowser
let owner: Person
before(async () => {
  const channels = join(folder, 'channels.json')
  writeFileSync(channels, JSON.stringify([entry]), { mode: 0o600 })
  browser = await openOfficeBrowser({ TOLLGATE_CHANNELS: channels })
  owner = await browser.office.person(browser.office.demo.merNo, 'owner')
})
after(async () => {
  await browser.close()
  rmSync(folder, { recursive: true })
})
afterEach(() => browser.assertQuiet())

test('an address is saved with coin and network, and a payout to it needs a second person', async () => {
  const page = await browser.open('/payouts/beneficiaries', owner)
  await page.getByRole('button', { name: 'Add a beneficiary' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name in the list').fill('Paper mill')
  await dialog.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Coin' }).click()
  await dialog.getByLabel('Address with its checksum').fill(address.toLowerCase())
  await dialog.getByLabel('First name').fill('Paper')
  await dialog.getByLabel('Last name').fill('Mill')
  await dialog.getByRole('combobox', { name: 'Coin and network' }).click()
  await page.getByRole('option', { name: 'USDC POLYGON' }).click()
  await dialog.getByRole('button', { name: 'Save the beneficiary' }).click()
  await dialog.getByText('This is not an address with its EIP-55 checksum').waitFor()
  await checkLooks(page, 'office-coin-beneficiary')
  await dialog.getByLabel('Address with its checksum').fill(address)
  await dialog.getByRole('button', { name: 'Save the beneficiary' }).click()
  await page.getByRole('cell', { name: '0x3c499c…5c3359' }).waitFor()
  await checkLooks(page, 'office-coin-beneficiaries')

  const next = await browser.open('/payouts/new', owner)
  await next.getByRole('combobox', { name: 'Beneficiary' }).click()
  await next.getByRole('option', { name: 'Paper mill USDC POLYGON 0x3c499c…5c3359 (USD)' }).click()
  await next.getByLabel('Amount (USD)').fill('12.50')
  await next.getByRole('button', { name: 'Check' }).click()
  await next.getByText('A second person has to approve this').waitFor()
  const line = next.getByRole('table', { name: 'Payouts' }).getByRole('row').nth(1)
  await line.getByText('about 10.000000 USDC').waitFor()
  await next.getByText('It is fixed when the payout is sent.').waitFor()
  await checkLooks(next, 'office-coin-payout')
})

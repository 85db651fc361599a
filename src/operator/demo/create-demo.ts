// Creates the sandbox's demo data: a merchant, rates, users, and opening balances. A row in demo_merchants ensures that
// the data is created only once, even if several gateways start. demo.json is written before the commit, so that a
// crash cannot lose the secrets of a stored merchant.
import { randomBytes } from 'node:crypto'
import { createMerchant } from '../../money/merchants/create-merchant.ts'
import { opensSecrets } from '../../money/merchants/load-merchants.ts'
import { readOptions } from '../../money/merchants/options.ts'
import { sandboxCurrencies, sandboxRates } from '../../money/rates/sandbox-rates.ts'
import { seedRates } from '../../money/rates/set-rate.ts'
import { enrolTotp, makeTotpSecret } from '../../people/factors/totp.ts'
import { createUser } from '../../people/users/store-users.ts'
import type { Clock } from '../../platform/base/clock.ts'
import { isFiat } from '../../platform/base/currency.ts'
import type { Vault } from '../../platform/base/secret.ts'
import type { Config } from '../../platform/config/config.ts'
import { assert } from '../../platform/errors/catalogue.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { type Demo, demoFile, readDemo, writeDemo } from './demo-file.ts'
import { insertDemoMerchant, lockDemo, selectDemoMerchant } from './sql.ts'

export type DemoDeps = {
  readonly db: Db
  readonly vault: Vault
  readonly config: Pick<Config, 'mode' | 'dataDir' | 'baseUrl'>
  readonly clock: Clock
  readonly log?: { info(line: string): void; warn(line: string): void }
}

const SITE = 'localhost'

/** Creates the demo data if it does not exist yet. Returns true if this call created it. */
export async function makeDemo(deps: DemoDeps): Promise<boolean> {
  assert(deps.config.mode === 'sandbox', 'demo data exists only in the sandbox')
  const before = await deps.db.transaction((tx) => makeOnce(tx, deps))
  if (before === undefined) deps.log?.info(`created the demo merchant: see ${demoFile(deps.config.dataDir)}`)
  else await checkFile(before, deps)
  return before === undefined
}

/** Returns the existing demo merchant, or undefined if this call created one. */
async function makeOnce(tx: Tx, { vault, config, clock }: DemoDeps): Promise<number | undefined> {
  await lockDemo(tx)
  const before = await selectDemoMerchant(tx)
  if (before !== undefined) return before
  const now = clock.now()
  const demo = await makeAll(tx, vault, config.baseUrl, now)
  await seedRates(tx, sandboxRates(), now)
  await insertDemoMerchant(tx, demo.merNo, now)
  writeDemo(config.dataDir, demo)
  return undefined
}

async function makeAll(tx: Tx, vault: Vault, baseUrl: string, now: Date): Promise<Demo> {
  const currencies = sandboxCurrencies.filter(isFiat).join(',')
  const options = readOptions({ name: 'Demo Shop', sites: [SITE], currencies })
  const wanted = { options, pending: false, hasOpeningBalances: true, now }
  const { merNo, key, webhookSecret } = await createMerchant(tx, vault, wanted)
  const totpSecret = makeTotpSecret()
  const operator = { email: 'operator@tollgate.localhost', password: makePassword() }
  const merchantUser = { email: 'shop@tollgate.localhost', password: makePassword() }
  const operatorId = await createUser(tx, { merNo: 0, name: 'Operator', role: 'admin', ...operator, now })
  await enrolTotp(tx, vault, { merNo: 0, userId: operatorId }, totpSecret)
  await createUser(tx, { merNo, name: 'Demo Shop', role: 'owner', ...merchantUser, now })
  return {
    baseUrl,
    merNo,
    key,
    webhookSecret,
    site: SITE,
    operator: { ...operator, totpSecret },
    merchantUser,
  }
}

function makePassword(): string {
  return randomBytes(15).toString('base64url')
}

/** Updates the address in demo.json. Logs a remedy if the file is missing or of another merchant. */
async function checkFile(merNo: number, { db, vault, config, log }: DemoDeps): Promise<void> {
  const demo = await readDemo(config.dataDir)
  if (demo !== undefined && demo.merNo === merNo) {
    if (demo.baseUrl !== config.baseUrl) writeDemo(config.dataDir, { ...demo, baseUrl: config.baseUrl })
    return
  }
  if ((await opensSecrets(db, vault)) === false) {
    log?.warn(
      `demo merchant ${merNo} exists, but its secrets were encrypted with another master key: set TOLLGATE_MASTER_KEY to that key`,
    )
    return
  }
  const file = demoFile(config.dataDir)
  const command = `npm run --silent tollgate -- merchant rotate-key ${merNo}`
  log?.warn(
    `demo merchant ${merNo} exists, but ${file} is missing or names another: get a new key with "${command}"`,
  )
}

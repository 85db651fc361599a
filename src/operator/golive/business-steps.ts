// Steps about a merchant, its rates and its channels.
import { aboutDangling, listDanglingRoutes } from '../../money/merchants/dangling-routes.ts'
import { listMerchants } from '../../money/merchants/list-merchants.ts'
import type { Merchant } from '../../money/merchants/merchant.ts'
import { aboutChannel, type ChannelSettings } from '../../rails/contract/settings.ts'
import { listPauses } from '../../rails/routing/pauses.ts'
import { servedByEntries } from '../../rails/routing/served.ts'
import { checkRates } from '../doctor/checks.ts'
import { done, missing, type Step, type StepDeps, type StepResult, wrongSetting } from './step.ts'

const LISTED = 100

export const merchant: Step = {
  name: 'merchant',
  title: 'A first merchant',
  async check({ database, merchant: load }) {
    const merchants = await listMerchants(await database(), {}, LISTED)
    const [waiting] = merchants
    if (waiting === undefined)
      return missing(
        'there is no merchant',
        'run "merchant create --name NAME --site HOST", then set its currencies and limits',
      )
    let lacking: StepResult | undefined
    for (const { merNo, name } of merchants.filter(({ state }) => state === 'active')) {
      const lacks = lackOf(await load(merNo))
      if (lacks === undefined) return done(`${name} (${merNo}) may take payments`)
      lacking ??= missing(`${name} (${merNo}) has no ${lacks.what}`, `run "merchant ${lacks.command}"`)
    }
    return (
      lacking ?? missing(`${waiting.name} is ${waiting.state}`, `run "merchant approve ${waiting.merNo}"`)
    )
  },
}

/** The setting that a merchant lacks, and the command that makes it. Without the setting, all payments are refused. */
function lackOf(merchant: Merchant): { readonly what: string; readonly command: string } | undefined {
  const { merNo, keys, currencies, limits, requireRsa, rsaKey, requireIp, ips } = merchant
  if (keys.length === 0) return { what: 'key', command: `rotate-key ${merNo}` }
  if (currencies.size === 0) return { what: 'currency', command: `set ${merNo} --currencies EUR` }
  const limit = (['single', 'daily', 'monthly'] as const).find((name) => limits[name] === undefined)
  if (limit !== undefined) return { what: `${limit} limit`, command: `set ${merNo} --limit-${limit} 1000.00` }
  if (requireRsa && rsaKey === undefined)
    return { what: 'RSA key, but must sign with one', command: `set-rsa ${merNo} --file PEM` }
  if (requireIp && ips.length === 0)
    return { what: 'address that it may call from', command: `set ${merNo} --ip ADDRESS` }
  return undefined
}

export const rates: Step = {
  name: 'rates',
  title: 'Rates of its currencies',
  async check({ database, clock }) {
    const { status, found, todo = '' } = await checkRates(await database(), clock)
    return status === 'ok' ? done(found) : missing(found, todo)
  },
}

export const channel: Step = {
  name: 'channel',
  title: 'Channels that answer',
  async check(deps) {
    try {
      const entries = await deps.entries()
      return entries.length === 0 ? noChannel(deps) : await checkAll(entries, deps)
    } catch (error) {
      return missing(wrongSetting(error), 'correct the file of TOLLGATE_CHANNELS')
    }
  },
}

function noChannel({ config }: StepDeps): StepResult {
  return missing(
    config().channelsFile === undefined ? 'TOLLGATE_CHANNELS is not set' : 'the channels file is empty',
    'write the file of TOLLGATE_CHANNELS; docs/channels/README.md leads to every protocol and its settings',
  )
}

async function checkAll(
  entries: readonly ChannelSettings[],
  { check, database }: StepDeps,
): Promise<StepResult> {
  for (const entry of entries) {
    const problem = await check(entry).then(({ isRight, message }) => (isRight ? '' : message), wrongSetting)
    if (problem !== '')
      return missing(
        aboutChannel(entry.name, problem),
        `correct it by ${channelPage(entry.protocol)}, then run "channel check ${entry.name}"`,
      )
  }
  const db = await database()
  const dangling = aboutDangling(await listDanglingRoutes(db, servedByEntries(entries)))
  if (dangling !== undefined) return missing(dangling.found, dangling.todo)
  const paused = new Set((await listPauses(db)).map(({ channel }) => channel))
  const stopped = entries.find(({ name }) => paused.has(name))
  return stopped === undefined
    ? done(`${entries.map(({ name }) => name).join(', ')} answered`)
    : missing(`${stopped.name} is paused`, `run "channel resume ${stopped.name}"`)
}

/** The documentation pages whose name differs from that of the protocol. */
const pages: Readonly<Record<string, string>> = {
  bridge: 'own-bridge',
  apple_pay: 'wallets',
  google_pay: 'wallets',
}

export function channelPage(protocol: string): string {
  return `docs/channels/${pages[protocol] ?? protocol}.md`
}

import { aboutDangling, listDanglingRoutes } from '../../money/merchants/dangling-routes.ts'
import { findAccount } from '../../money/order-queries/find-attempts.ts'
import type { Clock } from '../../platform/base/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { SettingError } from '../../platform/errors/catalogue.ts'
import type { Db, Queryable } from '../../platform/postgres/db.ts'
import { createReference } from '../../platform/reference/reference.ts'
import { openSecretFiles, withFile } from '../../rails/connections/channel-settings.ts'
import { connectionOf, inertTools } from '../../rails/connections/connections.ts'
import type { ChannelSettings } from '../../rails/contract/settings.ts'
import { type HealthOfChannel, readHealth } from '../../rails/routing/health.ts'
import { servedByEntries } from '../../rails/routing/served.ts'
import { complainOfOwner } from '../../rails/toolkit/records/number-owners.ts'
import { listFailingWork } from '../../rails/toolkit/records/watch-worker.ts'
import { certificateWarnings, weakSecretWarnings } from '../../rails/toolkit/settings/setting-warnings.ts'
import { type Finding, failure, ok, warning } from './checks.ts'

const HOUR_MS = 3_600_000
/** The minimum number of calls for which a channel is judged. */
const FEWEST_CALLS = 5

/**
 * Judges each channel by its calls in the last hour. Warns if at least half failed or have an unknown outcome, or if
 * fewer than a quarter were answered without a decline.
 */
export async function checkChannels(db: Queryable, clock: Clock): Promise<Finding[]> {
  const health = await readHealth(db, new Date(clock.now().getTime() - HOUR_MS))
  if (health.size === 0) return [ok('channels', 'none was called in the last hour')]
  return [...health].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(findingOf)
}

function findingOf([name, health]: readonly [string, HealthOfChannel]): Finding {
  const { calls, byOutcome, successPercent, meanMs } = health
  const { declined, failed, unknown } = byOutcome
  const check = `channel ${name}`
  const found = `last hour: ${calls} calls, ${successPercent} % succeeded, ${meanMs} ms on average, ${declined} declined, ${failed} failed, ${unknown} unknown`
  const todo = todoAbout(name, health)
  return todo === undefined ? ok(check, found) : warning(check, found, todo)
}

const FILE = 'channels file'
const FILE_TODO = 'correct the file of TOLLGATE_CHANNELS: a gateway does not start with it'

/**
 * Checks the channels file and its secrets. If the file has a mistake, only the mistake is reported, because other
 * findings may be its consequences.
 */
export function checkFiles(config: Config, clock: Clock): Finding[] {
  try {
    const entries = withFile(config, [])
    return [checkSecretFiles(config), checkCertificates(entries, clock), ...checkSecrets(config, entries)]
  } catch (error) {
    if (error instanceof SettingError) return [failure(FILE, error.message, FILE_TODO)]
    throw error
  }
}

export function checkSecretFiles({ channelsFile }: Pick<Config, 'channelsFile'>): Finding {
  const check = 'secret files'
  const open = channelsFile === undefined ? [] : openSecretFiles(channelsFile)
  if (open.length === 0) return ok(check, 'those of channels are readable by their owner only')
  const todo = `chmod go= ${open.join(' ')}; a container's mount may stay as it is if nobody else gets in`
  return warning(check, `others can read ${open.join(' and ')}`, todo)
}

function checkCertificates(entries: readonly ChannelSettings[], clock: Clock): Finding {
  const check = 'certificates'
  const [first, ...others] = certificateWarnings(entries, clock.now())
  if (first === undefined) return ok(check, 'those of channels are valid for a month at least')
  const more = others.length === 0 ? '' : ` There are ${others.length} more.`
  const todo = 'ask the counterparty for a new certificate; the gateway uses it without a restart'
  return warning(check, `${first}${more}`, todo)
}

/** Warns of secrets that others could guess. In sandbox nothing is checked, because no money moves there. */
function checkSecrets({ mode }: Config, entries: readonly ChannelSettings[]): Finding[] {
  if (mode !== 'live') return []
  const check = 'secrets'
  const [first, ...others] = weakSecretWarnings(entries)
  if (first === undefined) return [ok(check, 'those of channels that are ours to choose are long enough')]
  const more = others.length === 0 ? '' : ` There are ${others.length} more.`
  const todo = 'agree on another one with the counterparty; the gateway uses it without a restart'
  return [warning(check, `${first}${more}`, todo)]
}

type FileDeps = {
  readonly db: Db
  readonly config: Pick<Config, 'baseUrl' | 'channelsFile' | 'channelTimeoutMs' | 'mode' | 'plainHttpHosts'>
  readonly clock: Clock
}

/**
 * Fails if a gateway would not start because of the channels file: the file is wrong, or an entry would give out
 * addresses or CLABEs of another entry.
 */
export async function checkChannelsFile(deps: FileDeps): Promise<Finding> {
  const { db, config } = deps
  const [check, todo] = [FILE, FILE_TODO]
  if (config.channelsFile === undefined) return ok(check, 'TOLLGATE_CHANNELS names none')
  const owners = { db, accountOf: (reference: string) => findAccount(db, reference) }
  try {
    const entries = withFile(config, [])
    for (const entry of entries) {
      connectInertly(entry, deps)
      const found = await complainOfOwner(owners, entry)
      if (found !== undefined) return failure(check, found, todo)
    }
    const found = `${entries.length} entries with usable settings; no other channel is known to have given out their addresses or CLABEs`
    return ok(check, found)
  } catch (error) {
    if (error instanceof SettingError) return failure(check, error.message, todo)
    throw error
  }
}

/**
 * Connects the entry without calling its counterparty. Throws the SettingError with which a gateway would not start.
 * The reference lists are empty, because the database may lack them.
 */
function connectInertly(entry: ChannelSettings, deps: FileDeps): void {
  connectionOf(entry, inertTools({ ...deps, reference: createReference([]), alarm() {} }))
}

/**
 * Checks that each channel in a merchant's route still serves the method of the route. In sandbox nothing is checked,
 * because some channels are known only to the gateway.
 */
export async function checkRoutes(db: Queryable, config: Config): Promise<Finding[]> {
  if (config.mode !== 'live') return []
  const check = 'routes'
  const dangling = aboutDangling(await listDanglingRoutes(db, servedByEntries(withFile(config, []))))
  if (dangling === undefined) return [ok(check, 'all lead to a channel that serves the method')]
  return [warning(check, dangling.found, dangling.todo)]
}

const MINUTE_MS = 60_000
/** The shortest failure that is reported. A shorter failure may be a bank's maintenance or a node's restart. */
const PATIENCE_MINUTES = 5

/** Warns if the background work of a channel fails: files, reports or blocks of chains are not read. */
export async function checkChannelWork(db: Queryable, clock: Clock): Promise<Finding> {
  const check = 'channel work'
  const now = clock.now()
  const [longest, ...others] = await listFailingWork(db, now)
  const minutes =
    longest === undefined ? 0 : Math.floor((now.getTime() - longest.since.getTime()) / MINUTE_MS)
  if (longest === undefined || minutes < PATIENCE_MINUTES)
    return ok(check, 'files, reports and blocks of all channels are read')
  const more = others.length === 0 ? '' : `, and that of ${others.length} more`
  const why = longest.why === '' ? '' : `: ${longest.why}`
  const found = `the background work of ${longest.channel} has failed for ${minutes} minutes${more}${why}`
  return warning(check, found, `see the log, and run "channel check ${longest.channel}"`)
}

function todoAbout(name: string, { calls, byOutcome }: HealthOfChannel): string | undefined {
  const { answered, failed, unknown } = byOutcome
  if (calls < FEWEST_CALLS) return undefined
  if (2 * (failed + unknown) >= calls) return `run "channel check ${name}"`
  if (4 * answered >= calls) return undefined
  return `ask the counterparty why it declines so many; "channel pause ${name}" sends new payments elsewhere`
}

import { formatAmount } from '../../../platform/base/money.ts'
import { SettingError } from '../../../platform/errors/catalogue.ts'
import { readEntries } from '../../../rails/connections/channel-settings.ts'
import type { Channel } from '../../../rails/contract/channel.ts'
import type { Connection } from '../../../rails/contract/protocol.ts'
import { aboutChannel, type ChannelSettings, settingNames } from '../../../rails/contract/settings.ts'
import { type HealthOfChannel, readHealth } from '../../../rails/routing/health.ts'
import { listPauses, pauseChannel, resumeChannel } from '../../../rails/routing/pauses.ts'
import { methodsServedBy } from '../../../rails/routing/served.ts'
import { listFailingWork } from '../../../rails/toolkit/records/watch-worker.ts'
import { openBreakersOf, readMetrics } from '../../doctor/gateway-metrics.ts'
import type { Command, Tools } from '../command.ts'
import { commandActor } from '../shared/actor.ts'
import { connectionNamed, entryOf, sayUnknown } from '../shared/connection-named.ts'
import { columns, plain } from '../shared/print.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const CHECK_WITHIN_MS = 30_000

const list: Command = {
  name: 'channel list',
  summary: 'List the channels, what they serve, and how they answered in the last hour',
  options: {},
  async run({ tools }) {
    const db = await tools.database()
    const entries = await readEntries(tools.config())
    sayUnknown(tools)
    const pauses = new Map((await listPauses(db)).map((row) => [row.channel, row]))
    const health = await readHealth(db, new Date(tools.clock.now().getTime() - HOUR_MS))
    const names = [...new Set([...entries.map(({ name }) => name), ...pauses.keys(), ...health.keys()])]
    const channels = names.toSorted().map((name) => {
      const entry = entries.find((one) => one.name === name)
      const paused = pauses.get(name)?.reason ?? null
      return { name, ...aboutEntry(entry), paused, ...aboutHealth(health.get(name)) }
    })
    const rows = channels.map(({ name, protocol, methods, paused, calls, ...health }) => [
      name,
      protocol === null ? '' : `${protocol}: ${methods.join(', ')}`,
      paused === null ? useInWords(tools, protocol) : `paused: ${plain(paused)}`,
      `${calls} calls`,
      ...(calls === 0 ? [] : inWords(health)),
    ])
    return { json: { channels }, text: columns(rows, 'No channel is set up or was used.') }
  },
}

/** Says whether the channel is in use. In sandbox, a channel may be in use although the file does not name it. */
function useInWords(tools: Tools, protocol: string | null): string {
  return protocol === null && tools.config().mode === 'live' ? 'not in the file' : 'in use'
}

/**
 * Describes the channel's entry. Channels that have left the file, and channels of a sandbox inside the gateway, have
 * no entry.
 */
function aboutEntry(entry: ChannelSettings | undefined) {
  if (entry === undefined) return { protocol: null, methods: [] }
  return { protocol: entry.protocol, methods: methodsServedBy(entry) }
}

type Health = ReturnType<typeof aboutHealth>

function aboutHealth(health: HealthOfChannel | undefined) {
  const { calls = 0, byOutcome, successPercent = null, meanMs = null } = health ?? {}
  const { answered = 0, declined = 0, failed = 0, unknown = 0 } = byOutcome ?? {}
  return { calls, answered, declined, failed, unknown, successPercent, meanMs }
}

function inWords({ successPercent, declined, failed, unknown, meanMs }: Omit<Health, 'calls' | 'answered'>) {
  return [
    `${successPercent} % succeeded`,
    `${declined} declined`,
    `${failed} failed`,
    `${unknown} unknown`,
    `${meanMs} ms`,
  ]
}

const show: Command = {
  name: 'channel show',
  argument: 'NAME',
  summary:
    'Show what a channel serves and for whom, which settings it has, without their values, whether it is paused or its circuit breaker is open, and why its work fails',
  options: {},
  async run({ argument, tools }) {
    const entry = await entryOf(tools, argument)
    const { name, protocol } = entry
    const db = await tools.database()
    const failing = (await listFailingWork(db, tools.clock.now())).find(({ channel }) => channel === name)
    const pause = (await listPauses(db)).find(({ channel }) => channel === name)
    const breaker = await readOpenBreakers(tools, name)
    const scopes = await scopesOf(tools, name)
    const shown = {
      name,
      protocol,
      methods: methodsServedBy(entry),
      settings: settingNames(entry),
      can: typeof scopes === 'string' ? null : scopes,
      paused: pause === undefined ? null : pauseOf(pause),
      circuitBreakerOpen: breaker.kinds ?? null,
      workFails: failing === undefined ? null : { since: failing.since.toISOString(), why: failing.why },
    }
    const rows = [
      ['name', name],
      ['protocol', protocol],
      ['serves', shown.methods.join(', ')],
      ['settings', shown.settings.join(', ')],
      ...(typeof scopes === 'string'
        ? [['settings refused', plain(scopes)]]
        : scopes.map((scope) => [scope.method, plain(scopeInWords(scope))])),
      ['paused', shown.paused === null ? 'no' : pauseInWords(shown.paused)],
      ['circuit breaker open', plain(breaker.inWords)],
      ...(shown.workFails === null
        ? []
        : [['work fails', `since ${shown.workFails.since}: ${plain(shown.workFails.why)}`]]),
    ]
    return { json: shown, text: columns(rows) }
  },
}

const pauseOf = ({ paused_at, paused_by, reason }: Awaited<ReturnType<typeof listPauses>>[number]) => {
  return { since: paused_at.toISOString(), by: paused_by, why: reason }
}

function pauseInWords({ since, by, why }: ReturnType<typeof pauseOf>): string {
  return `since ${since} by ${plain(by)}: ${plain(why)}`
}

/**
 * Returns the kinds of call whose circuit breaker is open. `kinds` is missing if the gateway's metrics could not be
 * read.
 */
async function readOpenBreakers(
  tools: Tools,
  channel: string,
): Promise<{ readonly kinds?: readonly string[]; readonly inWords: string }> {
  const { ops } = tools.config()
  if (ops === undefined) return { inWords: 'not known: the gateway shows it at TOLLGATE_OPS_PORT only' }
  const read = await readMetrics(ops)
  if ('problem' in read) return { inWords: `not known: ${read.problem}` }
  const kinds = openBreakersOf(read.text, channel)
  if (kinds.length === 0) return { kinds, inWords: 'no' }
  const calls = kinds.map((kind) => `${kind}s`).join(' and ')
  return { kinds, inWords: `${calls} go to other channels first: it failed five times in a row` }
}

const check: Command = {
  name: 'channel check',
  argument: 'NAME',
  summary: "Check a channel's settings, and ask its counterparty something harmless",
  options: {},
  async run({ argument, tools }) {
    const connection = await connectionNamed(tools, argument)
    const { isRight, message } = await connection.check(AbortSignal.timeout(CHECK_WITHIN_MS))
    return {
      json: { channel: argument, isRight, message },
      text: plain(aboutChannel(argument, message)),
      status: isRight ? 0 : 1,
    }
  },
}

/**
 * Refuses an unknown name, because a misspelt name would leave the intended channel in use. These names are accepted
 * without an entry in the channels file:
 * - in sandbox every name, because some channels are known only to the gateway,
 * - in live the name of a channel that was called in the last day, because a gateway may still use a channel that has
 *   left the file,
 * - every name if the file has a mistake.
 */
async function requireChannel(tools: Tools, name: string): Promise<void> {
  if (tools.config().mode !== 'live') return
  const lately = new Date(tools.clock.now().getTime() - DAY_MS)
  if ((await readHealth(await tools.database(), lately)).has(name)) return
  try {
    await entryOf(tools, name)
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
  }
}

const pause: Command = {
  name: 'channel pause',
  argument: 'NAME',
  summary: 'Send new payments and payouts past a channel; what is open there is still asked about',
  audit: ({ argument }) => ({ merNo: 0, subject: argument }),
  options: {},
  async run({ argument: channel, given, tools }) {
    const [by, reason] = [commandActor().name, given.text('why') ?? 'by command']
    await requireChannel(tools, channel)
    await pauseChannel(await tools.database(), { channel, by, reason, at: tools.clock.now() })
    return { json: { channel, paused: true }, text: `Channel ${plain(channel)} gets no new payments.` }
  },
}

const resume: Command = {
  name: 'channel resume',
  argument: 'NAME',
  summary: 'Let a paused channel serve new payments and payouts again',
  audit: ({ argument }) => ({ merNo: 0, subject: argument }),
  options: {},
  async run({ argument: channel, tools }) {
    await resumeChannel(await tools.database(), channel)
    const text = (await hasLeft(tools, channel))
      ? `Channel ${plain(channel)} is not paused any more, but is not in the file: it serves nothing.`
      : `Channel ${plain(channel)} serves payments again.`
    return { json: { channel, paused: false }, text }
  },
}

/**
 * True if the channels file does not name the channel. False if this cannot be decided: in sandbox, or if the file has
 * a mistake.
 */
async function hasLeft(tools: Tools, channel: string): Promise<boolean> {
  if (tools.config().mode !== 'live') return false
  try {
    return (await readEntries(tools.config())).every(({ name }) => name !== channel)
  } catch (error) {
    if (error instanceof SettingError) return false
    throw error
  }
}

export const channelCommands: readonly Command[] = [list, show, check, pause, resume]

/** What a channel can do with one method, as `channel show` prints it. */
type Scope = {
  readonly method: string
  readonly currencies: readonly string[] | 'any'
  readonly countries: readonly string[] | 'any'
  /** The bounds of amounts in words, by currency. */
  readonly amounts: Readonly<Record<string, string>>
  readonly refunds: boolean
  readonly terminals: readonly string[] | 'any'
  /** The fields that our page asks the payer for, if the merchant has left them out. */
  readonly asks: readonly string[]
}

/** Returns the scopes, or the reason why the channel's settings are refused. */
async function scopesOf(tools: Tools, channel: string): Promise<readonly Scope[] | string> {
  try {
    return scopesIn(await connectionNamed(tools, channel))
  } catch (error) {
    if (error instanceof SettingError) return error.message
    throw error
  }
}

function scopesIn({ channels }: Connection): Scope[] {
  return channels.map(({ method, traits }) => ({
    method,
    currencies: traits.currencies,
    countries: traits.countries ?? 'any',
    amounts: amountsOf(traits),
    refunds: traits.refundable,
    terminals: traits.terminals ?? 'any',
    asks: traits.asks.map(({ name }) => name),
  }))
}

function amountsOf({ amounts = new Map() }: Channel['traits']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...amounts].map(([currency, { least, most }]) => {
      const bounds = [
        ...(least === undefined ? [] : [`from ${formatAmount(least, currency)}`]),
        ...(most === undefined ? [] : [`to ${formatAmount(most, currency)}`]),
      ]
      return [currency, bounds.join(' ')]
    }),
  )
}

function scopeInWords({ currencies, countries, amounts, refunds, terminals, asks }: Scope): string {
  return [
    currencies === 'any' ? 'all currencies' : currencies.join(', '),
    ...Object.entries(amounts).map(([currency, bounds]) => `${currency} ${bounds}`),
    countries === 'any' ? 'payers of all countries' : `payers of ${countries.join(', ')}`,
    refunds ? 'refunds' : 'no refunds',
    ...(terminals === 'any' ? [] : [`on ${terminals.join(', ')}`]),
    ...(asks.length === 0 ? [] : [`asks for ${asks.join(', ')}`]),
  ].join('; ')
}

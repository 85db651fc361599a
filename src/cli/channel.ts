import { userInfo } from 'node:os'
import { readHealth } from '../channels/health.ts'
import { listPauses, pauseChannel, resumeChannel } from '../channels/pauses.ts'
import type { Command } from './command.ts'
import { columns, plain } from './print.ts'

const HOUR_MS = 3_600_000

const list: Command = {
  name: 'channel list',
  summary: 'List the channels that were used in the last hour or are paused, and how they answered',
  options: {},
  async run({ tools }) {
    const db = await tools.database()
    const pauses = new Map((await listPauses(db)).map((row) => [row.channel, row]))
    const health = await readHealth(db, new Date(tools.clock.now().getTime() - HOUR_MS))
    const names = [...new Set([...pauses.keys(), ...health.keys()])].toSorted()
    const channels = names.map((name) => {
      const paused = pauses.get(name)
      const { calls = 0, byOutcome, meanMs } = health.get(name) ?? {}
      return { name, paused: paused?.reason ?? null, calls, ...byOutcome, meanMs: meanMs ?? null }
    })
    const rows = channels.map(({ name, paused, calls, failed = 0, unknown = 0, meanMs }) => [
      name,
      paused === null ? 'in use' : `paused: ${plain(paused)}`,
      `${calls} calls, ${failed} failed, ${unknown} unknown`,
      meanMs === null ? '' : `${meanMs} ms`,
    ])
    return { json: { channels }, text: rows.length === 0 ? 'No channel was used.' : columns(rows) }
  },
}

const pause: Command = {
  name: 'channel pause',
  argument: 'NAME',
  summary: 'Send new payments past a channel; what is open there is still asked about',
  audit: ({ argument }) => ({ merNo: 0, subject: argument }),
  options: {},
  async run({ argument: channel, given, tools }) {
    const [by, reason] = [userInfo().username, given.text('why') ?? 'by command']
    await pauseChannel(await tools.database(), { channel, by, reason, at: tools.clock.now() })
    return { json: { channel, paused: true }, text: `Channel ${plain(channel)} gets no new payments.` }
  },
}

const resume: Command = {
  name: 'channel resume',
  argument: 'NAME',
  summary: 'Let a paused channel serve new payments again',
  audit: ({ argument }) => ({ merNo: 0, subject: argument }),
  options: {},
  async run({ argument: channel, tools }) {
    await resumeChannel(await tools.database(), channel)
    return { json: { channel, paused: false }, text: `Channel ${plain(channel)} serves payments again.` }
  },
}

export const channelCommands: readonly Command[] = [list, pause, resume]

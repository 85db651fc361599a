import { routeProblem, servedByEntries } from '../channels/served.ts'
import { readEntries } from '../connections/counterparties.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import { removeRoute, setRoute } from '../merchants/change-merchant.ts'
import { readRoutedMethod } from '../merchants/options.ts'
import { type Call, type Command, type Result, type Tools, UsageError } from './command.ts'
import { readMerNo, showMerchant } from './show-merchant.ts'

export const route: Command = {
  name: 'merchant route',
  argument: 'MERNO',
  summary: 'Choose the channels that serve a method or a kind of payout; without a choice all of them do',
  audit: ({ argument }) => ({ merNo: readMerNo(argument), subject: argument }),
  options: {
    method: { value: 'card', required: true, help: 'the method, or a kind of payout such as payout_bank' },
    channel: { value: 'NAME', required: true, help: "the channel's name in the settings" },
    priority: { value: '1', help: '1 to 100; the lowest is tried first (default: 1)' },
    weight: { value: '1', help: '1 to 1000; the share among channels of the same priority (default: 1)' },
    off: { help: 'stop using the channel for the method' },
  },
  run: changeRoute,
}

const MOST_PRIORITY = 100
const MOST_WEIGHT = 1000

async function changeRoute({ argument, given, tools }: Call): Promise<Result> {
  const merNo = readMerNo(argument)
  const method = readRoutedMethod(given.text('method') ?? '')
  const channel = readChannel(given.text('channel') ?? '')
  const isOff = given.flag('off')
  const [priority, weight] = [given.text('priority'), given.text('weight')]
  if (isOff && (priority !== undefined || weight !== undefined))
    throw new UsageError('--off takes neither --priority nor --weight', route)
  if (!isOff) await requireServed(tools, method, channel)
  const db = await tools.database()
  if (isOff) await removeRoute(db, merNo, method, channel)
  else
    await setRoute(db, merNo, method, {
      channel,
      priority: readWhole('--priority', priority ?? '1', MOST_PRIORITY),
      weight: readWhole('--weight', weight ?? '1', MOST_WEIGHT),
    })
  return showMerchant(tools, merNo)
}

/** In sandbox some channels are known to the gateway only, and so are all if the command has no file of channels. */
async function requireServed(tools: Tools, method: string, channel: string): Promise<void> {
  if (tools.config().mode !== 'live') return
  const entries = await readEntries(tools.config())
  if (entries.length === 0) return
  const problem = routeProblem({ method, channel }, servedByEntries(entries))
  if (problem !== undefined) throw new OperatorRefusal(problem)
}

function readChannel(text: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,39}$/.test(text)) return text
  throw new OperatorRefusal(`${text} is not a channel name: use up to 40 lower-case letters, digits, - and _`)
}

function readWhole(what: string, text: string, most: number): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (value >= 1 && value <= most) return value
  throw new OperatorRefusal(`${what} must be a whole number from 1 to ${most}`)
}

import { OperatorRefusal } from '../errors/catalogue.ts'
import { removeRoute, setRoute } from '../merchants/change-merchant.ts'
import { readMethod } from '../merchants/options.ts'
import { type Call, type Command, type Result, UsageError } from './command.ts'
import { readMerNo, showMerchant } from './show-merchant.ts'

export const route: Command = {
  name: 'merchant route',
  argument: 'MERNO',
  summary: 'Say which channels serve a method of a merchant; without any, all that are set up, alike',
  options: {
    method: { value: 'card', required: true, help: 'the method' },
    channel: { value: 'NAME', required: true, help: 'the channel, by its name in the settings' },
    priority: { value: '1', help: 'from 1 to 100: the lowest is tried first' },
    weight: { value: '1', help: 'from 1 to 1000: its share among channels of the same priority' },
    off: { help: 'the channel serves the method no more' },
  },
  run: changeRoute,
}

const MOST_PRIORITY = 100
const MOST_WEIGHT = 1000

async function changeRoute({ argument, given, tools }: Call): Promise<Result> {
  const merNo = readMerNo(argument)
  const method = readMethod(given.text('method') ?? '')
  const channel = readChannel(given.text('channel') ?? '')
  const isOff = given.flag('off')
  const [priority, weight] = [given.text('priority'), given.text('weight')]
  if (isOff && (priority !== undefined || weight !== undefined))
    throw new UsageError('say how to use the channel, or --off', route)
  const db = await tools.database()
  if (isOff) await removeRoute(db, merNo, method, channel)
  else
    await setRoute(db, merNo, method, {
      channel,
      priority: readWhole('the priority', priority ?? '1', MOST_PRIORITY),
      weight: readWhole('the weight', weight ?? '1', MOST_WEIGHT),
    })
  return showMerchant(tools, merNo)
}

/** Whether a channel of that name is set up, the gateway knows: it leaves out those that are not. */
function readChannel(text: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,39}$/.test(text)) return text
  throw new OperatorRefusal(
    `${text} is no channel's name: small letters, digits, - and _, at most 40 of them`,
  )
}

function readWhole(what: string, text: string, most: number): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (value >= 1 && value <= most) return value
  throw new OperatorRefusal(`${what} must be a whole number from 1 to ${most}`)
}

import { inverseDown, type NewRate, setRates } from '../../../money/rates/set-rate.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import type { Command } from '../command.ts'
import { readTime } from '../shared/read-input.ts'

const set: Command = {
  name: 'fx set',
  summary: 'Set a conversion rate, and its inverse unless that direction was set explicitly',
  audit: ({ given }) => ({ merNo: 0, subject: `${given.text('from')}/${given.text('to')}` }),
  options: {
    from: { value: 'USD', required: true, help: 'the currency to convert from' },
    to: { value: 'EUR', required: true, help: 'the currency to convert to' },
    rate: { value: '0.92', required: true, help: 'units of the second currency for one unit of the first' },
    confirm: { help: 'set it although its product with the opposite rate is above 1 or below 0.9' },
    'valid-from': { value: 'ISO', help: 'when it takes effect, such as 2026-01-31T00:00:00Z (default: now)' },
  },
  async run({ given, tools }) {
    const [from = '', to = ''] = [given.text('from'), given.text('to')]
    const rate = { from, to, rate: given.text('rate') ?? '' }
    const now = tools.clock.now()
    const validFrom = readTime(given.text('valid-from'), now)
    const db = await tools.database()
    const isConfirmed = given.flag('confirm')
    const [opposite] = await db
      .transaction((tx) => setRates(tx, [rate], { now, validFrom, isConfirmed }))
      .catch(addAdvice)
    const json = { ...rate, validFrom: validFrom.toISOString(), opposite: opposite ?? null }
    const when = validFrom === now ? 'now' : json.validFrom
    const text = `1 ${from} is ${rate.rate} ${to} from ${when} on.\n${inWords(rate, opposite)}`
    return { json, text }
  },
}

function addAdvice(error: unknown): never {
  if (error instanceof OperatorRefusal && error.field === 'confirm')
    throw new OperatorRefusal(`${error.message} with --confirm`, error.field)
  throw error
}

function inWords({ from, to, rate }: NewRate, opposite: NewRate | undefined): string {
  if (opposite !== undefined)
    return `The opposite direction follows: 1 ${to} is ${opposite.rate} ${from}, until you set it explicitly.`
  const why = inverseDown(rate) === undefined ? 'the inverse is too large' : 'it was set explicitly'
  return `The opposite direction, from ${to} to ${from}, does not change: ${why}.`
}

export const fxCommands: readonly Command[] = [set]

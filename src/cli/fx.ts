import { setRates } from '../rates/set-rate.ts'
import type { Command } from './command.ts'
import { readTime } from './read-time.ts'

const set: Command = {
  name: 'fx set',
  summary: 'Set a conversion rate, in force from now on or from a later time',
  options: {
    from: { value: 'USD', required: true, help: 'the currency that is converted' },
    to: { value: 'EUR', required: true, help: 'the currency that it becomes' },
    rate: { value: '0.92', required: true, help: 'units of the second for one unit of the first' },
    'valid-from': { value: 'ISO', help: 'when it comes into force, such as 2026-01-31T00:00:00Z (now)' },
  },
  async run({ given, tools }) {
    const rate = {
      from: given.text('from') ?? '',
      to: given.text('to') ?? '',
      rate: given.text('rate') ?? '',
    }
    const now = tools.clock.now()
    const validFrom = readTime(given.text('valid-from'), now)
    const db = await tools.database()
    await db.transaction((tx) => setRates(tx, [rate], validFrom))
    const json = { ...rate, validFrom: validFrom.toISOString() }
    const when = validFrom === now ? 'now' : json.validFrom
    return { json, text: `1 ${rate.from} is ${rate.rate} ${rate.to} from ${when} on.` }
  },
}

export const fxCommands: readonly Command[] = [set]

import { setRates } from '../rates/set-rate.ts'
import type { Command } from './command.ts'

const set: Command = {
  name: 'fx set',
  summary: 'Set a conversion rate, in force from now on',
  options: {
    from: { value: 'USD', required: true, help: 'the currency that is converted' },
    to: { value: 'EUR', required: true, help: 'the currency that it becomes' },
    rate: { value: '0.92', required: true, help: 'units of the second for one unit of the first' },
  },
  async run({ given, tools }) {
    const json = {
      from: given.text('from') ?? '',
      to: given.text('to') ?? '',
      rate: given.text('rate') ?? '',
    }
    const db = await tools.database()
    await db.transaction((tx) => setRates(tx, [json], tools.clock.now()))
    return { json, text: `1 ${json.from} is ${json.rate} ${json.to} from now on.` }
  },
}

export const fxCommands: readonly Command[] = [set]

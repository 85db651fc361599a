import {
  listPlatformLimits,
  readPlatformLimits,
  setPlatformLimits,
} from '../../../money/orders/platform-limits.ts'
import { formatAmount } from '../../../platform/base/money.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { type Call, type Command, type Result, UsageError } from '../command.ts'
import { columns } from '../shared/print.ts'

const limit: Command = {
  name: 'platform limit',
  summary: "Set a method's limits for all merchants together; a limit that you leave out stays",
  audit: ({ given }) => ({ merNo: 0, subject: given.text('method') ?? '' }),
  options: {
    method: { value: 'card', required: true, help: 'the method, or payout' },
    daily: { value: 'USD', help: 'maximum per day in USD value, or none' },
    monthly: { value: 'USD', help: 'maximum per month, or none' },
  },
  run: setLimit,
}

async function setLimit({ given, tools }: Call): Promise<Result> {
  const [daily, monthly] = [given.text('daily'), given.text('monthly')]
  if (daily === undefined && monthly === undefined)
    throw new UsageError('give --daily, --monthly or both', limit)
  const change = readPlatformLimits({ method: given.text('method') ?? '', daily, monthly })
  const db = await tools.database()
  await setPlatformLimits(db, change)
  return showLimits(db)
}

const show: Command = {
  name: 'platform show',
  summary: 'Show the limits for all merchants together, by method',
  options: {},
  run: async ({ tools }) => showLimits(await tools.database()),
}

async function showLimits(db: Db): Promise<Result> {
  const limits = [...(await listPlatformLimits(db))].map(([method, { daily, monthly }]) => {
    return { method, daily: dollars(daily), monthly: dollars(monthly) }
  })
  const rows = limits.map(({ method, daily, monthly }) => {
    return [method, `daily ${daily ?? 'none'}`, `monthly ${monthly ?? 'none'}`]
  })
  return { json: { limits }, text: columns(rows, 'No method has a limit.') }
}

function dollars(cents: bigint | undefined): string | null {
  return cents === undefined ? null : formatAmount(cents, 'USD')
}

export const platformCommands: readonly Command[] = [limit, show]

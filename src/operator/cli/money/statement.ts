import { open } from 'node:fs/promises'
import { type Sums, writeStatement } from '../../../money/ledger/statement.ts'
import { isCurrency } from '../../../platform/base/currency.ts'
import { addDays, startOfDay } from '../../../platform/base/local-day.ts'
import { formatAmount } from '../../../platform/base/money.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import type { Command, Given, Tools } from '../command.ts'
import { typedPath } from '../shared/read-input.ts'
import { findMerchant, readMerNo } from '../shared/show-merchant.ts'

const statement: Command = {
  name: 'statement',
  summary: "Write a merchant's statement in one currency as CSV",
  options: {
    'mer-no': { value: 'MERNO', required: true, help: 'the merchant' },
    currency: { value: 'CUR', required: true, help: 'the currency' },
    from: {
      value: 'DAY',
      required: true,
      help: "the first day in the merchant's time zone, such as 2026-01-01",
    },
    to: { value: 'DAY', required: true, help: 'the last day' },
    out: { value: 'FILE', help: 'the file to write (default: standard output)' },
  },
  async run({ given, tools }) {
    const merNo = readMerNo(given.text('mer-no') ?? '')
    const currency = given.text('currency') ?? ''
    if (!isCurrency(currency)) throw new OperatorRefusal(`${currency} is not a currency`)
    const [from, to] = [readDay(given, 'from'), readDay(given, 'to')]
    if (to < from) throw new OperatorRefusal('--to is before --from')
    const db = await tools.database()
    const { timezone } = await findMerchant(db, tools, merNo)
    const query = {
      merNo,
      currency,
      from: startOfDay(from, timezone),
      until: startOfDay(addDays(to, 1), timezone),
    }
    const file = given.text('out')
    const made = await into(file, tools, (write) => writeStatement(db, query, write))
    const json = {
      merNo,
      currency,
      from,
      to,
      timezone,
      opening: inWords(made.opening, currency),
      closing: inWords(made.closing, currency),
      movements: made.movements,
    }
    return { json, text: file === undefined ? '' : `Wrote ${made.movements} movements to ${file}.` }
  },
}

function readDay(given: Given, name: 'from' | 'to'): string {
  const text = given.text(name) ?? ''
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text
  if (!isDay) throw new OperatorRefusal(`--${name} must be a day such as 2026-01-31`)
  return text
}

type Write = (text: string) => Promise<void>

/** Writes to the file or to standard output. With --json and without a file, only the totals are printed. */
async function into<Made>(
  file: string | undefined,
  tools: Tools,
  work: (write: Write) => Promise<Made>,
): Promise<Made> {
  if (file === undefined) return work(tools.asJson ? async () => {} : tools.print)
  const handle = await open(typedPath(file), 'w', 0o600).catch((error: Error) => {
    throw new OperatorRefusal(`${file} cannot be written: ${error.message}`)
  })
  try {
    return await work(async (text) => {
      await handle.appendFile(text)
    })
  } finally {
    await handle.close()
  }
}

function inWords({ available, unsettled }: Sums, currency: string) {
  return { available: formatAmount(available, currency), unsettled: formatAmount(unsettled, currency) }
}

export const statementCommands: readonly Command[] = [statement]

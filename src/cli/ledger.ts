import { formatAmount } from '../base/money.ts'
import { type Difference, verifyLedger } from '../ledger/verify-ledger.ts'
import type { Command } from './command.ts'
import { section } from './print.ts'

const verify: Command = {
  name: 'ledger verify',
  summary: 'Compute every balance anew from the entries, and compare',
  options: {},
  async run({ tools }) {
    const found = await verifyLedger(await tools.database())
    const { entries, accounts, differences } = found
    const size = `${entries} entries on ${accounts} accounts`
    if (differences.length === 0) return { json: found, text: `The ledger is sound: ${size}.` }
    const text = section(`The ledger is NOT sound (${size}). Balances that differ:`, differences.map(toRow))
    return { json: found, text, status: 1 }
  },
}

function toRow({ merNo, account, currency, balance, entries }: Difference): string[] {
  const amount = (minor: string) => `${formatAmount(BigInt(minor), currency)} ${currency}`
  return [`merchant ${merNo}`, account, `balance ${amount(balance)}`, `by its entries ${amount(entries)}`]
}

export const ledgerCommands: readonly Command[] = [verify]

// The operator compares the channels' statements with our records. A statement lists the counterparty's whole book and
// replaces the channel's previous statement: lines that the new statement lacks are withdrawn. So a channel's
// statements are imported one after the other, in the order in which they were written.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatAmount } from '../../src/platform/base/money.ts'
import type { Operation } from '../operation.ts'
import { type BookedPayment, recentPayments, WHOLE_BOOK } from './channel-books.ts'
import { command } from './command.ts'

const channels = ['card', 'sepa', 'pix', 'spei', 'gcash', 'per_transfer', 'vn_bank', 'unionpay']

const importing = new Set<string>()
/**
 * The id of each channel's last statement. A channel has no id if its last import was refused or the result is unknown.
 */
const lastIds = new Map<string, string>()

export const reconcile: Operation = {
  name: 'reconcile',
  weight: 2,
  async run(actor) {
    const { world, random } = actor
    const channel = random.chance(0.4) ? 'card' : (random.pick(channels) ?? 'card')
    const payments = recentPayments(world, channel, WHOLE_BOOK)
    if (payments.length === 0 || importing.has(channel)) return
    importing.add(channel)
    const file = join(world.folder, `${world.witness.newNumber('statement')}.csv`)
    writeFileSync(file, toCsv(payments))
    const args = argsOf(channel, file)
    const about = `statement of ${channel}`
    const commanded = await command(actor, this.name, about, ...args).finally(() => importing.delete(channel))
    const statementId = commanded.kind === 'done' ? idIn(commanded.json) : undefined
    if (statementId === undefined) lastIds.delete(channel)
    else lastIds.set(channel, statementId)
  },
}

function argsOf(channel: string, file: string): string[] {
  const last = lastIds.get(channel)
  const replaces = last === undefined ? [] : ['--replaces', last]
  return ['reconcile', '--channel', channel, '--file', file, ...replaces]
}

function idIn(json: unknown): string | undefined {
  const isReport = typeof json === 'object' && json !== null && 'statementId' in json
  return isReport && typeof json.statementId === 'string' ? json.statementId : undefined
}

function toCsv(payments: readonly BookedPayment[]): string {
  const lines = payments.map(({ reference, amount, currency, at }) => {
    const day = new Date(at).toISOString().slice(0, 10)
    return `${reference},payment,${formatAmount(BigInt(amount), currency)},${currency},0.00,${day}`
  })
  return ['reference,type,amount,currency,fee,date', ...lines, ''].join('\n')
}

export const writeStatement: Operation = {
  name: 'write a statement',
  weight: 1,
  async run(actor) {
    const { shop, random } = actor
    const currency = random.pick(['USD', 'EUR', 'BRL']) ?? 'USD'
    const today = new Date().toISOString().slice(0, 10)
    const days = ['--from', today, '--to', today]
    const args = ['--mer-no', String(shop.merNo), '--currency', currency, ...days]
    await command(actor, this.name, `merchant ${shop.merNo}`, 'statement', ...args)
  },
}

// The operator compares the channels' statements with our records. A statement lists what the counterparty's own book shows,
// now and then with a line missing.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatAmount } from '../../src/base/money.ts'
import type { Operation } from '../operation.ts'
import { type BookedPayment, recentPayments } from './channel-books.ts'
import { command } from './command.ts'

const channels = ['card', 'sepa', 'pix', 'spei', 'gcash', 'per_transfer', 'vn_bank', 'unionpay']

export const reconcile: Operation = {
  name: 'reconcile',
  weight: 2,
  async run(actor) {
    const { world, random } = actor
    const channel = random.chance(0.4) ? 'card' : (random.pick(channels) ?? 'card')
    const payments = recentPayments(world, channel).filter(() => !random.chance(0.02))
    if (payments.length === 0) return
    const file = join(world.folder, `${world.witness.newNumber('statement')}.csv`)
    writeFileSync(file, toCsv(payments))
    await command(actor, this.name, `statement of ${channel}`, ...argsOf(channel, file))
  },
}

function argsOf(channel: string, file: string): string[] {
  return ['reconcile', '--channel', channel, '--file', file]
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

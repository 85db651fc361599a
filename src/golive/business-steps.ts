// Steps about money: a merchant, a channel, a payment of the smallest amount and its refund, and sound books.
import { isMethod, methods } from '../channels/method.ts'
import { checkRates } from '../doctor/checks.ts'
import { verifyLedger } from '../ledger/verify-ledger.ts'
import { listMerchants } from '../merchants/list-merchants.ts'
import { listProvenChannels } from '../order-queries/list-proven-channels.ts'
import { channelPage } from './channel-page.ts'
import { done, missing, type Step, type StepDeps } from './step.ts'

const LISTED = 100
const MONTH_MS = 30 * 86_400_000

export const merchant: Step = {
  name: 'merchant',
  title: 'A first merchant',
  async check({ db }) {
    const merchants = await listMerchants(db, {}, LISTED)
    const active = merchants.find(({ state }) => state === 'active')
    if (active !== undefined) return done(`${active.name} (${active.merNo}) may take payments`)
    const [waiting] = merchants
    return waiting === undefined
      ? missing(
          'there is no merchant',
          'run "merchant create --name NAME --site HOST", then set its currencies and limits',
        )
      : missing(`${waiting.name} is ${waiting.state}`, `run "merchant approve ${waiting.merNo}"`)
  },
}

export const rates: Step = {
  name: 'rates',
  title: 'Rates of its currencies',
  async check({ db, clock }) {
    const { status, found, todo = '' } = await checkRates(db, clock)
    return status === 'ok' ? done(found) : missing(found, todo)
  },
}

export const channel: Step = {
  name: 'channel',
  title: 'Channels that answer',
  async check({ config, entries, check }) {
    if (entries.length === 0)
      return missing(
        config.channelsFile === undefined ? 'TOLLGATE_CHANNELS is not set' : 'the channels file is empty',
        'write the file of TOLLGATE_CHANNELS; docs/channels/README.md leads to every protocol and its settings',
      )
    for (const entry of entries) {
      const { isRight, message } = await check(entry)
      if (!isRight)
        return missing(
          `${entry.name}: ${message}`,
          `correct it by ${channelPage(entry.protocol)}, then run "channel check ${entry.name}"`,
        )
    }
    return done(`${entries.map(({ name }) => name).join(', ')} answered`)
  },
}

const paidLately = ({ db, clock }: StepDeps) =>
  listProvenChannels(db, new Date(clock.now().getTime() - MONTH_MS))

export const payment: Step = {
  name: 'payment',
  title: 'A real payment',
  async check(deps) {
    const [paid] = await paidLately(deps)
    return paid === undefined
      ? missing(
          'nothing was paid in the last 30 days',
          'run "golive link MERNO --currency EUR --amount 1.00", and pay it',
        )
      : done(`${paid.tradeNo} was paid through ${paid.channel}`)
  },
}

export const refund: Step = {
  name: 'refund',
  title: 'Its refund',
  async check(deps) {
    const paid = await paidLately(deps)
    const refunded = paid.find(({ isRefunded }) => isRefunded)
    if (refunded !== undefined) return done(`${refunded.tradeNo} was refunded through ${refunded.channel}`)
    const refundable = paid.find(({ method }) => isMethod(method) && methods[method].refundable)
    if (paid.length > 0 && refundable === undefined)
      return done(`what was paid cannot be refunded: ${paid.map(({ channel }) => channel).join(', ')}`)
    const tradeNo = refundable?.tradeNo ?? 'the payment'
    return missing(
      'no payment was refunded',
      `open ${tradeNo} in the back office, as its merchant, and refund it`,
    )
  },
}

export const books: Step = {
  name: 'books',
  title: 'Sound books',
  async check({ db }) {
    const { differences, entries } = await verifyLedger(db)
    return differences.length === 0
      ? done(`${entries} entries add up`)
      : missing(`${differences.length} balances differ from their entries`, 'run "ledger verify"')
  },
}

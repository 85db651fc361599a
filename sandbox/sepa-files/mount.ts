// The bank that exchanges files, as a part of the sandbox. The bank reads orders every half second, and closes a
// statement every minute if there are new bookings. Anybody may transfer money to the account by POST
// /sepa-files/transfers.
import { join } from 'node:path'
import { isObject } from '../../src/platform/base/object.ts'
import type { Counterparty, SandboxPlace } from '../place.ts'
import { createFileBank } from './bank.ts'

const account = { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', name: 'Example Payments Ltd' }
const EVERY_MS = 500

export function mountSepaFiles({ app, folder, clock, minuteMs }: SandboxPlace): Counterparty {
  const bank = createFileBank({ folder: join(folder, 'sepa-files'), account, clock })
  let statedAt = clock.now().getTime()
  const timer = setInterval(() => {
    bank.takeOrders()
    const now = clock.now().getTime()
    if (now - statedAt < minuteMs || bank.unstated().length === 0) return
    statedAt = now
    bank.state()
  }, EVERY_MS)
  app.post('/sepa-files/transfers', async (request, reply) => {
    const body: unknown = request.body
    const { amount, text } = isObject(body) ? body : {}
    if (
      typeof amount !== 'string' ||
      !/^\d{1,9}\.\d\d$/.test(amount) ||
      typeof text !== 'string' ||
      text.length > 140
    )
      return reply.code(400).send({ error: 'invalid_request' })
    bank.notify(bank.credit([{ cents: BigInt(amount.replace('.', '')), text }]))
    return { status: 'booked' }
  })
  return {
    banks: new Map(),
    settings: () => [
      {
        name: 'sepa-files',
        protocol: 'sepa-files',
        methods: ['sepa', 'payout_bank'],
        ...bank.folders,
        iban: account.iban,
        bic: account.bic,
        accountHolder: account.name,
      },
    ],
    async close() {
      clearInterval(timer)
      bank.close()
    },
  }
}

// Payouts by SPEI to CLABEs. The orders themselves, with their records and queries, are in orders.ts.
import type { PayoutRail, PayoutRequest } from '../../contract/payout-rail.ts'
import type { ChannelTools } from '../../contract/settings.ts'
import { withDeadline } from '../../toolkit/deadline.ts'
import { isClabe } from '../../toolkit/formats/clabe.ts'
import { notSent } from '../../toolkit/outcomes.ts'
import type { Orders } from './orders.ts'

type RailParts = {
  readonly name: string
  readonly orders: Orders
  readonly tools: Pick<ChannelTools, 'reference' | 'timeoutMs'>
  readonly readCallback: NonNullable<PayoutRail['readCallback']>
}

export function createStpRail({ name, orders, tools, readCallback }: RailParts): PayoutRail {
  const { timeoutMs, reference: lists } = tools
  const bankOf = ({ beneficiary: { account, details } }: PayoutRequest) => {
    const { bankCode } = details
    if (typeof bankCode === 'string' && /^\d{5}$/.test(bankCode)) return bankCode
    const codes = ['40', '90'].map((head) => head + account.slice(0, 3))
    return codes.find((code) => lists.find('banks/spei', code) !== undefined) ?? codes[0] ?? ''
  }
  return {
    name,
    kinds: ['spei'],
    currencies: ['MXN'],
    timeoutMs,
    tokenise: async () => notSent('SPEI pays to CLABEs, not to card numbers'),
    async send(request) {
      const { reference, money, beneficiary } = request
      const { account: clabe, details } = beneficiary
      if (!isClabe(clabe)) return notSent('The account is not a CLABE')
      const holder = [details.benFirstName, details.benLastName]
        .filter((one) => typeof one === 'string')
        .join(' ')
      const bank = bankOf(request)
      const transfer = { reference, purpose: 'payout', money, clabe, bank, name: holder } as const
      return withDeadline(timeoutMs, (signal) => orders.send(transfer, signal))
    },
    ask: (reference) => withDeadline(timeoutMs, (signal) => orders.ask(reference, signal)),
    readCallback,
  }
}

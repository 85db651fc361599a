// Payouts to IBANs in euros. A payout is recorded here, and send-round.ts sends it to the bank.
import { isIban, normaliseIban } from '../../../platform/base/iban.ts'
import type { PayoutFailed, PayoutOutcome } from '../../contract/payout-outcome.ts'
import type { PayoutRail, PayoutRequest } from '../../contract/payout-rail.ts'
import { notSent, unknown } from '../../toolkit/outcomes.ts'
import type { SepaChannelOptions } from './channel.ts'
import { sepaText, type TransferLine } from './pain-001.ts'
import { payoutOutcome, readTransfer, toOrder } from './transfers.ts'

type SepaRailOptions = Pick<SepaChannelOptions, 'name' | 'store' | 'timeoutMs'>

const MAX_NAME = 70
/** The maximum amount of a SEPA credit transfer, in cents. */
const MAX_AMOUNT = 99_999_999_999n

export function createSepaRail({ name, store, timeoutMs }: SepaRailOptions): PayoutRail {
  return {
    name,
    kinds: ['bank_account'],
    currencies: ['EUR'],
    timeoutMs,
    tokenise: async () => notSent('This rail pays to no cards'),
    async send(request): Promise<PayoutOutcome> {
      const known = await readTransfer(store, request.reference)
      if (known !== undefined) return payoutOutcome(known)
      const line = toLine(request)
      if ('kind' in line) return line
      await store.write(toOrder(line, 'payout'))
      const ordered = await readTransfer(store, request.reference)
      return ordered === undefined ? unknown('the payout has no record') : payoutOutcome(ordered)
    },
    async ask(reference) {
      const transfer = await readTransfer(store, reference)
      return transfer === undefined ? { kind: 'absent' } : payoutOutcome(transfer)
    },
  }
}

function toLine({ reference, kind, money, beneficiary }: PayoutRequest): TransferLine | PayoutFailed {
  if (kind !== 'bank_account') return notSent('This rail pays to bank accounts only')
  if (money.currency !== 'EUR') return notSent('This rail pays in euros only')
  if (money.amount <= 0n || money.amount > MAX_AMOUNT)
    return notSent('A credit transfer is at most 999,999,999.99')
  const iban = normaliseIban(beneficiary.account)
  if (!isIban(iban)) return notSent('This rail pays to IBANs only')
  const { benFirstName, benLastName } = beneficiary.details
  const given = [benFirstName, benLastName].filter((part) => typeof part === 'string')
  const name = sepaText(given.join(' '), MAX_NAME)
  if (name === '') return notSent("The beneficiary's name must be in Latin letters")
  return { reference, amount: money.amount.toString(), iban, name, text: reference }
}

// Payouts in coin. The price is fixed when a payout is first sent. The watcher sends the coin through the signer.
//
// Invariant: the reference is the idempotency key. The first call records the units of coin, which never change. So a
// repeated call pays the same units, or stays refused, even if the price has changed.
import type { Rate } from '../../../platform/base/money.ts'
import type { PayoutOutcome } from '../../contract/payout-outcome.ts'
import type { PayoutRail, PayoutRequest } from '../../contract/payout-rail.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { coinUnitsDown, formatCoin } from '../../toolkit/coin-amount.ts'
import { isChecksummed } from '../../toolkit/formats/chain-address.ts'
import { notSent } from '../../toolkit/outcomes.ts'
import type { EvmChannelOptions } from './channel.ts'
import { NOBODY } from './hex.ts'
import { priceIn } from './outcome.ts'
import {
  addOutgoing,
  findOutgoing,
  listSigned,
  newOutgoing,
  type OutgoingTransfer,
} from './outgoing-records.ts'
import type { EvmCoin } from './settings.ts'

type EvmRailOptions = Omit<EvmChannelOptions, 'clock'>

export function createEvmRail(options: EvmRailOptions): PayoutRail {
  const { name, settings, store, timeoutMs } = options
  return {
    name,
    kinds: ['coin'],
    currencies: 'any',
    serves: { coin: [...settings.coins.keys()], network: [settings.network] },
    timeoutMs,
    tokenise: async () => noCards,
    quote(request) {
      const { coin, amount, why } = convert(options, request)
      return why === undefined ? { kind: 'quoted', amount, coin } : { kind: 'refused', why }
    },
    async send(request) {
      const known = await findOutgoing(store, request.reference)
      if (known !== undefined) return payoutOutcome(store, known)
      const planned = plan(options, request)
      await store.write(addOutgoing(planned))
      return payoutOutcome(store, (await findOutgoing(store, request.reference)) ?? planned)
    },
    async ask(reference) {
      const known = await findOutgoing(store, reference)
      return known === undefined ? { kind: 'absent' } : payoutOutcome(store, known)
    },
  }
}

const noCards = notSent('A chain pays to addresses only')

function plan(options: EvmRailOptions, request: PayoutRequest): OutgoingTransfer {
  const { reference, money, beneficiary } = request
  const { coin, token, units, why } = convert(options, request)
  const what = { coin, token, to: beneficiary.account.toLowerCase(), units, ...money }
  const transfer = newOutgoing({ id: reference, purpose: 'payout', reference, ...what })
  return why === undefined ? transfer : { ...transfer, state: 'failed', why }
}

type Wanted = Pick<PayoutRequest, 'money' | 'beneficiary'>
type Converted = {
  readonly coin: string
  readonly token: string
  readonly units: bigint
  readonly amount: string
  /** The reason why the payout cannot be sent. Undefined if it can be sent. */
  readonly why: string | undefined
}

function convert({ settings, rateOf }: EvmRailOptions, wanted: Wanted): Converted {
  const { money, beneficiary } = wanted
  const { coin: name, network } = beneficiary.details
  const coin = typeof name === 'string' && network === settings.network ? settings.coins.get(name) : undefined
  if (coin === undefined)
    return { coin: '', token: '', units: 0n, amount: '', why: 'The channel does not pay in this coin' }
  const price = priceIn(money.currency, coin, rateOf)
  const units = price === undefined ? 0n : coinUnitsDown(money, coin.decimals, price)
  const amount = formatCoin(units, coin.decimals)
  return { coin: coin.name, token: coin.token, units, amount, why: refusalOf(wanted, coin, price, units) }
}

function refusalOf(
  { money, beneficiary: { account } }: Wanted,
  coin: EvmCoin,
  price: Rate | undefined,
  units: bigint,
): string | undefined {
  if (price === undefined) return `There is no price of ${coin.name} in ${money.currency}`
  if (!isChecksummed(account)) return 'The address does not fit its checksum'
  if (account === NOBODY) return 'Nobody has the zero address'
  // Coin that is sent to the coin's own contract is lost for good.
  if (account.toLowerCase() === coin.token) return "The address is the coin's contract"
  return units === 0n ? 'The payout is smaller than the smallest unit of the coin' : undefined
}

/**
 * Returns the outcome of a payout. Its `railRef` is the hash of the transaction, or our own reference while there is no
 * transaction.
 */
async function payoutOutcome(store: ChannelStore, transfer: OutgoingTransfer): Promise<PayoutOutcome> {
  const { id, state, why, txHash, amount, currency } = transfer
  if (state === 'succeeded') return { kind: 'succeeded', money: { amount, currency }, railRef: txHash }
  if (state === 'failed')
    return { kind: 'failed', cause: 'declined', message: why, railRef: txHash === '' ? id : txHash }
  const signed = await listSigned(store, id)
  return { kind: 'processing', railRef: signed.at(-1)?.txHash ?? id }
}

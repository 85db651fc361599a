import type { PayoutRails } from '../../channels/payout/registry.ts'

export type PayableCoin = { readonly coin: string; readonly network: string }

/** Each coin and network that a rail pays in. */
export function payableCoins({ all }: Pick<PayoutRails, 'all'>): PayableCoin[] {
  const rails = all.filter(({ kinds }) => kinds.includes('coin'))
  return rails.flatMap(({ serves: { coin: coins = [], network: networks = [] } = {} }) =>
    networks.flatMap((network) => coins.map((coin) => ({ coin, network }))),
  )
}

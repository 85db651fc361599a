// The payment URI of EIP-681: the wallet fills in address, network, token and amount.
import { type Coin, chainIds, contractOf, type Network } from './coin.ts'

export type CoinRequest = {
  readonly coin: Coin
  readonly network: Network
  readonly address: string
  /** In the coin's smallest unit. */
  readonly units: bigint
}

/** Undefined when the network does not support the coin. */
export function paymentUri({ coin, network, address, units }: CoinRequest): string | undefined {
  const contract = contractOf(coin, network)
  const chain = chainIds[network]
  if (contract === undefined) return undefined
  if (contract === 'native') return `ethereum:${address}@${chain}?value=${units}`
  return `ethereum:${contract}@${chain}/transfer?address=${address}&uint256=${units}`
}

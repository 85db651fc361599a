// The payment URI of EIP-681: the wallet fills in address, network, token and amount.

export type CoinRequest = {
  /** The token's contract; 'native' for the network's own coin. */
  readonly contract: string
  readonly chainId: number
  readonly address: string
  /** In the coin's smallest unit. */
  readonly units: bigint
}

export function paymentUri({ contract, chainId, address, units }: CoinRequest): string {
  if (contract === 'native') return `ethereum:${address}@${chainId}?value=${units}`
  return `ethereum:${contract}@${chainId}/transfer?address=${address}&uint256=${units}`
}

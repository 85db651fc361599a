// The supported coins and networks, and the contract of each pair.

export const coins = ['USDT', 'USDC', 'ETH'] as const
export const networks = ['ERC20', 'POLYGON'] as const

export type Coin = (typeof coins)[number]
export type Network = (typeof networks)[number]

/**
 * What merchants may ask for. The interface reads these lists at each request: a network that an entry of the channels file
 * names joins them when the entry comes into use.
 */
export const offered: { readonly coins: string[]; readonly networks: string[] } = {
  coins: [...coins],
  networks: [...networks],
}

/** What a channel serves. */
export function offer({ coin = [], network = [] }: Readonly<Record<string, readonly string[]>>): void {
  offered.networks.push(...network.filter((name) => !offered.networks.includes(name)))
  offered.coins.push(...coin.filter((name) => !offered.coins.includes(name)))
}

export const chainIds: Readonly<Record<Network, number>> = { ERC20: 1, POLYGON: 137 }

export type CoinDecimals = {
  /** Of the coin's smallest unit on its chain; the ledger may use a larger unit. */
  readonly chain: number
  /** That wallets show, because people copy them. */
  readonly shown: number
}

export const coinDecimals: Readonly<Record<Coin, CoinDecimals>> = {
  USDT: { chain: 6, shown: 6 },
  USDC: { chain: 6, shown: 6 },
  ETH: { chain: 18, shown: 8 },
}

/** 'native' is the network's own coin. Other pairs are not supported: ether on Polygon is a different token. */
const contracts: Readonly<Record<string, string>> = {
  'USDT ERC20': '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  'USDC ERC20': '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  'USDT POLYGON': '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
  'USDC POLYGON': '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  'ETH ERC20': 'native',
}

export function contractOf(coin: Coin, network: Network): string | undefined {
  return contracts[`${coin} ${network}`]
}

export function readCoin(value: unknown): Coin | undefined {
  return coins.find((coin) => coin === value)
}

export function readNetwork(value: unknown): Network | undefined {
  return networks.find((network) => network === value)
}

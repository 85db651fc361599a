// The coins and networks that are built into the gateway, and the contract of each supported pair.
import type { MethodTraits } from './traits.ts'

export const coins = ['USDT', 'USDC', 'ETH'] as const
export const networks = ['ERC20', 'POLYGON'] as const

export type Coin = (typeof coins)[number]
export type Network = (typeof networks)[number]

/**
 * The coins and networks that merchants may request. A new channel may add some, so the API reads these lists at each
 * request.
 */
export const offered: { readonly coins: string[]; readonly networks: string[] } = {
  coins: [...coins],
  networks: [...networks],
}

export function offer({ coin = [], network = [] }: Readonly<Record<string, readonly string[]>>): void {
  offered.networks.push(...network.filter((name) => !offered.networks.includes(name)))
  offered.coins.push(...coin.filter((name) => !offered.coins.includes(name)))
}

export const chainIds: Readonly<Record<Network, number>> = { ERC20: 1, POLYGON: 137 }

export type CoinDecimals = {
  /** The decimals on the chain. The ledger may use fewer. */
  readonly chain: number
  /** The decimals of the amounts on our pages. There are only few, because people copy amounts into wallets. */
  readonly shown: number
}

export const coinDecimals: Readonly<Record<Coin, CoinDecimals>> = {
  USDT: { chain: 6, shown: 6 },
  USDC: { chain: 6, shown: 6 },
  ETH: { chain: 18, shown: 8 },
}

/**
 * The token contracts by coin and network. 'native' means the network's own coin. A pair without an entry is not
 * supported. For example, ether on Polygon is a wrapped token and not ETH.
 */
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

const named = (name: string) => ({ value: name, label: name })

export const crypto = {
  paymentTypes: ['CRYPTO'],
  paymentModes: ['5'],
  currencies: 'any',
  refundable: true,
  awaitsPayerMinutes: 60,
  paidByTransfer: true,
  asks: [
    { name: 'coin', maxLength: 4, choices: coins.map(named) },
    { name: 'network', maxLength: 7, choices: networks.map(named) },
  ],
  serves: { coin: coins, network: networks },
  checkFields(fields) {
    const coin = readCoin(fields.coin)
    const network = readNetwork(fields.network)
    if (coin === undefined || network === undefined || contractOf(coin, network) !== undefined)
      return undefined
    return { field: 'network', rule: `must be one that supports ${coin}` }
  },
} as const satisfies MethodTraits

import type { MethodTraits } from '../traits.ts'
import { coins, contractOf, networks, readCoin, readNetwork } from './coin.ts'

const named = (name: string) => ({ value: name, label: name })

export const crypto = {
  paymentTypes: ['CRYPTO'],
  paymentModes: ['5'],
  currencies: 'any',
  refundable: true,
  awaitsPayerMinutes: 60,
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

import { testProtocolContract } from '../../../test/channel-contract.ts'
import { openSandboxDriver } from '../../../test/sandbox-driver.ts'
import type { Money } from '../../base/money.ts'
import { formatAmount } from '../../base/money.ts'
import type { Callback } from '../contract.ts'

testProtocolContract('pix', () =>
  openSandboxDriver({
    method: 'pix',
    money: { amount: 1_250n, currency: 'BRL' },
    details: { name: 'Ana Souza' },
    personal: { socialSecurityNumber: '529.982.247-25' },
    believes: 'asking',
    forge,
    stranger: { clientSecret: 'expired' },
    keepsRecords: true,
    isAboutPayment: (path) => !/\/oauth\/token$|\/webhook\//.test(path),
  }),
)

/** The secret in the address authenticates the bank; the message itself is not signed. */
function forge(callback: Callback, { amount, currency }: Money): Callback {
  const message = JSON.parse(callback.body)
  const pix = message.pix.map((one: object) => ({ ...one, valor: formatAmount(amount, currency) }))
  return { ...callback, body: JSON.stringify({ pix }) }
}

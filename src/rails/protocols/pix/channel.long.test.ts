import { evasionsOf, withFields } from '../../../../test/builders/forged-answers.ts'
import { testProtocolContract } from '../../../../test/contracts/channel-contract.ts'
import { openSandboxDriver } from '../../../../test/contracts/sandbox-driver.ts'
import type { Money } from '../../../platform/base/money.ts'
import { formatAmount } from '../../../platform/base/money.ts'
import type { Callback } from '../../contract/channel.ts'

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
    wording: () => ({
      evasions: evasionsOf(
        [429, problem(429, 'LimiteExcedido')],
        [503, problem(503, 'ServicoIndisponivel')],
        [500, problem(500, 'ErroInternoDoServidor')],
      ),
      forge: {
        state: (answer) => withFields(answer, { status: () => 'EM_ANALISE' }),
        money: (answer, { amount, currency }) =>
          withFields(answer, { valor: (valor) => withAmount(valor, formatAmount(amount, currency)) }),
      },
    }),
    isAboutPayment: (path) => !/\/oauth\/token$|\/webhook\//.test(path),
  }),
)

function problem(status: number, name: string): object {
  return { type: `https://pix.bcb.gov.br/api/v2/error/${name}`, title: name, status }
}

/** Replaces an amount. The amount of a charge is an object, and the amount of a Pix or a refund is a text. */
function withAmount(valor: unknown, amount: string): unknown {
  return typeof valor === 'string' ? amount : { original: amount }
}

/**
 * Changes the amounts in a webhook. The webhook stays authentic, because only the secret in its address is checked, and
 * the message is not signed.
 */
function forge(callback: Callback, { amount, currency }: Money): Callback {
  const message = JSON.parse(callback.body)
  const pix = message.pix.map((one: object) => ({ ...one, valor: formatAmount(amount, currency) }))
  return { ...callback, body: JSON.stringify({ pix }) }
}

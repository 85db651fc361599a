import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { signAnswer, signNotice } from '../../../../sandbox/alipay/signature.ts'
import { keyFiles, privatePem } from '../../../../sandbox/rsa-keys.ts'
import type { Sandbox } from '../../../../sandbox/server.ts'
import { withFields } from '../../../../test/builders/forged-answers.ts'
import { rsaPair } from '../../../../test/builders/rsa-keys.ts'
import { testChannelVariant, testProtocolContract } from '../../../../test/contracts/channel-contract.ts'
import type { FaultAccess } from '../../../../test/contracts/channel-driver.ts'
import { openSandboxDriver } from '../../../../test/contracts/sandbox-driver.ts'
import type { ProxyAnswer, ProxyRequest } from '../../../../test/counterparties/faulty-proxy.ts'
import { formatAmount, type Money } from '../../../platform/base/money.ts'
import type { Callback } from '../../contract/channel.ts'
import type { Terminal } from '../../methods/terminal.ts'

testProtocolContract('Alipay in yuan', () => openDriver('CNY', 'WEB'))
testChannelVariant('Alipay in dollars, on a phone', () => openDriver('USD', 'WAP'))

function openDriver(currency: string, terminal: Terminal) {
  const money = { amount: 1_250n, currency }
  const stranger = { privateKey: privatePem(rsaPair('stranger').privateKey) }
  return openSandboxDriver({
    method: 'alipay',
    money,
    terminal,
    returnsActionOnce: true,
    forge,
    stranger,
    wording,
  })
}

const keyIn = (folder: string) => createPrivateKey(readFileSync(join(folder, keyFiles.platform)))

/** Returns errors as Alipay sends them, signed and with status 200, and functions that forge signed responses. */
function wording(folder: string): Pick<FaultAccess, 'evasions' | 'forge'> {
  const errors = [
    { code: '40004', sub_code: 'ACQ.SYSTEM_ERROR' },
    { code: '20000', sub_code: 'aop.unknow-error' },
    { code: '40004', sub_code: 'ACQ.A_NEW_REASON' },
  ]
  const forged = (answer: ProxyAnswer, changes: Parameters<typeof withFields>[1]) => {
    const { sign: _sign, ...rest } = JSON.parse(withFields(answer, changes).body || '{}')
    const [node] = Object.keys(rest)
    return node === undefined ? answer : { ...answer, body: signAnswer(node, rest[node], keyIn(folder)) }
  }
  return {
    evasions: errors.map((content) => ({
      what: JSON.stringify(content),
      answer: (request) => ({
        status: 200,
        headers: {},
        body: signAnswer(nodeOf(request), content, keyIn(folder)),
      }),
    })),
    forge: {
      state: (answer) =>
        forged(answer, { trade_status: () => 'TRADE_ODD', refund_status: () => 'REFUND_ODD' }),
      money: (answer, { amount, currency }) => {
        const text = () => formatAmount(amount, currency)
        return forged(answer, { total_amount: text, refund_amount: text, trans_currency: () => currency })
      },
    },
  }
}

/**
 * Returns the field of the response that contains the content. Alipay names the field after the requested operation. A
 * request for a page has no body, and its error has the field `error_response`.
 */
function nodeOf({ body }: ProxyRequest): string {
  const method = new URLSearchParams(body).get('method')
  return method === null ? 'error_response' : `${method.replaceAll('.', '_')}_response`
}

/** Changes the amount in a webhook, and signs the webhook with Alipay's key. */
function forge(callback: Callback, { amount, currency }: Money, _sandbox: Sandbox, folder: string): Callback {
  const notice = Object.fromEntries(new URLSearchParams(callback.body))
  const reported = { ...notice, total_amount: formatAmount(amount, currency), trans_currency: currency }
  return { ...callback, body: new URLSearchParams(signNotice(reported, keyIn(folder))).toString() }
}

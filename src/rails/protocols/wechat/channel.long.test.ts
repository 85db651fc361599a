import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyFiles, privatePem } from '../../../../sandbox/rsa-keys.ts'
import type { Sandbox } from '../../../../sandbox/server.ts'
import { APP_PATH } from '../../../../sandbox/wechat/app-page.ts'
import { platformHeaders, sealResource } from '../../../../sandbox/wechat/signature.ts'
import { evasionsOf, withFields } from '../../../../test/builders/forged-answers.ts'
import { rsaPair } from '../../../../test/builders/rsa-keys.ts'
import { testChannelVariant, testProtocolContract } from '../../../../test/contracts/channel-contract.ts'
import type { FaultAccess } from '../../../../test/contracts/channel-driver.ts'
import { openSandboxDriver } from '../../../../test/contracts/sandbox-driver.ts'
import type { ProxyAnswer } from '../../../../test/counterparties/faulty-proxy.ts'
import type { Money } from '../../../platform/base/money.ts'
import type { Callback } from '../../contract/channel.ts'
import type { Terminal } from '../../methods/terminal.ts'
import { openResource } from './callback.ts'

testProtocolContract('WeChat Pay by a scanned code', () => openDriver('WEB'))
testChannelVariant('WeChat Pay by a page on the phone', () => openDriver('WAP', { ipAddress: '203.0.113.7' }))
testChannelVariant('WeChat Pay in an app', () => openDriver('APP'))
testChannelVariant('WeChat Pay in a mini program', () => openDriver('MINI_APP', { userId: 'oUpF8uMuAJO' }))

function openDriver(terminal: Terminal, details: Readonly<Record<string, unknown>> = {}) {
  const money = { amount: 1_250n, currency: 'CNY' }
  return openSandboxDriver({
    method: 'wechat',
    money,
    terminal,
    details,
    returnsActionOnce: true,
    forge,
    appPage,
    stranger: { privateKey: privatePem(rsaPair('stranger').privateKey) },
    wording,
  })
}

const keyIn = (folder: string) => createPrivateKey(readFileSync(join(folder, keyFiles.platform)))

/**
 * Returns the signed errors that leave the outcome of a new order open, and functions that forge signed responses.
 * Every other error for a new order is a refusal.
 */
function wording(folder: string): Pick<FaultAccess, 'evasions' | 'forge'> {
  const errors = evasionsOf(
    [429, { code: 'FREQUENCY_LIMITED' }],
    [500, { code: 'SYSTEM_ERROR' }],
    [403, { code: 'RULE_LIMIT' }],
    [400, { code: 'ORDERPAID' }],
  )
  const signed = (answer: ProxyAnswer): ProxyAnswer => ({
    ...answer,
    headers: { ...answer.headers, ...platformHeaders(answer.body, keyIn(folder), new Date()) },
  })
  const state = () => 'CONSIDERED'
  return {
    evasions: errors.map(({ what, answer }) => ({ what, answer: (request) => signed(answer(request)) })),
    forge: {
      state: (answer) => signed(withFields(answer, { trade_state: state, status: state })),
      money(answer, { amount, currency }) {
        const cents = Number(`${amount}`)
        const forged = () => ({ total: cents, refund: cents, currency })
        return signed(withFields(answer, { amount: forged }))
      },
    },
  }
}

/** The merchant's app passes the parameters to WeChat unchanged. */
function appPage(sdkParams: string, { url }: Sandbox): string {
  return `${url}${APP_PATH}?${new URLSearchParams(JSON.parse(sdkParams))}`
}

/** Changes the amount in a webhook, encrypts it with the merchant's key, and signs it with the platform's key. */
function forge(callback: Callback, { amount, currency }: Money, sandbox: Sandbox, folder: string): Callback {
  const entry = sandbox.settings().find(({ method }) => method === 'wechat')
  const key = String(entry?.apiV3Key)
  const message = JSON.parse(callback.body)
  const order = { ...openResource(message.resource, key), amount: { total: Number(`${amount}`), currency } }
  const body = JSON.stringify({ ...message, resource: sealResource(order, key) })
  return { ...callback, headers: platformHeaders(body, keyIn(folder), new Date()), body }
}

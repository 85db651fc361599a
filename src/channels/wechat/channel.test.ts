import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyFiles, privatePem } from '../../../sandbox/rsa-keys.ts'
import type { Sandbox } from '../../../sandbox/server.ts'
import { APP_PATH } from '../../../sandbox/wechat/app-page.ts'
import { platformHeaders, sealResource } from '../../../sandbox/wechat/seal.ts'
import { testChannelVariant, testProtocolContract } from '../../../test/channel-contract.ts'
import { rsaPair } from '../../../test/rsa-keys.ts'
import { openSandboxDriver } from '../../../test/sandbox-driver.ts'
import type { Money } from '../../base/money.ts'
import type { Callback } from '../contract.ts'
import type { Terminal } from '../terminal.ts'
import { openResource } from './resource.ts'

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
  })
}

/** The client passes the parameters to WeChat unchanged. */
function appPage(sdkParams: string, { url }: Sandbox): string {
  return `${url}${APP_PATH}?${new URLSearchParams(JSON.parse(sdkParams))}`
}

/** A notification of the platform: encrypted with the merchant's key, signed with its own. */
function forge(callback: Callback, { amount, currency }: Money, sandbox: Sandbox, folder: string): Callback {
  const entry = sandbox.settings().find(({ method }) => method === 'wechat')
  const key = String(entry?.apiV3Key)
  const message = JSON.parse(callback.body)
  const order = { ...openResource(message.resource, key), amount: { total: Number(`${amount}`), currency } }
  const body = JSON.stringify({ ...message, resource: sealResource(order, key) })
  const platformKey = createPrivateKey(readFileSync(join(folder, keyFiles.platform)))
  return { ...callback, headers: platformHeaders(body, platformKey, new Date()), body }
}
